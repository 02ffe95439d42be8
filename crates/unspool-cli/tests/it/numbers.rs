//! Figures of any size: whatever a stream claims, it is told, and nothing adds up to a crash.

use crate::program::run;
use std::fs;

const STREAMS: [&str; 5] = [
    "page/fix_the_parser.ndjson",
    "agents/sub2-2.1.325.ndjson",
    "agents/bgagent-2.1.112.ndjson",
    "transcripts/2.1.325-rwe/projects/-home-user-project/aff214ca-b098-4cbe-873b-1e81fcfba479.jsonl",
    "transcripts/2.1.325-multi3/projects/-home-user-project/95fa39ce-a604-4b85-ad5d-39e5e19f9556.jsonl",
];

const COMMANDS: [&[&str]; 7] = [
    &["view"],
    &["stats"],
    &["cost", "--by", "turn,model"],
    &["cost", "--by", "agent,tool", "--json"],
    &["html"],
    &["summary", "--github"],
    &["check"],
];

/// The same stream, with this number in place of each that is the value of a field.
fn with_numbers(stream: &str, number: &str) -> String {
    let mut parts = stream.split("\":");
    let mut changed = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let value = part.trim_start();
        let rest = value.trim_start_matches(|letter: char| "+-.eE0123456789".contains(letter));
        let is_number = rest.len() < value.len() && rest.starts_with([',', '}', ']']);
        changed.push_str("\":");
        changed.push_str(if is_number { number } else { "" });
        changed.push_str(if is_number { rest } else { part });
    }
    changed
}

#[test]
fn no_figure_is_too_large() {
    for stream in STREAMS {
        let path = format!("{}/../../fixtures/{stream}", env!("CARGO_MANIFEST_DIR"));
        let stream = fs::read_to_string(path).unwrap();
        for number in ["18446744073709551615", "9223372036854775807", "1e308", "-1"] {
            let stream = with_numbers(&stream, number);
            assert!(stream.contains(&format!("\":{number}")));
            for command in COMMANDS {
                let ran = run(command, &stream);
                let ended = ran.code.is_some_and(|code| code < 100) && !ran.err.contains("panicked");
                assert!(ended, "{command:?} {number}: {:?} {}", ran.code, ran.err);
            }
        }
    }
}
