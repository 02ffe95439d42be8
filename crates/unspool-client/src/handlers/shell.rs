//! Just enough of the grammar of shells to be sure which commands a line runs.

/// Whose grammar a line is in.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Shell {
    Posix,
    Power,
}

impl Shell {
    /// The one that a tool gives its lines to.
    pub(super) fn of(tool: &str) -> Self {
        if tool == "PowerShell" { Shell::Power } else { Shell::Posix }
    }

    /// The commands of a line, if it is plain enough to be sure that it runs no others.
    pub(super) fn commands(self, line: &str) -> Option<Vec<&str>> {
        match self {
            Shell::Posix => posix(line),
            Shell::Power => power(line),
        }
    }
}

/// A backslash means nothing to PowerShell, and much else does: without any of that it is easy to take apart.
fn power(line: &str) -> Option<Vec<&str>> {
    if line.contains(|c| "'\"“”„‘’‚‛`$(){}[]<>@#%".contains(c)) {
        return None;
    }
    let commands = line.split([';', '|', '&', '\n', '\r']).map(str::trim);
    Some(commands.filter(|command| !command.is_empty()).collect())
}

/// Substitutions, subshells, here-documents and redirections to files are not plain.
fn posix(line: &str) -> Option<Vec<&str>> {
    let mut commands = Vec::new();
    let mut start = 0;
    let mut rest = line.char_indices().peekable();
    let mut quote = None;
    while let Some((at, c)) = rest.next() {
        let next = rest.peek().map(|(_, next)| *next);
        match (quote, c) {
            (Some('\''), c) => quote = (c != '\'').then_some('\''),
            (_, '`') => return None,
            (_, '$') if matches!(next, Some('(' | '{' | '\'')) => return None,
            (_, '\\') => drop(rest.next()?),
            (Some(_), c) => quote = (c != '"').then_some('"'),
            (None, '\'' | '"') => quote = Some(c),
            (None, '(' | ')' | '<' | '{' | '}') => return None,
            (None, '>') => {
                let length = harmless(&line[at..])?;
                while rest.peek().is_some_and(|(next, _)| *next < at + length) {
                    rest.next();
                }
            }
            (None, ';' | '&' | '|' | '\n') => {
                commands.push(line[start..at].trim());
                start = at + 1;
            }
            (None, '#') if begins_word(&line[..at])? => {
                commands.push(line[start..at].trim());
                start = at + comment(&line[at..])?;
                while rest.peek().is_some_and(|(next, _)| *next < start) {
                    rest.next();
                }
            }
            // To a shell they are letters like any other.
            (None, c) if c.is_whitespace() && !matches!(c, ' ' | '\t') => return None,
            (None, _) => {}
        }
    }
    if quote.is_some() {
        return None;
    }
    commands.push(line[start..].trim());
    commands.retain(|command| !command.is_empty());
    Some(commands.into_iter().map(without_redirections).collect())
}

/// Whether a word begins behind this text; `None` if it is hard to say.
fn begins_word(before: &str) -> Option<bool> {
    let mut before = before.chars().rev();
    match (before.next(), before.next()) {
        (Some(c), Some('\\')) if c.is_whitespace() => None,
        (None | Some(' ' | '\t' | '\n' | ';' | '&' | '|'), _) => Some(true),
        (Some(_), _) => Some(false),
    }
}

/// How long the comment is; `None` if it would mean something to whoever does not take it for one.
fn comment(rest: &str) -> Option<usize> {
    let length = rest.find('\n').unwrap_or(rest.len());
    let means_something = |c| "'\"\\`$;&|<>(){}\r".contains(c);
    (!rest[..length].contains(means_something)).then_some(length)
}

/// Where output may go without doing any harm.
const HARMLESS: [&str; 7] = [">&1", ">&2", "> /dev/null", ">/dev/null", ">>/dev/null", ">> /dev/null", ">&-"];

fn harmless(rest: &str) -> Option<usize> {
    let known = HARMLESS.into_iter().find(|known| rest.starts_with(known))?;
    let behind = rest[known.len()..].chars().next();
    behind.is_none_or(|c| c.is_whitespace() || matches!(c, ';' | '&' | '|')).then_some(known.len())
}

/// `cargo test 2>&1` is `cargo test`.
fn without_redirections(command: &str) -> &str {
    let mut command = command;
    loop {
        let cut = HARMLESS.iter().find_map(|known| command.strip_suffix(known));
        let Some(cut) = cut else { return command };
        // A digit that belongs to a word does not belong to the redirection.
        let number =
            cut.strip_suffix(['1', '2']).filter(|rest| rest.is_empty() || rest.ends_with([' ', '\t']));
        command = number.unwrap_or(cut).trim_end();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_lines_are_taken_apart() {
        for (line, commands_of_it) in [
            ("cargo test", vec!["cargo test"]),
            ("cargo test && cargo fmt; ls", vec!["cargo test", "cargo fmt", "ls"]),
            ("cargo test 2>&1 | tail -5", vec!["cargo test", "tail -5"]),
            ("cargo test >/dev/null 2>&1", vec!["cargo test"]),
            ("echo 'a && b'", vec!["echo 'a && b'"]),
            (r#"echo "a; b" \; c"#, vec![r#"echo "a; b" \; c"#]),
            ("sleep 1 &\nls", vec!["sleep 1", "ls"]),
            ("cargo2>&1", vec!["cargo2"]),
            ("cargo 2>&1", vec!["cargo"]),
            ("cargo test # all of them", vec!["cargo test"]),
            ("# first\ncargo test\n#then\nls;#x", vec!["cargo test", "ls"]),
            ("cargo test a#b \\# '#' c", vec!["cargo test a#b \\# '#' c"]),
        ] {
            assert_eq!(posix(line), Some(commands_of_it), "{line}");
        }
    }

    #[test]
    fn what_may_run_more_is_not_plain() {
        for line in [
            "cargo test $(rm -rf x)",
            "cargo test `rm -rf x`",
            "cargo test \"$(rm x)\"",
            "cargo test > /etc/passwd",
            "cargo test >/dev/nullx",
            "cargo test >& file",
            "cat <<EOF",
            "diff <(ls) x",
            "(ls)",
            "echo 'open",
            "echo ${x:-$(rm y)}",
            "echo $'a'",
            "echo \\",
            "cargo test # '\nrm -rf x\n# '",
            "cargo test # \"\nrm -rf x\n# \"",
            "cargo test # it's",
            "cargo test # a \\\nrm x",
            "cargo test #$(x)",
            "cargo test # a; b",
            "cargo test\u{a0}# a",
            "cargo test \\\n# a",
            "cargo test \\ # a",
            "cargo test &&\r ls",
            "\u{a0}cargo test",
        ] {
            assert_eq!(posix(line), None, "{line}");
        }
    }

    #[test]
    fn powershell_has_a_grammar_of_its_own() {
        for (line, commands_of_it) in [
            ("dir", Some(vec!["dir"])),
            (r"dir C:\;rm x", Some(vec![r"dir C:\", "rm x"])),
            ("dir | sort && rm x\r\nls", Some(vec!["dir", "sort", "rm x", "ls"])),
            ("dir \u{201c};rm x", None),
            ("dir \u{2019};rm x", None),
            ("dir `;rm x", None),
            ("dir $(rm x)", None),
            ("dir # x", None),
            ("dir > x", None),
            ("ls | % x", None),
            ("[io.file]::delete", None),
        ] {
            assert_eq!(Shell::Power.commands(line), commands_of_it, "{line}");
        }
    }
}
