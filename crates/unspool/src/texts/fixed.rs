//! Which fields decide what a line means, by their names.

/// The text of an event.
pub(super) const CONTENT: &str = "content";

/// Fields in which whatever stands is anybody's: no name in them means what it means elsewhere.
const ANYBODYS: &[&str] = &[
    "arguments",
    "argv",
    "detail",
    "env",
    "headers",
    "input",
    "mcpServers",
    "mcp_servers",
    "structured_output",
    "toolUseResult",
    "tool_input",
    "tool_response",
    "tool_use_result",
    "updatedInput",
    "value",
];

/// Fields whose strings say what a line is, or whose it is.
const FIXED: &[&str] = &[
    "agent",
    "agents",
    "apiKeySource",
    "by",
    "call",
    "cause",
    "data",
    "decision",
    "encrypted_content",
    "encrypted_index",
    "id",
    "kind",
    "media_type",
    "model",
    "models",
    "name",
    "note",
    "parent",
    "plugins",
    "request",
    "role",
    "service_tier",
    "session",
    "signature",
    "skills",
    "slash_commands",
    "status",
    "stop_reason",
    "subtype",
    "time",
    "timestamp",
    "tool",
    "tools",
    "tools_open",
    "type",
    "uuid",
    "verdict",
    "version",
    "way",
    "writer",
];

/// How names of fields end that hold ids or states.
const ENDS: &[&str] =
    &["_id", "_ids", "Id", "Ids", "_uuid", "_uuids", "Uuid", "_name", "_type", "_mode", "Mode", "_state"];

/// Fields that hold data of pictures and documents, wherever they stand.
const DATA: &[&str] = &["data", "base64"];

/// Data of pictures is not shorter.
const SHORTEST: usize = 128;

pub(super) fn is_anybodys(name: &str) -> bool {
    ANYBODYS.binary_search(&name).is_ok()
}

/// Whether a string under this name decides what the line means; `said` if it stands in what is anybody's.
pub(super) fn is_fixed(name: &str, text: &str, said: bool) -> bool {
    let is_data = DATA.contains(&name) && text.len() >= SHORTEST && text.bytes().all(is_base64);
    is_data || !said && (FIXED.binary_search(&name).is_ok() || ENDS.iter().any(|end| name.ends_with(end)))
}

fn is_base64(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=')
}

#[test]
fn names_can_be_searched() {
    assert!(ANYBODYS.is_sorted() && FIXED.is_sorted());
}
