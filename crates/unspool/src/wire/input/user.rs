//! A message of the user.

use super::{Draft, Say};
use crate::json::{Json, Str};
use crate::wire::{
    Base64Source, Document, FileSource, Image, Priority, SearchResult, Source, Text, TextSource, ToolResult,
    UrlSource, Wire,
};
use std::borrow::Cow;

/// A message with these words.
pub fn user(text: impl AsRef<str>) -> UserInput {
    UserInput::new().text(text)
}

/// A message of the user: blocks, and what to do with them.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct UserInput {
    blocks: Vec<String>,
    words: Option<String>,
    fields: Draft,
}

impl UserInput {
    /// A message without words as yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Words.
    #[must_use]
    pub fn text(mut self, text: impl AsRef<str>) -> Self {
        let first = self.blocks.is_empty();
        self = self.block(Text { text: Some(text.as_ref().into()), ..Text::default() });
        self.words = first.then(|| text.as_ref().to_owned());
        self
    }

    /// A picture, in base 64.
    #[must_use]
    pub fn image_base64(self, media_type: &str, data: &str) -> Self {
        self.image(base64(media_type, data))
    }

    /// A picture on the web.
    #[must_use]
    pub fn image_url(self, url: &str) -> Self {
        self.image(url_of(url))
    }

    /// A picture that was uploaded before.
    #[must_use]
    pub fn image_file(self, file_id: &str) -> Self {
        self.image(file(file_id))
    }

    /// A document, normally a PDF, in base 64.
    #[must_use]
    pub fn document_base64(self, media_type: &str, data: &str) -> Self {
        self.document(base64(media_type, data))
    }

    /// A document that is plain text.
    #[must_use]
    pub fn document_text(self, text: &str) -> Self {
        self.document(
            TextSource { media_type: some("text/plain"), data: some(text), ..TextSource::default() }.into(),
        )
    }

    /// A document on the web.
    #[must_use]
    pub fn document_url(self, url: &str) -> Self {
        self.document(url_of(url))
    }

    /// A document that was uploaded before.
    #[must_use]
    pub fn document_file(self, file_id: &str) -> Self {
        self.document(file(file_id))
    }

    /// Something a search found.
    #[must_use]
    pub fn search_result(self, source: &str, title: &str, text: &str) -> Self {
        let content = super::Owned::of([Text { text: some(text), ..Text::default() }]);
        self.block(SearchResult {
            source: some(source),
            title: some(title),
            content: Some((&content).into()),
            ..SearchResult::default()
        })
    }

    /// What a tool answered, for a call that a hook put off.
    #[must_use]
    pub fn tool_result(self, call: &str, content: impl Say) -> Self {
        self.result_of(call, content, None)
    }

    /// How a tool failed, for a call that a hook put off.
    #[must_use]
    pub fn tool_error(self, call: &str, content: impl Say) -> Self {
        self.result_of(call, content, Some(true))
    }

    /// Any other block.
    #[must_use]
    pub fn block(mut self, block: impl Say) -> Self {
        let mut text = String::new();
        block.say(&mut text);
        self.blocks.push(text);
        self.words = None;
        self
    }

    /// Names the message: Claude Code then tells what becomes of it.
    #[must_use]
    pub fn uuid(self, uuid: &str) -> Self {
        self.with("uuid", uuid)
    }

    /// The session; ignored by current versions.
    #[must_use]
    pub fn session_id(self, session_id: &str) -> Self {
        self.with("session_id", session_id)
    }

    /// The call that the message belongs to; ignored by current versions.
    #[must_use]
    pub fn parent_tool_use_id(self, call: &str) -> Self {
        self.with("parent_tool_use_id", call)
    }

    /// When to take the message if a turn is running.
    #[must_use]
    pub fn priority(self, priority: Priority<'_>) -> Self {
        self.with("priority", priority)
    }

    /// Who sends the message: an [`Origin`](crate::wire::Origin).
    #[must_use]
    pub fn origin(self, origin: impl Say) -> Self {
        self.with("origin", origin)
    }

    /// A person has typed it.
    #[must_use]
    pub fn from_human(self) -> Self {
        self.origin(Draft::new().with("kind", "human"))
    }

    /// Whether it was not typed by a person.
    #[must_use]
    pub fn is_synthetic(self, is_synthetic: bool) -> Self {
        self.with("isSynthetic", is_synthetic)
    }

    /// False: remember it, but start no turn.
    #[must_use]
    pub fn should_query(self, should_query: bool) -> Self {
        self.with("shouldQuery", should_query)
    }

    /// When it was sent, as ISO 8601.
    #[must_use]
    pub fn timestamp(self, timestamp: &str) -> Self {
        self.with("timestamp", timestamp)
    }

