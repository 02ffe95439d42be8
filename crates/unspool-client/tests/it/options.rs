//! What becomes of options, without starting anything.

use crate::cases::{Case, cases, furnish};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use unspool::wire::Wire;
use unspool::wire::command::{AgentDefinition, Initialize};
use unspool_client::Options;
use unspool_client::json::Schema;
use unspool_client::options::{Launch, OptionsError, PermissionPrompts, Sandbox};
use unspool_client::program::Program;

/// Always there, before all others.
const ALWAYS: [&str; 4] =
    ["--print", "--output-format=stream-json", "--input-format=stream-json", "--verbose"];

/// What is always different in the environment.
const ALWAYS_SET: [&str; 2] = ["CLAUDE_CODE_SDK_READS_SESSION_STATE", "CLAUDE_CODE_STARTUP_FAILURE_RESULTS"];
const ALWAYS_REMOVED: [&str; 3] = ["CLAUDECODE", "DEBUG", "NODE_OPTIONS"];

#[test]
fn every_option_has_a_case() {
    let tried: BTreeSet<&str> = cases(&folder()).iter().map(|case| case.name).collect();
    assert_eq!(tried, Options::NAMES.iter().copied().collect());
}

#[test]
fn every_option_is_where_it_belongs() {
    for case in cases(&folder()) {
        check(&case);
    }
}

fn check(case: &Case) {
    let launch = launch(&case.options);
    let words: Vec<&str> = ALWAYS.into_iter().chain(case.args.iter().map(String::as_str)).collect();
    assert_eq!(launch.args, words, "{}", case.name);
    assert_eq!(fields(&case.options), case.fields, "{}", case.name);
    let mut env: BTreeMap<&str, Option<&str>> = BTreeMap::new();
    env.extend(ALWAYS_SET.map(|name| (name, Some("1"))));
    env.extend(ALWAYS_REMOVED.map(|name| (name, None)));
    env.extend(case.env.iter().map(|&(name, value)| (name, Some(value))));
    if case.name == "env" {
        env.insert("B", None);
    }
    let folder = folder();
    if case.name == "cwd" {
        env.insert("PWD", folder.to_str());
    }
    let told =
        launch.env.iter().map(|(name, value)| (name.to_str().unwrap(), value.map(|it| it.to_str().unwrap())));
    // Depends on who runs the tests.
    let told: BTreeMap<_, _> = told.filter(|(name, _)| *name != "CLAUDE_CODE_ENTRYPOINT").collect();
    assert_eq!(told, env, "{}", case.name);
    assert_eq!(case.options.check(), Ok(()), "{}", case.name);
}

#[test]
fn nothing_set_is_claude_code_as_it_is() {
    let launch = launch(&Options::new());
    assert_eq!(launch.args, ALWAYS);
    // An `initialize` with an empty system prompt would take Claude Code's own away.
    assert_eq!(Options::new().initialize(), None);
}

#[test]
fn initialize_has_only_fields_that_the_protocol_has() {
    for case in cases(&folder()) {
        let Some(draft) = case.options.initialize() else { continue };
        let initialize = Initialize::of(draft.json()).expect("an initialize");
        assert_eq!(initialize.extra.fields().count(), 0, "{}", case.name);
        for (name, agent) in initialize.agents.iter().flat_map(|agents| agents.iter()) {
            assert_eq!(agent.extra.fields().count(), 0, "{name:?}");
        }
    }
}

#[test]
fn what_the_user_says_of_the_environment_counts_most() {
    let options = Options::new()
        .env("NODE_OPTIONS", "--max-old-space-size=100")
        .env_remove("CLAUDE_CODE_STARTUP_FAILURE_RESULTS");
    let env = launch(&options.client_app("a").env("CLAUDE_AGENT_SDK_CLIENT_APP", "b")).env;
    assert_eq!(env.get("NODE_OPTIONS"), Some(Some("--max-old-space-size=100".as_ref())));
    assert_eq!(env.get("CLAUDE_CODE_STARTUP_FAILURE_RESULTS"), Some(None));
    assert_eq!(env.get("CLAUDE_AGENT_SDK_CLIENT_APP"), Some(Some("b".as_ref())));
    let told = format!("{:?}", Options::new().env("ANTHROPIC_API_KEY", "sk-secret"));
    assert!(told.contains("ANTHROPIC_API_KEY") && !told.contains("sk-secret"), "{told}");
}

