//! Texts that are too long for their place.

/// The beginning of a text that is too long, in whole words if there are any.
pub(super) fn cut(text: &str, longest: usize) -> String {
    let Some((end, _)) = text.char_indices().nth(longest) else { return text.to_owned() };
    let words = match text[..end].rfind(' ') {
        Some(space) if !text[end..].starts_with(' ') && space > end / 2 => &text[..space],
        _ => &text[..end],
    };
    format!("{} …", words.trim_end().trim_end_matches([',', ';', ':']))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_cut_between_words() {
        let long =
            "The tests of the parser fail since Tuesday, and nobody knows why; find out what has changed";
        assert_eq!(cut(long, 66), "The tests of the parser fail since Tuesday, and nobody knows why …");
        assert_eq!(cut("short", 120), "short");
        let word = "x".repeat(200);
        assert_eq!(cut(&word, 120), format!("{} …", &word[..120]));
        assert_eq!(cut(&"漢".repeat(200), 120), format!("{} …", "漢".repeat(120)));
        let fits = format!("{} b and more", "a".repeat(118));
        assert_eq!(cut(&fits, 120), format!("{} b …", "a".repeat(118)));
    }
}
