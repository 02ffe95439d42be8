//! Every option once, with what becomes of it: for the table test, and for the real CLI.

use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};
use unspool_client::Options;
use unspool_client::options::{
    AgentDefinition, Effort, McpServer, Memory, OrgPermission, PermissionMode, PermissionPrompts, Plugin,
    QuestionPreview, Sandbox, SandboxFiles, SandboxNetwork, SettingSource, Skills, SystemPrompt, Thinking,
    ThinkingDisplay, ToolPermission, ToolPolicy,
};
use unspool_client::options::{Settings, User};

/// The session that exists where [`Case::goes_on`].
pub(crate) const SESSION: &str = "6f1e1c1c-54a5-4a0b-9f4c-0d8a7d3f3a11";

/// An option, and what becomes of it.
pub(crate) struct Case {
    /// The option.
    pub(crate) name: &'static str,
    /// The options to try.
    pub(crate) options: Options,
    /// The words on the command line, behind those that are always there.
    pub(crate) args: Vec<String>,
    /// The fields of `initialize`.
    pub(crate) fields: Value,
    /// Environment variables, beside those that are always there.
    pub(crate) env: Vec<(&'static str, &'static str)>,
    /// It needs the session that exists.
    pub(crate) goes_on: bool,
}

impl Case {
    fn args(mut self, args: &[&str]) -> Self {
        self.args = args.iter().map(|&word| word.to_owned()).collect();
        self
    }

    fn fields(mut self, fields: Value) -> Self {
        self.fields = fields;
        self
    }

    fn env(mut self, name: &'static str, value: &'static str) -> Self {
        self.env.push((name, value));
        self
    }

    fn goes_on(mut self) -> Self {
        self.goes_on = true;
        self
    }
}

fn case(name: &'static str, set: impl FnOnce(Options) -> Options) -> Case {
    let options = set(Options::new());
    Case { name, options, args: Vec::new(), fields: json!({}), env: Vec::new(), goes_on: false }
}