#[test]
fn a_launch_is_a_command() {
    let options = Options::new().cwd("/tmp").env("A", "1").env_remove("B").clear_env(true);
    let command = launch(&options).command();
    assert_eq!(command.get_program(), "/bin/claude");
    assert_eq!(command.get_args().collect::<Vec<_>>(), ALWAYS);
    assert_eq!(command.get_current_dir(), Some("/tmp".as_ref()));
    assert!(command.get_envs().any(|it| it == ("A".as_ref(), Some("1".as_ref()))));
}

#[test]
fn a_sandbox_that_was_asked_for_must_be_there() {
    let args = launch(&Options::new().sandbox(Sandbox::default().enabled(true).with("new", 1))).args;
    assert_eq!(
        args[ALWAYS.len()..],
        ["--settings", r#"{"sandbox":{"enabled":true,"failIfUnavailable":true,"new":1}}"#]
    );
}

#[test]
fn a_schema_brings_its_tool_along() {
    let schema = json!({"type": "object"});
    let args = launch(&Options::new().json_schema(schema.clone()).tools(["default"])).args;
    assert_eq!(args[ALWAYS.len()], "--tools=default");
    let args = launch(&Options::new().json_schema(schema).tools(["Read"])).args;
    assert_eq!(args[ALWAYS.len()], "--tools=Read,StructuredOutput");
}

#[test]
fn contradictions_are_found_before_anything_is_started() {
    use OptionsError::*;
    let uuid = "11111111-2222-4333-8444-555555555555";
    let new = Options::new;
    let bad = |option, value: &str| BadValue { option, value: value.into() };
    let object = "anything but an object";
    let of = |schema: Schema| new().json_schema(schema.value().clone());
    let not_object = |kind: &str| {
        let why = "Claude Code answers with objects only, so put it into a field of one";
        bad("json_schema", &format!("a schema of {kind}: {why}"))
    };
    for (options, error) in [
        (new().model("a").fallback_model("a"), SameModel("a".into())),
        (new().ask_host(true).permission_prompt_tool("t"), TwoAnswers("t".into())),
        (
            new().ask_host(true).permission_prompts(PermissionPrompts::None),
            Exclude("ask_host", "permission_prompts: none"),
        ),
        (new().restricted(true).skip_permissions(true), Exclude("restricted", "skip_permissions")),
        (new().resume("a").continue_session(true), TwoSessions),
        (new().resume("a").session_id(uuid), IdWithoutFork),
        (new().continue_session(true).session_id(uuid), IdWithoutFork),
        (new().fork_session(true), Needs("fork_session", "resume")),
        (new().continue_session(true).resume_session_at("m"), Needs("resume_session_at", "resume")),
        (new().resume("a").resume_drops_turn("m"), Needs("resume_drops_turn", "resume_session_at")),
        (
            new().session_mirror(true).no_session_persistence(true),
            Exclude("session_mirror", "no_session_persistence"),
        ),
        (
            new().session_mirror(true).file_checkpointing(true),
            Exclude("session_mirror", "file_checkpointing"),
        ),
        (new().session_id("mine"), NoUuid("mine".into())),
        (new().resume(""), bad("resume", "empty")),
        (new().max_turns(0), bad("max_turns", "0")),
        (new().task_budget(0), bad("task_budget", "0")),
        (new().max_budget_usd(-1.0), bad("max_budget_usd", "-1")),
        (new().max_budget_usd(f64::NAN), bad("max_budget_usd", "NaN")),
        (new().json_schema(json!("text")), bad("json_schema", object)),
        (of(Schema::of::<Vec<String>>()), not_object("array")),
        (of(Schema::of::<String>()), not_object("string")),
        (of(Schema::of::<()>()), not_object("null")),
        (of(Schema::of::<Option<u8>>()), not_object("integer or null")),
        (new().settings(json!([])), bad("settings", object)),
        (new().managed_settings(json!(1)), bad("managed_settings", object)),
        (
            new().settings(PathBuf::from("s.json")).sandbox(Sandbox::default()),
            Exclude("settings from a file", "sandbox"),
        ),
        (new().extra_args(["--output-format=text"]), Reserved("--output-format".into())),
        (new().extra_args(["-v"]), Reserved("-v".into())),
        (new().model("a\0b"), ZeroByte("--model=a\0b".into())),
        (
            new().plan_mode_instructions("fine").agent("x".repeat(128 << 10)),
            TooLong { flag: format!("--agent={}", "x".repeat(32)), bytes: (128 << 10) + 8 },
        ),
        (new().cwd("/not/there"), NoFolder("/not/there".into())),
    ] {
        assert_eq!(options.check(), Err(error));
    }
}

#[test]
fn a_long_schema_travels_in_initialize() {
    let schema = json!({"type": "object", "description": "x".repeat(110 << 10)});
    let mut with_draft = schema.clone();
    with_draft["$schema"] = "https://json-schema.org/draft/2020-12/schema".into();
    let options = Options::new().json_schema(with_draft);
    assert_eq!(launch(&options).args, ALWAYS);
    assert_eq!(fields(&options), json!({"jsonSchema": schema}));
}

/// What is said of an agent is what the core reads.
#[test]
fn agents_have_all_their_fields() {
    let declared: BTreeSet<&str> = AgentDefinition::TYPE.fields.iter().map(|field| field.name).collect();
    let case = cases(&folder()).into_iter().find(|case| case.name == "agents").unwrap();
    let told = fields(&case.options)["agents"]["reviewer"].clone();
    let told: BTreeSet<&str> = told.as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(told, declared);
}

fn launch(options: &Options) -> Launch {
    options.launch(&Program::exactly("/bin/claude"))
}

fn fields(options: &Options) -> Value {
    let Some(draft) = options.initialize() else { return json!({}) };
    let mut fields: Value = serde_json::from_str(&draft.to_line()).unwrap();
    assert_eq!(fields.as_object_mut().unwrap().remove("subtype"), Some("initialize".into()));
    fields
}

fn folder() -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("options");
    furnish(&folder);
    folder
}

