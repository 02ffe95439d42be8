//! What tools the program offers to the model, and whether their inputs are known.

use super::stage::on_all;
use serde_json::Value;
use unspool::wire::{Shape, ToolInput};
use unspool_client::Claude;

const SCRIPT: &str = r#"
    [[conversation]]
    turn = [{ say = "Hello." }]
"#;

#[tokio::test]
#[ignore = "needs versions of Claude Code: cargo xtask cli"]
async fn the_input_of_every_tool_is_known() {
    on_all(SCRIPT, async |stage| {
        // Otherwise most of them are named only, until the model looks for one.
        let options = stage.options().skip_permissions(true).env("ENABLE_TOOL_SEARCH", "false");
        Claude::new(options).ask("hello").await.unwrap();
        let bodies = stage.model.requests().into_iter().map(|request| request.body);
        let bodies = bodies.filter_map(|body| serde_json::from_str::<Value>(&body).ok());
        let tools: Vec<Value> =
            bodies.filter_map(|body| Some(body.get("tools")?.as_array()?.clone())).flatten().collect();
        assert!(tools.len() > 5, "{tools:?}");
        let unknown: Vec<String> = tools.iter().flat_map(unknown).collect();
        assert!(unknown.is_empty(), "{}: {unknown:?}", stage.version);
    })
    .await;
}

/// What a tool takes that is not known.
fn unknown(tool: &Value) -> Vec<String> {
    let name = tool["name"].as_str().unwrap();
    let Some(Shape::Object(known)) = ToolInput::shape_of(name) else { return vec![name.to_owned()] };
    let fields = tool["input_schema"]["properties"].as_object().into_iter().flat_map(|fields| fields.keys());
    let unknown = fields.filter(|field| known.fields.iter().all(|known| known.name != **field));
    unknown.map(|field| format!("{name}.{field}")).collect()
}
