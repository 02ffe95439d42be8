//! People at the terminal are asked.

use super::stage::{TWO_CALLS, all, on};
use crate::terminal::Terminal;

#[test]
#[ignore = "needs versions of Claude Code: cargo xtask cli"]
fn people_are_asked_at_the_terminal() {
    on(all, TWO_CALLS, |stage| {
        let mut terminal = Terminal::start(&stage.command(&["run", "go", "--ask", "--timeout", "100s"]));
        terminal.answers("Bash: mkdir one.dir", "n not that one");
        terminal.answers("Bash: mkdir two.dir", "e");
        terminal.answers("new command", "mkdir three.dir");
        terminal.answers("mkdir three.dir", "y");
        let (code, shown) = terminal.ended();
        assert_eq!(code, Some(0), "{} {shown}", stage.version);
        let there = ["one.dir", "two.dir", "three.dir"].map(|file| stage.has(file));
        assert_eq!(there, [false, false, true], "{} {shown}", stage.version);
    });
}

const CONSULTS: &str = r#"
    [[turn]]
    call.Bash.command = "mkdir -p one.dir"
    [[turn]]
    call.Bash.command = "mkdir -p one.dir"
    [[turn]]
    call.AskUserQuestion.questions = [{ question = "Which colour?", header = "Colour", multiSelect = false, options = [{ label = "Red", description = "like fire" }, { label = "Blue", description = "like water" }] }]
    [[turn]]
    say = "Done."
"#;

/// 1.0.128 has no such questions.
#[test]
#[ignore = "needs versions of Claude Code: cargo xtask cli"]
fn people_allow_for_good_and_answer_questions() {
    on(
        |version| !version.starts_with("1."),
        CONSULTS,
        |stage| {
            let mut terminal = Terminal::start(&stage.command(&["run", "go", "--ask", "--timeout", "60s"]));
            terminal.until("Bash: mkdir -p one.dir");
            terminal.answers("a always: allow ", "a");
            // Nothing is asked when it is called again.
            terminal.until("Which colour?");
            terminal.answers("2 Blue (like water)", "2");
            let (code, shown) = terminal.ended();
            assert_eq!(code, Some(0), "{} {shown}", stage.version);
            assert!(shown.contains("\"Which colour?\"=\"Blue\""), "{} {shown}", stage.version);
        },
    );
}

const PLANS: &str = r#"
    [[turn]]
    call.ExitPlanMode.plan = "1. Make one.dir"
    [[turn]]
    call.ExitPlanMode.plan = "1. Make two.dir"
    [[turn]]
    call.Bash.command = "mkdir two.dir"
    [[turn]]
    say = "Done."
"#;

#[test]
#[ignore = "needs versions of Claude Code: cargo xtask cli"]
fn people_send_plans_back_and_approve_them() {
    on(all, PLANS, |stage| {
        let args = ["run", "go", "--ask", "--timeout", "100s", "--", "--permission-mode", "plan"];
        let mut terminal = Terminal::start(&stage.command(&args));
        terminal.answers("? 1 ", "n make another one");
        terminal.answers("? 2 ", "y");
        terminal.answers("Bash: mkdir two.dir", "y");
        let (code, shown) = terminal.ended();
        assert_eq!(code, Some(0), "{} {shown}", stage.version);
        assert!(stage.has("two.dir"), "{} {shown}", stage.version);
    });
}
