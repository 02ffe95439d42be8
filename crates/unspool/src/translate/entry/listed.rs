//! Entries that stand beside the conversation, and what the CLI notes in it.

use super::TOLD_SYSTEM;
use crate::event::{Raw, What};
use crate::json::{Json, Kind, Str, write_string};
use crate::translate::Translator;
use crate::translate::read::fields;
use crate::translate::tell::Cx;
use crate::wire::SystemKind;
use crate::wire::entry::SystemEntryKind;
use std::borrow::Cow;

impl Translator {
    /// A `system` entry. Returns whether it is known.
    pub(super) fn entry_system(
        &mut self,
        cx: &mut Cx<'_, '_>,
        entry: &fields::Entry,
        agent: Option<&str>,
    ) -> bool {
        let Some(subtype) = cx.chart().str(entry.subtype()).map(Str::decode) else { return false };
        let (own, stream) = (SystemEntryKind::of(&subtype), SystemKind::of(&subtype));
        if own.is_none() && stream.is_none() {
            return false;
        }
        let json = cx.chart().json();
        let (kind, data) = (Cow::Borrowed(&*subtype), Raw::without(json, TOLD_SYSTEM));
        let wire = (stream == Some(SystemKind::CompactBoundary)).then(|| as_on_the_wire(json));
        let what = match (own, wire.as_deref().and_then(|text| Json::new(text).ok())) {
            (_, Some(json)) => What::Compaction { kind, data: Raw::without(json, TOLD_SYSTEM) },
            (Some(SystemEntryKind::ApiError), _) => What::ApiRetry { kind, data },
            _ => What::Notice { kind, data },
        };
        self.teller.tell(cx, agent, what);
        true
    }
}

/// The entry with its metadata named as on the wire, for who knows a stream's.
fn as_on_the_wire(entry: Json<'_>) -> String {
    let mut out = String::from("{");
    for (key, value) in entry.fields() {
        let is_metadata = key == "compactMetadata" && value.kind() == Kind::Object;
        if out.len() > 1 {
            out.push(',');
        }
        let key = key.decode();
        write_string(if is_metadata { "compact_metadata" } else { &key }, &mut out);
        out.push(':');
        if !is_metadata {
            out.push_str(value.text());
            continue;
        }
        out.push('{');
        for (at, (key, value)) in value.fields().enumerate() {
            if at > 0 {
                out.push(',');
            }
            write_string(&snake(&key.decode()), &mut out);
            out.push(':');
            out.push_str(value.text());
        }
        out.push('}');
    }
    out.push('}');
    out
}

fn snake(name: &str) -> String {
    let mut out = String::with_capacity(name.len() + 4);
    for letter in name.chars() {
        if letter.is_ascii_uppercase() {
            out.push('_');
        }
        out.push(letter.to_ascii_lowercase());
    }
    out
}
