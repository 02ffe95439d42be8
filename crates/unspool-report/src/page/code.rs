//! Code in colours: the same as on the terminal, by classes.

use super::Html;
use crate::view::Painter;
use crate::view::style::{DIM, FUNCTION, KEYWORD, NUMBER, REMOVED, STRING, TYPE};
use anstyle::Style;

/// Longer texts stay plain: nobody reads them for their colours.
const LONGEST: usize = 128 << 10;

/// Appends code. `language` is what stands behind a fence, or at the end of a file's name.
pub(super) fn paint(language: &str, code: &str, html: &mut Html) {
    let mut painter = Painter::new(language);
    if code.len() > LONGEST || painter.is_plain() {
        html.text(code);
        return;
    }
    for line in code.split_inclusive('\n') {
        let text = line.strip_suffix('\n');
        paint_line(&mut painter, text.unwrap_or(line), html);
        if text.is_some() {
            html.raw("\n");
        }
    }
}

/// Appends the next line that a painter is given.
pub(super) fn paint_line(painter: &mut Painter, text: &str, html: &mut Html) {
    for (text, style) in painter.line(text).runs() {
        match class(style) {
            Some(class) => drop(html.element("span", class, text)),
            None => drop(html.text(text)),
        }
    }
}

fn class(style: Style) -> Option<&'static str> {
    const CLASSES: [(Style, &str); 7] = [
        (KEYWORD, "k"),
        (STRING, "s"),
        (NUMBER, "n"),
        (DIM, "c"),
        (TYPE, "t"),
        (FUNCTION, "f"),
        (REMOVED, "removed"),
    ];
    CLASSES.iter().find(|(it, _)| *it == style).map(|(_, class)| *class)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(language: &str, code: &str, expected: &str) {
        let mut html = Html::default();
        paint(language, code, &mut html);
        assert_eq!(html.take(), expected);
    }

    #[test]
    fn code_has_colours_and_stays_text() {
        check("rust", "let a = 1;\n", "<span class=\"k\">let</span> a = <span class=\"n\">1</span>;\n");
        check("js", "\"</pre><script>\"", "<span class=\"s\">&quot;&lt;/pre&gt;&lt;script&gt;&quot;</span>");
        check("diff", "+a\n-b", "<span class=\"s\">+a</span>\n<span class=\"removed\">-b</span>");
        check("\"><script>", "a < b", "a &lt; b");
        check("", "plain\r\n\n", "plain\n\n");
    }
}
