//! What stands in a message, read with its line.
//!
//! Nearly every block is of one of four kinds. Whatever is not exactly what these kinds should be is left as it
//! is, for who knows all kinds.

use crate::json::{Chart, Json, Spot, Str};
use crate::translate::read::fields;
use crate::wire::BlockKind;

/// The content of a message.
#[derive(Clone, Copy)]
pub(crate) enum Held<'l> {
    Words(Str<'l>),
    One(Seen<'l>),
    /// None, or several.
    List(Blocks<'l>),
    /// Something else.
    Odd(Json<'l>),
}

/// Blocks that are read when somebody asks.
#[derive(Clone, Copy)]
pub(crate) struct Blocks<'l> {
    chart: Chart<'l>,
    list: Spot,
}

/// A block.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Seen<'l> {
    Text {
        words: Str<'l>,
        citations: Option<Json<'l>>,
    },
    Thinking {
        words: Str<'l>,
        signature: Option<Str<'l>>,
    },
    Call(ToolUseBlock<'l>),
    Answer(Answer<'l>),
    /// Any other, or an odd one.
    Any(Json<'l>),
}

/// A call of a tool.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct ToolUseBlock<'l> {
    pub(crate) id: Option<Str<'l>>,
    pub(crate) name: Option<Str<'l>>,
    pub(crate) input: Option<Json<'l>>,
}

/// What a tool answered.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Answer<'l> {
    pub(crate) tool_use_id: Option<Str<'l>>,
    pub(crate) content: Option<Json<'l>>,
    /// The content, if it is words alone.
    pub(crate) words: Option<Str<'l>>,
    pub(crate) is_error: Option<bool>,
}

impl<'l> Held<'l> {
    /// `None` if nothing stands there.
    pub(crate) fn of(chart: &Chart<'l>, content: Spot) -> Option<Self> {
        Some(match chart.first(content) {
            0 | b'n' => return None,
            b'"' => Held::Words(chart.str(content)?),
            b'[' => Held::of_list(chart, content),
            _ => Held::Odd(chart.value(content)?),
        })
    }

    fn of_list(chart: &Chart<'l>, list: Spot) -> Self {
        let (mut count, mut only) = (0, None);
        chart.items(list, |block| {
            only = Some(block);
            count += 1;
        });
        match only {
            Some(block) if count == 1 => Held::One(Seen::of(chart, block)),
            _ => Held::List(Blocks { chart: *chart, list }),
        }
    }
}

impl<'l> Blocks<'l> {
    pub(crate) fn each(self, mut take: impl FnMut(Seen<'l>)) {
        self.chart.items(self.list, |block| take(Seen::of(&self.chart, block)));
    }
}

impl<'l> Seen<'l> {
    pub(crate) fn of(chart: &Chart<'l>, block: Spot) -> Seen<'l> {
        Seen::usual(chart, block).unwrap_or_else(|| Seen::Any(chart.value(block).unwrap_or(Json::NULL)))
    }

    /// The block, if it is of one of the four kinds and all of its fields have the shape that they should have.
    fn usual(chart: &Chart<'l>, block: Spot) -> Option<Seen<'l>> {
        let block = fields::Block::of(chart, block);
        let string = |place: Spot| match chart.first(place) {
            b'"' => Some(chart.str(place)),
            b'n' | 0 => Some(None),
            _ => None,
        };
        match BlockKind::of(chart.str(block.kind())?.simple()?)? {
            BlockKind::Text => {
                let citations = block.citations();
                if !matches!(chart.first(citations), b'[' | b'n' | 0) {
                    return None;
                }
                let words = chart.str(block.text())?;
                Some(Seen::Text { words, citations: chart.value_if(citations, b'[') })
            }
            BlockKind::Thinking => {
                let words = string(block.thinking())?.or(string(block.text())?)?;
                Some(Seen::Thinking { words, signature: string(block.signature())? })
            }
            BlockKind::ToolUse => Some(Seen::Call(ToolUseBlock {
                id: string(block.id())?,
                name: string(block.name())?,
                input: chart.value(block.input()),
            })),
            BlockKind::ToolResult => {
                let is_error = chart.bool(block.is_error());
                if is_error.is_none() && !matches!(chart.first(block.is_error()), b'n' | 0) {
                    return None;
                }
                Some(Seen::Answer(Answer {
                    tool_use_id: string(block.tool_use_id())?,
                    content: chart.value(block.content()),
                    words: chart.str(block.content()),
                    is_error,
                }))
            }
            _ => None,
        }
    }
}
