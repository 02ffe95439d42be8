//! Every call of a known tool in the recordings, and every answer to one, is read whole by its type.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::{env, fs};
use unspool::event::What;
use unspool::json::{Json, Kind};
use unspool::wire::{ToolInput, ToolOutput, Wire, audit_value};
use unspool::{Grain, Spool};

/// `UNSPOOL_STREAMS` names a folder with more recordings.
#[test]
fn nothing_in_a_call_or_its_answer_is_unknown() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures");
    let folder = env::var_os("UNSPOOL_STREAMS").map_or(here, PathBuf::from);
    let (mut inputs, mut outputs) = (0, 0);
    let mut unknown = BTreeSet::new();
    for path in streams(&folder) {
        for event in Spool::read(Grain::Blocks, &fs::read(&path).unwrap()) {
            let (what, tool, json, shape) = match &event.what {
                What::ToolUse { name: Some(name), input: Some(input), .. } => {
                    let Some(shape) = ToolInput::shape_of(name) else { continue };
                    inputs += 1;
                    assert_eq!(event.what.tool_input(), Some(ToolInput::of(name, input.json())));
                    ("input", name, input.json(), shape)
                }
                What::ToolResult { name: Some(name), detail: Some(detail), .. } => {
                    let Some(shape) = ToolOutput::shape_of(name) else { continue };
                    // A call that failed has words instead.
                    if detail.json().kind() == Kind::String {
                        assert_eq!(event.what.tool_output(), Some(ToolOutput::Unknown(detail.json())));
                        continue;
                    }
                    outputs += 1;
                    ("output", name, detail.json(), shape)
                }
                _ => continue,
            };
            for finding in audit_value(json, shape) {
                unknown.insert(format!("{what} of {tool}: {finding}"));
            }
        }
    }
    assert!(inputs > 150 && outputs > 40, "{inputs} inputs, {outputs} outputs");
    assert!(unknown.is_empty(), "{unknown:#?}");
}

fn streams(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut paths: Vec<PathBuf> = entries.collect();
    paths.sort();
    // Some calls were made up to do harm.
    let folders = paths.iter().filter(|path| path.is_dir() && !path.ends_with("hostile"));
    let inside = folders.flat_map(|path| streams(path));
    let recorded = |path: &&PathBuf| {
        path.is_file() && path.extension().is_some_and(|it| it == "ndjson" || it == "jsonl")
    };
    inside.chain(paths.iter().filter(recorded).cloned()).collect()
}

/// A field of another type than usual is kept, until somebody sets it.
#[test]
fn a_field_that_was_set_is_written_once() {
    let text = r#"{"command":"ls","timeout":"5000","dangerouslyDisableSandbox":"true","new":1}"#;
    let input = ToolInput::of("Bash", Json::new(text).unwrap());
    let ToolInput::Bash(bash) = input else { panic!("{input:?}") };
    assert_eq!(input.to_json(), text);
    let safe = bash.dangerously_disable_sandbox(false);
    assert_eq!(
        safe.to_json(),
        r#"{"command":"ls","dangerouslyDisableSandbox":false,"timeout":"5000","new":1}"#
    );
}
