//! JSON-RPC as MCP uses it.

use unspool::control::Payload;
use unspool::json::Json;
use unspool::wire::input::{Draft, Say};

/// There is no such method.
pub(super) const NO_METHOD: i32 = -32601;
/// What a method was given does not fit.
pub(super) const BAD_PARAMS: i32 = -32602;
/// The server gave up.
pub(super) const GAVE_UP: i32 = -32603;

/// A message: a request has a method and an id, a notification only a method, a reply only an id. Ids begin
/// with 0.
pub(super) struct Message<'a> {
    pub(super) id: Option<Json<'a>>,
    pub(super) method: Option<String>,
    pub(super) params: Json<'a>,
}

impl<'a> Message<'a> {
    pub(super) fn of(json: Json<'a>) -> Self {
        let method = json.get("method").and_then(Json::as_str);
        Message {
            id: json.get("id").filter(|id| !id.is_null()),
            method: method.map(|method| method.decode().into_owned()),
            params: json.get("params").unwrap_or(Json::NULL),
        }
    }
}

/// What is replied to a message that wants no reply.
pub(super) fn taken() -> Payload {
    Payload::from(message().with("result", Draft::new()).json())
}

pub(super) fn result(id: Json<'_>, result: impl Say) -> Payload {
    Payload::from(message().with("id", id).with("result", result).json())
}

pub(super) fn error(id: Json<'_>, code: i32, why: &str) -> Payload {
    let error = serde_json::json!({"code": code, "message": why});
    Payload::from(message().with("id", id).with("error", error).json())
}

pub(super) fn notification(method: &str, params: Option<serde_json::Value>) -> Payload {
    let message = message().with("method", method);
    Payload::from(params.into_iter().fold(message, |message, params| message.with("params", params)).json())
}

fn message() -> Draft {
    Draft::new().with("jsonrpc", "2.0")
}
