//! Gives the lines of a recording new ids, so that it can be told again in the same session.

use memchr::memmem;
use std::io::Write;

/// A stream again; what is named in it has another name for every number.
///
/// Ids of messages and calls get the number behind their prefix, uuids begin with it. A session keeps its
/// own id, or all get the one given.
pub(super) fn renumber(stream: &[u8], number: usize, session: Option<&str>) -> Vec<u8> {
    let (mut rest, mut out) = (stream, Vec::with_capacity(stream.len() + (stream.len() >> 4)));
    while let Some((at, mark)) = next_mark(rest) {
        let (before, after) = rest.split_at(at + mark.text.len());
        out.extend_from_slice(before);
        let uuid = after.get(..UUID).filter(|uuid| uuid[UUID / 4 - 1] == b'-');
        rest = match (mark.kind, uuid, session) {
            (Kind::Prefix, ..) => {
                let _ = write!(out, "{number:05}x");
                after
            }
            (Kind::Session, Some(_), Some(session)) => {
                out.extend_from_slice(session.as_bytes());
                &after[UUID..]
            }
            (Kind::Session | Kind::Uuid, Some(_), _) => {
                let _ = write!(out, "{number:08x}");
                &after[8..]
            }
            (Kind::Session | Kind::Uuid, None, _) => after,
        };
    }
    out.extend_from_slice(rest);
    out
}

/// Letters in a uuid; the first dash stands behind the eighth.
const UUID: usize = 36;

struct Mark {
    text: &'static str,
    kind: Kind,
}

#[derive(Clone, Copy)]
enum Kind {
    /// The beginning of an id.
    Prefix,
    /// A uuid follows.
    Uuid,
    /// The uuid of the session follows.
    Session,
}

const MARKS: [Mark; 4] = [
    Mark { text: "msg_", kind: Kind::Prefix },
    Mark { text: "toolu_", kind: Kind::Prefix },
    Mark { text: "\"uuid\":\"", kind: Kind::Uuid },
    Mark { text: "\"session_id\":\"", kind: Kind::Session },
];

/// The first mark and its place.
fn next_mark(bytes: &[u8]) -> Option<(usize, &'static Mark)> {
    // A line is short, so the search for a mark that is missing in it should not run through the stream.
    let mut from = 0;
    while from < bytes.len() {
        let end = memchr::memchr(b'\n', &bytes[from..]).map_or(bytes.len(), |end| from + end + 1);
        let found = MARKS
            .iter()
            .filter_map(|mark| Some((from + memmem::find(&bytes[from..end], mark.text.as_bytes())?, mark)))
            .min_by_key(|(at, _)| *at);
        if found.is_some() {
            return found;
        }
        from = end;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_id_gets_a_new_name_and_the_rest_stays() {
        let line = r#"{"id":"msg_01A","call":"toolu_7","session_id":"381ba76e-5953-40b4-8372-47cbf6f2367e","uuid":"2e9514b1-ab71-45a9-8d7c-446fb9f1f967","text":"é"}
"#;
        let mut out = renumber(line.as_bytes(), 12, None);
        out.extend(renumber(line.as_bytes(), 13, Some("5e55101d-0000-4000-8000-000000000000")));
        let expected = r#"{"id":"msg_00012x01A","call":"toolu_00012x7","session_id":"0000000c-5953-40b4-8372-47cbf6f2367e","uuid":"0000000c-ab71-45a9-8d7c-446fb9f1f967","text":"é"}
{"id":"msg_00013x01A","call":"toolu_00013x7","session_id":"5e55101d-0000-4000-8000-000000000000","uuid":"0000000d-ab71-45a9-8d7c-446fb9f1f967","text":"é"}
"#;
        assert_eq!(String::from_utf8(out).unwrap(), expected);
    }
}
