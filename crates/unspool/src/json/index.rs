//! Where the strings and tokens of a line are, found for the whole line at once.
//!
//! A line is mostly strings, and most strings are short. Searching each for its closing quote costs more
//! than all else; looking at the line 64 bytes at a time, without a branch on what stands there, costs next
//! to nothing. What is kept is three bits a byte: whether it is a quote that begins or ends a string, whether
//! it is a backslash, and whether a token begins there.
//!
//! A line with a control character or a broken escape has no index. The [cursor](super::Cursor) then looks
//! at its strings one by one and says what is wrong.

use super::masks;

/// Three bits for each byte of a text.
#[derive(Debug, Default)]
pub(crate) struct Index {
    marks: Vec<Marks>,
}

/// What 64 bytes are: bit n stands for byte n.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub(crate) struct Marks {
    /// It begins or ends a string.
    quote: u64,
    /// It is a backslash.
    slash: u64,
    /// A token begins: a bracket, comma or colon outside strings, the opening quote of a string, the first
    /// byte of anything else.
    pub(super) token: u64,
}

/// What 64 bytes look like, one by one.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub(super) struct Masks {
    /// It is a quote.
    pub(super) quote: u64,
    /// It is a backslash.
    pub(super) slash: u64,
    /// It is a control character.
    pub(super) control: u64,
    /// It is a space.
    pub(super) space: u64,
    /// It is a bracket, a comma or a colon; of control characters this may be wrong.
    pub(super) sign: u64,
    /// It is not ASCII.
    pub(super) high: u64,
}

/// Which of 64 bytes may follow a backslash.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub(super) struct Letters {
    /// One of `"\\/bfnrtu`.
    pub(super) any: u64,
    /// `u`, behind which there is a number.
    pub(super) u: u64,
}

/// A longer text would cost more memory for its index than anybody expects; it is read without one.
const LONGEST: usize = 64 << 20;

/// The marks for which memory is kept: those of a line of 4 MiB.
const KEPT: usize = 1 << 16;

impl Index {
    /// Looks at a whole text. Gives the text too where it is ASCII alone, which is then known for nothing.
    pub(crate) fn of<'i, 't>(&'i mut self, bytes: &'t [u8]) -> (Option<&'t str>, Option<&'i [Marks]>) {
        if bytes.len() > LONGEST {
            return (None, None);
        }
        self.marks.clear();
        self.marks.shrink_to(KEPT);
        let (sound, ascii) = masks::index(bytes, &mut self.marks);
        (ascii, sound.then_some(&*self.marks))
    }
}

/// What is known of a text as a whole.
#[derive(Clone, Copy, Debug)]
pub(super) struct Found {
    /// It has no control character and no broken escape.
    pub(super) sound: bool,
    /// It has ASCII alone.
    pub(super) ascii: bool,
}

/// Finds the marks of a text, whose blocks `look` and `letters` see; `parity` says of each bit whether there is an odd
/// number of ones up to it.
#[inline(always)]
pub(super) fn index_with(
    bytes: &[u8],
    marks: &mut Vec<Marks>,
    look: impl Fn(&[u8; 64]) -> Masks,
    letters: impl Fn(&[u8; 64]) -> Letters,
    parity: impl Fn(u64) -> u64,
) -> Found {
    let (blocks, rest) = bytes.as_chunks::<64>();
    let mut last = [b' '; 64];
    last[..rest.len()].copy_from_slice(rest);
    let (mut escape, mut inside, mut goes_on) = (0, 0, 0);
    let (mut broken, mut high) = (0, 0);
    marks.resize(blocks.len() + 1, Marks::default());
    // A plain loop: what `look` becomes part of must have its instructions, which no iterator's inside has.
    for (at, mark) in marks.iter_mut().enumerate() {
        let block = blocks.get(at).unwrap_or(&last);
        let mut masks = look(block);
        broken |= masks.control;
        high |= masks.high;
        if masks.slash | escape != 0 {
            let escaped = escaped(masks.slash, &mut escape);
            masks.quote &= !escaped;
            let letters = letters(block);
            broken |= escaped & !letters.any;
            broken |= u64::from(!numbers_are_good(bytes, at * 64, escaped & letters.u));
        }
        let Masks { quote, slash, space, sign, .. } = masks;
        // From each opening quote up to before the closing one.
        let string = parity(quote) ^ inside;
        inside = ((string as i64) >> 63) as u64;
        // What is no sign and no space is a token by itself, as far as it goes.
        let word = !(sign | space | quote);
        let behind_word = word << 1 | goes_on;
        goes_on = word >> 63;
        let begins = sign | !(sign | space | behind_word);
        *mark = Marks { quote, slash, token: begins & !(string ^ quote) };
    }
    Found { sound: broken | escape == 0, ascii: high == 0 }
}