    /// The text is verbatim: no slash commands, no file mentions.
    #[must_use]
    pub fn client_composed(self) -> Self {
        self.with("client_composed", true)
    }

    /// Pastes that were taken out of the prompt.
    #[must_use]
    pub fn pasted_content(self, pastes: impl Say) -> Self {
        self.with("pasted_content", pastes)
    }

    /// Pastes that are still in it.
    #[must_use]
    pub fn inline_pastes(self, pastes: impl Say) -> Self {
        self.with("inline_pastes", pastes)
    }

    /// Files that come with it.
    #[must_use]
    pub fn file_attachments(self, files: impl Say) -> Self {
        self.with("file_attachments", files)
    }

    /// Any other field.
    #[must_use]
    pub fn with(mut self, name: &str, value: impl Say) -> Self {
        self.fields = self.fields.with(name, value);
        self
    }

    /// The message as a line, with its line end and without half characters.
    #[must_use]
    pub fn to_line(&self) -> String {
        let mut line = String::new();
        self.say(&mut line);
        if let Cow::Owned(clean) = Json::trusted(&line).clean() {
            line = clean;
        }
        line.push('\n');
        line
    }

    fn image(self, source: Source<'_>) -> Self {
        self.block(Image { source: Some(source), ..Image::default() })
    }

    fn document(self, source: Source<'_>) -> Self {
        self.block(Document { source: Some(source), ..Document::default() })
    }

    fn result_of(self, call: &str, content: impl Say, is_error: Option<bool>) -> Self {
        let content = super::Owned::of(content);
        self.block(ToolResult {
            tool_use_id: some(call),
            content: Some(content.json()),
            is_error,
            ..ToolResult::default()
        })
    }
}

impl Say for UserInput {
    /// Words alone are written as they are, which every version takes.
    fn say(&self, out: &mut String) {
        out.push_str(r#"{"type":"user","message":{"role":"user","content":"#);
        match &self.words {
            Some(words) => Str::from(words.as_str()).write(out),
            None => {
                out.push('[');
                out.push_str(&self.blocks.join(","));
                out.push(']');
            }
        }
        out.push('}');
        let fields = self.fields.json().text();
        if fields != "{}" {
            out.push(',');
        }
        out.push_str(&fields[1..]);
    }
}

fn some(words: &str) -> Option<Str<'_>> {
    Some(words.into())
}

fn base64<'a>(media_type: &'a str, data: &'a str) -> Source<'a> {
    Base64Source { media_type: some(media_type), data: some(data), ..Base64Source::default() }.into()
}

fn url_of(url: &str) -> Source<'_> {
    UrlSource { url: some(url), ..UrlSource::default() }.into()
}

fn file(file_id: &str) -> Source<'_> {
    FileSource { file_id: some(file_id), ..FileSource::default() }.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(message: UserInput, line: &str) {
        assert_eq!(message.to_line(), format!("{line}\n"));
    }

    #[test]
    fn words_alone_are_a_string() {
        check(user("a\nb"), r#"{"type":"user","message":{"role":"user","content":"a\nb"}}"#);
        check(
            user("hi").uuid("u").priority(Priority::Later).from_human().should_query(false),
            concat!(
                r#"{"type":"user","message":{"role":"user","content":"hi"},"uuid":"u","priority":"later","#,
                r#""origin":{"kind":"human"},"shouldQuery":false}"#
            ),
        );
    }

    #[test]
    fn more_than_words_are_blocks() {
        check(
            user("look").image_base64("image/png", "iVBO"),
            concat!(
                r#"{"type":"user","message":{"role":"user","content":[{"type":"text","text":"look"},"#,
                r#"{"type":"image","source":{"type":"base64","media_type":"image/png","data":"iVBO"}}]}}"#
            ),
        );
        check(
            UserInput::new().tool_error("t", "no").text("x"),
            concat!(
                r#"{"type":"user","message":{"role":"user","content":[{"type":"tool_result","#,
                r#""tool_use_id":"t","content":"no","is_error":true},{"type":"text","text":"x"}]}}"#
            ),
        );
        check(UserInput::new(), r#"{"type":"user","message":{"role":"user","content":[]}}"#);
    }

    #[test]
    fn what_is_written_can_be_read() {
        let message = user("a")
            .image_url("u")
            .image_file("f")
            .document_base64("application/pdf", "JV")
            .document_text("d")
            .document_url("u")
            .document_file("f")
            .search_result("s", "t", "x")
            .tool_result("c", [Text { text: some("ok"), ..Text::default() }])
            .uuid("u")
            .client_composed();
        let line = message.to_line();
        assert_eq!(crate::wire::audit_input(&line), Vec::<String>::new());
    }
}
