//! All of it together: bytes in, lines out, each with one value.

use super::list::{Fed, List};
use super::{DEFAULT_LIMIT, Joiner, Line, Splitter};

/// What some editors and shells put before a text.
pub(crate) const MARK: &[u8] = "\u{feff}".as_bytes();

/// More blanks than these before a bracket are no margin.
const MOST_BLANKS: usize = 256;

/// Cuts bytes into the lines of a stream: an object that was printed over several lines is one, and so is each
/// element of a list of objects, whatever lines it was printed over.
///
/// ```
/// use unspool::line::Lines;
///
/// let mut lines = Lines::default();
/// let mut read = Vec::new();
/// lines.feed(b"[\n  {\"a\": 1},\n  {\"b\": 2}\n]", |_| {}, |line| {
///     read.push((line.number, line.text().into_owned()));
/// });
/// assert_eq!(read, [(2, "{\"a\": 1}".to_owned()), (3, "{\"b\": 2}".to_owned())]);
/// ```
#[derive(Debug)]
pub struct Lines {
    limit: usize,
    splitter: Splitter,
    joiner: Joiner,
    list: Option<Box<List>>,
}

impl Default for Lines {
    fn default() -> Self {
        Lines::new(DEFAULT_LIMIT)
    }
}

impl Lines {
    /// Lines may be `limit` bytes long.
    #[must_use]
    pub fn new(limit: usize) -> Self {
        Lines { limit, splitter: Splitter::new(limit), joiner: Joiner::default(), list: None }
    }

    /// Takes the next bytes, cut anywhere. Shows every line that they complete, before it is put together with
    /// others; hands on what is complete.
    pub fn feed(&mut self, mut bytes: &[u8], mut show: impl FnMut(Line<'_>), mut take: impl FnMut(Line<'_>)) {
        while let Some(&first) = bytes.first() {
            if self.list.is_none() && (matches!(first, b'[' | b' ' | b'\t') || self.splitter.number == 0) {
                bytes = self.begin_line(bytes);
            }
            bytes = match &self.list {
                None => self.feed_line(bytes, &mut show, &mut take),
                Some(_) => self.feed_list(bytes, &mut show, &mut take),
            };
        }
    }

    /// The stream has ended: hands on what came behind the last newline.
    pub fn end_line(&mut self, mut show: impl FnMut(Line<'_>), mut take: impl FnMut(Line<'_>)) {
        if let Some(mut list) = self.list.take() {
            let mut cut = false;
            list.finish(&mut |line| {
                cut = true;
                show(line);
                take(line);
            });
            if !cut {
                self.leave_list(*list, &mut show, &mut take);
            }
        }
        let Lines { limit, splitter, joiner, .. } = self;
        splitter.finish(|line| {
            show(line);
            joiner.step(line, *limit, &mut take);
        });
    }

    /// The stream has ended: hands on all that is held.
    pub fn finish(&mut self, mut take: impl FnMut(Line<'_>)) {
        self.end_line(|_| {}, &mut take);
        self.joiner.finish(take);
    }

    /// Lines are lines from now on. Hands on what is held, but for the beginning of the next line.
    pub(crate) fn into_splitter(mut self, mut take: impl FnMut(Line<'_>)) -> Splitter {
        self.joiner.finish(&mut take);
        if let Some(list) = self.list.take() {
            self.leave_list(*list, &mut |_| {}, &mut take);
        }
        self.splitter
    }

    /// Opens a list if these bytes do, at the beginning of a line or behind blanks there. Returns what is left of them.
    fn begin_line<'b>(&mut self, mut bytes: &'b [u8]) -> &'b [u8] {
        let Lines { limit, splitter, joiner, .. } = self;
        let next = |held: &[u8]| if MARK.starts_with(held) { MARK.get(held.len()) } else { None };
        while splitter.number == 0 && bytes.first().is_some_and(|byte| next(&splitter.held) == Some(byte)) {
            splitter.hold(&bytes[..1]);
            bytes = &bytes[1..];
        }
        if joiner.is_open() {
            return bytes;
        }
        let is_marked = splitter.number == 0 && splitter.held.starts_with(MARK);
        let begin = if is_marked { MARK.len() } else { 0 };
        let margin = &splitter.held[begin..];
        let room = (MOST_BLANKS + 1).saturating_sub(margin.len());
        if room == 0 || !margin.iter().all(|byte| is_blank(*byte)) {
            return bytes;
        }
        let blanks = bytes.iter().take(room).take_while(|byte| is_blank(**byte)).count();
        splitter.hold(&bytes[..blanks]);
        bytes = &bytes[blanks..];
        let is_margin = splitter.held.len() - begin <= MOST_BLANKS && splitter.beyond == 0;
        if bytes.first() == Some(&b'[') && is_margin {
            let margin = splitter.held.split_off(begin);
            splitter.held.clear();
            self.list = Some(Box::new(List::new(splitter.number + 1, *limit, margin)));
        }
        bytes
    }

    #[inline]
    fn feed_line<'b>(
        &mut self,
        bytes: &'b [u8],
        show: &mut impl FnMut(Line<'_>),
        take: &mut impl FnMut(Line<'_>),
    ) -> &'b [u8] {
        let Lines { limit, splitter, joiner, .. } = self;
        splitter.feed_line(bytes, |line| {
            show(line);
            joiner.step(line, *limit, &mut *take);
        })
    }

    fn feed_list<'b>(
        &mut self,
        bytes: &'b [u8],
        show: &mut impl FnMut(Line<'_>),
        take: &mut impl FnMut(Line<'_>),
    ) -> &'b [u8] {
        let Some(list) = &mut self.list else { return bytes };
        let fed = list.feed(bytes, &mut |line| {
            show(line);
            take(line);
        });
        let Fed::Over(length) = fed else { return &[] };
        if let Some(list) = self.list.take() {
            self.leave_list(*list, show, take);
        }
        &bytes[length..]
    }

    /// What the list has held are lines; none of them opens one.
    fn leave_list(&mut self, list: List, show: &mut impl FnMut(Line<'_>), take: &mut impl FnMut(Line<'_>)) {
        let (held, first) = list.into_lines();
        self.splitter.number = first - 1;
        let mut rest = &held[..];
        while !rest.is_empty() {
            rest = self.feed_line(rest, show, take);
        }
    }
}

fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t')
}
