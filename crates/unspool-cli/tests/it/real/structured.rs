//! Answers that fit a schema.

use super::stage::on;
use std::fs;

#[test]
#[ignore = "needs versions of Claude Code: cargo xtask cli"]
fn a_structured_answer_is_printed() {
    let script = r#"
        [[turn]]
        call.StructuredOutput.sum = 4
        [[turn]]
        say = "There it is."
    "#;
    on(
        |version| !version.starts_with("1."),
        script,
        |stage| {
            let schema = r#"{"type":"object","properties":{"sum":{"type":"integer"}},"required":["sum"]}"#;
            fs::write(stage.folder.join("schema.json"), schema).unwrap();
            let ran = stage.run(&["ask-json", "--schema", "schema.json", "add"]);
            assert_eq!((ran.code, &*ran.out), (Some(0), "{\"sum\":4}\n"), "{} {ran:?}", stage.version);
            let ran = stage.run(&["run", "add", "--json-schema", "schema.json", "--format", "json"]);
            let told: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
            assert_eq!(
                (ran.code, &told["structured"]["sum"]),
                (Some(0), &4.into()),
                "{} {ran:?}",
                stage.version
            );
        },
    );
}

#[test]
#[ignore = "needs versions of Claude Code: cargo xtask cli"]
fn words_in_place_of_a_structured_answer_are_a_failure() {
    let script = "then = \"repeat\"\nturn = [{ say = \"I would rather not.\" }]";
    // 2.0.77 asks for it again and again, for ever.
    on(
        |version| version.starts_with("2.1."),
        script,
        |stage| {
            fs::write(stage.folder.join("schema.json"), r#"{"type":"object","required":["sum"]}"#).unwrap();
            let ran = stage.run(&["run", "add", "--json-schema", "schema.json", "--timeout", "100s"]);
            assert_eq!(ran.code, Some(10), "{} {ran:?}", stage.version);
            assert!(ran.err.contains("structured_output"), "{} {ran:?}", stage.version);
        },
    );
}
