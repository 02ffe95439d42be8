//! How wide lines are: at a screen, behind a pager, in a file.

use crate::terminal::Terminal;
use std::fs;
use std::path::Path;
use std::process::Command;

const RECORDING: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/demo/fix-the-tests.ndjson");

/// What a shell line shows at a terminal of 64 columns; `$unspool` is the program, `$recording` a recording.
fn shown(line: &str) -> String {
    let mut command = Command::new("sh");
    command.args(["-c", &format!("stty rows 20 cols 64; {line}")]).env("COLUMNS", "").env("NO_COLOR", "1");
    command.env("unspool", env!("CARGO_BIN_EXE_unspool")).env("recording", RECORDING).current_dir("/");
    let (code, shown) = Terminal::start(&command).ended();
    assert_eq!(code, Some(0), "{shown}");
    shown.replace("\r\n", "\n")
}

fn widest(text: &str) -> usize {
    text.lines().map(|line| line.chars().count()).max().unwrap_or(0)
}

#[test]
fn a_pager_gets_lines_as_wide_as_the_screen() {
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("width-{}.txt", std::process::id()));
    let in_file = |line: &str| {
        shown(&format!("{line} > {}", file.display()));
        widest(&fs::read_to_string(&file).unwrap())
    };
    let behind = |line: &str| widest(&shown(&format!("{line} | cat")));
    for report in ["$unspool view $recording", "$unspool stats $recording", "$unspool demo --fast"] {
        let wide = behind(report);
        assert!((50..=64).contains(&wide), "{report}: {wide}");
        assert!((50..=64).contains(&behind(&format!("{report} 2> /dev/null"))), "{report}");
        assert!((30..=40).contains(&behind(&format!("COLUMNS=40 {report}"))), "{report}");
        assert!((70..=80).contains(&behind(&format!("{report} --width 80"))), "{report}");
        assert!((70..=100).contains(&in_file(report)), "{report}");
        assert!((30..=40).contains(&in_file(&format!("COLUMNS=40 {report}"))), "{report}");
        assert!((70..=100).contains(&in_file(&format!("setsid {report} 2> /dev/null | cat"))), "{report}");
        assert!((50..=64).contains(&widest(&shown(&format!("COLUMNS=40 {report}")))), "{report}");
    }
}

#[test]
fn help_is_broken_between_words() {
    // A command that goes on in the next line says so.
    let words =
        |text: &str| text.split_whitespace().filter(|it| *it != "\\").map(str::to_owned).collect::<Vec<_>>();
    let wide = shown("COLUMNS=1000 setsid -w $unspool run --help 2> /dev/null < /dev/null | cat");
    let narrow = shown("$unspool run --help");
    assert!(widest(&wide) > 64 && widest(&narrow) <= 64, "{narrow}");
    assert_eq!(words(&narrow), words(&wide));
}

/// Whatever reads a recording says the same of it.
#[test]
fn the_demo_is_its_recording() {
    let demo = shown("COLUMNS=90 $unspool demo --fast | cat");
    assert!(demo.contains("✓ ok"), "{demo}");
    assert_eq!(demo, shown("COLUMNS=90 $unspool view $recording | cat"));
}
