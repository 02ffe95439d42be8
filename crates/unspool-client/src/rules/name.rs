//! Patterns for one part of a path, as `.gitignore` writes them.

/// Whether a name fits: `*` stands for any text, `?` for any letter, `[a-z]` for one of those, `[!a-z]` for one that is none of
/// those, and what is behind a `\\` for itself.
///
/// A name fits itself, whatever it is: `app/[id]` is also the folder that is called so.
pub(super) fn name_fits(pattern: &str, name: &str) -> bool {
    if pattern == name {
        return true;
    }
    let name: Vec<char> = name.chars().collect();
    // How much of the name the pattern so far may have taken.
    let mut taken = vec![false; name.len() + 1];
    taken[0] = true;
    for piece in pieces(pattern) {
        let mut next = vec![false; name.len() + 1];
        for at in 0..=name.len() {
            next[at] = match &piece {
                Piece::Text => taken[at] || at > 0 && next[at - 1],
                Piece::Letter(letter) => at > 0 && taken[at - 1] && letter.fits(name[at - 1]),
            };
        }
        taken = next;
    }
    taken[name.len()]
}

/// Whether anything in the pattern stands for something else.
pub(super) fn is_plain(pattern: &str) -> bool {
    pieces(pattern).iter().all(|piece| matches!(piece, Piece::Letter(Letter::One(_))))
}

enum Piece {
    Text,
    Letter(Letter),
}

enum Letter {
    Any,
    One(char),
    Of { ranges: Vec<(char, char)>, others: bool },
}

impl Letter {
    fn fits(&self, letter: char) -> bool {
        match self {
            Letter::Any => true,
            Letter::One(one) => *one == letter,
            Letter::Of { ranges, others } => {
                ranges.iter().any(|(first, last)| (*first..=*last).contains(&letter)) != *others
            }
        }
    }
}

fn pieces(pattern: &str) -> Vec<Piece> {
    let (mut pieces, mut rest) = (Vec::new(), pattern);
    while let Some(first) = rest.chars().next() {
        rest = &rest[first.len_utf8()..];
        let letter = match first {
            '*' => {
                pieces.push(Piece::Text);
                continue;
            }
            '?' => Letter::Any,
            '[' => match set(rest) {
                Some((letter, behind)) => {
                    rest = behind;
                    letter
                }
                None => Letter::One('['),
            },
            '\\' => match rest.chars().next() {
                Some(next) => {
                    rest = &rest[next.len_utf8()..];
                    Letter::One(next)
                }
                None => Letter::One('\\'),
            },
            other => Letter::One(other),
        };
        pieces.push(Piece::Letter(letter));
    }
    pieces
}

/// The letters up to `]`, and what is behind it; none if there is no end. A `]` in the first place is a letter, and so is
/// what is behind a `\\`.
fn set(text: &str) -> Option<(Letter, &str)> {
    let (others, mut rest) = match text.strip_prefix(['!', '^']) {
        Some(rest) => (true, rest),
        None => (false, text),
    };
    let mut ranges: Vec<(char, char)> = Vec::new();
    let mut is_first = true;
    loop {
        if let Some((class, behind)) = class(rest) {
            ranges.extend(class);
            rest = behind;
        } else if let Some(behind) = rest.strip_prefix(']').filter(|_| !is_first) {
            return Some((Letter::Of { ranges, others }, behind));
        } else {
            let (first, behind) = letter(rest)?;
            let range = behind.strip_prefix('-').filter(|behind| !behind.starts_with(']')).and_then(letter);
            let (last, behind) = range.unwrap_or((first, behind));
            ranges.push((first, last));
            rest = behind;
        }
        is_first = false;
    }
}

/// The next letter, and what is behind it.
fn letter(text: &str) -> Option<(char, &str)> {
    let text = text.strip_prefix('\\').unwrap_or(text);
    let first = text.chars().next()?;
    Some((first, &text[first.len_utf8()..]))
}

/// `[:digit:]` and its like, which stand for many letters.
fn class(text: &str) -> Option<(&'static [(char, char)], &str)> {
    let (name, behind) = text.strip_prefix("[:")?.split_once(":]")?;
    let ranges: &[(char, char)] = match name {
        "alnum" => &[('0', '9'), ('A', 'Z'), ('a', 'z')],
        "alpha" => &[('A', 'Z'), ('a', 'z')],
        "blank" => &[(' ', ' '), ('\t', '\t')],
        "cntrl" => &[('\0', '\x1f'), ('\x7f', '\x7f')],
        "digit" => &[('0', '9')],
        "graph" => &[('!', '~')],
        "lower" => &[('a', 'z')],
        "print" => &[(' ', '~')],
        "punct" => &[('!', '/'), (':', '@'), ('[', '`'), ('{', '~')],
        "space" => &[(' ', ' '), ('\t', '\r')],
        "upper" => &[('A', 'Z')],
        "xdigit" => &[('0', '9'), ('A', 'F'), ('a', 'f')],
        _ => return None,
    };
    Some((ranges, behind))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_fit_as_in_gitignore() {
        for (pattern, name, fits) in [
            ("a.rs", "a.rs", true),
            ("*.rs", "a.rs", true),
            ("*.rs", "a.rst", false),
            ("a?c", "abc", true),
            ("a?c", "a\u{1f680}c", true),
            ("a?c", "ac", false),
            ("[abc]", "b", true),
            ("[a-c]x", "bx", true),
            ("[a-c]x", "dx", false),
            ("[!a-c]x", "dx", true),
            ("[^a-c]x", "bx", false),
            ("[]-]", "]", true),
            ("[]-]", "-", true),
            (r"x[a\-z]", "xb", false),
            (r"x[a\-z]", "x-", true),
            (r"[\]]", "]", true),
            ("[[:digit:]]", "7", true),
            ("[[:digit:]x]", "x", true),
            ("[![:digit:]]", "7", false),
            ("[a-]", "-", true),
            ("[a", "[a", true),
            ("[id]", "[id]", true),
            ("[]", "[]", true),
            ("\\*", "*", true),
            ("\\*", "a", false),
            ("\\", "\\", true),
            ("*a*a*b", "aaaaaaaaaaaaaaaaaaaaaaaac", false),
            ("", "", true),
            ("", "a", false),
        ] {
            assert_eq!(name_fits(pattern, name), fits, "{pattern} {name}");
        }
        assert!(is_plain("a.rs") && is_plain("\\*") && is_plain("[a"));
        assert!(!is_plain("a?") && !is_plain("[a]") && !is_plain("*"));
    }
}
