//! A line, cut where commands may end: by a reader that finds something in any line.

use super::shell::Shell;

/// A blank that is quoted.
pub(super) const QUOTED: char = '\u{1}';

/// A command, perhaps.
#[derive(Default)]
pub(super) struct Piece {
    /// As it is written.
    pub(super) written: String,
    /// Without quotes, escapes and redirections.
    pub(super) meant: String,
    /// Whether it reads what the one before it writes.
    pub(super) is_piped: bool,
}

/// Where a redirection is.
#[derive(Clone, Copy, PartialEq)]
enum Redirection {
    None,
    /// Its file has not begun yet.
    Before,
    /// In the name of its file.
    File,
}

/// A line, cut where commands end.
pub(super) fn pieces(line: &str, shell: Shell) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut piece = Piece::default();
    let mut redirection = Redirection::None;
    let mut quote = None;
    let mut last = '\n';
    let mut rest = line.chars().peekable();
    while let Some(c) = rest.next() {
        let before = last;
        let ends_here = quote.is_none()
            && match c {
                ';' | '|' | '\n' | '\r' | '(' | ')' => true,
                '&' => rest.peek() != Some(&'>'),
                '`' => shell == Shell::Posix,
                _ => false,
            };
        if ends_here {
            let next_is_piped = match c {
                '|' => rest.peek() != Some(&'|') && last != '|',
                '&' => last == '|' && piece.is_piped,
                _ => false,
            };
            pieces.push(std::mem::replace(&mut piece, Piece { is_piped: next_is_piped, ..Piece::default() }));
            redirection = Redirection::None;
            last = c;
            continue;
        }
        last = c;
        piece.written.push(c);
        let meant = match (quote, c) {
            (None, '<' | '>' | '&') => {
                let mark = piece.meant.trim_end_matches(|c: char| c.is_ascii_digit()).len();
                if piece.meant[..mark].chars().next_back().is_none_or(char::is_whitespace) {
                    piece.meant.truncate(mark);
                }
                while let Some(c) = rest.next_if(|c| matches!(c, '<' | '>' | '&' | '|')) {
                    piece.written.push(c);
                }
                piece.meant.push(' ');
                redirection = Redirection::Before;
                continue;
            }
            (None, '\'' | '"') => {
                quote = Some(c);
                // `$'x'` is `x`; but `"$"'x'` and `\$'x'` are `$x`.
                if before == '$' && piece.meant.ends_with('$') {
                    piece.meant.pop();
                }
                None
            }
            (Some(open), c) if open == c => {
                quote = None;
                None
            }
            (quote, c) if c == shell.escape() && quote != Some('\'') => {
                let escaped = rest.next();
                piece.written.extend(escaped);
                escaped
            }
            (_, c) => Some(c),
        };
        let is_space = quote.is_none() && c.is_whitespace();
        redirection = match redirection {
            Redirection::Before if !is_space => Redirection::File,
            Redirection::File if is_space => Redirection::None,
            other => other,
        };
        if redirection == Redirection::None {
            let is_escaped = c == shell.escape();
            let quoted = |c| if c == ' ' && (quote.is_some() || is_escaped) { QUOTED } else { c };
            piece.meant.extend(meant.map(quoted));
        }
    }
    pieces.push(piece);
    pieces
}

impl Shell {
    fn escape(self) -> char {
        match self {
            Shell::Posix => '\\',
            Shell::Power => '`',
        }
    }
}
