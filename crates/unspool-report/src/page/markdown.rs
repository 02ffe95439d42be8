//! Markdown of a stream as HTML: raw HTML is text, pictures are never loaded, links lead to the web or to mail.

use super::code::paint;
use super::html::Html;
use pulldown_cmark::{Alignment, CodeBlockKind, CowStr, Event, HeadingLevel, Options, Parser, Tag, TagEnd};

/// Longer texts are shown as they are: no person reads them, and Markdown may need more time than text.
const LONGEST: usize = 1 << 20;

/// Deeper nesting is not shown as such: browsers have their limits too.
const DEEPEST: usize = 40;

/// Appends a text as HTML, with colours in its code.
pub(super) fn markdown(text: &str, out: &mut Html) {
    write(text, true, out);
}

/// Appends a text as HTML without anything that only our own style knows.
pub fn plain_markdown(text: &str, out: &mut Html) {
    write(text, false, out);
}

fn write(text: &str, colours: bool, out: &mut Html) {
    if text.len() > LONGEST {
        out.element("pre", "", text);
        return;
    }
    let options = Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_TASKLISTS;
    let mut writer = Writer {
        out,
        depth: 0,
        closing: Vec::new(),
        in_head: false,
        columns: Vec::new(),
        column: 0,
        colours,
        code: None,
    };
    Parser::new_ext(text, options).for_each(|event| writer.step(event));
}

struct Writer<'h> {
    out: &'h mut Html,
    depth: usize,
    /// What closes the tags that are open; empty for those that were not written.
    closing: Vec<&'static str>,
    in_head: bool,
    columns: Vec<Alignment>,
    column: usize,
    colours: bool,
    /// The language of the code that is open, and what there is of it.
    code: Option<(String, String)>,
}

impl Writer<'_> {
    fn step(&mut self, event: Event<'_>) {
        if let (Event::Text(text), Some((_, code))) = (&event, &mut self.code) {
            return code.push_str(text);
        }
        match event {
            Event::Start(tag) => self.open(tag),
            Event::End(tag) => self.close(tag),
            Event::Text(text) | Event::Html(text) | Event::InlineHtml(text) => drop(self.out.text(&text)),
            Event::Code(text) | Event::InlineMath(text) | Event::DisplayMath(text) => {
                self.out.element("code", "", &text);
            }
            Event::FootnoteReference(name) => drop(self.out.raw("[").text(&name).raw("]")),
            Event::SoftBreak => drop(self.out.raw("\n")),
            Event::HardBreak => drop(self.out.raw("<br>")),
            Event::Rule => drop(self.out.raw("<hr>")),
            Event::TaskListMarker(done) => drop(self.out.raw(if done { "☑ " } else { "☐ " })),
        }
    }

    fn open(&mut self, tag: Tag<'_>) {
        self.depth += 1;
        if self.depth > DEEPEST {
            self.closing.push("");
            return;
        }
        let closing = match tag {
            Tag::Paragraph => self.tag("<p>", "</p>"),
            // The page has headings of its own, which those of an answer must not look like.
            Tag::Heading { level, .. } => match level {
                HeadingLevel::H1 | HeadingLevel::H2 => self.tag("<h4>", "</h4>"),
                HeadingLevel::H3 => self.tag("<h5>", "</h5>"),
                _ => self.tag("<h6>", "</h6>"),
            },
            Tag::BlockQuote(_) => self.tag("<blockquote>", "</blockquote>"),
            Tag::CodeBlock(kind) => self.code(kind),
            Tag::List(None) => self.tag("<ul>", "</ul>"),
            Tag::List(Some(first)) => {
                self.out.raw("<ol").attr("start", &first.to_string()).raw(">");
                "</ol>"
            }
            Tag::Item => self.tag("<li>", "</li>"),
            Tag::Emphasis => self.tag("<em>", "</em>"),
            Tag::Strong => self.tag("<strong>", "</strong>"),
            Tag::Strikethrough => self.tag("<del>", "</del>"),
            Tag::Superscript => self.tag("<sup>", "</sup>"),
            Tag::Subscript => self.tag("<sub>", "</sub>"),
            Tag::Table(columns) => {
                self.columns = columns;
                self.tag("<div class=\"wide\"><table>", "</tbody></table></div>")
            }
            Tag::TableHead => {
                (self.in_head, self.column) = (true, 0);
                self.tag("<thead><tr>", "</tr></thead><tbody>")
            }
            Tag::TableRow => {
                self.column = 0;
                self.tag("<tr>", "</tr>")
            }
            Tag::TableCell => self.cell(),
            Tag::Link { dest_url, .. } => self.link(&dest_url),
            Tag::Image { dest_url, .. } => {
                self.out.raw("<span class=\"picture\">picture (").text(&dest_url).raw(") ");
                "</span>"
            }
            Tag::HtmlBlock => self.tag("<p>", "</p>"),
            Tag::FootnoteDefinition(name) => {
                self.out.raw("<p>[").text(&name).raw("] ");
                "</p>"
            }
            Tag::DefinitionList => self.tag("<dl>", "</dl>"),
            Tag::DefinitionListTitle => self.tag("<dt>", "</dt>"),
            Tag::DefinitionListDefinition => self.tag("<dd>", "</dd>"),
            Tag::MetadataBlock(_) => self.tag("<pre>", "</pre>"),
        };
        self.closing.push(closing);
    }

    fn close(&mut self, tag: TagEnd) {
        self.depth -= 1;
        if tag == TagEnd::TableHead {
            self.in_head = false;
        }
        if let Some((language, code)) = self.code.take() {
            paint(&language, &code, self.out);
        }
        let closing = self.closing.pop().unwrap_or_default();
        self.out.raw(closing);
        if self.depth == 0 {
            self.out.raw("\n");
        }
    }

    fn tag(&mut self, open: &'static str, close: &'static str) -> &'static str {
        self.out.raw(open);
        close
    }

    fn code(&mut self, kind: CodeBlockKind<'_>) -> &'static str {
        self.out.raw("<pre");
        if let CodeBlockKind::Fenced(language) = kind
            && !language.is_empty()
        {
            self.out.attr("data-language", &language);
            self.code = self.colours.then(|| (language.into_string(), String::new()));
        }
        self.tag("><code>", "</code></pre>")
    }

    fn cell(&mut self) -> &'static str {
        let right = self.columns.get(self.column) == Some(&Alignment::Right);
        self.column += 1;
        match (self.in_head, right) {
            (true, false) => self.tag("<th>", "</th>"),
            (true, true) => self.tag("<th class=\"number\">", "</th>"),
            (false, false) => self.tag("<td>", "</td>"),
            (false, true) => self.tag("<td class=\"number\">", "</td>"),
        }
    }

    fn link(&mut self, address: &CowStr<'_>) -> &'static str {
        if !is_harmless(address) {
            self.out.raw("<span class=\"link\"").attr("title", address).raw(">");
            return "</span>";
        }
        self.out.raw("<a rel=\"noopener noreferrer nofollow\"").attr("href", address).raw(">");
        "</a>"
    }
}

