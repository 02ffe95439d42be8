//! What the crate promises, tried from outside.

mod control;
