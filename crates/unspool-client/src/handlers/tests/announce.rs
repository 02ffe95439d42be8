//! What Claude Code is told of the handlers.

use super::cast;
use crate::handlers::{DialogReply, Token};
use crate::hooks::{Hook, HookReply, OnFailure};
use crate::options::{ToolPermission, ToolPolicy};
use crate::rules::HandedRules;
use crate::rules::Rules;
use crate::server::ServerSettings;
use crate::{Decision, Handlers};
use serde_json::{Value, json};
use std::time::Duration;
use unspool::wire::HookEvent;
use unspool::wire::input::Draft;

fn announced(handlers: &Handlers) -> Value {
    let draft = handlers.add_to(Draft::new().with("subtype", "initialize"));
    serde_json::from_str(draft.json().text()).unwrap()
}

#[test]
fn nothing_is_said_of_nothing() {
    assert_eq!(announced(&Handlers::new()), json!({"subtype": "initialize"}));
    assert!(!Handlers::new().asks_permission());
}

#[test]
fn each_hook_has_an_id_of_its_own() {
    let handlers = Handlers::new()
        .hook(Hook::pre_tool_use(|_| async {}).matching("Bash").timeout(Duration::from_millis(1500)))
        .hook(Hook::stop(|_| async {}))
        .hook(Hook::pre_tool_use(|_| async { HookReply::allow() }).on_failure(OnFailure::Block))
        .dialog("trust", |_| async { DialogReply::cancelled() });
    assert_eq!(
        announced(&handlers),
        json!({"subtype": "initialize", "supportedDialogKinds": ["trust"], "hooks": {
            "PreToolUse": [
                {"matcher": "Bash", "hookCallbackIds": ["hook-0"], "timeout": 1.5},
                {"hookCallbackIds": ["hook-2"], "onFailure": "block"},
            ],
            "Stop": [{"hookCallbackIds": ["hook-1"]}],
        }})
    );
}

#[test]
fn the_hook_of_rules_blocks_if_it_fails() {
    let hooks = &announced(&cast::handlers("rules"))["hooks"]["PreToolUse"];
    assert_eq!(*hooks, json!([{"hookCallbackIds": ["hook-0"], "onFailure": "block"}]));
}

#[test]
fn servers_are_named_with_what_they_would_say() {
    let settings = ServerSettings::new()
        .timeout(Duration::from_secs(5))
        .tool(ToolPolicy::of("add").permission(ToolPermission::AlwaysAllow));
    let said = announced(&Handlers::new().server(cast::calc().settings(settings)));
    assert_eq!(said["sdkMcpServers"], json!(["calc"]));
    assert_eq!(
        said["sdkMcpServerConfigs"],
        json!({"calc": {"timeout": 5000, "tools": [{"name": "add", "permission_policy": "always_allow"}]}})
    );
    let manifest = &said["sdkMcpServerManifests"]["calc"];
    assert_eq!(manifest["initializeResult"]["serverInfo"]["name"], "calc");
    assert_eq!(manifest["toolsListResult"]["tools"][0]["name"], "add");
}

#[test]
fn of_two_servers_with_one_name_the_later_counts() {
    let said = announced(&Handlers::new().server(cast::calc()).server(cast::calc()));
    assert_eq!(said["sdkMcpServers"], json!(["calc"]));
}

#[test]
fn claude_code_asks_about_calls_only_if_somebody_decides() {
    let asks = |handlers: Handlers| handlers.asks_permission();
    assert!(asks(Handlers::new().permission(|_| async { Decision::allow() })));
    assert!(asks(cast::handlers("approve")));
    assert!(asks(cast::handlers("rules")));
    assert!(!asks(cast::handlers("calc")));
    // Rules that only block leave all else as it was.
    assert!(!asks(cast::handlers("rules_files")));
}

#[test]
fn rules_are_handed_on() {
    let words = |rules: Rules, cwd: &str| {
        let handlers = Handlers::new().rules(rules).in_session(Some(cwd.as_ref()), None);
        let HandedRules { allowed, blocked } = handlers.hand_over().1;
        (allowed.join(" "), blocked.join(" "))
    };
    let rules = || {
        let rules = Rules::new().allow(["Bash(cargo *)", "Edit(src/**)", "Write(x)"]).unwrap();
        rules.block(["Read(.env)", "Read(~/.ssh/**)", "WebSearch"]).unwrap()
    };
    let both = ("Bash(cargo *) Edit(src/**)".into(), "Read(.env) Read(~/.ssh/**) WebSearch(*)".into());
    assert_eq!(words(rules(), "/p"), both);
    assert_eq!(words(rules().within("/p"), "/p"), both);
    // Claude Code would read patterns from another folder on.
    let some = ("Bash(cargo *)".into(), "Read(~/.ssh/**) WebSearch(*)".into());
    assert_eq!(words(rules().within("/other"), "/p"), some);
}

#[test]
fn tokens_need_a_word_in_the_environment() {
    let both =
        Handlers::new().oauth_token(|_| async { Token::none() }).host_token(|_| async { Token::none() });
    let names: Vec<_> = both.environment().into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["CLAUDE_CODE_SDK_HAS_OAUTH_REFRESH", "CLAUDE_CODE_SDK_HAS_HOST_AUTH_REFRESH"]);
}

/// One hook for each event there is.
#[test]
fn every_event_can_have_a_hook() {
    let hooks = [
        Hook::pre_tool_use(|_| async {}),
        Hook::post_tool_use(|_| async {}),
        Hook::post_tool_use_failure(|_| async {}),
        Hook::post_tool_batch(|_| async {}),
        Hook::permission_request(|_| async {}),
        Hook::permission_denied(|_| async {}),
        Hook::user_prompt_submit(|_| async {}),
        Hook::user_prompt_expansion(|_| async {}),
        Hook::session_start(|_| async {}),
        Hook::session_end(|_| async {}),
        Hook::setup(|_| async {}),
        Hook::stop(|_| async {}),
        Hook::stop_failure(|_| async {}),
        Hook::subagent_start(|_| async {}),
        Hook::subagent_stop(|_| async {}),
        Hook::pre_compact(|_| async {}),
        Hook::post_compact(|_| async {}),
        Hook::pre_model_switch(|_| async {}),
        Hook::post_model_switch(|_| async {}),
        Hook::notification(|_| async {}),
        Hook::teammate_idle(|_| async {}),
        Hook::task_created(|_| async {}),
        Hook::task_completed(|_| async {}),
        Hook::elicitation(|_| async {}),
        Hook::elicitation_result(|_| async {}),
        Hook::config_change(|_| async {}),
        Hook::worktree_create(|_| async {}),
        Hook::worktree_remove(|_| async {}),
        Hook::instructions_loaded(|_| async {}),
        Hook::cwd_changed(|_| async {}),
        Hook::file_changed(|_| async {}),
        Hook::directory_added(|_| async {}),
        Hook::message_display(|_| async {}),
    ];
    let mut named: Vec<_> = hooks.iter().map(Hook::event).collect();
    let mut events: Vec<_> = HookEvent::ALL.iter().map(|event| event.name()).collect();
    named.sort_unstable();
    events.sort_unstable();
    assert_eq!(named, events);
}
