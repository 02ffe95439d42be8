//! What most lines bear, whatever else they say.

use super::declare::wire;

wire! {
    /// What most lines bear: enough to say where and when, without reading the rest.
    pub struct Head {
        /// The session it belongs to.
        session_id: Str,
        /// Id of the line.
        uuid: Str,
        /// When the line was written.
        timestamp: Str,
    }
}
