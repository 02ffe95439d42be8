//! A call of a tool of ours.

use super::{rpc, tell};
use crate::handlers::{Context, read_as};
use serde::de::DeserializeOwned;
use serde_json::json;
use std::sync::Arc;
use unspool::control::Payload;
use unspool::json::Json;

/// A call of a tool: what it is given, and who calls.
#[derive(Clone, Debug)]
pub struct Call {
    pub(super) server: Arc<str>,
    pub(super) params: Payload,
    pub(super) context: Context,
}

impl Call {
    /// What the tool is given.
    #[must_use]
    pub fn arguments(&self) -> Json<'_> {
        self.params.json().get("arguments").unwrap_or(Json::NULL)
    }

    /// What the tool is given, as a type of the application's own.
    pub fn arguments_as<T: DeserializeOwned>(&self) -> Result<T, serde_json::Error> {
        match self.params.json().get("arguments") {
            Some(arguments) => read_as(arguments),
            None => serde_json::from_value(json!({})),
        }
    }

    /// The call as the rest of the stream names it.
    #[must_use]
    pub fn id(&self) -> Option<String> {
        let id = self.params.json().get("_meta")?.get("claudecode/toolUseId")?.as_str()?;
        Some(id.decode().into_owned())
    }

    /// The session, and whether it still wants an answer.
    #[must_use]
    pub fn context(&self) -> &Context {
        &self.context
    }

    /// Says how far the tool has come; `total` if that is known. Versions that do not want to know do not say
    /// so, and nothing is sent to them.
    pub fn progress(&self, done: f64, total: Option<f64>, words: Option<&str>) {
        let token = self.params.json().get("_meta").and_then(|meta| meta.get("progressToken"));
        let Some(token) = token.and_then(|token| read_as::<serde_json::Value>(token).ok()) else { return };
        let mut params = json!({"progressToken": token, "progress": done});
        if let Some(total) = total {
            params["total"] = total.into();
        }
        if let Some(words) = words {
            params["message"] = words.into();
        }
        let progress = rpc::notification("notifications/progress", Some(params));
        tell(&self.context.controls.orders, &self.server, &progress);
    }
}
