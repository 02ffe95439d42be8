//! What the programs of this workspace share.

pub mod chaos;
pub mod own;
pub mod processes;
pub mod spread;
pub mod stage;
