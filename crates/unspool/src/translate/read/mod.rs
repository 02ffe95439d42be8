//! Reading a line: which fields are looked for, and what stands in them. Nothing here remembers a line or tells one.

pub(crate) mod content;
pub(crate) mod detail;
pub(crate) mod fields;
pub(crate) mod line;
pub(crate) mod models;
pub(crate) mod result;
pub(crate) mod stream_event;
