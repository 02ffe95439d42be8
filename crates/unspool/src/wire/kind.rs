//! What a line is, found without reading the rest of it.

use super::lines::lines;
use super::{AskKind, CommandKind, PieceKind, SystemKind};
use crate::json::{Cursor, Json, Str};

macro_rules! kinds {
    ($($value:literal => $variant:ident $(($ty:ident))? $(by $sub:ident)?),* $(,)?) => {
        /// What a line is.
        #[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
        #[non_exhaustive]
        pub enum Kind {
            $(
                #[doc = concat!("`", $value, "`")]
                $variant $(($sub))?,
            )*
            /// A message of the model without an envelope: CLI 0.2.70 to 0.2.114.
            BareAssistant,
            /// A message of the user without an envelope.
            BareUser,
            /// The last record of a version without envelopes.
            BareResult,
            /// Anything else: another type or subtype, or no object at all.
            Unknown,
        }

        impl Kind {
            /// The kind that a type alone stands for.
            pub(crate) fn of_type(name: &str) -> Option<Self> {
                match name {
                    $($value => alone!($variant $($sub)?),)*
                    _ => None,
                }
            }

            /// Its `type` on the wire; empty for lines without one and for unknown ones.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $(Kind::$variant { .. } => $value,)*
                    Kind::BareAssistant => "message",
                    Kind::BareUser | Kind::BareResult | Kind::Unknown => "",
                }
            }
        }
    };
}

/// What a type is that may or may not have subtypes.
macro_rules! alone {
    ($variant:ident) => {
        Some(Kind::$variant)
    };
    ($variant:ident $sub:ident) => {
        None
    };
}

lines!(kinds);

/// How a result spells its type.
const RESULT: &[u8] = b"\"type\":\"result\"";

/// What an event calls a `stream_event` line that says that the stream has failed: what the piece in it is called.
pub(crate) const STREAM_ERROR: &str = PieceKind::StreamError.name();

impl Kind {
    /// Looks for the first `type`, and for a `system` line the first `subtype`, and at nothing behind them.
    ///
    /// Should a line have several, the last counts: the type that is then read says that it does not fit,
    /// or this is `Unknown`; ask [`Kind::last_of`] again. The text need not be JSON; what is not is
    /// `Unknown` or found out when the line is read.
    #[must_use]
    pub fn of(text: &str) -> Self {
        // Nearly every line begins with its type.
        if let Some(rest) = text.strip_prefix("{\"type\":\"")
            && let Some((name, _)) = rest.split_once('"')
            && let Some(kind) = Self::of_type(name)
        {
            return kind;
        }
        // Results of CLI 2.1.257 and later have their type far behind; reading up to it costs as much as
        // reading the line. A guess is good enough: whoever reads the line as a result finds out.
        if !text.starts_with("{\"type\"") && memchr::memmem::find(text.as_bytes(), RESULT).is_some() {
            return Kind::Result;
        }
        let cursor = Cursor::checked(text);
        Self::of_fields(
            cursor.tag("type"),
            || cursor.tag("subtype"),
            || cursor.tag("role"),
            || Json::new(text).is_ok_and(says_result),
        )
    }

    /// What kind of line this is, where the last of several `type` fields counts.
    #[must_use]
    pub fn last_of(json: Json<'_>) -> Self {
        let get = |key: &str| json.get(key).and_then(Json::as_str);
        Self::of_fields(get("type"), || get("subtype"), || get("role"), || says_result(json))
    }

    /// What a line says that it is, known or not: its type, with its subtype behind a slash, or that of what it asks for; `none`
    /// if it has no type.
    #[must_use]
    pub fn said_by(line: Json<'_>) -> String {
        let text = |object: Option<Json<'_>>, name: &str| Some(object?.get(name)?.as_str()?.to_string());
        let subtype = text(Some(line), "subtype").or_else(|| text(line.get("request"), "subtype"));
        let kind = text(Some(line), "type").unwrap_or_else(|| "none".to_owned());
        subtype.map_or_else(|| kind.clone(), |subtype| format!("{kind}/{subtype}"))
    }

    /// The kind of line that an event names so: its type, the subtype of a `system` line, or what a control request asks for.
    pub(crate) fn named(name: &str) -> Option<Self> {
        let asked = || AskKind::of(name).is_some() || CommandKind::of(name).is_some();
        match SystemKind::of(name) {
            Some(subtype) => Some(Kind::System(subtype)),
            None if name == STREAM_ERROR => Some(Kind::StreamEvent),
            None if asked() => Some(Kind::ControlRequest),
            None => Self::of_type(name),
        }
    }

