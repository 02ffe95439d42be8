//! Secrets in options: neither on the command line, nor where options are printed.

#![cfg(target_os = "linux")]

use serde_json::json;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use unspool_client::options::{McpServer, Settings, User};
use unspool_client::program::Program;
use unspool_client::{Claude, Lasting, Options, Pool};

/// Writes down its command line, the files that are named there, and the first line that it hears if it is to wait for one.
const PROGRAM: &str = r#"
    tr '\0' '\n' < /proc/$$/cmdline > words
    waits=
    while [ "$#" -gt 0 ]; do
        file=
        case "$1" in
            --mcp-config | --settings) file=$2; shift ;;
            --system-prompt-file=* | --append-system-prompt-file=*) file=${1#*=} ;;
            --await-initialize) waits=yes ;;
        esac
        if [ "$file" ]; then
            cat "$file" >> configs
            stat -c %a "$file" >> modes
            echo "$file" >> paths
        fi
        shift
    done
    if [ "$waits" ]; then
        read -r line
        printf '%s\n' "$line" >> configs
        id=${line#*\"request_id\":\"}
        printf '{"type":"control_response","response":{"subtype":"success","request_id":"%s","response":{}}}\n' "${id%%\"*}"
    fi
    printf '%s\n' '{"type":"system","subtype":"init","session_id":"s"}'
    printf '%s\n' '{"type":"result","subtype":"success","is_error":false,"session_id":"s","result":"done"}'
    cat > /dev/null
"#;

fn options() -> Options {
    let search = McpServer::http("https://mcp.example").header("Authorization", "Bearer secret-header");
    let files = McpServer::stdio("files").env("TOKEN", "secret-env").with("more", "secret-extra");
    Options::new()
        .mcp_server("search", search)
        .mcp_server("files", files)
        .mcp_config(json!({"mcpServers": {"x": {"command": "x", "env": {"A": "secret-config"}}}}).to_string())
        .settings(Settings::Json(json!({"env": {"K": "secret-setting"}})))
        .managed_settings(json!({"env": {"K": "secret-managed"}}))
        .system_prompt("secret-prompt")
        .append_system_prompt("secret-behind")
}

fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("unspool-secrets-{}-{name}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    folder
}

/// Runs the program, which lies at this path; what it has written down then, and `warnings`.
async fn run_at(folder: PathBuf, path: &str, options: Options) -> impl Fn(&str) -> String {
    if let Some(user) = options.user {
        std::os::unix::fs::chown(&folder, Some(user.uid), Some(user.gid)).unwrap();
    }
    let program = Program::run_by("/bin/sh", ["-c", PROGRAM], folder.join(path));
    let warnings = Arc::new(Mutex::new(String::new()));
    let heard = Arc::clone(&warnings);
    let claude = Claude::new(options.cwd(&folder)).program(program);
    let claude = claude.on_warning(move |warning| *heard.lock().unwrap() += &format!("{warning:?}\n"));
    claude.ask("hello").await.unwrap();
    move |file| match file {
        "warnings" => warnings.lock().unwrap().clone(),
        file => fs::read_to_string(folder.join(file)).unwrap_or_default(),
    }
}

async fn run(name: &str, options: Options) -> impl Fn(&str) -> String {
    run_at(folder(name), "not/there", options).await
}

const SECRETS: [&str; 8] = [
    "secret-header",
    "secret-env",
    "secret-extra",
    "secret-config",
    "secret-setting",
    "secret-managed",
    "secret-prompt",
    "secret-behind",
];

#[tokio::test]
async fn secrets_travel_in_files_that_go_with_the_program() {
    let is_root = fs::metadata("/proc/self").unwrap().uid() == 0;
    let other = is_root.then_some(User { uid: 65534, gid: 65534 });
    for (name, user) in [("own", None), ("other", other)] {
        let mut options = options();
        options.user = user;
        let read = run(name, options).await;
        for secret in SECRETS {
            assert!(read("configs").contains(secret) && !read("words").contains(secret), "{name} {secret}");
        }
        assert_eq!(read("modes"), "600\n".repeat(5), "{name}");
        assert_eq!(read("warnings"), "", "{name}");
        for path in read("paths").lines() {
            assert!(!PathBuf::from(path).parent().unwrap().exists(), "{name} {path}");
        }
    }
}

/// In a container there are no files of ours.
#[tokio::test]
async fn secrets_are_on_the_command_line_if_they_are_to_be() {
    let read = run("shown", options().config_on_command_line(true)).await;
    assert!(SECRETS.iter().all(|secret| read("words").contains(secret)));
    assert_eq!(read("warnings"), "");
}

#[tokio::test]
async fn what_an_old_version_takes_nowhere_else_is_on_the_command_line_with_a_warning() {
    let seen = |option: &str| format!("OnCommandLine {{ option: \"{option}\" }}\n");
    let [managed, behind] = ["managed_settings", "append_system_prompt"].map(seen);
    for (version, seen, warnings) in [
        ("2.0.32", vec!["secret-managed", "secret-behind"], managed.clone() + &behind),
        ("2.0.33", vec!["secret-managed"], managed),
        ("2.1.323", vec![], String::new()),
    ] {
        let folder = folder(version);
        let package = json!({"name": "@anthropic-ai/claude-code", "version": version}).to_string();
        fs::write(folder.join("package.json"), package).unwrap();
        fs::write(folder.join("cli.js"), "").unwrap();
        let read = run_at(folder, "cli.js", options()).await;
        for secret in SECRETS {
            assert_eq!(read("words").contains(secret), seen.contains(&secret), "{version} {secret}");
            assert!(read("configs").contains(secret) || seen.contains(&secret), "{version} {secret}");
        }
        assert_eq!(read("warnings"), warnings, "{version}");
    }
}

#[test]
fn secrets_are_not_printed() {
    let options = options()
        .extra_args(["--key=secret-word"])
        .extra_field("a", "secret-field")
        .env("A", "secret-variable");
    let claude = Claude::new(options.clone());
    let launch = options.launch(&Program::exactly("/bin/claude"));
    let printed = [
        format!("{options:?}"),
        format!("{claude:?}"),
        format!("{:?}", Lasting::new(claude.clone())),
        format!("{:?}", Pool::new(claude, 1)),
        format!("{launch:?}").replace("--key=secret-word", ""),
        format!("{:?}", options.mcp_servers),
    ];
    for text in &printed {
        assert!(!text.contains("secret"), "{text}");
    }
    // What is set is told, and what things are called.
    for name in ["mcp_servers", "search", "Authorization", "TOKEN", "system_prompt", "settings"] {
        assert!(printed[0].contains(name), "{name}: {}", printed[0]);
    }
}