/// The bytes that stand behind a backslash which is not escaped itself. `carry` is 1 if the first one is
/// escaped by the block before, and says the same for the next.
#[inline(always)]
fn escaped(slash: u64, carry: &mut u64) -> u64 {
    const ODD: u64 = 0xaaaa_aaaa_aaaa_aaaa;
    // A run of backslashes escapes what follows it if the run is of odd length. Adding a bit at the start of
    // each run carries through it: where it ends up tells odd from even.
    let begins = slash & !*carry;
    let behind = begins << 1;
    let runs = (behind | ODD).wrapping_sub(begins) ^ ODD;
    let escaped = runs ^ (slash | *carry);
    *carry = (runs & slash) >> 63;
    escaped
}

/// Whether four digits follow each of these letters.
#[inline]
fn numbers_are_good(bytes: &[u8], start: usize, mut letters: u64) -> bool {
    while letters != 0 {
        let at = start + letters.trailing_zeros() as usize;
        letters &= letters - 1;
        let hex = bytes.get(at + 1..at + 5);
        if !hex.is_some_and(|hex| hex.iter().all(u8::is_ascii_hexdigit)) {
            return false;
        }
    }
    true
}

/// The end of the string whose first byte stands at `start`, and whether there is an escape in it.
#[inline]
pub(super) fn string_end(marks: &[Marks], start: usize) -> Option<(usize, bool)> {
    let here = marks.get(start / 64)?;
    let quote = here.quote >> (start % 64);
    let slash = here.slash >> (start % 64);
    if quote != 0 {
        let inside = (quote - 1) & !quote;
        return Some((start + quote.trailing_zeros() as usize, slash & inside != 0));
    }
    far_end(marks, start / 64 + 1, slash != 0)
}

/// The same for a string that goes on in other blocks.
fn far_end(marks: &[Marks], first: usize, mut escaped: bool) -> Option<(usize, bool)> {
    for (at, here) in marks.iter().enumerate().skip(first) {
        if here.quote != 0 {
            let inside = (here.quote - 1) & !here.quote;
            let end = at * 64 + here.quote.trailing_zeros() as usize;
            return Some((end, escaped | (here.slash & inside != 0)));
        }
        escaped |= here.slash != 0;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The ends of all strings, found one by one.
    fn ends(text: &str) -> Vec<(usize, bool)> {
        let (mut ends, mut at, bytes) = (Vec::new(), 0, text.as_bytes());
        while at < bytes.len() {
            at += 1;
            if bytes[at - 1] == b'"' {
                let mut escaped = false;
                while bytes[at] != b'"' {
                    escaped |= bytes[at] == b'\\';
                    at += if bytes[at] == b'\\' { 2 } else { 1 };
                }
                ends.push((at, escaped));
                at += 1;
            }
        }
        ends
    }

    fn check(text: &str) {
        let mut index = Index::default();
        let (ascii, marks) = index.of(text.as_bytes());
        assert_eq!(ascii.is_some(), text.is_ascii());
        let marks = marks.expect(text);
        let mut start = 0;
        for (end, escaped) in ends(text) {
            let quote = start + text[start..].find('"').unwrap() + 1;
            assert_eq!(string_end(marks, quote), Some((end, escaped)), "at {quote} of {text}");
            start = end + 1;
        }
    }

    #[test]
    fn strings_end_where_they_end() {
        for before in 0..140 {
            let pad = " ".repeat(before);
            for slashes in 0..8 {
                let run = "\\\\".repeat(slashes);
                check(&format!("{pad}[\"\",\"a\",\"{run}\",\"{run}\\\"\",\"é{run}\\n{pad}\",\"\\u00e9\"]"));
            }
        }
    }

    #[test]
    fn what_needs_care_has_no_index() {
        let mut index = Index::default();
        for before in 0..140 {
            let pad = " ".repeat(before);
            for bad in ["\"\\x\"", "\"\\u12g4\"", "\"\\u12\"", "\"a\nb\"", "\"\u{1f}\"", "\"\\", "\\"] {
                assert!(index.of(format!("{pad}{bad}").as_bytes()).1.is_none(), "{bad:?} at {before}");
            }
        }
    }
}
