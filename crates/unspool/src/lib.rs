//! unspool
pub mod json;
pub mod wire;
