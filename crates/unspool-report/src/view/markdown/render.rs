//! One block of Markdown as lines.

use super::{INDENT, code, table::Table};
use crate::view::code::Painter;
use crate::view::line::Line;
use crate::view::style::{BOLD, DIM, INLINE_CODE, ITALIC, LINK, PLAIN, over};
use crate::view::wrap::{tidy_words, wrap};
use anstyle::{Effects, Style};
use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag, TagEnd};

/// What stands before lines that belong to something: before the first, and before all others.
struct Margin {
    first: Option<Line>,
    rest: Line,
}

/// Makes lines of a block.
pub(super) struct Renderer {
    columns: usize,
    quote_code: bool,
    lines: Vec<Line>,
    margins: Vec<Margin>,
    /// Words that are not yet a line.
    words: Line,
    styles: Vec<Style>,
    /// The number of the next item of each list that is open.
    lists: Vec<Option<u64>>,
    /// The text of code, and what it is painted with.
    code: Option<(Painter, String)>,
    table: Option<Table>,
    /// Where a link leads, and where its text begins.
    link: Option<(String, usize)>,
    /// A blank line is due before the next line.
    gap: bool,
}

impl Renderer {
    pub(super) fn new(columns: usize, quote_code: bool) -> Self {
        Renderer {
            columns,
            quote_code,
            lines: Vec::new(),
            margins: Vec::new(),
            words: Line::new(),
            styles: Vec::new(),
            lists: Vec::new(),
            code: None,
            table: None,
            link: None,
            gap: false,
        }
    }

    pub(super) fn render(mut self, text: &str) -> Vec<Line> {
        let options = Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_TASKLISTS;
        for event in Parser::new_ext(text, options) {
            self.step(event);
        }
        self.end_line();
        self.lines
    }

    fn step(&mut self, event: Event<'_>) {
        match event {
            Event::Start(tag) => self.begin(tag),
            Event::End(tag) => self.end(tag),
            Event::Text(text) => self.text(&text),
            Event::Code(text) if self.quote_code => self.push(&format!("`{text}`"), PLAIN),
            Event::Code(text) => self.push(&text, INLINE_CODE),
            Event::Html(text) | Event::InlineHtml(text) => self.html(&text),
            // Models break lines where they want them broken.
            Event::SoftBreak | Event::HardBreak => self.end_line(),
            Event::Rule => {
                let rule = Line::of(&"─".repeat(self.room().min(20)), DIM);
                self.line(rule);
            }
            Event::TaskListMarker(done) => self.push(if done { "☑ " } else { "☐ " }, PLAIN),
            Event::FootnoteReference(text) | Event::InlineMath(text) | Event::DisplayMath(text) => {
                self.push(&text, PLAIN);
            }
        }
    }

    fn begin(&mut self, tag: Tag<'_>) {
        match tag {
            Tag::Heading { level, .. } => {
                self.words.push(&"#".repeat(level as usize), DIM);
                self.words.push(" ", PLAIN);
                self.styles.push(BOLD);
            }
            Tag::BlockQuote(_) => {
                self.end_line();
                let bar = Line::of("│ ", DIM);
                self.margins.push(Margin { first: None, rest: bar });
            }
            Tag::CodeBlock(kind) => {
                self.end_line();
                let info = match &kind {
                    CodeBlockKind::Fenced(info) => &**info,
                    CodeBlockKind::Indented => "",
                };
                self.code = Some((Painter::new(info), String::new()));
            }
            Tag::List(number) => {
                self.end_line();
                self.gap = false;
                self.lists.push(number);
            }
            Tag::Item => self.item(),
            Tag::Table(alignments) => self.table = Some(Table::new(alignments)),
            Tag::TableHead | Tag::TableRow => self.table.iter_mut().for_each(Table::row),
            Tag::Emphasis => self.styles.push(ITALIC),
            Tag::Strong => self.styles.push(BOLD),
            Tag::Strikethrough => self.styles.push(Style::new().effects(Effects::STRIKETHROUGH)),
            Tag::Link { dest_url, .. } => {
                self.link = Some((dest_url.to_string(), self.words.text().len()));
                self.styles.push(LINK);
            }
            Tag::Image { dest_url, .. } => {
                self.push("image: ", DIM);
                self.link = Some((dest_url.to_string(), self.words.text().len()));
                self.styles.push(LINK);
            }
            _ => {}
        }
    }

