//! Whether something is a stream, a transcript, or events that were written down.

use crate::json::{Json, Kind as Value};
use crate::wire::{EntryHead, EntryKind, Kind, ResultLine};

/// What a file is, as far as one of its lines shows.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub enum Form {
    /// What Claude Code printed.
    Stream,
    /// What Claude Code keeps on disk.
    Transcript,
    /// What `unspool events` printed.
    Events,
    /// JSON, of a type that none of them has.
    Unknown,
    /// No JSON object.
    Other,
}

impl Form {
    /// Looks at one line. Its end may be missing if it is long.
    pub fn of(line: &[u8]) -> Self {
        let text = String::from_utf8_lossy(line);
        let text = crate::line::trim(&text);
        Json::new(text).map_or(Form::Other, Self::of_json)
    }

    /// What a value shows.
    pub(crate) fn of_json(json: Json<'_>) -> Self {
        if json.kind() != Value::Object {
            return Form::Other;
        }
        let has = |key| json.get(key).is_some();
        let names = EntryHead::NAMES;
        let kind = json.get(names.kind).and_then(Json::as_str).map(|kind| kind.decode().into_owned());
        let kind = kind.unwrap_or_default();
        let in_a_chain = has(names.session_id) || has(names.parent_uuid) || has(names.is_sidechain);
        let is_event = json.get("seq").and_then(Json::as_u64).is_some()
            && json.get("agent").and_then(Json::as_str).is_some();
        if is_event && !kind.is_empty() {
            Form::Events
        } else if in_a_chain && !kind.is_empty() || EntryKind::of(&kind).is_some() {
            Form::Transcript
        } else if has(ResultLine::NAMES.session_id) || Kind::last_of(json) != Kind::Unknown {
            Form::Stream
        } else {
            Form::Unknown
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_line_tells() {
        for (line, form) in [
            (r#"{"type":"system","subtype":"init","session_id":"s"}"#, Form::Stream),
            (r#"{"type":"assistant","message":{}}"#, Form::Stream),
            (r#"{"role":"user","content":[]}"#, Form::Stream),
            (r#"{"type":"new","session_id":"s"}"#, Form::Stream),
            (r#"{"type":"user","sessionId":"s","message":{}}"#, Form::Transcript),
            (r#"{"parentUuid":null,"isSidechain":true,"type":"user"}"#, Form::Transcript),
            (r#"{"type":"summary","summary":"x","leafUuid":"u"}"#, Form::Transcript),
            (r#"{"type":"new","sessionId":"s"}"#, Form::Transcript),
            (r#"{"type":"turn_start","seq":2,"agent":"main","turn":1,"cause":"user"}"#, Form::Events),
            (r#"{"type":"new","seq":2,"agent":"main"}"#, Form::Events),
            (r#"{"seq":2,"agent":"main"}"#, Form::Unknown),
            (r#"{"display":"x","sessionId":"s"}"#, Form::Unknown),
            (r#"{"a":1}"#, Form::Unknown),
            ("# Title", Form::Other),
            ("", Form::Other),
            ("[1]", Form::Other),
        ] {
            assert_eq!(Form::of(line.as_bytes()), form, "{line}");
        }
    }
}
