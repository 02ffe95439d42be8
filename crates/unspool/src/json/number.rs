//! What a number looks like.

/// How long the number is at the start of a text, and whether an `f64` may not hold it; or where it breaks.
#[inline]
pub(super) fn number(text: &[u8]) -> Result<(usize, bool), usize> {
    let first = usize::from(text.first() == Some(&b'-'));
    let mut at = match text.get(first) {
        Some(b'0') => first + 1,
        _ => digits(text, first)?,
    };
    if text.get(at) == Some(&b'.') {
        at = digits(text, at + 1)?;
    }
    let mut far = false;
    if let Some(b'e' | b'E') = text.get(at) {
        let sign = usize::from(matches!(text.get(at + 1), Some(b'+' | b'-')));
        at = digits(text, at + 1 + sign)?;
        far = true;
    }
    Ok((at, far || at > 300))
}

/// The end of the digits from here on, of which there must be one.
#[inline]
fn digits(text: &[u8], from: usize) -> Result<usize, usize> {
    let count = text.get(from..).unwrap_or_default().iter().take_while(|byte| byte.is_ascii_digit()).count();
    if count == 0 { Err(from) } else { Ok(from + count) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_ends_or_breaks() {
        for (text, found) in [
            ("0", Ok((1, false))),
            ("-0,", Ok((2, false))),
            ("01", Ok((1, false))),
            ("120.50]", Ok((6, false))),
            ("1e5", Ok((3, true))),
            ("-1.5E-10 ", Ok((8, true))),
            ("", Err(0)),
            ("-", Err(1)),
            ("-x", Err(1)),
            ("1.", Err(2)),
            ("1.e1", Err(2)),
            ("1e", Err(2)),
            ("1e+", Err(3)),
        ] {
            assert_eq!(number(text.as_bytes()), found, "{text}");
        }
    }
}
