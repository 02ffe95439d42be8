//! Lines for Claude Code: reading them as [`Input`], writing them with the functions here.
//!
//! ```
//! use unspool::wire::command::SetModel;
//! use unspool::wire::{PermissionAnswer, input};
//!
//! let line = input::user("What is in this picture?").image_url("https://example.com/cat.png").uuid("u-1");
//! assert!(line.to_line().starts_with(r#"{"type":"user","message":{"role":"user","content":[{"type":"text""#));
//!
//! let line = input::request("r-1", SetModel::default().model("opus"));
//! assert_eq!(
//!     line.to_line(),
//!     "{\"type\":\"control_request\",\"request_id\":\"r-1\",\"request\":{\"subtype\":\"set_model\",\"model\":\"opus\"}}\n"
//! );
//!
//! let line = input::answer("c-7", PermissionAnswer::deny("not now"));
//! assert!(line.to_line().ends_with("\"response\":{\"behavior\":\"deny\",\"message\":\"not now\"}}}\n"));
//! ```
//!
//! Nothing written here can break a line: words are escaped, and JSON that comes from elsewhere loses its
//! line ends.

mod draft;
mod user;

pub use draft::{Draft, Owned, Say};
pub use user::{UserInput, user};

use super::declare::{choice, wire};
use super::{
    Assistant, ControlCancelRequest, ControlRequest, ControlResponse, KeepAlive, System, User, Wire,
};

choice! {
    /// A line for Claude Code.
    pub enum Input by "type" {
        "user" => User,
        "control_request" => ControlRequest,
        "control_response" => ControlResponse,
        "control_cancel_request" => ControlCancelRequest,
        "keep_alive" => KeepAlive,
        "update_environment_variables" => UpdateEnvironmentVariables,
        "queued_notification" => QueuedNotification,
        "bash_command" => BashCommand,
        "workflow_launch" => WorkflowLaunch,
        "session_notice" => SessionNotice,
        "assistant" => Assistant,
        "system" => System,
    }
}

wire! {
    /// Environment variables that have changed, such as credentials.
    pub struct UpdateEnvironmentVariables: type "update_environment_variables" {
        /// Their new values.
        variables: {Str},
    }

    /// Remote transports only; ignored on stdin.
    pub struct QueuedNotification: type "queued_notification" {}

    /// Remote transports only; ignored on stdin.
    pub struct BashCommand: type "bash_command" {}

    /// Remote transports only; ignored on stdin.
    pub struct WorkflowLaunch: type "workflow_launch" {}

    /// Remote transports only; ignored on stdin.
    pub struct SessionNotice: type "session_notice" {}
}

/// A request of ours: one of [`command`](super::command), or a [`Draft`] with a `subtype`.
pub fn request(id: &str, command: impl Say) -> Draft {
    Draft::new().with("type", "control_request").with("request_id", id).with("request", command)
}

/// The answer to a request of Claude Code.
pub fn answer(id: &str, response: impl Say) -> Draft {
    respond(Draft::new().with("subtype", "success").with("request_id", id).with("response", response))
}

/// An answer that has nothing to say but that all is well.
#[must_use]
pub fn done(id: &str) -> Draft {
    respond(Draft::new().with("subtype", "success").with("request_id", id))
}

/// A request of Claude Code is not done, and why.
#[must_use]
pub fn refuse(id: &str, error: &str) -> Draft {
    respond(Draft::new().with("subtype", "error").with("request_id", id).with("error", error))
}

/// A request of Claude Code is not done because we do not know it.
#[must_use]
pub fn unsupported(id: &str, subtype: &str) -> Draft {
    let error = format!("Unsupported control request subtype: {subtype}");
    let why = Draft::new().with("subtype", "error").with("request_id", id).with("error", error);
    respond(why.with("error_code", "unsupported_request"))
}

/// A request of ours is withdrawn.
#[must_use]
pub fn cancel(id: &str) -> Draft {
    Draft::new().with("type", "control_cancel_request").with("request_id", id)
}

/// We are still there.
#[must_use]
pub fn keep_alive() -> Draft {
    Draft::new().with("type", "keep_alive")
}

/// Environment variables that have changed.
pub fn environment<'v>(variables: impl IntoIterator<Item = (&'v str, &'v str)>) -> Draft {
    let variables = variables.into_iter().fold(Draft::new(), |all, (name, value)| all.with(name, value));
    Draft::new().with("type", "update_environment_variables").with("variables", variables)
}

fn respond(response: Draft) -> Draft {
    Draft::new().with("type", "control_response").with("response", response)
}