    fn end(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::Paragraph => {
                self.end_line();
                self.gap = true;
            }
            TagEnd::Heading(_) => {
                self.styles.pop();
                self.end_line();
                self.gap = true;
            }
            TagEnd::BlockQuote(_) => {
                self.end_line();
                self.margins.pop();
                self.gap = true;
            }
            TagEnd::CodeBlock => self.end_code(),
            TagEnd::List(_) => {
                self.lists.pop();
                self.gap = self.lists.is_empty();
            }
            TagEnd::Item => {
                self.end_line();
                self.margins.pop();
            }
            TagEnd::TableCell => {
                let cell = std::mem::take(&mut self.words);
                self.table.iter_mut().for_each(|table| table.cell(cell.clone()));
            }
            TagEnd::Table => {
                let room = self.room();
                for line in self.table.take().map(|table| table.lines(room)).unwrap_or_default() {
                    self.line(line);
                }
            }
            TagEnd::Emphasis | TagEnd::Strong | TagEnd::Strikethrough => drop(self.styles.pop()),
            TagEnd::Link | TagEnd::Image => self.end_link(),
            _ => {}
        }
    }

    fn item(&mut self) {
        self.end_line();
        let mark = match self.lists.last_mut() {
            Some(Some(number)) => {
                *number += 1;
                format!("{}. ", *number - 1)
            }
            _ => "• ".to_owned(),
        };
        let rest = Line::of(&" ".repeat(mark.chars().count()), PLAIN);
        self.margins.push(Margin { first: Some(Line::of(&mark, DIM)), rest });
    }

    fn text(&mut self, text: &str) {
        match &mut self.code {
            Some((_, code)) => code.push_str(text),
            None => self.push(text, PLAIN),
        }
    }

    fn html(&mut self, text: &str) {
        for (at, piece) in text.split('\n').enumerate() {
            if at > 0 {
                self.end_line();
            }
            self.push(piece, DIM);
        }
    }

    fn push(&mut self, text: &str, style: Style) {
        let style = self.styles.iter().fold(style, |style, more| over(style, *more));
        self.words.push(&tidy_words(text), style);
    }

    fn end_code(&mut self) {
        let Some((mut painter, text)) = self.code.take() else { return };
        let mut lines = Vec::new();
        let room = self.room().max(INDENT.len() + 1);
        text.lines().for_each(|text| code(&mut painter, text, room, &mut lines));
        lines.into_iter().for_each(|line| self.line(line));
        self.gap = true;
    }

    /// The address behind the words, unless they are the address.
    fn end_link(&mut self) {
        self.styles.pop();
        let Some((address, start)) = self.link.take() else { return };
        let words = self.words.text().get(start..).unwrap_or_default();
        if !address.is_empty() && words != address && address.strip_prefix("mailto:") != Some(words) {
            self.push(&format!(" ({address})"), DIM);
        }
    }

    fn end_line(&mut self) {
        if self.words.is_empty() {
            return;
        }
        let words = std::mem::take(&mut self.words);
        let room = self.room();
        wrap(words, room).into_iter().for_each(|line| self.line(line));
    }

    /// Columns beside the margins.
    fn room(&self) -> usize {
        let margins: usize = self.margins[..self.shown_margins()].iter().map(|it| it.rest.width()).sum();
        self.columns - margins
    }

    /// Margins take half of the columns at the most; deeper ones are not shown.
    fn shown_margins(&self) -> usize {
        let mut wide = 0;
        let fits = |margin: &&Margin| {
            wide += margin.rest.width();
            wide * 2 <= self.columns
        };
        self.margins.iter().take_while(fits).count()
    }

    fn line(&mut self, line: Line) {
        if self.margins.is_empty() && !self.gap {
            return self.lines.push(line);
        }
        let margins = self.shown_margins();
        if std::mem::take(&mut self.gap) && !self.lines.is_empty() {
            let mut blank = Line::new();
            self.margins[..margins].iter().for_each(|margin| blank.append(&margin.rest));
            self.lines.push(blank);
        }
        let mut shown = Line::new();
        for margin in &mut self.margins[..margins] {
            shown.append(&margin.first.take().unwrap_or_else(|| margin.rest.clone()));
        }
        shown.append(&line);
        self.lines.push(shown);
    }
}
