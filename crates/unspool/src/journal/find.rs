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

impl Goal {
    /// Whether it is that entry, or stands behind it: who reads from there does not miss it.
    #[must_use]
    pub fn is_from(self, place: Place) -> bool {
        match self {
            Goal::Number(number) => place.number <= number,
            // Several entries may have the same time.
            Goal::Time(at) => place.at < at,
        }
    }
}

/// Where an entry stands among the others.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub struct Place {
    /// Its number.
    pub number: u64,
    /// Its time.
    pub at: u64,
}

impl Place {
    /// That of the entry whose line begins so, if it is one: so many bytes are enough as its columns before the bytes have.
    #[must_use]
    pub fn of(line: &[u8]) -> Option<Self> {
        let head = &line[..memchr::memchr(b'\n', line).unwrap_or(line.len()).min(COLUMNS)];
        columns(head).map(|(number, at, ..)| Place { number, at })
    }
}

/// A stretch that is shorter is read from its beginning.
const NEAR: u64 = 64 << 10;

/// The columns before the bytes of an entry are shorter.
const COLUMNS: usize = 64;

/// A line begins here, and its entry has this place.
struct Mark {
    offset: u64,
    place: Place,
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
            Some(mark) if goal.is_from(mark.place) => low = mark.offset,
            _ => high = middle,
        }
    }
    Ok(low)
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
            match Place::of(text) {
                Some(place) => return Ok(Some(Mark { offset, place })),
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