impl<'a> Input<'a> {
    /// Reads a line for Claude Code; what it would ignore is `Unknown`.
    pub fn read(text: &'a str) -> Result<Self, crate::json::Fault> {
        crate::json::Json::new(text).map(|json| Self::of(json).unwrap_or(Input::Unknown(json)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::Json;
    use crate::wire::ask::{Elicitation, ElicitationAction, ElicitationAnswer, McpMessageAnswer};
    use crate::wire::hook::{HookOutput, HookPermission, PreToolUseOutput};
    use crate::wire::{AddRules, Behavior, Destination, PermissionAnswer, PermissionRule};
    use serde_json::json;

    fn check(draft: Draft, line: &str) {
        assert_eq!(draft.to_line(), format!("{line}\n"));
        assert!(!matches!(Input::read(line).unwrap(), Input::Unknown(_)), "{line}");
    }

    #[test]
    fn requests_and_answers_have_their_ids_in_different_places() {
        check(
            request("1", Draft::new().with("subtype", "interrupt")),
            r#"{"type":"control_request","request_id":"1","request":{"subtype":"interrupt"}}"#,
        );
        check(
            answer("1", McpMessageAnswer::default().mcp_response(&Owned::of(json!({"id": 0})))),
            r#"{"type":"control_response","response":{"subtype":"success","request_id":"1","response":{"mcp_response":{"id":0}}}}"#,
        );
        check(done("1"), r#"{"type":"control_response","response":{"subtype":"success","request_id":"1"}}"#);
        check(
            refuse("1", "no\n"),
            r#"{"type":"control_response","response":{"subtype":"error","request_id":"1","error":"no\n"}}"#,
        );
        check(cancel("1"), r#"{"type":"control_cancel_request","request_id":"1"}"#);
        check(keep_alive(), r#"{"type":"keep_alive"}"#);
        check(
            environment([("A", "1"), ("B", "\"")]),
            r#"{"type":"update_environment_variables","variables":{"A":"1","B":"\""}}"#,
        );
    }

    #[test]
    fn an_unknown_request_is_refused_with_its_code() {
        let line = unsupported("1", "new").to_line();
        let Input::ControlResponse(line) = Input::read(&line).unwrap() else { panic!() };
        let answer = line.response.unwrap().read();
        assert_eq!(answer.error.unwrap(), "Unsupported control request subtype: new");
        assert_eq!(answer.error_code, Some(crate::wire::ErrorCode::UnsupportedRequest));
    }

    #[test]
    fn permission_answers_say_what_is_allowed_from_now_on() {
        let rules = Owned::of([PermissionRule::default().tool_name("Bash").rule_content("ls")]);
        let updates = Owned::of([AddRules::default()
            .rules(&rules)
            .behavior(Behavior::Allow)
            .destination(Destination::Session)]);
        let input = Owned::of(json!({"command": "ls"}));
        let answer = PermissionAnswer::allow().updated_input(&input).updated_permissions(&updates);
        assert_eq!(
            answer.to_json(),
            r#"{"behavior":"allow","updatedInput":{"command":"ls"},"updatedPermissions":[{"type":"addRules","rules":[{"toolName":"Bash","ruleContent":"ls"}],"behavior":"allow","destination":"session"}]}"#
        );
        assert_eq!(
            PermissionAnswer::delegate().tool_use_id("t").selected_options(&Owned::of(["a"])).to_json(),
            r#"{"behavior":"delegate","toolUseID":"t","selectedOptions":["a"]}"#
        );
    }

    /// The API does not take half characters, but what Claude Code wrote so it takes back.
    #[test]
    fn prompts_have_no_half_characters_and_answers_keep_theirs() {
        let half = Json::new(r#"{"text":"\ud83d","type":"text"}"#).unwrap();
        let line = user("x").block(half).to_line();
        assert!(line.contains("\"text\":\"\u{fffd}\""), "{line}");
        let answer = PermissionAnswer { updated_input: Some(half), ..PermissionAnswer::allow() };
        assert!(answer.to_json().contains(r#"{"text":"\ud83d","type":"text"}"#));
        let serialised = serde_json::to_string(&answer).unwrap();
        assert!(serialised.contains("\"text\":\"\u{fffd}\""), "{serialised}");
    }

    #[test]
    fn hooks_and_servers_are_answered() {
        let specific = PreToolUseOutput::default().permission_decision(HookPermission::Deny);
        assert_eq!(
            HookOutput::default().carry_on(false).specific(specific).to_json(),
            r#"{"continue":false,"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny"}}"#
        );
        assert_eq!(
            ElicitationAnswer::default().action(ElicitationAction::Decline).to_json(),
            r#"{"action":"decline"}"#
        );
        assert!(Elicitation::default().message.is_none());
    }

    #[test]
    fn what_is_no_object_is_ignored_as_claude_code_does() {
        assert!(matches!(Input::read("[]").unwrap(), Input::Unknown(_)));
        assert!(matches!(Input::read(r#"{"type":"new"}"#).unwrap(), Input::Unknown(_)));
        assert!(Input::read("{").is_err());
    }
}
