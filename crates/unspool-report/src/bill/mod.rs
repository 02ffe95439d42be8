//! The bill: what a session has cost, and where the figures come from.
//!
//! ```text
//! events --account--> Statement   what one file says: what messages said, what Claude Code reported
//! entries --ledger--> Statement   the same of a session on disk
//! Statements --book--> Entry      each thing once over all files
//! Entries --group--> Node         sums, grouped as was asked
//! Node --table, json--> text
//! ```
//!
//! Claude Code reports money and tokens by turn and by model, of all agents together. What it never reports is money
//! by agent or by tool, so these are counted from the messages, and have no money unless prices are given.

mod account;
mod blocks;
mod book;
mod calendar;
mod count;
mod cover;
mod facts;
mod group;
mod json;
mod ledger;
mod messages;
mod notes;
mod prices;
mod settle;
mod statement;
mod table;
mod when;

pub use account::Account;
pub use book::Book;
pub use group::{By, Groups, Span};
pub use json::json;
pub use ledger::Ledger;
pub use prices::{NoPrices, Prices};
pub use statement::{Statement, digest};
pub use table::table;
pub use when::read_when;

#[cfg(test)]
mod tests;
