//! A session in one line: when it was, what it was about, what it came to.

mod newest;
mod row;
mod table;

pub(crate) use newest::Newest;
pub(crate) use row::Row;
pub(crate) use table::table;
