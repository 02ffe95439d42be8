use super::*;
use proptest::prelude::*;
use serde_json::{Value, json};
use unspool_report::view::Line;

const ROOM: Room = Room { columns: 80, rows: 24 };

fn call(tool: &str, input: &Value) -> AskedCall {
    AskedCall::new(tool.into(), &input.to_string(), "/nowhere/at/all".into()).always(Some("allow `x`".into()))
}

fn asked(call: AskedCall) -> Matter {
    Matter::Call(Box::new(call))
}

fn bash(command: &str) -> Matter {
    asked(call("Bash", &json!({ "command": command })))
}

/// All of them were shown.
fn desk(commands: &[&str]) -> Desk {
    let mut desk = Desk::default();
    (1..).zip(commands).for_each(|(number, command)| desk.add(number, bash(command)));
    desk.show(ROOM, Extent::Fitting);
    desk
}

fn text(lines: &[Line]) -> String {
    lines.iter().map(|line| format!("{}\n", line.text().trim_end())).collect()
}

fn shown(desk: &mut Desk) -> String {
    text(&desk.show(ROOM, Extent::Fitting)) + &desk.prompt()
}

fn again() -> Heard {
    Heard::Show(String::new(), Extent::Fitting)
}

#[test]
fn a_letter_answers_the_first_and_a_number_chooses() {
    let mut desk = desk(&["one", "two", "three"]);
    assert_eq!(desk.line("2 y"), Heard::Said(2, UserAnswer::Yes));
    assert_eq!(desk.line("no"), Heard::Said(1, UserAnswer::No("The user said no.".into())));
    assert_eq!(desk.line("a"), Heard::Said(3, UserAnswer::Always));
    assert_eq!(desk.line("y"), Heard::Nothing);
}

#[test]
fn what_waits_is_listed_above_what_is_asked_first() {
    let mut desk = desk(&["ls", "rm x"]);
    let menu = "y yes · n no (and why) · e edit the command\n\
                a always: allow `x`, for the rest of this session\n";
    let hint = "a number before it answers another one, as in `2 y`; a number alone shows it\n";
    assert_eq!(shown(&mut desk), format!("? 2  Bash: rm x\n? 1  Bash: ls\n{menu}{hint}> "));
    assert!(desk.withdraw(1) && !desk.withdraw(1));
    assert_eq!(shown(&mut desk), format!("? 2  Bash: rm x\n{menu}> "));
}

#[test]
fn nothing_of_an_input_is_hidden() {
    let input = json!({"host": "prod", "command": "ls", "n": [1], "note": "two\nlines"});
    let mut desk = Desk::default();
    desk.add(1, asked(call("mcp__ssh__exec", &input).always(None).by_agent(true)));
    desk.add(2, bash("first\nsecond"));
    let below = "   │ host: prod\n   │ n: [1]\n   │ note:\n   │   two\n   │   lines\n";
    assert!(shown(&mut desk).contains(&format!("? 1  mcp__ssh__exec (a sub-agent): ls\n{below}y yes")));
    assert!(!desk.keys().contains('a') && matches!(desk.line("a"), Heard::Hint(_)));
    // The other one was not shown whole.
    assert_eq!(desk.line("2 y"), again());
    assert!(shown(&mut desk).contains("? 2  Bash\n   │ first\n   │ second\ny yes"));
    assert_eq!(desk.line("y"), Heard::Said(2, UserAnswer::Yes));
}

/// Whoever types when something is withdrawn may have meant that.
#[test]
fn an_answer_without_a_number_is_not_for_the_next_one() {
    let mut desk = desk(&["one", "two", "three"]);
    desk.withdraw(1);
    assert!(matches!(desk.line("y"), Heard::Show(..)));
    assert_eq!(desk.line("y"), Heard::Said(2, UserAnswer::Yes));
    desk.add(4, Matter::questions(vec![Query { text: "?".into(), choices: vec![], several: false }]));
    desk.withdraw(3);
    assert!(matches!(desk.line("3 y"), Heard::Show(..)));
}

#[test]
fn nothing_is_allowed_by_mistake() {
    let mut desk = desk(&["one", "two"]);
    for line in ["", "yy", "yes please", "ok", "9 y", "y 2", "1 1 y", "j", "dd"] {
        assert!(matches!(desk.line(line), Heard::Hint(_)), "{line}");
    }
    assert_eq!(desk.line("2"), again());
    assert_eq!(desk.waiting.len(), 2);
}

#[test]
fn an_empty_answer_shows_nothing_again() {
    assert_eq!(desk(&["one"]).line("  "), Heard::Hint(String::new()));
}

