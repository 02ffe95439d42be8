//! A call of a tool in one line.

use super::short;
use unspool::event::Raw;
use unspool::json::Json;

/// The fields of inputs that say most, best first.
const TELLING: [&str; 9] =
    ["command", "file_path", "notebook_path", "pattern", "url", "query", "description", "skill", "prompt"];

/// The tool, and what of its input says most.
pub(crate) fn call(tool: Option<&str>, input: Option<&Raw<'_>>) -> String {
    let tool = tool.unwrap_or("?");
    let Some(input) = input else { return tool.to_owned() };
    let telling = |field: &&str| input.json().get(field).and_then(Json::as_str).map(|text| text.to_string());
    match TELLING.iter().find_map(telling) {
        Some(text) => format!("{tool} {}", short(&text)),
        None => format!("{tool} {}", short(&input.text())),
    }
}
