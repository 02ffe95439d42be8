//! A session in short, for the summary of a job: Markdown for people, `key=value` for the steps that follow.
//!
//! Nothing of a stream can leave its place: not its cell, not its line, not its quotation.

mod escape;
mod markdown;
mod outputs;

pub use markdown::{Errors, markdown};
pub use outputs::outputs;

#[cfg(test)]
mod tests;