#[tokio::test]
async fn a_rule_for_an_unknown_tool_is_warned_of() {
    use unspool_client::rules::Rules;
    use unspool_client::{Handlers, Warning};
    let rules = Rules::new().allow(["Bash", "mcp__x"]).unwrap().block(["Telepathy(x)"]).unwrap();
    let warned = warnings(Options::new(), Handlers::new().rules(rules)).await;
    assert_eq!(warned, [Warning::UnknownTool { tool: "Telepathy".into() }]);
}

#[tokio::test]
async fn whoever_is_not_asked_is_warned() {
    use unspool_client::{Decision, Handlers, Warning};
    for (options, unasked) in [
        (Options::new(), None),
        (Options::new().disallowed_tools(["Bash"]), None),
        (Options::new().allowed_tools(["Read"]), Some("allowed_tools")),
        (Options::new().skip_permissions(true), Some("skipped permissions")),
    ] {
        let handlers = Handlers::new().permission(|_| async { Decision::allow() });
        let expected: Vec<_> = unasked.map(|options| Warning::Unasked { options }).into_iter().collect();
        assert_eq!(warnings(options, handlers).await, expected);
    }
}

/// What somebody is warned of who starts such a session.
async fn warnings(options: Options, handlers: unspool_client::Handlers) -> Vec<unspool_client::Warning> {
    use std::sync::{Arc, Mutex};
    let warnings = Arc::new(Mutex::new(Vec::new()));
    let warned = Arc::clone(&warnings);
    let claude = unspool_client::Claude::new(options.program("/bin/true")).handlers(handlers);
    let claude = claude.on_warning(move |warning| warned.lock().unwrap().push(warning.clone()));
    claude.session().await.unwrap().close().await;
    let warnings = warnings.lock().unwrap();
    warnings.clone()
}
