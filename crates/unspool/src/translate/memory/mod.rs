//! What is remembered is bounded: ids, sets that forget, texts whose memory is used again.

pub(crate) mod label;
pub(crate) mod recent;
pub(crate) mod slot;
