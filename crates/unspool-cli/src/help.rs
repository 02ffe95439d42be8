//! What help says below the options, for the width that there is.
//!
//! In the source it has lines as they are easily read there. A paragraph is filled anew; a line that is indented is an example or
//! a row of a table, and stays one.

use clap::Command;

/// How far what goes on below an example is indented beyond it.
const DEEPER: usize = 4;

/// The program with all of its help as wide as this.
pub(crate) fn fitted(program: Command, width: usize) -> Command {
    let text = |command: &Command| {
        filled(&command.get_after_help().map(ToString::to_string).unwrap_or_default(), width)
    };
    let last = text(&program);
    let program = program.term_width(width).after_help(last);
    program.mut_subcommands(|command| {
        let last = text(&command);
        command.after_help(last)
    })
}

fn filled(text: &str, width: usize) -> String {
    let mut lines: Vec<String> = Vec::new();
    let mut paragraph: Vec<&str> = Vec::new();
    for line in text.lines().chain([""]) {
        let stands_alone = line.is_empty() || line.starts_with(' ') || line.ends_with(':');
        if !line.is_empty() && !line.starts_with(' ') {
            paragraph.extend(line.split(' '));
        }
        if stands_alone {
            lines.extend(wrapped(&std::mem::take(&mut paragraph), "", "", "", width));
        }
        if line.is_empty() || line.starts_with(' ') {
            lines.extend(set(line, width));
        }
    }
    lines.pop();
    lines.join("\n")
}

/// A line that stays one, or is broken so that it can still be read, and typed.
fn set(line: &str, width: usize) -> Vec<String> {
    if line.len() <= width {
        return vec![line.to_owned()];
    }
    let indent = &line[..line.len() - line.trim_start().len()];
    if let Some((call, comment)) = line.split_once("    # ") {
        let next = format!("{indent}# ");
        let mut lines = wrapped(&comment.split(' ').collect::<Vec<_>>(), &next, &next, "", width);
        lines.extend(set(call, width));
        return lines;
    }
    if let Some(cell) = last_cell(line).filter(|cell| *cell <= width / 2) {
        let words: Vec<&str> = line[cell..].split(' ').collect();
        return wrapped(&words, &line[..cell], &" ".repeat(cell), "", width);
    }
    let next = " ".repeat(indent.len() + DEEPER);
    wrapped(&arguments(line.trim_start()), indent, &next, " \\", width)
}

/// Where the last column begins, in a row of a table.
fn last_cell(line: &str) -> Option<usize> {
    let begins = line.len() - line.trim_start().len();
    Some(begins + line[begins..].rfind("  ")? + 2)
}

/// The words of a command; what is quoted is one.
fn arguments(line: &str) -> Vec<&str> {
    let mut is_quoted = false;
    line.split(|c: char| {
        is_quoted ^= c == '\'';
        c == ' ' && !is_quoted
    })
    .collect()
}

/// Fills lines with words; `end` stands behind each that goes on.
fn wrapped(words: &[&str], first: &str, next: &str, end: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let mut line = first.to_owned();
    let mut is_empty = true;
    for word in words {
        if !is_empty && line.len() + 1 + word.len() + end.len() > width {
            lines.push(std::mem::replace(&mut line, next.to_owned()) + end);
            is_empty = true;
        }
        if !is_empty {
            line.push(' ');
        }
        line.push_str(word);
        is_empty = false;
    }
    if !is_empty {
        lines.push(line);
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    const TEXT: &str = "\
Examples:
  unspool run 'fix the tests' --allow Edit
  unspool view run.ndjson    # what was recorded

Of what is long the beginning
and the end are shown.
  10  ok      the last turn completed and nothing went wrong";

    #[test]
    fn paragraphs_are_filled_and_examples_stay_commands() {
        let narrow = "\
Examples:
  unspool run 'fix the tests' \\
      --allow Edit
  # what was recorded
  unspool view run.ndjson

Of what is long the beginning and
the end are shown.
  10  ok      the last turn
              completed and nothing
              went wrong";
        assert_eq!(filled(TEXT, 36), narrow);
        assert_eq!(filled(TEXT, 1000), TEXT.replace("beginning\nand", "beginning and"));
    }

    #[test]
    fn all_help_fits() {
        let program = crate::Cli::command();
        for width in [60, 80, 100] {
            for command in program.get_subcommands().chain([&program]) {
                let text = command.get_after_help().map(ToString::to_string).unwrap_or_default();
                let filled = filled(&text, width);
                for line in filled.lines() {
                    assert!(line.len() <= width, "{}, {width}: {line}", command.get_name());
                }
                let words = |text: &str| {
                    let mut words: Vec<_> = text
                        .split_whitespace()
                        .filter(|it| !matches!(*it, "\\" | "#"))
                        .map(str::to_owned)
                        .collect();
                    words.sort_unstable();
                    words
                };
                assert_eq!(words(&filled), words(&text), "{}", command.get_name());
            }
        }
    }
}