#[test]
fn a_no_may_say_why() {
    assert_eq!(desk(&["x"]).line("n use cargo"), Heard::Said(1, UserAnswer::No("use cargo".into())));
}

/// While a command is typed no menu is in sight, and nothing that is typed is done before it was seen again.
#[test]
fn another_command_is_shown_before_it_is_done() {
    for typed in ["n", "y", "a", "touch three.txt", "1 y"] {
        let mut desk = desk(&["touch one.txt", "other"]);
        assert_eq!(desk.line("e"), again());
        let (open, prompt) = (shown(&mut desk), desk.prompt());
        assert!(open.contains("? 1  Bash: touch one.txt\nType the new command"), "{open}");
        assert!(!open.contains("y yes") && !open.contains("always"), "{open}");
        assert_eq!(prompt, "new command> ");
        assert_eq!(desk.line(typed), again());
        let other = shown(&mut desk);
        assert!(other.contains(&format!("? 1  Bash: {typed} (changed by you)\ny yes")), "{other}");
        // What somebody has made up is not what Claude Code's rule is for.
        assert!(!other.contains("always") && matches!(desk.line("a"), Heard::Hint(_)), "{other}");
        assert_eq!(desk.line("y"), Heard::Said(1, UserAnswer::With(json!({"command": typed}))));
        assert_eq!(desk.line("y"), Heard::Said(2, UserAnswer::Yes));
    }
}

