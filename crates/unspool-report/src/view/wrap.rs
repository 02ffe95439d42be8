//! How wide text is, and where it is broken.
//!
//! Terminals disagree about joined emoji and the like, so the width of a character is the largest that any of them gives
//! it: a line may look a little short, but it never overflows.

use super::line::Line;
use crate::words::clean;
use std::borrow::Cow;
use std::ops::Range;
use unicode_segmentation::UnicodeSegmentation;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// Code points that one character may be made of, and columns that it may take; the longest that people use have so
/// many.
const LONGEST: usize = 10;
const WIDEST: usize = 8;

/// Columns to the next stop of a tabulator.
const TAB: usize = 4;

/// Text of the stream as it may stand in a line: nothing that steers a terminal, no tabulators, and no character that is
/// piled up without end. Ends of lines stay.
#[must_use]
pub fn tidy(text: &str) -> Cow<'_, str> {
    let plain = |byte: u8| matches!(byte, b' '..=b'~' | b'\n');
    if text.bytes().all(plain) {
        return Cow::Borrowed(text);
    }
    let text = clean(text);
    if simple(&text) && !text.contains('\t') {
        return text;
    }
    let mut out = String::with_capacity(text.len());
    let mut column = 0;
    for letter in text.graphemes(true) {
        match letter {
            "\t" => {
                let spaces = TAB - column % TAB;
                out.extend(std::iter::repeat_n(' ', spaces));
                column += spaces;
            }
            "\n" => {
                out.push('\n');
                column = 0;
            }
            "\u{2028}" | "\u{2029}" => {
                out.push(' ');
                column += 1;
            }
            _ => {
                let mut wide = 0;
                let kept = letter.chars().take(LONGEST).take_while(|it| {
                    wide += it.width().unwrap_or(0);
                    wide <= WIDEST
                });
                out.extend(kept);
                column += letter_width(letter);
            }
        }
    }
    Cow::Owned(out)
}

/// Text of the stream as [`tidy`] makes it, on one line: spaces where lines end.
#[must_use]
pub fn tidy_line(text: &str) -> String {
    tidy_words(text).into_owned()
}

/// Text of the stream as [`tidy`] makes it, on one line; borrowed where nothing has to change.
#[must_use]
pub fn tidy_words(text: &str) -> Cow<'_, str> {
    let text = tidy(text);
    if text.contains('\n') { Cow::Owned(text.replace('\n', " ")) } else { text }
}

/// How many columns it takes at the most.
pub fn width(text: &str) -> usize {
    if text.is_ascii() {
        return text.len();
    }
    if simple(text) { text.chars().count() } else { text.graphemes(true).map(letter_width).sum() }
}

/// How many bytes of it fit into so many columns.
#[must_use]
pub fn fits(text: &str, columns: usize) -> usize {
    // Behind it stands another letter of its own, so that nothing joins its neighbour there.
    let near = text.len().min(columns + 1);
    if text.as_bytes()[..near].is_ascii() {
        return columns.min(text.len());
    }
    let mut used = 0;
    for (at, letter) in text.grapheme_indices(true) {
        used += letter_width(letter);
        if used > columns {
            return at;
        }
    }
    text.len()
}

/// At most so many columns of it, with a mark where it was cut.
#[must_use]
pub fn cut(text: &str, columns: usize) -> Cow<'_, str> {
    if width(text) <= columns {
        return Cow::Borrowed(text);
    }
    let end = fits(text, columns.saturating_sub(1));
    Cow::Owned(format!("{}…", text[..end].trim_end()))
}

/// A line as several, broken between words where possible.
#[must_use]
pub fn wrap(line: Line, columns: usize) -> Vec<Line> {
    if line.text().len() <= columns || line.width() <= columns {
        return vec![line];
    }
    words(line.text(), columns.max(1)).into_iter().map(|range| line.slice(range)).collect()
}

/// A line as several, broken where it is full: for code.
#[must_use]
pub fn fold(line: Line, columns: usize) -> Vec<Line> {
    if line.text().len() <= columns || line.width() <= columns {
        return vec![line];
    }
    let mut pieces = Vec::new();
    let mut start = 0;
    while start < line.text().len() {
        let end = start + step(&line.text()[start..], columns.max(1));
        pieces.push(line.slice(start..end));
        start = end;
    }
    pieces
}

