//! Colours for code: keywords, words in quotes, numbers, comments.
//!
//! A line at a time, as they arrive. It knows what languages have in common and little of each: what it does not know
//! stays plain, and nothing in a stream can make it slow.

mod language;

use super::line::Line;
use super::style::{ADDED, DIM, FUNCTION, KEYWORD, NUMBER, PLAIN, REMOVED, STRING, TYPE};
use anstyle::Style;
use language::Language;

/// Colours the lines of one block of code, in their order.
#[derive(Clone, Debug, Default)]
pub struct Painter {
    language: Option<&'static Language>,
    /// What the last line has left open: where it ends, and its style.
    open: Option<(&'static str, Style)>,
    is_diff: bool,
    /// Every apostrophe of this line, so far, had another one behind it: after the first that has none, nobody looks for
    /// more, or a line of apostrophes would be walked again for each of them.
    is_closed: bool,
}

impl Painter {
    /// For a language, as it stands behind the fence.
    #[must_use]
    pub fn new(info: &str) -> Self {
        let name = info.split([' ', ',', '{', ':']).next().unwrap_or_default().to_ascii_lowercase();
        Painter {
            language: language::find(&name),
            open: None,
            is_diff: matches!(name.as_str(), "diff" | "patch"),
            is_closed: true,
        }
    }

    /// Nothing is known of the language, so nothing gets a colour.
    #[must_use]
    pub fn is_plain(&self) -> bool {
        self.language.is_none() && !self.is_diff
    }

    /// The next line.
    pub fn line(&mut self, text: &str) -> Line {
        let mut line = Line::new();
        self.line_behind(text, &mut line);
        line
    }

    /// The next line, behind what stands there already.
    pub fn line_behind(&mut self, text: &str, line: &mut Line) {
        if self.is_diff {
            return line.push(text, diff_style(text));
        }
        let Some(language) = self.language else { return line.push(text, PLAIN) };
        let mut rest = text;
        self.is_closed = true;
        while !rest.is_empty() {
            let (length, style) = self.token(language, rest, text.len() == rest.len());
            line.push(&rest[..length], style);
            rest = &rest[length..];
        }
    }

    /// How long the next piece is, and its style.
    fn token(&mut self, language: &Language, rest: &str, at_start: bool) -> (usize, Style) {
        if let Some((end, style)) = self.open {
            return match find_end(rest, end) {
                Some(length) => {
                    self.open = None;
                    (length, style)
                }
                None => (rest.len(), style),
            };
        }
        if language.comments.iter().any(|mark| rest.starts_with(mark)) {
            return (rest.len(), DIM);
        }
        if let Some((begin, end)) = language.block.filter(|(begin, _)| rest.starts_with(begin)) {
            return self.open(rest, begin.len(), end, DIM);
        }
        if let Some(mark) = language.long_strings.iter().find(|mark| rest.starts_with(**mark)) {
            return self.open(rest, mark.len(), mark, STRING);
        }
        let first = rest.chars().next().unwrap_or_default();
        if language.quotes.contains(first) && (self.is_closed || first != '\'') {
            let (length, style) = quoted(language, rest, first);
            self.is_closed = length > 1;
            return (length, style);
        }
        if first.is_ascii_digit() {
            let end = rest.find(|it: char| !it.is_ascii_alphanumeric() && it != '.' && it != '_');
            return (end.unwrap_or(rest.len()), NUMBER);
        }
        if first.is_alphabetic() || first == '_' || language.sigils.contains(first) {
            return word(language, rest, at_start);
        }
        // White space and signs up to the next thing that may begin something.
        let end = rest.char_indices().skip(1).find(|(_, it)| !it.is_whitespace());
        (end.map_or(rest.len(), |(at, _)| at), PLAIN)
    }

