//! The grammar of lines that PowerShell takes for commands and their words, and nothing else.
//!
//! ```text
//! line    = command { ( ";" | "|" | "&" | newline )+ command }
//! command = word { blank word }
//! word    = { letter | digit | "-" | "_" | "." | "," | ":" | "\" | "/" | "=" | "+" | "?" | "*" | "~" | "^" }
//! ```
//!
//! There are no quotes, variables, blocks, types or comments in it, nor any letter that PowerShell might take for one of
//! its marks because it looks like it.

use super::command::Command;

/// The commands of a line, at least one, if it is certain that it runs no others.
pub(super) fn commands(line: &str) -> Option<Vec<Command>> {
    let line = line.replace("\r\n", "\n");
    let is_word = |c: char| c.is_ascii_alphanumeric() || "-_.,:\\/=+?*~^".contains(c);
    let is_end = |c: char| matches!(c, ';' | '|' | '&' | '\n');
    if !line.chars().all(|c| is_word(c) || is_end(c) || matches!(c, ' ' | '\t')) {
        return None;
    }
    let commands = line.split(is_end).filter_map(|command| Command::plain(command.split_ascii_whitespace()));
    Some(commands.collect::<Vec<_>>()).filter(|commands| !commands.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn powershell_has_a_grammar_of_its_own() {
        for (line, commands_of_it) in [
            ("dir", Some(vec!["dir"])),
            (r"dir  C:\;rm x", Some(vec![r"dir C:\", "rm x"])),
            ("dir | sort && rm\tx\r\nls", Some(vec!["dir", "sort", "rm x", "ls"])),
            ("Get-ChildItem -Path . -Filter *.rs", Some(vec!["Get-ChildItem -Path . -Filter *.rs"])),
            ("", None),
            (";", None),
            ("dir \u{201c};rm x", None),
            ("dir \u{2019};rm x", None),
            ("dir \u{2013}x", None),
            ("dir\u{a0}x", None),
            ("dir\u{85}rm x", None),
            ("dir\rrm x", None),
            ("dir `;rm x", None),
            ("dir $(rm x)", None),
            ("dir # x", None),
            ("dir > x", None),
            ("dir --% ; x", None),
            ("ls | % x", None),
            ("[io.file]::delete", None),
        ] {
            let read = commands(line).map(|it| it.iter().flat_map(Command::readings).collect::<Vec<_>>());
            assert_eq!(read, commands_of_it.map(|it| it.iter().map(ToString::to_string).collect()), "{line}");
        }
    }
}
