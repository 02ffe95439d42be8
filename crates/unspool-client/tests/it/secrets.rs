//! Secrets in options: neither on the command line, nor where options are printed.

#![cfg(target_os = "linux")]

use serde_json::json;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::PathBuf;
use unspool_client::options::{McpServer, Settings, User};
use unspool_client::program::Program;
use unspool_client::{Claude, Lasting, Options, Pool};

/// Writes down its command line, and the files that are named there.
const PROGRAM: &str = r#"
    tr '\0' '\n' < /proc/$$/cmdline > words
    while [ "$#" -gt 0 ]; do
        case "$1" in --mcp-config | --settings)
            cat "$2" >> configs
            stat -c %a "$2" >> modes
            echo "$2" >> paths
            shift
        esac
        shift
    done
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
}

fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("unspool-secrets-{}-{name}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    folder
}

async fn run(name: &str, options: Options) -> impl Fn(&str) -> String {
    let folder = folder(name);
    if let Some(user) = options.user {
        std::os::unix::fs::chown(&folder, Some(user.uid), Some(user.gid)).unwrap();
    }
    let program = Program::run_by("/bin/sh", ["-c", PROGRAM], "/not/there");
    Claude::new(options.cwd(&folder)).program(program).ask("hello").await.unwrap();
    move |file| fs::read_to_string(folder.join(file)).unwrap_or_default()
}

const SECRETS: [&str; 5] = ["secret-header", "secret-env", "secret-extra", "secret-config", "secret-setting"];

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
        assert_eq!(read("modes"), "600\n".repeat(3), "{name}");
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
}

#[test]
fn secrets_are_not_printed() {
    let options = options()
        .system_prompt("secret-prompt")
        .append_system_prompt("secret-prompt")
        .managed_settings(json!({"a": "secret-managed"}))
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
