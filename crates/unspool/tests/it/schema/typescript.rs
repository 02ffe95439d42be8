//! TypeScript, as far as it can be judged without its compiler; `cargo xtask test typescript` has that.

use unspool::schema::{events_typescript, wire_typescript};

#[test]
fn typescript_declares_what_it_uses() {
    for text in [wire_typescript(), events_typescript()] {
        declares_what_it_uses(&text);
    }
}

#[test]
fn the_wire_is_open() {
    let text = wire_typescript();
    assert!(text.contains("\"now\" | \"next\" | \"later\" | (string & {})"));
    assert!(text.contains("  /** The words. */\n  text?: string | null;"));
    assert!(text.contains("export interface SystemNotification"), "names of two families are told apart");
    assert!(text.contains("export type UntaggedEnvelope =\n  | Message\n  | BareResult;"));
}

#[test]
fn an_event_says_what_is_always_there() {
    let text = events_typescript();
    for line in [
        "export interface TextEvent extends EventBase {\n  type: \"text\";",
        "  seq: number;",
        "  turn?: number;",
        "  message?: string | null;",
        "  content: string;",
        "  abandoned?: boolean;",
        "  input: unknown;",
        "  status: \"completed\" | \"failed\" | \"stopped\" | \"unknown\" | (string & {});",
        "  models: Record<string, ModelTokens> | null;",
    ] {
        assert!(text.contains(line), "{line}");
    }
    assert!(!text.contains("[key: string]"), "a misspelt field is found");
}

fn declares_what_it_uses(text: &str) {
    let declared: Vec<&str> = text
        .lines()
        .filter_map(|line| line.strip_prefix("export interface ").or(line.strip_prefix("export type ")))
        .map(|line| line.split([' ', '=']).next().unwrap())
        .collect();
    let mut unique = declared.clone();
    unique.sort_unstable();
    unique.dedup();
    assert_eq!(unique.len(), declared.len(), "a name is declared twice");

    let code: String =
        text.lines().filter(|line| !line.trim_start().starts_with("/*")).collect::<Vec<_>>().join("\n");
    let known = ["Array", "Record"];
    let mut in_string = false;
    let mut word = String::new();
    for letter in code.chars() {
        if letter == '"' {
            in_string = !in_string;
        }
        if letter.is_alphanumeric() || letter == '_' {
            word.push(letter);
            continue;
        }
        let is_type = !in_string && letter != '"' && letter != '?' && letter != ':';
        if is_type && word.starts_with(|first: char| first.is_ascii_uppercase()) && !known.contains(&&*word) {
            // The first line is a comment.
            assert!(declared.contains(&&*word) || code.lines().next().unwrap().contains(&*word), "{word}");
        }
        word.clear();
    }
}
