//! Where a block of Markdown ends: pieces of text in, whole blocks out.
//!
//! It looks at the beginnings of lines only, and never at a line twice. What it holds is bounded: a block that grows
//! beyond all measure is cut, at a place that depends on the text alone.

use crate::view::wrap::tidy;

/// A block, or a line of one, is cut when it is longer.
const LIMIT: usize = 16 << 10;

/// Something that can be shown for good.
#[derive(Debug, PartialEq)]
pub(in crate::view) enum Chunk<'a> {
    /// A fence opens; behind it stands this.
    CodeBegin { info: &'a str },
    /// A line between fences.
    CodeLine { text: &'a str },
    /// The fence is closed.
    CodeEnd,
    /// Any other block, whole.
    Block { text: &'a str, is_item: bool, after_blank: bool },
}

/// Finds the ends of blocks.
#[derive(Clone, Debug, Default)]
pub(in crate::view) struct Cutter {
    /// The line that has no end yet, as it came.
    line: String,
    /// The block that has no end yet, tidy.
    block: String,
    open: Open,
    /// A blank line came since the last block ended.
    blank: bool,
    /// A blank line stood before the open block.
    after_blank: bool,
}

/// What is open.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
enum Open {
    #[default]
    Nothing,
    Paragraph,
    Quote,
    Table,
    /// An item; a blank line came in it; a fence is open in it.
    Item {
        blank: bool,
        fence: Option<Fence>,
    },
    Fence(Fence),
}

/// A fence of code.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Fence {
    mark: u8,
    length: usize,
    indent: usize,
}

impl Cutter {
    /// Takes a piece.
    pub(in crate::view) fn feed(&mut self, mut text: &str, mut sink: impl FnMut(Chunk<'_>)) {
        while let Some(end) = memchr(text) {
            let line = std::mem::take(&mut self.line);
            if line.is_empty() {
                self.long_line(&text[..end], &mut sink);
            } else {
                self.long_line(&(line + &text[..end]), &mut sink);
            }
            text = &text[end + 1..];
        }
        self.line.push_str(text);
        if self.line.len() > LIMIT {
            let line = std::mem::take(&mut self.line);
            let rest = self.cut_off(&line, &mut sink);
            self.line.push_str(rest);
        }
    }

    /// Ends what is open.
    pub(super) fn finish(&mut self, mut sink: impl FnMut(Chunk<'_>)) {
        let line = std::mem::take(&mut self.line);
        if !line.is_empty() {
            self.step(&line, &mut sink);
        }
        self.close(&mut sink);
    }

    /// What is open, as if the text had ended here; marks that are open at its end are closed.
    pub(super) fn tail(&self, mut sink: impl FnMut(Chunk<'_>)) {
        let mut copy = self.clone();
        if !matches!(copy.open, Open::Fence(_)) {
            let marks = open_marks(&copy.line);
            copy.line.push_str(marks);
        }
        copy.finish(&mut sink);
    }

    /// A whole line, which may be too long.
    fn long_line(&mut self, line: &str, sink: &mut impl FnMut(Chunk<'_>)) {
        let rest = self.cut_off(line, sink);
        self.step(rest, sink);
        if self.block.len() > LIMIT {
            self.break_off(sink);
        }
    }

    /// Takes what is too long of a line, piece by piece; the rest.
    fn cut_off<'l>(&mut self, mut line: &'l str, sink: &mut impl FnMut(Chunk<'_>)) -> &'l str {
        while line.len() > LIMIT {
            let at = cut_at(line);
            self.step(&line[..at], sink);
            self.break_off(sink);
            line = &line[at..];
        }
        line
    }

    /// Ends a block that is too long; code goes on.
    fn break_off(&mut self, sink: &mut impl FnMut(Chunk<'_>)) {
        if !matches!(self.open, Open::Fence(_)) {
            self.close(sink);
        }
    }

    fn step(&mut self, line: &str, sink: &mut impl FnMut(Chunk<'_>)) {
        let line = &*tidy(line.strip_suffix('\r').unwrap_or(line));
        match self.open {
            Open::Fence(fence) => self.in_code(fence, line, sink),
            Open::Item { blank, fence } => self.in_item(blank, fence, line, sink),
            Open::Nothing | Open::Paragraph | Open::Quote | Open::Table => self.in_text(line, sink),
        }
    }

    fn in_code(&mut self, fence: Fence, line: &str, sink: &mut impl FnMut(Chunk<'_>)) {
        if fence.is_closed_by(line) {
            self.open = Open::Nothing;
            return sink(Chunk::CodeEnd);
        }
        let spaces = indent(line).min(fence.indent);
        sink(Chunk::CodeLine { text: &line[spaces..] });
    }

    fn in_item(&mut self, blank: bool, fence: Option<Fence>, line: &str, sink: &mut impl FnMut(Chunk<'_>)) {
        if let Some(fence) = fence {
            let fence = Some(fence).filter(|fence| !fence.is_closed_by(line));
            return self.push(line, Open::Item { blank: false, fence });
        }
        if line.trim().is_empty() {
            return self.push(line, Open::Item { blank: true, fence: None });
        }
        if indent(line) >= 2 {
            let fence = Fence::of(line);
            return self.push(line, Open::Item { blank: false, fence });
        }
        // Text at the margin belongs to the item only if it directly follows.
        if blank || begins_block(line) {
            self.close(sink);
            self.blank = blank;
            return self.in_text(line, sink);
        }
        self.push(line, Open::Item { blank: false, fence: None });
    }

    fn in_text(&mut self, line: &str, sink: &mut impl FnMut(Chunk<'_>)) {
        if line.trim().is_empty() {
            self.close(sink);
            self.blank = true;
            return;
        }
        if let Some(fence) = Fence::of(line).filter(|fence| fence.indent < 4) {
            self.close(sink);
            self.blank = false;
            self.open = Open::Fence(fence);
            return sink(Chunk::CodeBegin { info: line.trim_start()[fence.length..].trim() });
        }
        if is_item(line) && (self.open != Open::Paragraph || interrupts(line)) {
            return self.begin(line, Open::Item { blank: false, fence: None }, sink);
        }
        if is_heading(line) {
            self.begin(line, Open::Paragraph, sink);
            return self.close(sink);
        }
        if line.trim_start().starts_with('>') {
            return match self.open {
                Open::Quote => self.push(line, Open::Quote),
                _ => self.begin(line, Open::Quote, sink),
            };
        }
        if is_rule(line) {
            // Below a paragraph it makes that a heading.
            if self.open != Open::Paragraph {
                self.begin(line, Open::Paragraph, sink);
            } else {
                self.push(line, Open::Paragraph);
            }
            return self.close(sink);
        }
        match self.open {
            Open::Nothing => self.begin(line, Open::Paragraph, sink),
            Open::Paragraph if is_table_head(&self.block, line) => self.push(line, Open::Table),
            open => self.push(line, open),
        }
    }

    fn begin(&mut self, line: &str, open: Open, sink: &mut impl FnMut(Chunk<'_>)) {
        self.close(sink);
        self.after_blank = std::mem::take(&mut self.blank);
        self.push(line, open);
    }

    fn push(&mut self, line: &str, open: Open) {
        self.block.push_str(line);
        self.block.push('\n');
        self.open = open;
    }

    fn close(&mut self, sink: &mut impl FnMut(Chunk<'_>)) {
        let open = std::mem::take(&mut self.open);
        match open {
            Open::Nothing => {}
            Open::Fence(_) => sink(Chunk::CodeEnd),
            _ => {
                let is_item = matches!(open, Open::Item { .. });
                self.blank = is_item && self.block.ends_with("\n\n");
                sink(Chunk::Block { text: &self.block, is_item, after_blank: self.after_blank });
                self.block.clear();
            }
        }
    }
}

impl Fence {
    /// A line that opens a fence.
    fn of(line: &str) -> Option<Fence> {
        let inner = line.trim_start();
        let mark = *inner.as_bytes().first().filter(|mark| matches!(mark, b'`' | b'~'))?;
        let length = inner.bytes().take_while(|byte| *byte == mark).count();
        let is_fence = length >= 3 && !(mark == b'`' && inner[length..].contains('`'));
        is_fence.then_some(Fence { mark, length, indent: indent(line) })
    }

    fn is_closed_by(&self, line: &str) -> bool {
        let inner = line.trim();
        inner.len() >= self.length && inner.bytes().all(|byte| byte == self.mark)
    }
}

fn memchr(text: &str) -> Option<usize> {
    text.as_bytes().iter().position(|byte| *byte == b'\n')
}

/// Where a line that is too long is cut: behind a space if there is one.
fn cut_at(line: &str) -> usize {
    let mut end = LIMIT;
    while !line.is_char_boundary(end) {
        end -= 1;
    }
    line[..end].rfind(' ').map_or(end, |at| at + 1)
}

fn indent(line: &str) -> usize {
    line.len() - line.trim_start_matches(' ').len()
}

fn begins_block(line: &str) -> bool {
    is_item(line) || is_heading(line) || is_rule(line) || Fence::of(line).is_some() || line.starts_with('>')
}

fn is_heading(line: &str) -> bool {
    let inner = line.trim_start();
    let level = inner.bytes().take_while(|byte| *byte == b'#').count();
    (1..=6).contains(&level) && indent(line) < 4 && matches!(inner.as_bytes().get(level), None | Some(b' '))
}

fn is_rule(line: &str) -> bool {
    let mut marks = line.bytes().filter(|byte| *byte != b' ');
    let Some(first @ (b'-' | b'*' | b'_' | b'=')) = marks.next() else { return false };
    let others = marks.clone().count();
    let enough = if first == b'=' { 0 } else { 2 };
    indent(line) < 4 && others >= enough && marks.all(|byte| byte == first)
}

/// A bullet or a number, and something behind it or nothing.
fn is_item(line: &str) -> bool {
    if indent(line) >= 4 || is_rule(line) {
        return false;
    }
    let inner = line.trim_start();
    let behind = |rest: &str| rest.is_empty() || rest.starts_with(' ');
    if let Some(rest) = inner.strip_prefix(['-', '*', '+']) {
        return behind(rest);
    }
    let digits = inner.bytes().take_while(u8::is_ascii_digit).count();
    (1..=9).contains(&digits) && inner[digits..].strip_prefix(['.', ')']).is_some_and(behind)
}

/// An item that may follow a paragraph directly: a number in prose is no list.
fn interrupts(line: &str) -> bool {
    let inner = line.trim_start();
    inner.len() > 2 && (!inner.starts_with(|it: char| it.is_ascii_digit()) || inner.starts_with("1."))
}

/// A line of dashes below one line with bars.
fn is_table_head(block: &str, line: &str) -> bool {
    let is_ruler = line.contains('-') && line.bytes().all(|byte| matches!(byte, b'|' | b'-' | b':' | b' '));
    is_ruler && block.contains('|') && block.matches('\n').count() == 1
}

/// What closes the marks that are open at the end of a line, so that half a mark does not flicker.
fn open_marks(line: &str) -> &'static str {
    match (line.matches('`').count() % 2, line.matches("**").count() % 2) {
        (1, _) if !line.trim_start().starts_with("```") => "`",
        (0, 1) if !line.ends_with("**") => "**",
        _ => "",
    }
}
