//! A line of Claude Code, by its type.

use super::declare::choice;
use super::fields::filled;
use super::lines::lines;
use super::{
    ActiveGoal, Assistant, AuthStatus, AutocompactState, BareResult, ClientEvent, CommandLifecycle,
    ControlCancelRequest, ControlRequest, ControlResponse, ConversationReset, EnvManagerLog, Found,
    Heartbeat, KeepAlive, Kind, Message, PromptSuggestion, RateLimitEvent, ResultLine, SourcesChanged,
    StreamEvent, System, ToolProgress, ToolUseSummary, TranscriptMirror, User, Wire,
};
use crate::json::{Cursor, Fault, Json};

macro_rules! envelopes {
    ($($value:literal => $variant:ident $(($ty:ident))? $(by $sub:ident)?),* $(,)?) => {
        choice! {
            /// A line of Claude Code.
            pub enum Envelope by "type" {
                $($value => $variant $(($ty))?,)*
                ;
                /// What was said, without an envelope: CLI 0.2.70 to 0.2.114. Its `role` says by whom.
                BareMessage(Message),
                /// The last record of those versions.
                BareResult(BareResult),
            }
        }

        impl<'a> Envelope<'a> {
            /// Reads a line of which somebody else says what it is; whatever it says itself does not count. What is no object is
            /// `Unknown`.
            #[must_use]
            pub fn of_kind(kind: Kind, json: Json<'a>) -> Self {
                let read = match kind {
                    $(Kind::$variant { .. } => read_kind!(kind, json, $variant $($sub)?),)*
                    Kind::BareAssistant | Kind::BareUser => filled(json).map(Envelope::BareMessage),
                    Kind::BareResult => filled(json).map(Envelope::BareResult),
                    Kind::Unknown => None,
                };
                read.unwrap_or(Envelope::Unknown(json))
            }
        }
    };
}

/// Reads a line of a type that may or may not have subtypes.
macro_rules! read_kind {
    ($kind:ident, $json:ident, $variant:ident) => {
        filled($json).map(Envelope::$variant)
    };
    ($kind:ident, $json:ident, $variant:ident $sub:ident) => {
        match $kind {
            Kind::$variant(subtype) => Some(Envelope::$variant($variant::of_kind(subtype, $json))),
            _ => None,
        }
    };
}

lines!(envelopes);

impl<'a> Envelope<'a> {
    /// Reads a line. Only what is not a JSON object is a fault; an odd object is `Unknown`.
    pub fn read(text: &'a str) -> Result<Self, Fault> {
        let mut cursor = Cursor::new(text);
        let found = <Self as Wire>::read(&mut cursor)?;
        cursor.end()?;
        match found {
            Found::Fits(Envelope::Unknown(json)) => Ok(Self::bare(json)),
            // Of two types the last counts, and it need not be `system`.
            Found::Fits(Envelope::System(System::Unknown(json))) => {
                let last = json.get("type").and_then(Json::as_str);
                let read = Self::read_as(last, &mut Cursor::checked(json.text()))?;
                Ok(read.unwrap_or_else(|| Self::bare(json)))
            }
            Found::Fits(envelope) => Ok(envelope),
            Found::Null | Found::Odd => Err(Fault { what: "the value is not an object", at: 0 }),
        }
    }

    fn bare(json: Json<'a>) -> Self {
        let read = match Kind::last_of(json) {
            Kind::BareAssistant | Kind::BareUser => Message::of(json).map(Envelope::BareMessage),
            Kind::BareResult => BareResult::of(json).map(Envelope::BareResult),
            _ => None,
        };
        read.unwrap_or(Envelope::Unknown(json))
    }

    /// Whether this version knows its type and subtype.
    #[must_use]
    pub fn is_known(&self) -> bool {
        !matches!(self, Envelope::Unknown(_) | Envelope::System(System::Unknown(_)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::fields::fill;
    use crate::wire::{Block, Content};

    fn read(text: &str) -> Envelope<'_> {
        Envelope::read(text).unwrap()
    }

    #[test]
    fn a_line_is_read_in_any_order_and_nothing_is_lost() {
        let text = concat!(
            r#"{"new":[1],"uuid":"u","message":{"content":[{"type":"text","text":"hi"},{"type":"x"}],"#,
            r#""id":"m"},"session_id":5,"type":"assistant"}"#
        );
        let Envelope::Assistant(line) = read(text) else { panic!() };
        assert_eq!(line.uuid.unwrap(), "u");
        let Some(Content::Blocks(blocks)) = &line.message.as_ref().unwrap().content else { panic!() };
        let blocks: Vec<_> = blocks.iter().collect();
        assert!(matches!(&blocks[0], Block::Text(text) if text.text.unwrap() == "hi"));
        assert!(matches!(&blocks[1], Block::Unknown(json) if json.text() == r#"{"type":"x"}"#));
        let extra: Vec<_> = line.extra.fields().map(|(key, _)| key.to_string()).collect();
        assert_eq!(extra, ["new", "session_id"]);
        let parse = |text: &str| serde_json::from_str::<serde_json::Value>(text).unwrap();
        assert_eq!(parse(&line.to_json()), parse(text));
    }

    #[test]
    fn of_two_tags_the_last_counts() {
        let known = [
            r#"{"type":"user","type":"assistant"}"#,
            r#"{"type":"new","type":"assistant"}"#,
            r#"{"type":"system","subtype":"init","type":"assistant"}"#,
            r#"{"type":"message","role":"user","type":"assistant"}"#,
        ];
        for text in known {
            assert!(matches!(read(text), Envelope::Assistant(_)), "{text}");
        }
        assert!(matches!(
            read(r#"{"type":"system","subtype":"new","subtype":"init"}"#),
            Envelope::System(System::Init(_))
        ));
        assert!(matches!(read(r#"{"type":"assistant","type":"new"}"#), Envelope::Unknown(_)));
        assert!(matches!(read(r#"{"type":"system","subtype":"init","type":"new"}"#), Envelope::Unknown(_)));
    }

    #[test]
    fn records_without_envelopes_are_read() {
        let Envelope::BareMessage(message) = read(r#"{"role":"user","content":"hi"}"#) else { panic!() };
        assert_eq!(message.content, Some(Content::Text("hi".into())));
        let Envelope::BareResult(result) = read(r#"{"role":"system","cost_usd":0.5}"#) else { panic!() };
        assert_eq!(result.cost_usd, Some(0.5));
    }

    #[test]
    fn only_objects_are_lines() {
        for text in ["5", "null", "[]", "\"x\"", "", "{", "{} {}"] {
            assert!(Envelope::read(text).is_err(), "{text}");
        }
        for text in ["{}", r#"{"type":"new"}"#, r#"{"type":"system","subtype":"new"}"#] {
            assert!(!read(text).is_known(), "{text}");
        }
    }

    #[test]
    fn an_old_system_result_is_a_result() {
        let text = r#"{"type":"system","subtype":"result","session_id":"s","is_error":true,"new":1}"#;
        assert!(matches!(read(text), Envelope::System(System::Result(_))));
        let mut result = ResultLine::default();
        fill(&mut result, &mut Cursor::new(text)).unwrap();
        assert_eq!((result.is_error, result.extra.get("new").map(Json::text)), (Some(true), Some("1")));
    }
}
