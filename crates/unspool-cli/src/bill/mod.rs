//! Statements of sessions, read from wherever they are; what becomes of them is the library's.

mod prices;
#[cfg(test)]
mod properties;
mod read;

pub(crate) use prices::read_prices;
pub(crate) use read::statement;
