//! Base64, as a browser sends its pictures.

use anyhow::Context;

/// The bytes of a text.
pub(super) fn decode(text: &str) -> anyhow::Result<Vec<u8>> {
    let mut out = Vec::with_capacity(text.len() / 4 * 3);
    let (mut bits, mut number) = (0u32, 0);
    for byte in text.bytes().take_while(|byte| *byte != b'=') {
        let value = match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            _ => None.context("not base64")?,
        };
        bits = bits << 6 | u32::from(value);
        number += 6;
        if number >= 8 {
            number -= 8;
            out.push((bits >> number) as u8);
        }
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    #[test]
    fn what_was_encoded_comes_back() {
        for (text, bytes) in [("", ""), ("Zg==", "f"), ("Zm8=", "fo"), ("Zm9vYmFy", "foobar")] {
            assert_eq!(super::decode(text).unwrap(), bytes.as_bytes());
        }
        assert!(super::decode("a b").is_err());
    }
}
