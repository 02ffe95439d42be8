use super::*;
use serde_json::json;

fn call(command: &str) -> Matter {
    let input = json!({ "command": command, "timeout": 5 }).to_string();
    Matter::Call { tool: "Bash".into(), input, by_agent: false, always: Some("allow Bash(x)".into()) }
}

fn desk(commands: &[&str]) -> Desk {
    let mut desk = Desk::default();
    (1..).zip(commands).for_each(|(number, command)| desk.add(number, call(command)));
    desk
}

#[test]
fn a_letter_answers_the_first_and_a_number_chooses() {
    let mut desk = desk(&["one", "two", "three"]);
    assert_eq!(desk.line("2 y"), Heard::Said(2, Said::Yes));
    assert_eq!(desk.line("no"), Heard::Said(1, Said::No("The user said no.".into())));
    assert_eq!(desk.line("a"), Heard::Said(3, Said::Always));
    assert_eq!(desk.line("y"), Heard::Nothing);
}

#[test]
fn all_that_waits_is_shown() {
    let mut desk = desk(&["ls", "rm -rf \u{1b}[2Jx\nsecond \u{202e}line"]);
    let shown = desk.show();
    assert!(shown.contains("? 1  Bash: ls\n"), "{shown}");
    assert!(shown.contains("? 2  Bash: rm -rf \u{fffd}[2Jx\n      second \u{fffd}line\n"), "{shown}");
    assert!(shown.contains("\na is: 1 allow Bash(x); 2 allow Bash(x)\ny yes"), "{shown}");
    assert!(shown.contains("`2 y`") && shown.ends_with("\n> "), "{shown}");
    assert!(desk.withdraw(1) && !desk.withdraw(1));
    assert!(!desk.show().contains("? 1") && !desk.show().contains("`2 y`"));
}

#[test]
fn nothing_of_an_input_is_hidden() {
    let mut desk = Desk::default();
    let input = json!({"host": "prod", "command": "ls"}).to_string();
    desk.add(1, Matter::Call { tool: "mcp__ssh__exec".into(), input, by_agent: false, always: None });
    let shown = desk.show();
    assert!(shown.contains("? 1  mcp__ssh__exec: ls\n      {\"host\":\"prod\"}\n"), "{shown}");
    assert!(!shown.contains("always") && !shown.contains("a is"), "{shown}");
    assert!(matches!(desk.line("a"), Heard::Hint(_)));
}

/// Whoever types when something is withdrawn may have meant that.
#[test]
fn an_answer_without_a_number_is_not_for_the_next_one() {
    let mut desk = desk(&["one", "two", "three"]);
    desk.withdraw(1);
    assert!(matches!(desk.line("y"), Heard::Hint(_)));
    assert_eq!(desk.line("y"), Heard::Said(2, Said::Yes));
    desk.add(4, Matter::questions(vec![Query { text: "?".into(), choices: vec![], several: false }]));
    desk.withdraw(3);
    assert!(matches!(desk.line("3 y"), Heard::Hint(_)));
}

#[test]
fn nothing_is_allowed_by_mistake() {
    let mut desk = desk(&["one", "two"]);
    for line in ["", "yy", "yes please", "ok", "9 y", "y 2", "1", "1 1 y", "j"] {
        assert!(matches!(desk.line(line), Heard::Hint(_)), "{line}");
    }
    assert_eq!(desk.waiting.len(), 2);
}

#[test]
fn a_no_may_say_why() {
    assert_eq!(desk(&["x"]).line("n use cargo"), Heard::Said(1, Said::No("use cargo".into())));
}

#[test]
fn an_input_can_be_changed() {
    let mut desk = desk(&["one", "two"]);
    assert!(matches!(desk.line("2 e"), Heard::Hint(_)));
    let changed = json!({"command": "y", "timeout": 5});
    assert_eq!(desk.line("y"), Heard::Said(2, Said::With(changed)));
    assert!(matches!(desk.line("e"), Heard::Hint(_)));
    assert!(matches!(desk.line("{\"command\":"), Heard::Hint(_)), "not an object");
    assert!(matches!(desk.line("e"), Heard::Hint(_)));
    let whole = json!({"command": "z"});
    assert_eq!(desk.line(r#"{"command":"z"}"#), Heard::Said(1, Said::With(whole)));
}

#[test]
fn an_empty_change_leaves_it_as_it_was() {
    let mut desk = desk(&["one"]);
    desk.line("e");
    assert!(matches!(desk.line(""), Heard::Hint(_)));
    assert_eq!(desk.line("y"), Heard::Said(1, Said::Yes));
}

#[test]
fn what_is_withdrawn_while_it_is_changed_leaves_the_next_line_to_others() {
    let mut desk = desk(&["one", "two"]);
    desk.line("1 e");
    desk.withdraw(1);
    assert!(matches!(desk.line("rm x"), Heard::Hint(_)));
    assert_eq!(desk.line("n"), Heard::Said(2, Said::No("The user said no.".into())));
}

#[test]
fn questions_take_numbers_or_words() {
    let pick =
        |label: &str, meaning: Option<&str>| Pick { label: label.into(), meaning: meaning.map(Into::into) };
    let choices = || vec![pick("red", None), pick("blue", Some("like\nwater"))];
    let query = |text: &str, several| Query { text: text.into(), choices: choices(), several };
    let mut desk = Desk::default();
    let queries = vec![query("Colour?", false), query("Which?", true), query("Or?", false)];
    desk.add(1, Matter::questions(queries));
    assert!(desk.show().contains("Colour?\n      1 red\n      2 blue (like water)\n"), "{}", desk.show());
    assert!(matches!(desk.line("2"), Heard::Hint(_)));
    assert!(desk.show().contains("Which?"), "{}", desk.show());
    assert!(matches!(desk.line("1, 2"), Heard::Hint(_)));
    let answers = ["blue", "red, blue", "none of them"].map(String::from).to_vec();
    assert_eq!(desk.line("none of them"), Heard::Said(1, Said::Answers(answers)));
}

#[test]
fn a_plan_is_approved_or_sent_back() {
    let mut desk = Desk::default();
    desk.add(1, Matter::Plan("1. look\n2. act".into()));
    assert!(desk.show().contains("1. look\n      2. act"), "{}", desk.show());
    assert!(matches!(desk.line("a"), Heard::Hint(_)));
    assert_eq!(desk.line("n look twice"), Heard::Said(1, Said::No("look twice".into())));
    desk.add(2, Matter::Plan(String::new()));
    assert!(desk.show().contains("a plan that it has not written down"), "{}", desk.show());
    assert_eq!(desk.line("y"), Heard::Said(2, Said::Yes));
}

#[test]
fn a_closed_terminal_is_a_no() {
    let mut desk = desk(&["one", "two"]);
    assert_eq!(desk.close(), [1, 2].map(|number| (number, Said::No(GONE.into()))));
}
