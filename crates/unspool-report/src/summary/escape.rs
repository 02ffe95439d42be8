//! Text of a stream as Markdown that is nothing but text.

use crate::words::clean_line;

/// One line in which nothing is Markdown, HTML, a link or a cell's end.
pub(super) fn line(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in clean_line(text).chars() {
        match letter {
            // As entities: inside of HTML a backslash would not help, and some readers unescape twice.
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '&' => out.push_str("&amp;"),
            '|' => out.push_str("&#124;"),
            '`' => out.push_str("&#96;"),
            '\\' => out.push_str("&#92;"),
            // Mentions, issues, addresses and formulas are made of plain text by some readers.
            '@' | '#' | ':' | '$' | '*' | '_' | '[' | ']' | '~' | '!' => {
                out.push('\\');
                out.push(letter);
            }
            _ => out.push(letter),
        }
    }
    out
}

/// Text as one line of Markdown, no longer than a number of letters.
pub(super) fn short(text: &str, letters: usize) -> String {
    match text.char_indices().nth(letters) {
        Some((at, _)) => line(&format!("{}…", &text[..at])),
        None => line(text),
    }
}

/// HTML that stays one block of Markdown: it has no empty line, at which the block would end.
pub(super) fn block(html: &str) -> String {
    let lines: Vec<&str> = html.trim_end().split('\n').collect();
    let kept = lines.iter().map(|line| if line.trim().is_empty() { "&#10;" } else { line });
    // An entity is no line of its own: what stands before it has ended already.
    kept.collect::<Vec<_>>().join("\n").replace("&#10;\n", "&#10;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_nothing_but_text() {
        assert_eq!(line("a|b `c` <d> \\"), "a&#124;b &#96;c&#96; &lt;d&gt; &#92;");
        assert_eq!(
            line("**x** _y_ [z](https://q) @w #1 $m$"),
            "\\*\\*x\\*\\* \\_y\\_ \\[z\\](https\\://q) \\@w \\#1 \\$m\\$"
        );
        assert_eq!(line("a\nb\r\nc\u{2028}d\0"), "a b c d\u{fffd}");
        assert_eq!(short("abcdef", 3), "abc…");
    }

    #[test]
    fn a_block_has_no_empty_line() {
        assert_eq!(block("<pre>a\n\n\nb</pre>\n"), "<pre>a\n&#10;&#10;b</pre>");
        assert_eq!(block("<p>a</p>\n<p>b</p>\n"), "<p>a</p>\n<p>b</p>");
        assert_eq!(block("<pre>a\n \t\nb"), "<pre>a\n&#10;b");
    }
}