    fn open(&mut self, rest: &str, begin: usize, end: &'static str, style: Style) -> (usize, Style) {
        match find_end(&rest[begin..], end) {
            Some(length) => (begin + length, style),
            None => {
                self.open = Some((end, style));
                (rest.len(), style)
            }
        }
    }
}

fn find_end(text: &str, end: &str) -> Option<usize> {
    text.find(end).map(|at| at + end.len())
}

fn diff_style(text: &str) -> Style {
    match text.as_bytes().first() {
        Some(b'+') => ADDED,
        Some(b'-') => REMOVED,
        Some(b'@') => TYPE,
        _ => PLAIN,
    }
}

/// Words in quotes, up to the quote that closes them or the end of the line. A lone apostrophe is none.
fn quoted(language: &Language, rest: &str, quote: char) -> (usize, Style) {
    let mut escaped = false;
    for (at, letter) in rest.char_indices().skip(1) {
        match letter {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            _ if letter == quote => {
                let length = at + letter.len_utf8();
                let is_key = language.keys && rest[length..].trim_start().starts_with(':');
                return (length, if is_key { FUNCTION } else { STRING });
            }
            _ => {}
        }
    }
    if quote == '\'' { (1, PLAIN) } else { (rest.len(), STRING) }
}

fn word(language: &Language, rest: &str, at_start: bool) -> (usize, Style) {
    let inside = |it: char| it.is_alphanumeric() || it == '_' || language.inside.contains(it);
    let end = rest.char_indices().skip(1).find(|(_, it)| !inside(*it)).map_or(rest.len(), |(at, _)| at);
    let (text, behind) = rest.split_at(end);
    let known = |list: &[&str]| {
        list.iter().any(|it| if language.any_case { it.eq_ignore_ascii_case(text) } else { *it == text })
    };
    let is_key = language.keys && at_start && behind.trim_start().starts_with([':', '=']);
    let is_called = behind.starts_with('(') || behind.starts_with("!(");
    let style = if known(language.keywords) {
        KEYWORD
    } else if known(language.constants) {
        NUMBER
    } else if text.starts_with(|it| language.sigils.contains(it)) {
        TYPE
    } else if is_key || is_called {
        FUNCTION
    } else if language.types && text.starts_with(char::is_uppercase) {
        TYPE
    } else {
        PLAIN
    };
    (end, style)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(language: &str, code: &str, shown: &str) {
        let mut painter = Painter::new(language);
        let name = |style: Style| {
            let names =
                [(KEYWORD, 'k'), (STRING, 's'), (NUMBER, 'n'), (DIM, 'c'), (TYPE, 't'), (FUNCTION, 'f')];
            names.iter().find(|(it, _)| *it == style).map_or('.', |(_, name)| *name)
        };
        let marked = code.lines().map(|text| {
            let line = painter.line(text);
            assert_eq!(line.text(), text);
            line.runs()
                .map(|(text, style)| name(style).to_string().repeat(text.chars().count()))
                .collect::<String>()
        });
        assert_eq!(marked.collect::<Vec<_>>().join("\n"), shown);
    }

    #[test]
    fn what_languages_have_in_common_is_seen() {
        check("rust", "let x: Foo = f(1); // no", "kkk....ttt...f.n...ccccc");
        check("rust", "'a \"s\\\"\" /* b\nc */ d", "...sssss.cccc\ncccc..");
        check("python", "def f(): return \"\"\"a\nb\"\"\"", "kkk.f....kkkkkk.ssss\nssss");
        check("json", "{\"a\": \"b\", \"c\": 1.5}", ".fff..sss..fff..nnn.");
        check("sh", "echo $HOME # x", ".....ttttt.ccc");
        check("yaml", "key: 1 # x", "fff..n.ccc");
        check("nonsense", "let x = 1", ".........");
    }

    #[test]
    fn no_line_takes_longer_than_it_is_long() {
        for piece in ["\\'", "'\\", "\\\"'", "/*", "`'", "a'", "\"\\"] {
            let line = piece.repeat(1 << 17);
            for language in ["rust", "sh", "json"] {
                assert_eq!(Painter::new(language).line(&line).text().len(), line.len());
            }
        }
    }
}