/// All characters take one column, and none joins its neighbour. It is enough to know the usual ones.
fn simple(text: &str) -> bool {
    text.chars().all(|letter| {
        matches!(letter,
            '\0'..='\u{ac}' | '\u{ae}'..='\u{2ff}' | '\u{370}'..='\u{377}' | '\u{391}'..='\u{3a1}' | '\u{3a3}'..='\u{482}'
            | '\u{2010}'..='\u{2027}' | '\u{2030}'..='\u{205e}' | '\u{20a0}'..='\u{20bf}' | '\u{2190}'..='\u{2193}'
            | '\u{2200}'..='\u{22ff}' | '\u{2500}'..='\u{25ef}' | '\u{2713}' | '\u{2717}')
    })
}

fn letter_width(letter: &str) -> usize {
    let apart: usize = letter.chars().map(|it| it.width().unwrap_or(0)).sum();
    apart.max(letter.width())
}

/// How much of the text fits into these columns, but at least one character, or nothing would ever get done.
fn step(text: &str, columns: usize) -> usize {
    match fits(text, columns) {
        0 => text.graphemes(true).next().map_or(text.len(), str::len),
        end => end,
    }
}

fn words(text: &str, columns: usize) -> Vec<Range<usize>> {
    let mut lines = Vec::new();
    let (mut start, mut end, mut used) = (0, 0, 0);
    let mut at = 0;
    for word in text.split(' ') {
        let (from, to) = (at, at + word.len());
        at = to + 1;
        let wide = width(word);
        let gap = if from == 0 { 0 } else { 1 };
        if used + gap + wide <= columns && from > 0 || from == 0 && wide <= columns {
            (end, used) = (to, used + gap + wide);
            continue;
        }
        if end > start {
            lines.push(start..end);
        }
        (start, end, used) = (from, to, wide);
        if used > columns {
            // The rest is measured no further than it has to be: a word may be long.
            while fits(&text[start..to], columns) < to - start {
                let cut = start + step(&text[start..to], columns);
                lines.push(start..cut);
                start = cut;
            }
            used = width(&text[start..to]);
        }
    }
    if end > start {
        lines.push(start..end);
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::super::style::PLAIN;
    use super::*;
    use proptest::prelude::*;

    fn wrapped(text: &str, columns: usize) -> Vec<String> {
        wrap(Line::of(text, PLAIN), columns).iter().map(|line| line.text().to_owned()).collect()
    }

    #[test]
    fn lines_are_broken_between_words() {
        assert_eq!(wrapped("the quick brown fox", 10), ["the quick", "brown fox"]);
        assert_eq!(wrapped("abcdefghijkl xy", 5), ["abcde", "fghij", "kl xy"]);
        assert_eq!(wrapped("漢字漢字漢字", 5), ["漢字", "漢字", "漢字"]);
        assert_eq!(wrapped("short", 10), ["short"]);
    }

    #[test]
    fn widths_are_those_of_the_widest_terminal() {
        assert_eq!(["a", "é", "漢", "👍", "❤\u{fe0f}", "e\u{301}"].map(width), [1, 1, 2, 2, 2, 1]);
        assert_eq!(width("👩\u{200d}👩"), 4);
        assert_eq!(cut("漢字漢字", 6), "漢字…");
        assert_eq!(cut("abc", 3), "abc");
    }

    #[test]
    fn nothing_is_piled_up() {
        let flood = format!("a{}b", "\u{301}".repeat(5000));
        assert_eq!(tidy(&flood).chars().count(), LONGEST + 1);
        assert!(width(&tidy(&"\u{1100}".repeat(50))) <= WIDEST);
        assert_eq!(tidy("a\tb\n\tc"), "a   b\n    c");
        assert_eq!(tidy("x\u{1b}[2J\u{2028}y\u{202e}"), "x\u{fffd}[2J y\u{fffd}");
    }

    proptest! {
        #[test]
        fn no_line_is_too_wide_and_nothing_is_lost(text in any::<String>(), columns in 20usize..60) {
            let text = tidy_line(&text);
            let lines = wrap(Line::of(&text, PLAIN), columns);
            for line in &lines {
                prop_assert!(line.width() <= columns, "{line:?}");
            }
            let letters = |text: &str| text.chars().filter(|letter| *letter != ' ').collect::<String>();
            let joined: String = lines.iter().map(|line| letters(line.text())).collect();
            prop_assert_eq!(joined, letters(&text));
            let folded: String = fold(Line::of(&text, PLAIN), columns).iter().map(Line::text).collect();
            prop_assert_eq!(folded, text);
        }
    }
}
