//! The parts of a message.

use super::declare::{choice, wire};
use super::{Found, List, Shape, Wire};
use crate::json::{Cursor, Fault, Json, Str};

/// What stands in `content`: words alone, or a list of blocks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Content<'a> {
    /// Words.
    Text(Str<'a>),
    /// Blocks.
    Blocks(List<'a, Block<'a>>),
    /// Something that is neither.
    Odd(Json<'a>),
}

impl<'a> Wire<'a> for Content<'a> {
    fn read(cursor: &mut Cursor<'a>) -> Result<Found<Self>, Fault> {
        Ok(match cursor.peek() {
            b'"' => Found::Fits(Content::Text(cursor.string()?)),
            b'[' => Found::Fits(Content::Blocks(cursor.skip()?.into())),
            first => {
                let json = cursor.skip()?;
                if first == b'n' { Found::Null } else { Found::Fits(Content::Odd(json)) }
            }
        })
    }

    fn write(&self, out: &mut String) {
        match self {
            Content::Text(text) => text.write(out),
            Content::Blocks(blocks) => blocks.write(out),
            Content::Odd(json) => json.write(out),
        }
    }

    fn shape() -> Shape {
        Shape::Either(&[
            <Str<'static> as Wire<'static>>::shape,
            <List<'static, Block<'static>> as Wire<'static>>::shape,
        ])
    }
}

choice! {
    /// A part of a message.
    pub enum Block by "type" {
        "text" => Text,
        "thinking" => Thinking,
        "redacted_thinking" => RedactedThinking,
        "tool_use" => ToolUse,
        "tool_result" => ToolResult,
    }
}

wire! {
    /// Words for the reader.
    pub struct Text: type "text" {
        /// The words.
        text: Str,
        /// Where they come from.
        citations: [Json],
        /// Where the cache may end.
        cache_control: Json,
    }

    /// What the model thought.
    pub struct Thinking: type "thinking" {
        /// The thought.
        thinking: Str,
        /// The thought, under the name the seed documents give it.
        text: Str,
        /// Proof that the model thought it.
        signature: Str,
    }

    /// A thought that is not shown.
    pub struct RedactedThinking: type "redacted_thinking" {
        /// The thought, encrypted.
        data: Str,
    }

    /// A call of a tool.
    pub struct ToolUse: type "tool_use" {
        /// Its id.
        id: Str,
        /// The tool.
        name: Str,
        /// What the tool is given, normally an object.
        input: Json,
        /// Who calls: the model, or code that it wrote.
        caller: Json,
        /// The set the tool belongs to.
        toolset_name: Str,
        /// Where the cache may end.
        cache_control: Json,
    }

    /// What a tool answered.
    pub struct ToolResult: type "tool_result" {
        /// The call.
        tool_use_id: Str,
        /// The answer: words, blocks, or nothing.
        content: Json,
        /// Whether the tool failed.
        is_error: bool,
        /// The set the tool belongs to.
        toolset_name: Str,
        /// Where the cache may end.
        cache_control: Json,
    }
}