/// A folder with what some options need: `prompt.txt`, `settings.json`, a plugin, a further folder.
pub(crate) fn furnish(folder: &Path) {
    let plugin = folder.join("plugin/.claude-plugin");
    fs::create_dir_all(&plugin).unwrap();
    fs::create_dir_all(folder.join("further")).unwrap();
    fs::write(plugin.join("plugin.json"), r#"{"name":"ours","version":"1.0.0","description":"d"}"#).unwrap();
    fs::write(folder.join("prompt.txt"), "You are a prompt in a file.").unwrap();
    fs::write(folder.join("settings.json"), r#"{"includeCoAuthoredBy":false}"#).unwrap();
    fs::write(folder.join("-odd.json"), "{}").unwrap();
    fs::write(folder.join("mcp.json"), r#"{"mcpServers":{}}"#).unwrap();
}

/// All cases. The words are what they are in a folder that is furnished.
pub(crate) fn cases(folder: &Path) -> Vec<Case> {
    let mut all = model();
    all.extend(prompt(folder));
    all.extend(tools());
    all.extend(permissions(folder));
    all.extend(configuration(folder));
    all.extend(output());
    all.extend(session());
    all.extend(process(folder));
    all
}

fn model() -> Vec<Case> {
    vec![
        case("model", |it| it.model("opus")).args(&["--model=opus"]),
        case("fallback_model", |it| it.model("opus").fallback_model("sonnet,haiku"))
            .args(&["--model=opus", "--fallback-model=sonnet,haiku"]),
        case("betas", |it| it.betas(["context-1m-2025-08-07"])).args(&["--betas=context-1m-2025-08-07"]),
        case("effort", |it| it.effort(Effort::Low)).args(&["--effort=low"]),
        case("effort", |it| it.effort(Effort::XHigh)).args(&["--effort=xhigh"]),
        case("thinking", |it| it.thinking(Thinking::adaptive().display(ThinkingDisplay::Omitted)))
            .args(&["--thinking=adaptive", "--thinking-display=omitted"]),
        case("thinking", |it| it.thinking(Thinking::off())).args(&["--thinking=disabled"]),
        case("thinking", |it| it.thinking(Thinking::tokens(2048))).args(&["--max-thinking-tokens=2048"]),
        case("max_turns", |it| it.max_turns(3)).args(&["--max-turns=3"]),
        case("max_budget_usd", |it| it.max_budget_usd(2.5)).args(&["--max-budget-usd=2.5"]),
        case("task_budget", |it| it.task_budget(20_000)).args(&["--task-budget=20000"]),
        case("background_wait_ms", |it| it.background_wait_ms(1000))
            .env("CLAUDE_CODE_PRINT_BG_WAIT_CEILING_MS", "1000"),
    ]
}

fn prompt(folder: &Path) -> Vec<Case> {
    let file = folder.join("prompt.txt");
    let words = |flag: &str| format!("{flag}={}", file.display());
    let long = "x".repeat(110 << 10);
    vec![
        case("system_prompt", |it| it.system_prompt("--help me")).args(&["--system-prompt=--help me"]),
        case("system_prompt", |it| it.system_prompt("")).args(&["--system-prompt="]),
        case("system_prompt", |it| it.system_prompt(file.clone())).args(&[&words("--system-prompt-file")]),
        case("system_prompt", |it| it.system_prompt(long.clone()).append_system_prompt("behind"))
            .fields(json!({"systemPrompt": [long], "appendSystemPrompt": "behind"})),
        case("system_prompt", |it| {
            it.system_prompt(SystemPrompt::Blocks(vec![
                "always".into(),
                SystemPrompt::DYNAMIC_BOUNDARY.into(),
                "now".into(),
            ]))
        })
        .fields(json!({"systemPrompt": ["always", "__SYSTEM_PROMPT_DYNAMIC_BOUNDARY__", "now"]})),
        case("append_system_prompt", |it| it.append_system_prompt("behind"))
            .args(&["--append-system-prompt=behind"]),
        case("append_system_prompt_file", |it| it.append_system_prompt_file(file.clone()))
            .args(&[&words("--append-system-prompt-file")]),
        case("append_subagent_system_prompt", |it| it.append_subagent_system_prompt("behind"))
            .fields(json!({"appendSubagentSystemPrompt": "behind"})),
        case("system_prompt_snapshot", |it| it.system_prompt_snapshot(false))
            .fields(json!({"systemPromptSnapshot": false})),
        case("exclude_dynamic_sections", |it| it.exclude_dynamic_sections(true))
            .fields(json!({"excludeDynamicSections": true})),
        case("plan_mode_instructions", |it| it.plan_mode_instructions("plan well"))
            .fields(json!({"planModeInstructions": "plan well"})),
    ]
}

fn tools() -> Vec<Case> {
    vec![
        case("tools", |it| it.tools(["Read", "Bash"])).args(&["--tools=Read,Bash"]),
        case("tools", |it| it.tools(["default"])).args(&["--tools=default"]),
        case("tools", |it| it.tools([""; 0])).args(&["--tools="]),
        case("allowed_tools", |it| it.allowed_tools(["Bash(git log *)", "Read"]))
            .args(&["--allowedTools=Bash(git log *),Read"]),
        case("allowed_tools", |it| it.allowed_tools([""; 0])),
        case("disallowed_tools", |it| it.disallowed_tools(["WebSearch", "Bash(rm *)"]))
            .args(&["--disallowedTools=WebSearch,Bash(rm *)"]),
        case("tool_aliases", |it| it.tool_alias("Shell", "Bash"))
            .fields(json!({"toolAliases": {"Shell": "Bash"}})),
        case("skills", |it| it.skills(Skills::All).allowed_tools(["Read"]))
            .args(&["--allowedTools=Read,Skill"]),
        case("skills", |it| it.skills(["pdf", "xls"]))
            .args(&["--allowedTools=Skill(pdf),Skill(xls)"])
            .fields(json!({"skills": ["pdf", "xls"]})),
        case("question_preview", |it| it.question_preview(QuestionPreview::Html))
            .env("CLAUDE_CODE_QUESTION_PREVIEW_FORMAT", "html"),
    ]
}

fn permissions(folder: &Path) -> Vec<Case> {
    let further = folder.join("further");
    let add = |path: &Path| format!("--add-dir={}", path.display());
    let modes = [
        PermissionMode::Default,
        PermissionMode::AcceptEdits,
        PermissionMode::BypassPermissions,
        PermissionMode::Plan,
        PermissionMode::DontAsk,
        PermissionMode::Auto,
    ];
    let mut all: Vec<Case> = modes
        .map(|mode| {
            let word = format!("--permission-mode={}", mode.as_str());
            case("permission_mode", |it| it.permission_mode(mode)).args(&[&word])
        })
        .into();
    all.extend([
        case("allow_skipping_permissions", |it| it.allow_skipping_permissions(true))
            .args(&["--allow-dangerously-skip-permissions"]),
        case("skip_permissions", |it| it.skip_permissions(true)).args(&["--dangerously-skip-permissions"]),
        case("permission_prompt_tool", |it| it.permission_prompt_tool("stdio"))
            .args(&["--permission-prompt-tool=stdio"]),
        case("ask_host", |it| it.ask_host(true)).args(&["--permission-prompt-tool=stdio"]),
        case("permission_prompts", |it| it.permission_prompts(PermissionPrompts::None))
            .args(&["--permission-prompts=none"]),
        case("add_dirs", |it| it.add_dir(&further).add_dir(folder)).args(&[&add(&further), &add(folder)]),
    ]);
    all
}

fn configuration(folder: &Path) -> Vec<Case> {
    let settings: PathBuf = folder.join("settings.json");
    let settings_word = settings.display().to_string();
    let plugin = folder.join("plugin");
    let plugin_words = |flag: &str| format!("{flag}={}", plugin.display());
    let sandbox = Sandbox::default()
        .enabled(true)
        .fail_if_unavailable(false)
        .network(SandboxNetwork::default().allowed_domains(["example.com"]))
        .files(SandboxFiles::default().deny_read(["/root/.ssh"]))
        .ignore_violation("*", ["/usr/bin".to_owned()]);
    let servers = |it: Options| {
        let policy = ToolPolicy::of("t").permission(ToolPermission::AlwaysAsk).org_max(OrgPermission::Ask);
        let network =
            McpServer::http("http://127.0.0.1:9/mcp").header("a", "b").tool(policy).timeout_ms(2000);
        it.mcp_server("a", McpServer::stdio("false").env("A", "1"))
            .mcp_server("b", network.always_load(false))
    };
    let config = r#"{"mcpServers":{"a":{"args":[],"command":"false","env":{"A":"1"},"type":"stdio"},"b":{"alwaysLoad":false,"headers":{"a":"b"},"timeout":2000,"tools":[{"name":"t","org_max_permission":"ask","permission_policy":"always_ask"}],"type":"http","url":"http://127.0.0.1:9/mcp"}}}"#;
    let mcp_file = folder.join("mcp.json").display().to_string();
    let root = format!("--project-config-root={}", folder.display());
    vec![
        case("settings", |it| it.settings(json!({"a": 1}))).args(&["--settings", r#"{"a":1}"#]),
        case("settings", |it| it.settings(settings.clone())).args(&["--settings", &settings_word]),
        case("settings", |it| it.settings(Settings::File("-odd.json".into()))).args(&["--settings=-odd.json"]),
        case("sandbox", |it| it.settings(json!({"a": 1, "sandbox": {"enabled": false, "b": 2}})).sandbox(sandbox)).args(&[
            "--settings",
            r#"{"a":1,"sandbox":{"b":2,"enabled":true,"failIfUnavailable":false,"filesystem":{"denyRead":["/root/.ssh"]},"ignoreViolations":{"*":["/usr/bin"]},"network":{"allowedDomains":["example.com"]}}}"#,
        ]),
        case("managed_settings", |it| it.managed_settings(json!({"a": 1})))
            .args(&["--managed-settings", r#"{"a":1}"#]),
        case("managed_settings", |it| it.managed_settings(json!({"a": 1})).await_initialize(true))
            .args(&["--managed-settings-in-initialize", "--await-initialize"])
            .fields(json!({"managedSettings": {"a": 1}})),
        case("await_initialize", |it| it.plugin(Plugin::at(&plugin).without_mcp()).await_initialize(true))
            .args(&["--await-initialize"])
            .fields(json!({"plugins": [{"type": "local", "path": plugin, "skipMcpDiscovery": true}]})),
        case("await_claim", |it| it.await_claim(true)).args(&["--await-claim"]),
        case("setting_sources", |it| it.setting_sources([SettingSource::User, SettingSource::Project]))
            .args(&["--setting-sources=user,project"]),
        case("setting_sources", |it| it.setting_sources([SettingSource::User; 0])).args(&["--setting-sources="]),
        case("project_config_root", |it| it.project_config_root(folder)).args(&[&root]),
        case("plugins", |it| it.plugin(plugin.clone()).plugin(Plugin::at(&plugin).without_mcp()))
            .args(&[&plugin_words("--plugin-dir"), &plugin_words("--plugin-dir-no-mcp")]),
        case("mcp_servers", servers).args(&["--mcp-config", config]),
        case("mcp_configs", |it| it.mcp_config(&mcp_file).mcp_config("{\"mcpServers\":{}}"))
            .args(&["--mcp-config", &mcp_file, "--mcp-config", "{\"mcpServers\":{}}"]),
        case("strict_mcp_config", |it| it.strict_mcp_config(true)).args(&["--strict-mcp-config"]),
        case("agents", |it| it.agent_definition("reviewer", reviewer()))
            .fields(json!({"agents": {"reviewer": reviewer_told()}})),
        case("agent", |it| it.agent("reviewer").agent_definition("reviewer", AgentDefinition::new("d", "p")))
            .args(&["--agent=reviewer"])
            .fields(json!({"agents": {"reviewer": {"description": "d", "prompt": "p"}}})),
        case("autocompact", |it| it.autocompact("auto")).args(&["--autocompact=auto"]),
        case("bare", |it| it.bare(true)).args(&["--bare"]),
        case("safe_mode", |it| it.safe_mode(true)).args(&["--safe-mode"]),
        case("restricted", |it| it.restricted(true)).args(&["--restricted"]),
        case("disable_slash_commands", |it| it.disable_slash_commands(true)).args(&["--disable-slash-commands"]),
    ]
}

/// An agent of which everything is set.
fn reviewer() -> AgentDefinition {
    AgentDefinition::new("Reviews.", "You review.")
        .tools(["Read"])
        .disallowed_tools(["Bash"])
        .model("inherit")
        .mcp_server("named")
        .mcp_server(("own", McpServer::sse("http://127.0.0.1:9/sse")))
        .skills(["pdf"])
        .initial_prompt("begin")
        .max_turns(5)
        .auto_compact_window(100_000)
        .background(false)
        .omit_claude_md(true)
        .memory(Memory::Project)
        .effort(Effort::Max)
        .permission_mode(PermissionMode::Plan)
        .observer(json!("watcher"))
        .observer_message("look")
        .critical_system_reminder("never forget")
}

fn reviewer_told() -> Value {
    json!({
        "description": "Reviews.",
        "prompt": "You review.",
        "tools": ["Read"],
        "disallowedTools": ["Bash"],
        "model": "inherit",
        "mcpServers": ["named", {"own": {"type": "sse", "url": "http://127.0.0.1:9/sse"}}],
        "skills": ["pdf"],
        "initialPrompt": "begin",
        "maxTurns": 5,
        "autoCompactWindow": 100_000,
        "background": false,
        "omitClaudeMd": true,
        "memory": "project",
        "effort": "max",
        "permissionMode": "plan",
        "observer": "watcher",
        "observerMessage": "look",
        "criticalSystemReminder_EXPERIMENTAL": "never forget",
    })
}

fn output() -> Vec<Case> {
    let schema =
        json!({"$schema": "http://x", "type": "object", "properties": {"$schema": {"type": "string"}}});
    vec![
        case("json_schema", |it| it.json_schema(schema))
            .args(&[r#"--json-schema={"properties":{"$schema":{"type":"string"}},"type":"object"}"#]),
        case("partial_messages", |it| it.partial_messages(true)).args(&["--include-partial-messages"]),
        case("hook_events", |it| it.hook_events(true)).args(&["--include-hook-events"]),
        case("replay_user_messages", |it| it.replay_user_messages(true)).args(&["--replay-user-messages"]),
        case("forward_subagent_text", |it| it.forward_subagent_text(true))
            .fields(json!({"forwardSubagentText": true})),
        case("agent_progress_summaries", |it| it.agent_progress_summaries(true))
            .fields(json!({"agentProgressSummaries": true})),
        case("prompt_suggestions", |it| it.prompt_suggestions(true))
            .fields(json!({"promptSuggestions": true})),
        case("per_task_stop_affordance", |it| it.per_task_stop_affordance(true))
            .fields(json!({"perTaskStopAffordance": true})),
        // Said of each prompt, not of the session.
        case("verbatim_prompts", |it| it.verbatim_prompts(true)),
    ]
}

fn session() -> Vec<Case> {
    let resume = format!("--resume={SESSION}");
    let own = "11111111-2222-4333-8444-555555555555";
    let own_id = format!("--session-id={own}");
    vec![
        case("session_id", |it| it.session_id(own)).args(&[&own_id]),
        case("continue_session", |it| it.continue_session(true)).args(&["--continue"]).goes_on(),
        case("resume", |it| it.resume(SESSION)).args(&[&resume]).goes_on(),
        case("fork_session", |it| it.resume(SESSION).fork_session(true).session_id(own))
            .args(&[&own_id, &resume, "--fork-session"])
            .goes_on(),
        case("resume_session_at", |it| it.resume(SESSION).resume_session_at("at"))
            .args(&[&resume, "--resume-session-at=at"])
            .goes_on(),
        case("resume_drops_turn", |it| it.resume(SESSION).resume_session_at("at").resume_drops_turn("turn"))
            .args(&[&resume, "--resume-session-at=at", "--resume-drops-turn=turn"])
            .goes_on(),
        case("no_session_persistence", |it| it.no_session_persistence(true))
            .args(&["--no-session-persistence"]),
        case("session_mirror", |it| it.session_mirror(true)).args(&["--session-mirror"]),
        case("file_checkpointing", |it| it.file_checkpointing(true))
            .env("CLAUDE_CODE_ENABLE_SDK_FILE_CHECKPOINTING", "1"),
        case("title", |it| it.title("A title")).fields(json!({"title": "A title"})),
        case("name", |it| it.name("-a name")).args(&["--name=-a name"]),
    ]
}

/// Whoever runs this.
fn ourselves() -> User {
    use std::os::unix::fs::MetadataExt;
    let process = fs::metadata("/proc/self").unwrap();
    User { uid: process.uid(), gid: process.gid() }
}

fn process(folder: &Path) -> Vec<Case> {
    let log = folder.join("debug.log");
    let debug_file = format!("--debug-file={}", log.display());
    let parent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    vec![
        // Where it is found and where it works is no word on its command line.
        case("program", |it| it.program("/bin/claude")),
        case("cwd", |it| it.cwd(folder)),
        case("user", |it| it.user(ourselves())),
        case("env", |it| it.env("A", "1").env_remove("B")).env("A", "1"),
        case("clear_env", |it| it.clear_env(true)),
        case("config_on_command_line", |it| it.config_on_command_line(true)),
        case("trace_parent", |it| it.trace_parent(parent)).env("TRACEPARENT", parent),
        case("trace_state", |it| it.trace_parent(parent).trace_state("a=b"))
            .env("TRACEPARENT", parent)
            .env("TRACESTATE", "a=b"),
        case("client_app", |it| it.client_app("ours/1.0")).env("CLAUDE_AGENT_SDK_CLIENT_APP", "ours/1.0"),
        case("debug", |it| it.debug("")).args(&["--debug"]),
        case("debug", |it| it.debug("hooks,mcp")).args(&["--debug=hooks,mcp"]),
        case("debug_file", |it| it.debug_file(log)).args(&[&debug_file]),
        case("startup_marks", |it| it.startup_marks(true)).env("CLAUDE_CODE_SDK_READS_STARTUP_MARKS", "1"),
        case("extra_args", |it| it.extra_args(["--brief", "--workload=cron"]))
            .args(&["--brief", "--workload=cron"]),
        case("extra_fields", |it| it.extra_field("rapidFollowupPreempt", true))
            .fields(json!({"rapidFollowupPreempt": true})),
    ]
}
