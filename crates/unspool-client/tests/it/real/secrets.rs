//! Secrets, with the real program: what is not on the command line arrives all the same. Versions before 2.0.33 take what stands
//! behind the prompt nowhere else, and those before 2.1.323 managed settings.

use super::stage::on_all;
use serde_json::json;
use std::fs;
use unspool_client::Claude;
use unspool_client::options::{McpServer, Settings};

#[tokio::test]
#[ignore = "needs versions of Claude Code: cargo xtask cli"]
async fn secrets_arrive_and_are_not_on_any_command_line() {
    let script = r#"
        [[turn]]
        call.Bash.command = 'cat /proc/[0-9]*/cmdline > words; echo "$FROM_SETTINGS" > setting'
        [[turn]]
        call.Bash.command = 'touch the-secret-of-managed-settings'
        [[turn]]
        say = "Done."
    "#;
    on_all(script, async |stage| {
        let [token, setting] = ["the-secret-of-the-server", "the-secret-of-the-settings"];
        let says = format!("echo \"$TOKEN\" > '{}'", stage.folder.join("token").display());
        let server = McpServer::stdio("sh").args(["-c", &says]).env("TOKEN", token);
        let options = stage.options().skip_permissions(true).mcp_server("probe", server);
        let options = options.settings(Settings::Json(json!({"env": {"FROM_SETTINGS": setting}})));
        let [prompt, behind] = ["the-secret-of-the-prompt", "the-secret-behind-the-prompt"];
        let mut options = options.system_prompt(prompt);
        let [appends, is_managed] = ["2.", "2.1"].map(|versions| stage.version.starts_with(versions));
        if appends {
            options = options.append_system_prompt(behind);
        }
        if is_managed {
            let deny = ["Bash(touch the-secret-of-managed-settings)"];
            options = options.managed_settings(json!({"permissions": {"deny": deny}}));
        }
        Claude::new(options).ask("go").await.expect(&stage.version);
        assert!(stage.heard(prompt) && stage.heard(behind) == appends, "{}", stage.version);
        assert_eq!(stage.has("the-secret-of-managed-settings"), !is_managed, "{}", stage.version);
        let read = |file: &str| {
            let bytes = fs::read(stage.folder.join(file)).unwrap_or_default();
            String::from_utf8_lossy(&bytes).into_owned()
        };
        assert_eq!((read("token").trim(), read("setting").trim()), (token, setting), "{}", stage.version);
        // Older versions write their name over their command line.
        let is_seen = read("words").contains("--mcp-config") || !stage.version.starts_with("2.1");
        assert!(is_seen, "{}", stage.version);
        assert!(!read("words").contains("the-secret"), "{}", stage.version);
    })
    .await;
}