    /// The kind of a line with these fields, as far as somebody asks for them. `ends`: it has a field that only
    /// the last record of a version without envelopes has.
    pub(crate) fn of_fields<'a>(
        name: Option<Str<'a>>,
        subtype: impl FnOnce() -> Option<Str<'a>>,
        role: impl FnOnce() -> Option<Str<'a>>,
        ends: impl FnOnce() -> bool,
    ) -> Self {
        match name.map(Str::decode).as_deref() {
            Some("system") => {
                let subtype = subtype().and_then(|subtype| SystemKind::of(&subtype.decode()));
                subtype.map_or(Kind::Unknown, Kind::System)
            }
            Some("message") => match role() {
                Some(role) if role == "assistant" => Kind::BareAssistant,
                Some(role) if role == "user" => Kind::BareUser,
                _ => Kind::Unknown,
            },
            Some(name) => Self::of_type(name).unwrap_or(Kind::Unknown),
            None => match role() {
                Some(role) if role == "assistant" => Kind::BareAssistant,
                Some(role) if role == "user" => Kind::BareUser,
                Some(role) if role == "system" && ends() => Kind::BareResult,
                _ => Kind::Unknown,
            },
        }
    }
}

/// Whether an object has a field that only the last record of a version without envelopes has.
fn says_result(json: Json<'_>) -> bool {
    ["cost_usd", "duration_ms", "result"].iter().any(|key| json.get(key).is_some())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::Wire;

    fn check(text: &str, kind: Kind) {
        assert_eq!(Kind::of(text), kind, "{text}");
        assert_eq!(Json::new(text).map_or(Kind::Unknown, Kind::last_of), kind, "{text}");
    }

    #[test]
    fn a_line_is_named_by_type_and_subtype() {
        check(r#"{"type":"assistant"}"#, Kind::Assistant);
        check(r#"{"is_error":false,"subtype":"success","type":"result"}"#, Kind::Result);
        check(r#"{"subtype":"init","type":"system"}"#, Kind::System(SystemKind::Init));
        check(r#"{"type":"system","subtype":"result"}"#, Kind::System(SystemKind::Result));
    }

    #[test]
    fn a_guess_is_found_out() {
        let text = r#"{"a":{"type":"result"}}"#;
        assert_eq!(Kind::of(text), Kind::Result);
        assert_eq!(Kind::last_of(Json::new(text).unwrap()), Kind::Unknown);
        assert!(crate::wire::ResultLine::of(Json::new(text).unwrap()).is_none());
        let events = crate::Spool::read(crate::Grain::Blocks, text.as_bytes());
        assert_eq!(events[0].what.name(), "unknown");
    }

    #[test]
    fn what_nobody_listed_is_unknown() {
        for text in [
            r#"{"type":"new"}"#,
            r#"{"type":"system"}"#,
            r#"{"type":"system","subtype":"new"}"#,
            r#"{"type":5}"#,
            r#"{"role":"system"}"#,
            r#"{"role":"else","result":"x"}"#,
            "{}",
            "[]",
            "5",
            "",
        ] {
            check(text, Kind::Unknown);
        }
    }

    #[test]
    fn records_without_envelopes_are_named_by_role() {
        check(r#"{"id":"m","type":"message","role":"assistant","content":[]}"#, Kind::BareAssistant);
        check(r#"{"role":"user","content":[]}"#, Kind::BareUser);
        check(r#"{"role":"system","cost_usd":0.1,"duration_ms":14}"#, Kind::BareResult);
        check(r#"{"role":"system","result":"x"}"#, Kind::BareResult);
    }

    #[test]
    fn what_a_line_says_of_itself_need_not_be_listed() {
        for (text, said) in [
            (r#"{"type":"new"}"#, "new"),
            (r#"{"type":"system","subtype":"new"}"#, "system/new"),
            (r#"{"type":"control_request","request":{"subtype":"new"}}"#, "control_request/new"),
            (r#"{"subtype":5}"#, "none"),
        ] {
            assert_eq!(Kind::said_by(Json::new(text).unwrap()), said);
        }
    }

    #[test]
    fn of_two_types_the_last_counts() {
        let text = r#"{"type":"user","type":"assistant"}"#;
        assert_eq!(Kind::of(text), Kind::User);
        assert_eq!(Kind::last_of(Json::new(text).unwrap()), Kind::Assistant);
    }
}
