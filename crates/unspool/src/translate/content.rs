//! What stands in a message, read with its line.
//!
//! Every CLI since 0.2.118 sends one block a line, and nearly every block is of one of four kinds. Such a one
//! is read in one pass. Whatever is not exactly what these kinds should be is left as it is, for who knows
//! all kinds.

use crate::json::{Cursor, Fault, Json, Str};
use crate::wire::{Found, Shape, Wire};

/// The content of a message, and where it stands.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Contents<'l> {
    pub(super) held: Held<'l>,
    /// Of a list, where its first block begins and its last one ends.
    pub(super) blocks: Option<(usize, usize)>,
}

/// The content of a message.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Held<'l> {
    Words(Str<'l>),
    One(Seen<'l>),
    /// None, or several.
    List(Json<'l>),
    /// Something else.
    Odd(Json<'l>),
}

/// A block.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Seen<'l> {
    Text {
        words: Str<'l>,
        citations: Option<Json<'l>>,
    },
    Thinking {
        words: Str<'l>,
        signature: Option<Str<'l>>,
    },
    Call(Call<'l>),
    Answer(Answer<'l>),
    /// Any other, or an odd one.
    Any(Json<'l>),
}

/// A call of a tool.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Call<'l> {
    pub(super) id: Option<Str<'l>>,
    pub(super) name: Option<Str<'l>>,
    pub(super) input: Option<Json<'l>>,
}

/// What a tool answered.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Answer<'l> {
    pub(super) tool_use_id: Option<Str<'l>>,
    pub(super) content: Option<Json<'l>>,
    /// The content, if it is words alone.
    pub(super) words: Option<Str<'l>>,
    pub(super) is_error: Option<bool>,
}

/// The fields of the four kinds; of each the last that came.
#[derive(Default)]
struct Fields<'l> {
    kind: Option<Str<'l>>,
    words: Option<Str<'l>>,
    thought: Option<Str<'l>>,
    signature: Option<Str<'l>>,
    citations: Option<Json<'l>>,
    call: Call<'l>,
    answer: Answer<'l>,
    /// A field does not have the shape it should have.
    odd: bool,
}

impl<'l> Seen<'l> {
    /// Takes a block.
    pub(super) fn read(cursor: &mut Cursor<'l>) -> Result<Seen<'l>, Fault> {
        if cursor.peek() != b'{' {
            return cursor.skip().map(Seen::Any);
        }
        let start = cursor.at();
        let mut fields = Fields::default();
        cursor.object(|key, cursor| fields.take(&key.decode(), cursor))?;
        Ok(fields.seen().unwrap_or_else(|| Seen::Any(cursor.since(start))))
    }

    /// Reads the blocks of a list that was checked.
    pub(super) fn each(list: Json<'l>, mut take: impl FnMut(Seen<'l>)) {
        let mut cursor = Cursor::checked(list.text());
        // It cannot end early.
        let _ = cursor.array(|cursor| {
            take(Seen::read(cursor)?);
            Ok(())
        });
    }
}

impl<'l> Fields<'l> {
    fn take(&mut self, key: &str, cursor: &mut Cursor<'l>) -> Result<(), Fault> {
        match key {
            "type" => self.kind = self.string(cursor)?,
            "text" => self.words = self.string(cursor)?,
            "thinking" => self.thought = self.string(cursor)?,
            "signature" => self.signature = self.string(cursor)?,
            "id" => self.call.id = self.string(cursor)?,
            "name" => self.call.name = self.string(cursor)?,
            "input" => self.call.input = Some(cursor.skip()?),
            "tool_use_id" => self.answer.tool_use_id = self.string(cursor)?,
            "content" => {
                let first = cursor.peek();
                let start = cursor.at();
                self.answer.words = if first == b'"' { Some(cursor.string()?) } else { None };
                self.answer.content =
                    Some(if first == b'"' { cursor.since(start) } else { cursor.skip()? });
            }
            "is_error" => {
                let value = cursor.skip()?;
                self.answer.is_error = value.as_bool();
                self.odd |= self.answer.is_error.is_none() && !value.is_null();
            }
            "citations" => {
                let first = cursor.peek();
                let value = cursor.skip()?;
                self.citations = (first == b'[').then_some(value);
                self.odd |= !matches!(first, b'[' | b'n');
            }
            _ => {
                cursor.skip()?;
            }
        }
        Ok(())
    }

    fn string(&mut self, cursor: &mut Cursor<'l>) -> Result<Option<Str<'l>>, Fault> {
        if cursor.peek() == b'"' {
            return cursor.string().map(Some);
        }
        self.odd |= !cursor.skip()?.is_null();
        Ok(None)
    }

    fn seen(self) -> Option<Seen<'l>> {
        if self.odd {
            return None;
        }
        match self.kind?.simple()? {
            "text" => self.words.map(|words| Seen::Text { words, citations: self.citations }),
            "thinking" => {
                let words = self.thought.or(self.words);
                words.map(|words| Seen::Thinking { words, signature: self.signature })
            }
            "tool_use" => Some(Seen::Call(self.call)),
            "tool_result" => Some(Seen::Answer(self.answer)),
            _ => None,
        }
    }
}

impl<'l> Wire<'l> for Contents<'l> {
    fn read(cursor: &mut Cursor<'l>) -> Result<Found<Self>, Fault> {
        match cursor.peek() {
            b'[' => {}
            b'"' => {
                let held = Held::Words(cursor.string()?);
                return Ok(Found::Fits(Contents { held, blocks: None }));
            }
            first => {
                let held = Held::Odd(cursor.skip()?);
                return Ok(if first == b'n' {
                    Found::Null
                } else {
                    Found::Fits(Contents { held, blocks: None })
                });
            }
        }
        let start = cursor.at();
        let (mut count, mut only, mut end) = (0, None, start + 1);
        cursor.array(|cursor| {
            count += 1;
            if count == 1 {
                only = Some(Seen::read(cursor)?);
            } else {
                cursor.skip()?;
            }
            end = cursor.at();
            Ok(())
        })?;
        let held = match only {
            Some(seen) if count == 1 => Held::One(seen),
            _ => Held::List(cursor.since(start)),
        };
        Ok(Found::Fits(Contents { held, blocks: Some((start + 1, end)) }))
    }

    /// Never called: a view is only read.
    fn write(&self, _: &mut String) {}

    fn shape() -> Shape {
        Shape::Any
    }
}
