//! unspool
pub mod control;
pub mod json;
pub mod wire;
