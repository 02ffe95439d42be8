//! Looks for the bytes that end or break a string, a few at a time.

const ONES: u64 = 0x0101_0101_0101_0101;
const HIGHS: u64 = 0x8080_8080_8080_8080;

/// Whether there is a byte below 0x20. Without branches inside, so that it is done many bytes at a time.
pub(super) fn has_control(bytes: &[u8]) -> bool {
    bytes.chunks(128).any(|chunk| chunk.iter().fold(false, |found, &byte| found | (byte < 0x20)))
}

/// Offset of the first quote or backslash at or behind `at`; the length if none. Most strings are short:
/// the search that is fast on long ones begins only where a short one would have ended.
#[inline]
pub(super) fn calm_until(bytes: &[u8], mut at: usize) -> usize {
    for _ in 0..5 {
        let Some(chunk) = bytes.get(at..).and_then(<[u8]>::first_chunk::<8>) else { break };
        let word = u64::from_le_bytes(*chunk);
        let quote = word ^ (ONES * b'"' as u64);
        let slash = word ^ (ONES * b'\\' as u64);
        let found = (quote.wrapping_sub(ONES) & !quote | slash.wrapping_sub(ONES) & !slash) & HIGHS;
        if found != 0 {
            return at + found.trailing_zeros() as usize / 8;
        }
        at += 8;
    }
    let rest = bytes.get(at..).unwrap_or_default();
    at + memchr::memchr2(b'"', b'\\', rest).unwrap_or(rest.len())
}

/// Offset of the first backslash. In code there is one in every line, and often two together: here too the
/// search that is fast on long texts begins only where a short one would have ended.
#[inline]
pub(super) fn next_slash(bytes: &[u8]) -> Option<usize> {
    let mut at = 0;
    for _ in 0..6 {
        let Some(chunk) = bytes.get(at..).and_then(<[u8]>::first_chunk::<8>) else { break };
        let slash = u64::from_le_bytes(*chunk) ^ (ONES * b'\\' as u64);
        let found = slash.wrapping_sub(ONES) & !slash & HIGHS;
        if found != 0 {
            return Some(at + found.trailing_zeros() as usize / 8);
        }
        at += 8;
    }
    memchr::memchr(b'\\', &bytes[at..]).map(|found| at + found)
}

/// Offset of the first quote, backslash or control character at or behind `at`; the length if none.
#[inline]
pub(super) fn plain_until(bytes: &[u8], mut at: usize) -> usize {
    while let Some(chunk) = bytes.get(at..).and_then(<[u8]>::first_chunk::<8>) {
        let found = special(u64::from_le_bytes(*chunk));
        if found != 0 {
            return at + found.trailing_zeros() as usize / 8;
        }
        at += 8;
    }
    while bytes.get(at).is_some_and(|&byte| byte >= 0x20 && byte != b'"' && byte != b'\\') {
        at += 1;
    }
    at
}

/// How long the escape is that stands here.
#[inline]
pub(super) fn escape(bytes: &[u8], at: usize) -> Option<usize> {
    match bytes.get(at + 1)? {
        b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't' => Some(2),
        b'u' => bytes.get(at + 2..at + 6)?.iter().all(u8::is_ascii_hexdigit).then_some(6),
        _ => None,
    }
}

/// The high bit of each byte that is a quote, a backslash or below 0x20. Bits above the lowest one set
/// may be wrong (a borrow), the lowest is exact.
#[inline]
fn special(word: u64) -> u64 {
    let quote = word ^ (ONES * b'"' as u64);
    let slash = word ^ (ONES * b'\\' as u64);
    (quote.wrapping_sub(ONES) & !quote
        | slash.wrapping_sub(ONES) & !slash
        | word.wrapping_sub(ONES * 0x20) & !word)
        & HIGHS
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_string_ends_where_it_ends() {
        for length in 0..40 {
            for stop in ['"', '\\'] {
                let text = "é".repeat(length / 2) + &"x".repeat(length) + &stop.to_string() + "tail\"\\";
                assert_eq!(calm_until(text.as_bytes(), 0), length / 2 * 2 + length, "{text:?}");
            }
        }
        for length in 0..40 {
            for stop in ['"', '\\', '\u{1}', '\u{1f}'] {
                let text = "é".repeat(length / 2) + &"x".repeat(length) + &stop.to_string() + "tail\"\\";
                assert_eq!(plain_until(text.as_bytes(), 0), length / 2 * 2 + length, "{text:?}");
            }
        }
    }
}