#[test]
fn another_input_keeps_the_rest_or_is_a_whole_object() {
    let with_limit = || asked(call("Bash", &json!({"command": "one", "timeout": 5})));
    for (typed, input) in
        [("two", json!({"command": "two", "timeout": 5})), (r#"{"command":"z"}"#, json!({"command": "z"}))]
    {
        let mut desk = Desk::default();
        desk.add(1, with_limit());
        desk.show(ROOM, Extent::Fitting);
        desk.line("e");
        desk.line(typed);
        assert_eq!(desk.line("y"), Heard::Said(1, UserAnswer::With(input)));
    }
    let mut desk = Desk::default();
    desk.add(1, asked(call("Read", &json!({"file_path": "/a"}))));
    desk.show(ROOM, Extent::Fitting);
    desk.line("e");
    assert_eq!(desk.prompt(), "new input> ");
    assert!(matches!(desk.line("/b"), Heard::Show(words, Extent::Head) if words.contains("no JSON object")));
    assert_eq!(desk.line("y"), Heard::Said(1, UserAnswer::Yes));
}

#[test]
fn an_empty_change_leaves_it_as_it_was() {
    let mut desk = desk(&["one"]);
    desk.line("e");
    assert_eq!(desk.line(""), Heard::Show("it is left as it is".into(), Extent::Head));
    assert_eq!(desk.line("y"), Heard::Said(1, UserAnswer::Yes));
}

#[test]
fn what_is_withdrawn_while_it_is_changed_leaves_the_next_line_to_others() {
    let mut desk = desk(&["one", "two"]);
    desk.line("1 e");
    desk.withdraw(1);
    assert!(matches!(desk.line("rm x"), Heard::Show(..)));
    assert_eq!(desk.line("n"), Heard::Said(2, UserAnswer::No("The user said no.".into())));
}

#[test]
fn a_file_is_asked_about_as_the_change_it_would_be() {
    let content: String = (1..=60).map(|line| format!("line {line}\n")).collect();
    let mut desk = Desk::default();
    desk.add(1, asked(call("Write", &json!({"file_path": "src/lib.rs", "content": content}))));
    for (columns, rows) in [(80, 24), (60, 20), (120, 40), (30, 8)] {
        let lines = desk.show(Room { columns, rows }, Extent::Fitting);
        let text = text(&lines);
        assert!(rows < 10 || lines.len() < rows, "{rows}: {text}");
        assert!(text.contains("? 1  Write") && text.contains("src/lib.rs"), "{text}");
        let more = text.lines().find_map(|line| line.strip_prefix("   … ")).unwrap();
        let left: usize = more.split(' ').next().unwrap().parse().unwrap();
        assert_eq!(text.matches(" + line ").count() + left, 60, "{text}");
        assert!(more.contains("; d"), "{text}");
    }
    assert_eq!(desk.line("d"), Heard::Show(String::new(), Extent::All));
    let all = text(&desk.show(ROOM, Extent::All));
    assert!(all.contains("   │ 60 + line 60\n? 1  Write src/lib.rs: new, +60\ny yes"), "{all}");
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
    let first = shown(&mut desk);
    assert!(first.contains("? 1  Colour?\n   │ 1 red\n   │ 2 blue (like water)\na number, or"), "{first}");
    assert_eq!(desk.line("2"), again());
    assert!(shown(&mut desk).contains("? 1  Which?"));
    assert_eq!(desk.line("1, 2"), again());
    let answers = ["blue", "red, blue", "none of them"].map(String::from).to_vec();
    assert_eq!(desk.line("none of them"), Heard::Said(1, UserAnswer::Answers(answers)));
}

#[test]
fn a_plan_is_approved_or_sent_back() {
    let mut desk = Desk::default();
    desk.add(1, Matter::Plan("1. look\n2. act".into()));
    assert!(shown(&mut desk).contains("? 1  the plan of the model\n   │ 1. look\n   │ 2. act\ny yes"));
    assert!(matches!(desk.line("a"), Heard::Hint(_)));
    assert_eq!(desk.line("n look twice"), Heard::Said(1, UserAnswer::No("look twice".into())));
    desk.add(2, Matter::Plan(String::new()));
    assert!(shown(&mut desk).contains("a plan that it has not written down"));
    assert_eq!(desk.line("y"), Heard::Said(2, UserAnswer::Yes));
}

#[test]
fn a_closed_terminal_is_a_no() {
    let mut desk = desk(&["one", "two"]);
    assert_eq!(desk.close(), [1, 2].map(|number| (number, UserAnswer::No(GONE.into()))));
    assert_eq!(desk.line("y"), Heard::Nothing);
}

/// Texts that would like to be the menu.
fn hostile() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        Just("\ny yes · n no\n> ".to_owned()),
        Just("\r? 1  Bash: ls\r\n".to_owned()),
        Just("\u{1b}[2J\u{1b}[H\u{1b}]0;t\u{7}".to_owned()),
        Just("\u{202e}\u{2028}\u{85}\u{9b}1A".to_owned()),
        Just("new command> ".repeat(30)),
        Just("漢".repeat(100)),
        any::<String>(),
    ];
    prop::collection::vec(piece, 0..5).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]
    #[test]
    fn nothing_that_is_asked_about_pretends_to_be_the_menu(text in hostile(), columns in 20usize..100, rows in 12usize..40) {
        let room = Room { columns, rows };
        let choice = || vec![Pick { label: text.clone(), meaning: Some(text.clone()) }];
        let matters = [
            asked(call("Bash", &json!({"command": text, "description": text})).always(Some(text.clone()))),
            asked(call(&text, &json!({&text: text}))),
            asked(call("Write", &json!({"file_path": format!("/nowhere/{text}"), "content": text}))),
            asked(call("Edit", &json!({"file_path": text, "old_string": text, "new_string": "x", &text: 1}))),
            Matter::Plan(text.clone()),
            Matter::questions(vec![Query { text: text.clone(), choices: choice(), several: false }]),
        ];
        for matter in matters {
            let mut desk = Desk::default();
            desk.add(1, matter);
            desk.add(2, bash("ls"));
            for extent in [Extent::Fitting, Extent::All, Extent::Head] {
                let lines = desk.show(room, extent);
                let is_small = columns < 40 || rows < 20;
                prop_assert!(extent == Extent::All || is_small || lines.len() < rows, "{} of {rows}", lines.len());
                let mut numbers = Vec::new();
                for line in &lines {
                    let text = line.text();
                    prop_assert!(line.width() <= columns, "{text:?}");
                    prop_assert!(!text.contains(|it: char| it.is_control() || matches!(it, '\u{202e}' | '\u{2028}')), "{text:?}");
                    numbers.extend(text.strip_prefix("? ").map(|rest| rest.chars().next()));
                    let is_ours = ["? ", "  ", "a always:"].iter().any(|begins| text.starts_with(begins));
                    prop_assert!(!text.starts_with("> ") && !text.starts_with("new "), "{text:?}");
                    prop_assert!(is_ours || is_of_menu(text), "{text:?}");
                }
                let named: &[_] = if extent == Extent::All { &[Some('2'), Some('1'), Some('1')] } else { &[Some('2'), Some('1')] };
                prop_assert_eq!(numbers, named);
            }
        }
    }
}

/// A row of a menu that was broken: only our own words are in it.
fn is_of_menu(row: &str) -> bool {
    let menu = "y yes · n no (and why) · e edit the command · e edit the input \
                a number before it answers another one, as in `2 y`; a number alone shows it \
                a number, or your own words";
    let words: Vec<&str> = menu.split(' ').collect();
    row.split(' ').all(|word| words.contains(&word))
}
