//! HTML into which nothing can break: markup is known when this is compiled, all else is escaped.

use crate::words::clean;
use std::fmt::Display;

/// A piece of a page.
#[derive(Default)]
pub struct Html {
    out: String,
}

impl Html {
    /// Markup of our own. `'static` is what keeps text of a stream out of here.
    pub fn raw(&mut self, markup: &'static str) -> &mut Self {
        self.out.push_str(markup);
        self
    }

    /// Text from anywhere.
    pub fn text(&mut self, text: &str) -> &mut Self {
        escape(text, &mut self.out);
        self
    }

    /// An attribute, with the space before it, of a tag that is open.
    pub fn attr(&mut self, name: &'static str, value: &str) -> &mut Self {
        self.raw(" ").raw(name).raw("=\"").text(value).raw("\"")
    }

    /// A whole element with nothing but text in it.
    pub fn element(&mut self, tag: &'static str, class: &'static str, text: &str) -> &mut Self {
        self.raw("<").raw(tag);
        if !class.is_empty() {
            self.raw(" class=\"").raw(class).raw("\"");
        }
        self.raw(">").text(text).raw("</").raw(tag).raw(">")
    }

    /// A number or a word of our own.
    pub fn show(&mut self, value: impl Display) -> &mut Self {
        self.text(&value.to_string())
    }

    /// What was written so far, which is then forgotten.
    pub fn take(&mut self) -> String {
        std::mem::take(&mut self.out)
    }

    /// How much that is, in bytes.
    pub(crate) fn len(&self) -> usize {
        self.out.len()
    }
}

/// Escapes for text and for attributes in double or single quotes. Characters that no page may have, or that make
/// text look like another, are replaced.
fn escape(text: &str, out: &mut String) {
    let text = clean(text);
    let mut rest = &*text;
    while let Some(at) = rest.find(['&', '<', '>', '"', '\'', '`']) {
        out.push_str(&rest[..at]);
        out.push_str(match rest.as_bytes()[at] {
            b'&' => "&amp;",
            b'<' => "&lt;",
            b'>' => "&gt;",
            b'"' => "&quot;",
            b'\'' => "&#39;",
            _ => "&#96;",
        });
        rest = &rest[at + 1..];
    }
    out.push_str(rest);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_breaks_out() {
        let mut html = Html::default();
        html.raw("<p")
            .attr("title", "\"'`><script>")
            .raw(">")
            .text("</p>&amp;\0\u{1b}\u{202e}\r\n")
            .raw("</p>");
        assert_eq!(
            html.take(),
            "<p title=\"&quot;&#39;&#96;&gt;&lt;script&gt;\">&lt;/p&gt;&amp;amp;\u{fffd}\u{fffd}\u{fffd}\n</p>"
        );
    }
}
