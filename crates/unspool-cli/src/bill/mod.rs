//! The bill: what a session has cost, and where the figures come from.
//!
//! ```text
//! events --account--> Statement   what one file says: what messages said, what Claude Code reported
//! Statements --book--> Entry      each thing once over all files
//! Entries --group--> Node         sums, grouped as was asked
//! Node --table, json--> text
//! ```
//!
//! Claude Code reports money and tokens by turn and by model, of all agents together. What it never reports is money
//! by agent or by tool, so these are counted from the messages, and have no money unless prices are given.

mod account;
mod book;
mod count;
mod group;
mod json;
mod notes;
mod prices;
mod quick;
mod statement;
mod table;

pub(crate) use account::Account;
pub(crate) use book::Book;
pub(crate) use group::{By, Groups};
pub(crate) use json::json;
pub(crate) use prices::Prices;
pub(crate) use quick::statement as quick_statement;
pub(crate) use statement::{Statement, digest};
pub(crate) use table::table;

#[cfg(test)]
mod tests;
