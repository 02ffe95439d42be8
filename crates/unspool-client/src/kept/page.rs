//! A part of a list.

/// So many, without the first few.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub(crate) struct Page {
    pub(crate) offset: usize,
    pub(crate) limit: Option<usize>,
}

impl Page {
    pub(crate) fn of<T>(self, list: Vec<T>) -> impl Iterator<Item = T> {
        list.into_iter().skip(self.offset).take(self.limit.unwrap_or(usize::MAX))
    }
}
