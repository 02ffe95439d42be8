//! The lines of the wire as Rust types.

mod block;
mod control;
pub(crate) mod declare;
mod interim;
mod message;
pub mod quirk;
mod shape;
mod stream;
mod usage;

pub use block::*;
pub use control::*;
pub use interim::*;
pub use message::*;
pub use shape::*;
pub use stream::*;
pub use usage::*;

declare::wire! {
    /// x
    pub struct ContextUsage {
       /// x
       model: Str }
    /// x
    pub struct UsageReport {
       /// x
       session: Json }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::Json;

    fn read(text: &str) -> Assistant<'_> {
        Assistant::of(Json::new(text).unwrap()).unwrap()
    }

    #[test]
    fn a_line_is_read_in_any_order_and_nothing_is_lost() {
        let text = r#"{"new":[1],"uuid":"u","message":{"content":[{"type":"text","text":"hi"},{"type":"x"}],"id":"m"},"session_id":5,"type":"assistant"}"#;
        let line = read(text);
        assert_eq!(line.uuid.unwrap(), "u");
        let Some(Content::Blocks(blocks)) = line.message.as_ref().unwrap().content else { panic!() };
        let blocks: Vec<_> = blocks.iter().collect();
        assert!(matches!(&blocks[0], Block::Text(text) if text.text.unwrap() == "hi"));
        assert!(matches!(&blocks[1], Block::Unknown(json) if json.text() == r#"{"type":"x"}"#));
        let extra: Vec<_> = line.extra.fields().map(|(key, _)| key.to_string()).collect();
        assert_eq!(extra, ["new", "session_id"]);
        let again = line.to_json();
        assert_eq!(
            serde_json::from_str::<serde_json::Value>(&again).unwrap(),
            serde_json::from_str::<serde_json::Value>(text).unwrap()
        );
    }

    #[test]
    fn of_two_tags_the_last_counts() {
        let block =
            Block::of(Json::new(r#"{"type":"text","thinking":"t","type":"thinking"}"#).unwrap()).unwrap();
        assert!(matches!(block, Block::Thinking(it) if it.thinking.unwrap() == "t"));
    }
}
