//! What agents say and are told: parts of messages, each told once, whole or as it grows.

mod abandon;
pub(crate) mod assistant;
mod draft;
pub(crate) mod part;
mod said;
mod speaker;
mod stream;
mod streamed;
mod track;
mod user;
pub(crate) mod voice;
