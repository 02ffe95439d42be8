//! MCP servers that ask the user something.

use super::stage::Stage;
use serde_json::json;
use unspool_client::handlers::ElicitationReply;
use unspool_client::options::McpServer;
use unspool_client::{Claude, Handlers};

const SERVER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/asking.py");

const SCRIPT: &str = r#"
    [[turn]]
    call.mcp__asking__name = {}
    [[turn]]
    say = "Done."
"#;

#[tokio::test]
#[ignore = "needs versions of Claude Code: cargo xtask cli"]
async fn a_server_gets_the_answer_of_the_user() {
    // As it stands in the request to the model.
    for (reply, words) in [
        (ElicitationReply::accept(json!({"name": "Ada"})), r#"\"content\": {\"name\": \"Ada\"}"#),
        (ElicitationReply::decline(), r#"\"action\": \"decline"#),
    ] {
        let stage = Stage::newest(SCRIPT).await;
        let handlers = Handlers::new().elicitation(move |asked| {
            let question = asked.read();
            assert_eq!(question.message.unwrap(), "Who are you?");
            assert_eq!(question.mcp_server_name.unwrap(), "asking");
            let reply = reply.clone();
            async { reply }
        });
        let options = stage.options().skip_permissions(true);
        let options = options.mcp_server("asking", McpServer::stdio("python3").args([SERVER]));
        Claude::new(options).handlers(handlers).ask("go").await.unwrap();
        assert!(stage.heard(words), "{words}: {}", stage.model.requests().last().unwrap().body);
    }
}
