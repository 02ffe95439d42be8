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
mod read;
mod settle;
mod statement;
mod table;
mod when;

pub(crate) use account::Account;
pub(crate) use book::Book;
pub(crate) use group::{By, Groups, Span};
pub(crate) use json::json;
pub(crate) use prices::Prices;
pub(crate) use read::statement;
pub(crate) use statement::{Statement, digest};
pub(crate) use table::table;
pub(crate) use when::read_when;

#[cfg(test)]
mod properties;
#[cfg(test)]
mod tests;
