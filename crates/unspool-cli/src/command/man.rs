//! `unspool man`: the manual, as `man` reads it.

use crate::Cli;
use crate::output::Lines;
use crate::wrong_call::WrongCall;
use clap::{Command, CommandFactory};
use clap_mangen::Man;
use std::io::{self, Write};
use std::process::ExitCode;

/// Print the manual page of the program, or of one of its commands.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct ManArgs {
    /// The command; nothing for the program as a whole.
    command: Option<String>,
}

const EXAMPLES: &str = "\
Examples:
  unspool man | man -l -
  unspool man > ~/.local/share/man/man1/unspool.1
  unspool man html > ~/.local/share/man/man1/unspool-html.1";

impl ManArgs {
    pub(crate) fn run(self, out: &mut impl Write) -> anyhow::Result<ExitCode> {
        let mut program = Cli::command();
        program.build();
        let command = match &self.command {
            None => program,
            Some(name) => {
                let found = program.find_subcommand(name).cloned();
                found.ok_or_else(|| WrongCall::new(format!("there is no command '{name}'")))?
            }
        };
        let page = page(command)?;
        let mut lines = Lines::new(out);
        lines.piece(|held| held.push_str(&page))?;
        lines.flush()?;
        Ok(ExitCode::SUCCESS)
    }
}

/// The page of a command. What its help says at the end is set line by line, as it stands there.
fn page(command: Command) -> io::Result<String> {
    let last = command.get_after_help().map(ToString::to_string).unwrap_or_default();
    let name = command.get_display_name().unwrap_or(command.get_name()).replace(' ', "-");
    let man = Man::new(command.clone().after_help("")).title(name);
    let mut page = Vec::new();
    man.render_title(&mut page)?;
    man.render_name_section(&mut page)?;
    man.render_synopsis_section(&mut page)?;
    man.render_description_section(&mut page)?;
    if command.get_arguments().next().is_some() {
        man.render_options_section(&mut page)?;
    }
    if command.has_subcommands() {
        man.render_subcommands_section(&mut page)?;
    }
    Ok(emphasised(&(String::from_utf8_lossy(&page).into_owned() + &examples(&last))))
}

/// What help quotes by backquotes, a manual has in bold.
fn emphasised(page: &str) -> String {
    let line = |line: &str| match line.matches('`').count() {
        // One that is open is a mark of its own.
        0 => line.to_owned(),
        marks if marks % 2 == 1 => line.to_owned(),
        _ => (line.split('`').enumerate())
            .map(|(at, piece)| if at % 2 == 0 { piece.to_owned() } else { format!("\\fB{piece}\\fR") })
            .collect(),
    };
    page.split_inclusive('\n').map(line).collect()
}

/// The text under its own heading, which is its first line.
fn examples(text: &str) -> String {
    let (heading, rest) = text.split_once('\n').unwrap_or_default();
    if rest.is_empty() {
        return String::new();
    }
    let lines: String = rest.lines().map(|line| format!("{}\n", set(line))).collect();
    format!(".SH {}\n.nf\n{lines}.fi\n", heading.trim_end_matches(':').to_uppercase())
}

/// A line that is neither filled nor obeyed.
fn set(line: &str) -> String {
    let line = line.replace('\\', "\\e").replace('-', "\\-");
    if line.starts_with(['.', '\'']) { format!("\\&{line}") } else { line }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_command_has_a_page_with_its_examples() {
        let mut program = Cli::command();
        program.build();
        let names: Vec<_> = program.get_subcommands().map(|command| command.get_name().to_owned()).collect();
        assert!(names.len() >= 10, "{names:?}");
        for command in program.get_subcommands().filter(|command| command.get_name() != "help") {
            let page = page(command.clone()).unwrap();
            let title = format!(".TH unspool-{} 1", command.get_name());
            assert!(page.contains(&title), "{page}");
            assert!(page.contains("\n.SH EXAMPLE") && page.contains("\n.SH SYNOPSIS"), "{page}");
            assert!(!page.contains('`'), "{page}");
        }
    }

    #[test]
    fn what_is_quoted_is_bold() {
        assert_eq!(
            emphasised("see `a \\-b`, `c`\n'tis ` one\n"),
            "see \\fBa \\-b\\fR, \\fBc\\fR\n'tis ` one\n"
        );
    }

    #[test]
    fn a_line_is_set_as_it_stands() {
        assert_eq!(
            examples("Examples:\n  a --b \\n\n.c\n\nd"),
            ".SH EXAMPLES\n.nf\n  a \\-\\-b \\en\n\\&.c\n\nd\n.fi\n"
        );
        assert_eq!(examples(""), "");
    }
}
