//! What the browser lets the page do: run our script, use our style, show pictures that are in it. Nothing else.

use sha2::{Digest, Sha256};

/// The style, which stands in the page; with that of the player, where there is one.
pub(super) fn style(play: bool) -> &'static str {
    if play {
        concat!(include_str!("assets/page.css"), include_str!("assets/player.css"))
    } else {
        include_str!("assets/page.css")
    }
}

/// The script, which stands in the page. Without it everything can be read; search, the switches and the player need it.
pub(super) fn script(play: bool) -> &'static str {
    if play {
        concat!(include_str!("assets/page.js"), include_str!("assets/player.js"))
    } else {
        include_str!("assets/page.js")
    }
}

/// The Content-Security-Policy of a page. Script and style are known by their hashes, so nothing that a stream might
/// smuggle in would run or be applied.
pub(super) fn policy(play: bool) -> String {
    format!(
        "default-src 'none'; script-src '{}'; style-src '{}'; img-src data:; base-uri 'none'; form-action 'none'",
        source(script(play)),
        source(style(play))
    )
}

fn source(text: &str) -> String {
    format!("sha256-{}", base64(&Sha256::digest(text.as_bytes())))
}

fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::new();
    for three in bytes.chunks(3) {
        let bits =
            three.iter().fold(0u32, |bits, byte| bits << 8 | u32::from(*byte)) << (8 * (3 - three.len()));
        for place in 0..4 {
            let letter = LETTERS[(bits >> (18 - 6 * place) & 63) as usize];
            out.push(if place <= three.len() { char::from(letter) } else { '=' });
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_is_as_everybody_writes_it() {
        let texts = ["", "f", "fo", "foo", "foob", "fooba", "foobar"].map(|text| base64(text.as_bytes()));
        assert_eq!(texts, ["", "Zg==", "Zm8=", "Zm9v", "Zm9vYg==", "Zm9vYmE=", "Zm9vYmFy"]);
        assert_eq!(source(""), "sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=");
    }

    #[test]
    fn script_and_style_are_small_and_end_where_they_should() {
        for (play, most) in [(false, 40_000), (true, 70_000)] {
            let (style, script) = (style(play), script(play));
            assert!(style.len() + script.len() < most, "{}", style.len() + script.len());
            assert!(!script.to_lowercase().contains("</script") && !style.to_lowercase().contains("</style"));
            assert!(!script.contains('\r') && !style.contains('\r'), "the browser would hash another text");
        }
    }
}
