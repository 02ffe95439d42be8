//! Everything that is neither said nor done: a line each.

use super::line::Line;
use super::style::{BAD, BOLD, DIM, PLAIN, WARN, over};
use super::wrap::{cut, tidy_line, wrap};
use crate::media::Media;
use crate::task;
use crate::words::{self, Weight, count};
use anstyle::Style;
use jiff::tz::TimeZone;
use unspool::event::{Raw, What};
use unspool::json::Json;
use unspool::wire::{Block, BlockKind, WebSearchContent, Wire};

/// A mark, and words.
#[derive(Debug)]
pub(super) struct Notice {
    mark: &'static str,
    style: Style,
    words: String,
    words_style: Style,
}

impl Notice {
    /// What a line of the stream says to people; nothing for what only programs want to know. `is_agent` tells
    /// agents, which speak for themselves, from other tasks.
    pub(super) fn of(what: &What<'_>, zone: &TimeZone, is_agent: impl Fn(&str) -> bool) -> Option<Notice> {
        match what {
            What::Task { .. } if task::call(what).is_some_and(|call| is_agent(&call)) => None,
            What::Unknown { raw, .. } => {
                let raw = raw.as_ref().map(|raw| raw.json().compact()).unwrap_or_default();
                Some(Notice::new("?", Weight::Faint, format!("unknown line: {raw}")))
            }
            What::Malformed { reason, text, bytes, .. } => {
                let size =
                    if *bytes as usize > text.len() { format!(", {bytes} bytes") } else { String::new() };
                let words = format!("not a JSON object ({reason}{size}): {text}");
                Some(Notice::new("!", Weight::Warning, words))
            }
            _ => {
                let notice = words::Notice::of(what, zone)?;
                let is_shown = notice.weight > Weight::Program;
                is_shown.then(|| Notice::new(mark(what, notice.weight), notice.weight, notice.line()))
            }
        }
    }

    fn new(mark: &'static str, weight: Weight, words: String) -> Self {
        let (style, words_style) = match weight {
            Weight::Program | Weight::Faint => (DIM, DIM),
            Weight::Plain => (BOLD, PLAIN),
            Weight::Warning => (over(WARN, BOLD), WARN),
            Weight::Bad => (BAD, BAD),
        };
        Notice { mark, style, words, words_style }
    }

    /// The line. What must not be overlooked may take more than one.
    pub(super) fn lines(&self, columns: usize) -> Vec<Line> {
        let words = tidy_line(&self.words.chars().take(2000).collect::<String>());
        let room = columns.saturating_sub(2);
        let words = if self.style == BAD { words } else { cut(&words, room).into_owned() };
        let mark = |at| Line::of(if at == 0 { self.mark } else { " " }, self.style).with(" ", PLAIN);
        let rows = wrap(Line::of(&words, self.words_style), room).into_iter().enumerate();
        rows.map(|(at, row)| mark(at).joined(&row)).collect()
    }
}

fn mark(what: &What<'_>, weight: Weight) -> &'static str {
    match what {
        _ if weight == Weight::Bad => "✗",
        What::ApiRetry { .. } => "↻",
        What::RateLimit { .. } => "◷",
        What::Compaction { .. } => "⇣",
        What::Hook { .. } => "⚑",
        What::Task { .. } => "◌",
        _ if weight == Weight::Warning => "!",
        _ => "·",
    }
}

/// A part of a message that is neither text nor thought nor call: what it is, in a few words.
pub(super) fn block(kind: Option<&str>, raw: Option<&Raw<'_>>) -> Notice {
    let data = raw.map_or(Json::EMPTY, Raw::json);
    let block = BlockKind::of(kind.unwrap_or_default()).map(|kind| Block::of_kind(kind, data));
    let file = |source| {
        let file = Media::of(source);
        let media_type = file.media_type.map(|text| text.to_string()).unwrap_or_default();
        let size = file.data.and_then(|data| data.raw()).map_or(0, str::len);
        format!("{} {media_type}, {}", kind.unwrap_or_default(), bytes(size * 3 / 4))
    };
    let words = match block {
        Some(Block::RedactedThinking(_)) => "thinking, encrypted".to_owned(),
        Some(Block::Image(image)) => file(image.source),
        Some(Block::Document(document)) => file(document.source),
        Some(Block::WebSearchToolResult(result)) => match result.content {
            Some(WebSearchContent::Pages(pages)) if !pages.is_empty() => {
                count(pages.json().items().count() as u64, "result")
            }
            content => {
                let said = content.map(|content| content.to_json()).unwrap_or_default();
                format!("search failed: {said}")
            }
        },
        _ => {
            let raw = raw.map(|raw| raw.json().compact()).unwrap_or_default();
            format!("{}: {raw}", kind.unwrap_or("part of no type"))
        }
    };
    Notice::new("◇", Weight::Faint, words)
}

fn bytes(size: usize) -> String {
    if size < 1024 { count(size as u64, "byte") } else { format!("{} kB", size / 1024) }
}
