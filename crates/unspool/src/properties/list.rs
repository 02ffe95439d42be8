//! A stream written down as one list.

use super::GRAINS;
use crate::Spool;
use crate::event::{Event, What};
use crate::json::{Json, Kind};
use serde_json::Value;

/// The objects of a stream, put in a list, tell what they tell line by line: on one line, on one each, or printed over
/// many. Streams with other lines are left alone.
pub fn lists_tell_what_lines_tell(bytes: &[u8]) {
    let lines: Vec<_> = bytes.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii).collect();
    let Some(objects) = lines.into_iter().filter(|line| !line.is_empty()).map(object).collect() else {
        return;
    };
    let objects: Vec<&str> = objects;
    if objects.is_empty() {
        return;
    }
    let spread: Vec<_> = objects.iter().map(|object| spread(object)).collect();
    let lists = [
        format!("[{}]\n", objects.join(",")),
        format!("[\n{}\n]", objects.join(",\n")),
        format!("[\n  {}\n]", spread.join(",\n  ")),
    ];
    for grain in GRAINS {
        let told = Spool::read(grain, bytes);
        for list in &lists {
            let listed = Spool::read(grain, list.as_bytes());
            for (one, other) in told.iter().zip(&listed) {
                assert_eq!(said(one), said(other), "a line on the left, an element on the right");
            }
            assert_eq!(told.len(), listed.len(), "so much is told of lines, and of a list");
        }
    }
}

fn object(line: &[u8]) -> Option<&str> {
    let text = str::from_utf8(line).ok()?;
    let is_object = Json::new(text).is_ok_and(|json| json.kind() == Kind::Object);
    is_object.then_some(text)
}

/// The object, printed over many lines.
fn spread(object: &str) -> String {
    let (mut out, mut in_string, mut escaped) = (String::new(), false, false);
    for letter in object.chars() {
        out.push(letter);
        match letter {
            _ if escaped => escaped = false,
            '\\' => escaped = in_string,
            '"' => in_string = !in_string,
            '{' | '[' | ',' if !in_string => out.push_str("\n    "),
            _ => {}
        }
    }
    out
}

/// What an event says, wherever it stands. What is told as the text of a value is as it was written.
fn said(event: &Event<'_>) -> (String, Option<Value>) {
    let event = Event { line: None, ..event.clone() };
    let raw = matches!(event.what, What::ToolInputDelta { .. }) || event.raw_text.is_some();
    let value = serde_json::from_str::<Value>(&event.to_json()).ok().filter(|_| !raw);
    (event.what.name().to_owned(), value)
}
