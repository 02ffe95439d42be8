//! Events back from their JSON.
//!
//! In goes what [`Event::to_json`] wrote, of this version or another one; out comes the event. Nothing is dropped: a field that
//! this version does not know stays in `extra`, and an event that it cannot read is [`What::Other`].

use super::{Agent, Event, Place, Raw, Tell, What, Words};
use crate::json::{Fault, Json, Kind, Str, write_string};

/// Why a text is no event.
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum NotAnEvent {
    /// It is no JSON.
    #[error("no JSON: {0}")]
    NoJson(#[from] Fault),
    /// It is JSON, but no object.
    #[error("no object")]
    NoObject,
    /// A field that every event has is missing, or holds something else.
    #[error("no `{0}`")]
    Lacks(&'static str),
}

impl Event<'static> {
    /// Reads an event from its JSON.
    ///
    /// ```
    /// use unspool::event::{Event, What};
    ///
    /// let line = r#"{"type":"text","seq":3,"agent":"main","turn":1,"message":"m","part":0,"content":"Hello"}"#;
    /// let event = Event::read(line)?;
    /// assert!(matches!(&event.what, What::Text { content, .. } if content == "Hello"));
    /// assert_eq!(event.to_json(), line);
    /// # Ok::<(), unspool::event::NotAnEvent>(())
    /// ```
    pub fn read(text: &str) -> Result<Self, NotAnEvent> {
        let mut fields = Fields::of(Json::new(text.trim())?).ok_or(NotAnEvent::NoObject)?;
        let name = fields.need::<Words<'_>>("type")?;
        let message = fields.need::<Option<Words<'_>>>("message")?;
        let event = Event {
            seq: fields.need::<u64>("seq")?,
            line: fields.need::<Option<u64>>("line")?,
            session: fields.need::<Option<Words<'_>>>("session")?,
            agent: fields.need::<Agent<'_>>("agent")?,
            turn: fields.need::<Option<u64>>("turn")?,
            place: fields.need::<Option<u64>>("part")?.map(|part| Place { message, part }),
            uuid: fields.need::<Option<Words<'_>>>("uuid")?,
            time: fields.need::<Option<Words<'_>>>("time")?,
            at: fields.need::<Option<u64>>("at")?,
            raw_text: fields.need::<Option<Words<'_>>>("raw_text")?,
            what: What::Unknown { raw: None },
            extra: None,
        };
        // The first event bears it. Whoever reads a file of events looks at it once, there.
        fields.forget("contract");
        let whole = fields.clone();
        Ok(match What::read(&name, &mut fields) {
            Some(what) => Event { what, extra: fields.rest().map(Box::new), ..event },
            None => {
                let data = whole.rest().unwrap_or_else(|| Raw::new(Json::EMPTY));
                Event { what: What::Other { name, data }, ..event }
            }
        })
    }
}

impl What<'static> {
    /// Makes what an event of this type says from its fields, as the JSON of the event has them. What this version cannot read is
    /// [`What::Other`].
    ///
    /// ```
    /// use unspool::event::What;
    /// use unspool::json::Json;
    ///
    /// let said = What::of("text", Json::new(r#"{"content":"Hello"}"#)?);
    /// assert!(matches!(&said, What::Text { content, .. } if content == "Hello"));
    /// # Ok::<(), unspool::json::Fault>(())
    /// ```
    ///
    /// Fields may be added at any time, so outside this crate no variant is made or matched in full:
    ///
    /// ```compile_fail,E0639
    /// let said = unspool::event::What::StructuredOutput { value: None };
    /// ```
    ///
    /// ```compile_fail,E0638
    /// let unspool::event::What::StructuredOutput { value } = unspool::event::What::of("", unspool::json::Json::NULL) else { panic!() };
    /// ```
    #[must_use]
    pub fn of(name: &str, fields: Json<'_>) -> Self {
        let known = Fields::of(fields).and_then(|mut fields| What::read(name, &mut fields));
        known.unwrap_or_else(|| What::Other { name: name.to_owned().into(), data: Raw::new(fields).own() })
    }
}

/// The fields of an object that were not taken yet.
#[derive(Clone)]
pub(super) struct Fields<'a>(Vec<(Str<'a>, Json<'a>)>);

impl<'a> Fields<'a> {
    pub(super) fn of(json: Json<'a>) -> Option<Self> {
        (json.kind() == Kind::Object).then(|| Fields(json.fields().collect()))
    }

