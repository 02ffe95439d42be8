//! Command lines that programs around Claude Code are known to use, by our names: `command_lines.json`.
//!
//! A difference holds for all of them: we join values to flags.

use serde_json::{Map, Value};
use unspool_client::Options;
use unspool_client::options::{Effort, PermissionMode, SettingSource};
use unspool_client::program::Program;

#[test]
fn command_lines_are_those_that_are_known() {
    let lines: Vec<Value> = serde_json::from_str(include_str!("command_lines.json")).unwrap();
    assert_eq!(lines.len(), 11);
    for line in &lines {
        let options = options(line["options"].as_object().unwrap());
        let args = options.launch(&Program::exactly("/bin/claude")).args;
        let args = args.iter().map(|word| word.to_str().unwrap().to_owned());
        assert_eq!(flags(args.collect()), flags(strings(&line["args"])), "{}", line["name"]);
        let refused = options.check().err().map(|error| error.to_string());
        assert_eq!(refused.as_deref(), line["refused"].as_str(), "{}", line["name"]);
    }
}

/// What each flag is given, however it is written. Flags come in any order, their values do not; JSON is
/// compared as such.
fn flags(words: Vec<String>) -> Vec<(String, Value)> {
    let mut flags: Vec<(String, Value)> = Vec::new();
    for word in words {
        if !word.starts_with("--") {
            flags.last_mut().expect("a flag before its value").1 = value(&word);
        } else if let Some((flag, word)) = word.split_once('=') {
            flags.push((flag.to_owned(), value(word)));
        } else {
            flags.push((word, Value::Null));
        }
    }
    flags.sort_by(|a, b| a.0.cmp(&b.0));
    flags
}

fn value(word: &str) -> Value {
    serde_json::from_str(word).unwrap_or_else(|_| word.into())
}

fn options(named: &Map<String, Value>) -> Options {
    named.iter().fold(Options::new(), |options, (name, value)| {
        let text = || value.as_str().unwrap();
        let on = || value.as_bool().unwrap();
        match name.as_str() {
            "model" => options.model(text()),
            "system_prompt" => options.system_prompt(text()),
            "append_system_prompt" => options.append_system_prompt(text()),
            "tools" => options.tools(strings(value)),
            "allowed_tools" => options.allowed_tools(strings(value)),
            "disallowed_tools" => options.disallowed_tools(strings(value)),
            "json_schema" => options.json_schema(value.clone()),
            "max_budget_usd" => options.max_budget_usd(value.as_f64().unwrap()),
            "resume" => options.resume(text()),
            "mcp_config" => options.mcp_config(text()),
            "continue_session" => options.continue_session(on()),
            "permission_mode" if text() == "auto" => options.permission_mode(PermissionMode::Auto),
            "add_dir" => strings(value).into_iter().fold(options, Options::add_dir),
            "effort" => options.effort(Effort::from(text())),
            "hook_events" => options.hook_events(on()),
            "partial_messages" => options.partial_messages(on()),
            "bare" => options.bare(on()),
            "fork_session" => options.fork_session(on()),
            "no_session_persistence" => options.no_session_persistence(on()),
            "session_id" => options.session_id(text()),
            "setting_sources" => {
                options.setting_sources(strings(value).iter().map(|it| SettingSource::from(it.as_str())))
            }
            "disable_slash_commands" => options.disable_slash_commands(on()),
            other => panic!("{other} is not named here"),
        }
    })
}

fn strings(value: &Value) -> Vec<String> {
    value.as_array().unwrap().iter().map(|it| it.as_str().unwrap().to_owned()).collect()
}
