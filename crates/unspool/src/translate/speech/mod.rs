//! What agents say and are told: parts of messages, each told once, whole or as it grows.

pub(crate) mod assistant;
pub(crate) mod draft;
pub(crate) mod part;
pub(crate) mod speaker;
pub(crate) mod stream;
pub(crate) mod track;
