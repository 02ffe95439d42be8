//! The rest: `schema`, `demo`, help, and wrong calls.

use crate::program::run;
use serde_json::Value;

#[test]
fn schema_prints_both_subjects_in_both_formats() {
    for (subject, title, lines) in
        [("events", "The events of unspool", 1), ("wire", "Claude Code's stream-json protocol", 2)]
    {
        let json = run(&["schema", subject], "");
        assert_eq!((json.code, &*json.err), (Some(0), ""));
        let schema: Value = serde_json::from_str(&json.out).unwrap();
        assert_eq!(schema["title"], title);
        assert_eq!(schema["anyOf"].as_array().unwrap().len(), lines);
        assert_eq!(run(&["schema", subject, "--format", "jsonschema"], "").out, json.out);

        let typescript = run(&["schema", subject, "--format", "typescript"], "");
        assert_eq!(typescript.code, Some(0));
        assert!(typescript.out.starts_with(&format!("// {title}.")), "{:.100}", typescript.out);
    }
}

#[test]
fn demo_needs_nothing() {
    let ran = run(&["demo"], "");
    assert_eq!((ran.code, &*ran.err), (Some(0), ""));
    assert!(ran.out.contains("✓ ok · the last turn completed\n"), "{}", ran.out);
}

#[test]
fn help_has_examples() {
    for command in [
        "",
        "view",
        "events",
        "check",
        "schema",
        "demo",
        "fake-claude",
        "fake-model",
        "run",
        "ask-json",
        "doctor",
        "sessions",
        "html",
        "convert",
        "summary",
        "completions",
        "man",
    ] {
        let args: Vec<_> = [command, "--help"].into_iter().filter(|it| !it.is_empty()).collect();
        let ran = run(&args, "");
        assert_eq!((ran.code, &*ran.err), (Some(0), ""), "{command}");
        assert!(ran.out.contains("Example"), "{command}: {}", ran.out);
        assert!(ran.out.contains(&format!("\n  unspool {command}")), "{command}: {}", ran.out);
    }
}

#[test]
fn the_version_is_told() {
    let ran = run(&["--version"], "");
    assert_eq!(ran.code, Some(0));
    assert_eq!(ran.out, format!("unspool {}\n", env!("CARGO_PKG_VERSION")));
}

#[test]
fn a_wrong_call_is_2_and_says_why() {
    for args in [
        &["nonsense"][..],
        &["events", "--grain", "sand"],
        &["check", "--fail-on", "rain"],
        &["schema"],
        &["schema", "events", "--format", "xml"],
        &["fake-claude"],
        &["fake-claude", "x.rec", "--lenient", "--strict"],
        &["fake-model"],
        &["fake-model", "x.toml", "--port", "70000"],
    ] {
        let ran = run(args, "");
        assert_eq!((ran.code, &*ran.out), (Some(2), ""), "{args:?}");
        assert!(ran.err.contains("Usage") || ran.err.contains("--help"), "{args:?}: {}", ran.err);
    }
}
