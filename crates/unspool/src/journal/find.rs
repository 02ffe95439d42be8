//! Where an entry stands in a journal that is too long to be read: numbers and times never go back, so few looks will do.

use super::entry::columns;

/// What is looked for.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub enum Goal {
    /// The entry of this number.
    Number(u64),
    /// The first entry that is not before so many milliseconds.
    Time(u64),
}

/// A stretch that is shorter is read from its beginning.
const NEAR: u64 = 64 << 10;

/// The columns before the bytes of an entry are shorter.
const COLUMNS: usize = 64;

/// A line begins here, and its entry has this number and time.
struct Mark {
    offset: u64,
    number: u64,
    at: u64,
}

/// The offset of a line at or before what is looked for, and not far from it: who reads from there meets it soon.
///
/// The text is `length` bytes long; `read` appends some of its bytes from an offset on, and none only at its end. Whatever fails
/// in it ends the search.
///
/// ```
/// use unspool::journal::{Goal, find};
///
/// let text = b"1\t0\tnote\t{\"note\":\"begin\"}\n2\t5\tout\thi\n";
/// let offset = find(text.len() as u64, Goal::Number(2), |at, bytes| {
///     bytes.extend_from_slice(&text[at as usize..]);
///     Ok::<_, std::convert::Infallible>(())
/// });
/// assert_eq!(offset, Ok(0), "so short a text is read from its beginning");
/// ```
pub fn find<E>(
    length: u64,
    goal: Goal,
    mut read: impl FnMut(u64, &mut Vec<u8>) -> Result<(), E>,
) -> Result<u64, E> {
    // What is looked for is at or behind `low`, a line's beginning, and before `high`.
    let (mut low, mut high) = (0, length);
    let mut bytes = Vec::new();
    while high - low > NEAR {
        let middle = low + (high - low) / 2;
        match mark_behind(middle, high, &mut bytes, &mut read)? {
            Some(mark) if mark.is_before(goal) => low = mark.offset,
            _ => high = middle,
        }
    }
    Ok(low)
}

impl Mark {
    fn is_before(&self, goal: Goal) -> bool {
        match goal {
            Goal::Number(number) => self.number <= number,
            Goal::Time(at) => self.at < at,
        }
    }
}

/// The first entry that begins behind `from` and before `until`. Lines that are no entries are passed over.
fn mark_behind<E>(
    from: u64,
    until: u64,
    bytes: &mut Vec<u8>,
    read: &mut impl FnMut(u64, &mut Vec<u8>) -> Result<(), E>,
) -> Result<Option<Mark>, E> {
    // What is held begins at this offset, and at the beginning of a line or not.
    let (mut offset, mut at_line) = (from, false);
    let mut held = 0..0;
    while offset < until {
        let mut is_all = false;
        // What is held is nothing, or too little of a line to tell.
        if held.len() < COLUMNS && memchr::memchr(b'\n', &bytes[held.clone()]).is_none() {
            bytes.copy_within(held.clone(), 0);
            bytes.truncate(held.len());
            read(offset + held.len() as u64, bytes)?;
            is_all = bytes.len() == held.len();
            held = 0..bytes.len();
        }
        let text = &bytes[held.clone()];
        let end = memchr::memchr(b'\n', text);
        if at_line {
            let line = &text[..end.unwrap_or(text.len()).min(COLUMNS)];
            match columns(line) {
                Some((number, at, ..)) => return Ok(Some(Mark { offset, number, at })),
                // More of it may make it an entry.
                None if end.is_none() && text.len() < COLUMNS && !is_all => continue,
                None => at_line = false,
            }
        }
        match end {
            _ if is_all => return Ok(None),
            Some(end) => {
                held.start += end + 1;
                offset += end as u64 + 1;
                at_line = true;
            }
            None => {
                offset += text.len() as u64;
                held = 0..0;
            }
        }
    }
    Ok(None)
}
