//! The properties, each a function over the bytes of a stream.

use crate::findings::Findings;
use memchr::memchr;
use unspool::json::{Cursor, Json};
use unspool::properties;

/// Something that holds for any bytes.
pub(crate) struct Property {
    /// The promise, in words.
    pub(crate) name: &'static str,
    /// Tells findings, or panics, where it does not hold.
    pub(crate) check: fn(&[u8], &mut Findings),
}

pub(crate) const PROPERTIES: &[Property] = &[
    Property { name: "a line is JSON, or we know why not", check: lines_are_json },
    Property { name: "what we write can be read", check: clean_lines_can_be_read },
    Property { name: "our JSON is everybody's", check: |it, _| json_is_everybodys(it) },
    Property { name: "cuts do not matter", check: |it, _| properties::cuts_do_not_matter(it, 61) },
    Property { name: "short cuts do not matter", check: |it, _| properties::short_cuts_do_not_matter(it) },
    Property { name: "both grains agree", check: |it, _| properties::grains_agree(it) },
    Property { name: "events are JSON", check: |it, _| properties::output_is_json(it) },
    Property { name: "events are in order", check: |it, _| properties::told_in_order(it) },
    Property { name: "journals keep it", check: |it, _| properties::journals_keep_streams(it, 61) },
    Property { name: "nothing is lost", check: |it, _| properties::nothing_is_lost(it) },
];

fn json_is_everybodys(stream: &[u8]) {
    let texts = lines(stream).filter_map(|(_, line)| str::from_utf8(line).ok());
    texts.for_each(properties::json_agrees_with_serde_json);
}

/// A recording may hold anything, so a line that is not JSON is only noted.
fn lines_are_json(stream: &[u8], findings: &mut Findings) {
    for (number, line) in lines(stream) {
        match str::from_utf8(line) {
            Err(error) => findings.note(format!("line {number}: {error}")),
            Ok(text) if text.trim().is_empty() => {}
            Ok(text) => {
                if let Err(fault) = Json::new(text) {
                    findings.note(format!("line {number}: {fault}"));
                }
            }
        }
    }
}

/// Depth and numbers that no `f64` holds apart, which stay as they were.
fn clean_lines_can_be_read(stream: &[u8], findings: &mut Findings) {
    for (number, line) in lines(stream) {
        let Some(text) = str::from_utf8(line).ok() else { continue };
        let Ok(json) = Json::new(text) else { continue };
        if json.depth() > 127 || far_numbers(text) {
            continue;
        }
        if let Err(error) = serde_json::from_str::<serde_json::Value>(&json.clean()) {
            findings.fault(format!("line {number}: {error}"));
        }
    }
}

fn far_numbers(text: &str) -> bool {
    let mut cursor = Cursor::new(text);
    cursor.skip().is_ok() && cursor.far_numbers()
}

/// The lines with their numbers, from 1; the last one may have no end.
fn lines(stream: &[u8]) -> impl Iterator<Item = (usize, &[u8])> {
    let mut rest = stream;
    let next = move || {
        let (line, behind) = match memchr(b'\n', rest) {
            Some(end) => (&rest[..end], &rest[end + 1..]),
            None if rest.is_empty() => return None,
            None => (rest, &rest[rest.len()..]),
        };
        rest = behind;
        Some(line)
    };
    (1..).zip(std::iter::from_fn(next))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_cut_at_newlines_only() {
        let found: Vec<_> = lines(b"a\r\n\n\xe2\x80\xa8\nend").map(|(_, line)| line).collect();
        assert_eq!(found, [&b"a\r"[..], b"", b"\xe2\x80\xa8", b"end"]);
    }

    #[test]
    fn what_is_not_json_is_noted_with_its_line() {
        let mut findings = Findings::default();
        lines_are_json(b"{}\n\n{\"a\":\xff}\n{\"a\"", &mut findings);
        assert_eq!((findings.faults(), findings.notes()), (0, 2));
        assert!(findings.to_string().contains("line 3: invalid utf-8"), "{findings}");
        assert!(findings.to_string().contains("line 4: a colon is missing"), "{findings}");
    }
}