/// Addresses that can be followed: of the web, and of mail.
fn is_harmless(address: &str) -> bool {
    let scheme = address.split_once(':').map(|(scheme, _)| scheme.to_ascii_lowercase());
    scheme.is_some_and(|scheme| matches!(&*scheme, "http" | "https" | "mailto"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, html: &str) {
        let mut out = Html::default();
        markdown(text, &mut out);
        assert_eq!(out.take(), html);
    }

    #[test]
    fn markdown_is_shown() {
        check(
            "# A *b*\n\n- `c`\n- [x] d",
            "<h4>A <em>b</em></h4>\n<ul><li><code>c</code></li><li>☑ d</li></ul>\n",
        );
        check(
            "```rust\na < 1\n```",
            "<pre data-language=\"rust\"><code>a &lt; <span class=\"n\">1</span>\n</code></pre>\n",
        );
        check(
            "|a|b|\n|-|-:|\n|1|2|",
            "<div class=\"wide\"><table><thead><tr><th>a</th><th class=\"number\">b</th></tr></thead><tbody><tr><td>1</td><td class=\"number\">2</td></tr></tbody></table></div>\n",
        );
    }

    #[test]
    fn html_is_text() {
        check("<script>x</script>\n", "<p>&lt;script&gt;x&lt;/script&gt;\n</p>\n");
        check("a <b onclick=x>c", "<p>a &lt;b onclick=x&gt;c</p>\n");
    }

    #[test]
    fn links_lead_to_the_web_or_nowhere() {
        let open = "<a rel=\"noopener noreferrer nofollow\" href=\"";
        check("[x](https://a.b/?c&d)", &format!("<p>{open}https://a.b/?c&amp;d\">x</a></p>\n"));
        check("<mailto:a@b.c>", &format!("<p>{open}mailto:a@b.c\">mailto:a@b.c</a></p>\n"));
        for address in
            ["javascript:alert(1)", "JaVaScRiPt:alert(1)", "data:text/html,x", "file:///etc", "x", "#y"]
        {
            check(
                &format!("[x]({address})"),
                &format!("<p><span class=\"link\" title=\"{address}\">x</span></p>\n"),
            );
        }
        check("[x](java&#115;cript:y)", "<p><span class=\"link\" title=\"javascript:y\">x</span></p>\n");
    }

    #[test]
    fn pictures_are_not_loaded() {
        check("![a](https://b/c.png)", "<p><span class=\"picture\">picture (https://b/c.png) a</span></p>\n");
    }

    #[test]
    fn deep_and_long_texts_stay_readable() {
        let mut out = Html::default();
        markdown(&format!("{} deep", ">".repeat(5000)), &mut out);
        let html = out.take();
        assert!(html.contains("deep") && html.matches("<blockquote>").count() == DEEPEST, "{html}");
        assert_eq!(html.matches("</blockquote>").count(), DEEPEST);
        markdown(&"*x* ".repeat(LONGEST), &mut out);
        assert!(out.take().starts_with("<pre>*x* *x*"));
    }
}
