//! The real CLI.