    /// Takes a field; `None` if it has another shape, or is missing and must not be.
    pub(super) fn take<T: Tell>(&mut self, name: &str) -> Option<T::Owned> {
        match self.forget(name) {
            Some(value) => T::read(value),
            None => T::missing(),
        }
    }

    /// Takes a field that is left out where there is nothing to say: `Some(None)` then.
    pub(super) fn take_if_there<T: Tell>(&mut self, name: &str) -> Option<Option<T::Owned>> {
        match self.forget(name) {
            Some(value) => T::read(value).map(Some),
            None => Some(None),
        }
    }

    fn need<T: Tell>(&mut self, name: &'static str) -> Result<T::Owned, NotAnEvent> {
        self.take::<T>(name).ok_or(NotAnEvent::Lacks(name))
    }

    /// Takes a field as it is. Of repeated ones the last counts.
    fn forget(&mut self, name: &str) -> Option<Json<'a>> {
        let found = self.0.iter().rfind(|(key, _)| *key == name).map(|(_, value)| *value)?;
        self.0.retain(|(key, _)| *key != name);
        Some(found)
    }

    /// What was not taken, as an object; `None` if that is nothing.
    pub(super) fn rest(self) -> Option<Raw<'static>> {
        let mut fields = self.0.into_iter();
        let (key, value) = fields.next()?;
        let mut object = String::from("{");
        write_string(&key.decode(), &mut object);
        object.push(':');
        object.push_str(value.text());
        for (key, value) in fields {
            object.push(',');
            write_string(&key.decode(), &mut object);
            object.push(':');
            object.push_str(value.text());
        }
        object.push('}');
        Some(Raw::new(Json::trusted(&object)).own())
    }
}

/// Appends `,"field":value` for each field of an object.
pub(super) fn write_extra(object: Option<&Raw<'_>>, out: &mut String) {
    let Some(object) = object else { return };
    let text = object.text();
    if let Some(fields) = text.strip_prefix('{').and_then(|text| text.strip_suffix('}'))
        && !fields.trim().is_empty()
    {
        out.push(',');
        out.push_str(fields);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn same(text: &str) -> Event<'static> {
        let event = Event::read(text).unwrap();
        assert_eq!(event.to_json(), text);
        event
    }

    #[test]
    fn fields_of_newer_versions_are_kept() {
        let event = same(
            r#"{"type":"agent_end","seq":2,"agent":"t1","status":"completed","usage":{"input":1,"output":2,"cache_read":null,"cache_creation":null,"total_input":1,"seen":[3]},"mood":"good"}"#,
        );
        let What::AgentEnd { usage: Some(usage), .. } = &event.what else { panic!("{event}") };
        assert_eq!(usage.extra.as_deref().map(Raw::text).as_deref(), Some(r#"{"seen":[3]}"#));
        assert_eq!(event.extra.map(|extra| extra.text()).as_deref(), Some(r#"{"mood":"good"}"#));
    }

    #[test]
    fn what_this_version_cannot_read_is_handed_on() {
        for text in [
            r#"{"type":"dream","seq":2,"agent":"main","turn":1,"depth":4}"#,
            r#"{"type":"dream","seq":2,"agent":"main"}"#,
            r#"{"type":"agent_end","seq":2,"agent":"t1","status":"promoted"}"#,
            r#"{"type":"text","seq":2,"agent":"main","content":7}"#,
        ] {
            assert!(matches!(same(text).what, What::Other { .. }), "{text}");
        }
    }

    #[test]
    fn what_an_older_version_did_not_tell_is_unknown() {
        let event = Event::read(r#"{"type":"session_meta","seq":1,"agent":"main","model":"m"}"#).unwrap();
        assert!(matches!(event.what, What::SessionMeta { model: Some(_), version: None, .. }), "{event}");
    }

    #[test]
    fn what_is_no_event_says_why() {
        for (text, why) in [
            ("", "no JSON: a value is missing at byte 0"),
            ("[]", "no object"),
            ("{}", "no `type`"),
            (r#"{"type":"text","agent":"main","content":"x"}"#, "no `seq`"),
            (r#"{"type":"text","seq":-1,"agent":"main","content":"x"}"#, "no `seq`"),
            (r#"{"type":"system","subtype":"init","seq":1}"#, "no `agent`"),
        ] {
            assert_eq!(Event::read(text).unwrap_err().to_string(), why, "{text}");
        }
    }
}
