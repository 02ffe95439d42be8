//! What masking promises, tried on recordings and on secrets that are made up.
#![expect(clippy::disallowed_methods, reason = "fixtures are files")]

mod corpus;
mod fixtures;
mod order;
