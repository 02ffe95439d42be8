//! Text that cannot steer a terminal.

use std::borrow::Cow;

/// The text with its lines and tabs, and without anything else that a terminal would obey: escape codes, and marks
/// that make text look like another.
pub fn clean(text: &str) -> Cow<'_, str> {
    if !text.contains(steers) {
        return Cow::Borrowed(text);
    }
    let text = text.replace("\r\n", "\n");
    Cow::Owned(text.chars().map(|letter| if steers(letter) { '\u{fffd}' } else { letter }).collect())
}

/// The text on one line, without anything that a terminal would obey: what would begin another line becomes a space.
#[must_use]
pub fn clean_line(text: &str) -> String {
    clean(text).chars().map(|letter| if breaks(letter) { ' ' } else { letter }).collect()
}

fn breaks(letter: char) -> bool {
    matches!(letter, '\n' | '\t' | '\u{2028}' | '\u{2029}')
}

fn steers(letter: char) -> bool {
    let turns = matches!(letter, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    turns || letter.is_control() && !matches!(letter, '\n' | '\t')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_and_tabs_stay() {
        assert_eq!(clean("a\tb\nc é 漢"), "a\tb\nc é 漢");
        assert_eq!(clean("a\r\nb\rc"), "a\nb\u{fffd}c");
        assert_eq!(clean("\u{1b}[31mred\u{9b}0m\u{202e}\u{7}"), "\u{fffd}[31mred\u{fffd}0m\u{fffd}\u{fffd}");
    }
}
