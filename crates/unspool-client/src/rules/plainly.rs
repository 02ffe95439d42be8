//! What a line plainly runs, to look for commands that must not be.
//!
//! Here it is better to see a command where there is none than to miss one: what is quoted may be given to another
//! shell, so it is looked at like a line of its own.

use super::launch::{KEYWORDS, SHELLS, is_launcher, launches};
use super::pattern::{Pattern, without_exe};
use super::pieces::{Piece, QUOTED, pieces};
use super::shell::{LONGEST, Shell};

/// Whether something that the line may run fits. Nobody looks for it in a line that is too long.
pub(super) fn runs(line: &str, shell: Shell, sought: &Pattern) -> bool {
    let looked_at = || shell.readings(line).iter().any(|line| in_line(line, shell, sought));
    line.len() > LONGEST || sought.fits(line.trim()) || looked_at()
}

/// Looks at the line as it is read; at what is between quotes and what seems to be; and at what is between any two
/// marks.
fn in_line(line: &str, shell: Shell, sought: &Pattern) -> bool {
    let opens = |c: char| matches!(c, '"' | '\'' | '{' | '}') || shell == Shell::Posix && c == '`';
    let ends = |c: char| opens(c) || matches!(c, ';' | '&' | '|' | '\n' | '\r' | '(' | ')');
    let found = |part: &str| {
        let pieces = pieces(part, shell);
        let is_read_by_shell = pieces.iter().any(|piece| piece.is_piped && piece.is_shell(shell));
        pieces
            .iter()
            .any(|piece| sought.fits(piece.written.trim()) || piece.runs(shell, is_read_by_shell, sought))
    };
    found(line) || line.split(opens).any(found) || line.split(ends).any(found)
}

/// What is nothing, if nobody has given the shell any arguments.
const NOTHING: [&str; 15] =
    ["$@", "$*", "${@}", "${*}", "$()", "``", "$1", "$2", "$3", "$4", "$5", "$6", "$7", "$8", "$9"];

impl Shell {
    /// What the line may be to a shell. A line goes on in the next one, unless its end is a comment; to PowerShell all
    /// quotes are the same; a `\r` may end a line, or be a letter like any other.
    fn readings(self, line: &str) -> Vec<String> {
        let mut readings = match self {
            Shell::Posix => vec![line.replace("\\\n", ""), line.replace("\\\n", "\n")],
            Shell::Power => {
                let line = line.replace("`\n", "").replace("`\r\n", "");
                vec![line.replace(['“', '”', '„'], "\"").replace(['‘', '’', '‚', '‛'], "'")]
            }
        };
        if self == Shell::Posix {
            readings
                .push(NOTHING.iter().fold(readings[0].clone(), |line, nothing| line.replace(nothing, "")));
            readings.push(readings[0].replace(['{', '}', ','], " "));
        }
        readings.push(readings[0].replace('\r', ""));
        readings.sort_unstable();
        readings.dedup();
        readings
    }

    fn ends_name(self, c: char) -> bool {
        c == '/' || self == Shell::Power && c == '\\'
    }
}

impl Piece {
    /// Whether a command that it runs fits. A quoted blank may be one that a shell reads later.
    fn runs(&self, shell: Shell, is_read_by_shell: bool, sought: &Pattern) -> bool {
        let loose = self.meant.contains(QUOTED).then(|| self.meant.replace(QUOTED, " "));
        [Some(&self.meant), loose.as_ref()].into_iter().flatten().any(|meant| {
            let short = meant.contains(".exe").then(|| without_exe(meant));
            [Some(meant), short.as_ref()].into_iter().flatten().any(|meant| {
                let words = program_and_words(meant);
                let launched = if is_read_by_shell { Some(0) } else { first_launched(&words, shell) };
                let (text, begins) = beginnings(&words, launched, shell);
                sought.fits_from(&text, &begins)
            })
        })
    }

    fn is_shell(&self, shell: Shell) -> bool {
        let words = program_and_words(&self.meant);
        let looked_at = if first_launched(&words, shell) == Some(0) { words.len() } else { 1 };
        words.iter().take(looked_at).any(|word| SHELLS.contains(&name(word, shell)))
    }
}

/// The words of a command from its program on: without keywords, variables and options of keywords.
fn program_and_words(meant: &str) -> Vec<&str> {
    let mut words: Vec<&str> = meant.split_whitespace().collect();
    let is_before = |word: &&&str| KEYWORDS.contains(*word) || sets_variable(word) || word.starts_with('-');
    let before = words.iter().take_while(is_before).count();
    words.drain(..before.min(words.len().saturating_sub(1)));
    words
}

/// From which word on each may begin a command that the first one starts.
fn first_launched(words: &[&str], shell: Shell) -> Option<usize> {
    if words.first().is_some_and(|word| is_launcher(name(word, shell))) {
        return Some(0);
    }
    words.iter().skip(1).position(|word| launches(word)).map(|at| at + 2)
}

/// The words on a line, and where commands may begin on it: with the first word, with those that may be launched, and
/// there with the path of the program and with its name.
fn beginnings(words: &[&str], launched: Option<usize>, shell: Shell) -> (String, Vec<usize>) {
    let (mut text, mut begins) = (String::new(), Vec::new());
    for (number, word) in words.iter().enumerate() {
        if number > 0 {
            text.push(' ');
        }
        if number == 0 || launched.is_some_and(|first| number >= first) {
            begins.extend([text.len(), text.len() + name_at(word, shell)]);
        }
        text.push_str(&word.replace(QUOTED, " "));
    }
    (text, begins)
}

/// The name of a program, by its path.
fn name(word: &str, shell: Shell) -> &str {
    let name = &word[name_at(word, shell)..];
    name.strip_suffix(".exe").unwrap_or(name)
}

fn name_at(word: &str, shell: Shell) -> usize {
    word.rfind(|c| shell.ends_name(c)).map_or(0, |at| at + 1)
}

/// `A=1`, `a+=1`, `a[0]=1`.
fn sets_variable(word: &str) -> bool {
    let name = word.split_once('=').map(|(name, _)| name.trim_end_matches('+'));
    let name = name.map(|name| name.split('[').next().unwrap_or_default());
    name.is_some_and(|name| name.chars().all(|c| c.is_alphanumeric() || c == '_'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn finds(line: &str, shell: Shell) -> bool {
        super::runs(line, shell, &Pattern::for_text("rm x", shell))
    }

    #[test]
    fn commands_are_found_wherever_they_hide() {
        for line in [
            "rm x",
            "a && rm x",
            "echo $(rm x)",
            "A=1 B=2 rm x",
            "A=\"1 2\" b[0]+=3 rm x",
            "A=$(date) rm x",
            "bash -c 'rm x'",
            "(rm x)",
            "`rm x`",
            "if rm x; then",
            "if a; then rm x; fi",
            "while ! rm x; do",
            "for a in b; do rm x; done",
            "{ rm x; }",
            "f() { rm x; }",
            "time -p rm x",
            "sudo -u me rm x",
            "/usr/bin/sudo rm x",
            "env A=1 nice -n 5 rm x",
            "find . -name a -exec rm x \\;",
            "ls | xargs -n 1 rm x",
            "timeout 5 rm x",
            "busybox rm x",
            "eval rm x",
            "eval \"rm x\"",
            "bash -c '>y rm x'",
            "sh -c \"if a; then rm x; fi\"",
            ">y rm x",
            "> y 2>&1 rm x",
            "a=1 <y rm x",
            "&>y rm x",
            ">|y rm x",
            "rm >y x",
            "A=\r1 >y rm x",
            "echo a >|rm x; rm x",
            "/bin/rm x",
            "./rm x",
            "/bin/rm.exe x",
            "\\rm x",
            "r\\m x",
            "r'm' x",
            "\"rm\" 'x'",
            "$'rm' x",
            "rm\tx",
            "rm   x",
            "rm \\\n x",
            "r\\\nm x",
            "echo \\>|rm x",
            "# don't\nrm x",
            "# don't\nenv 2>&1 rm x\n# don't",
            "cat <<E\nit's\nE\nrm x",
            "ls # all \\\nrm x",
            "A=\"1 2\" /bin/r''m x",
            "A='1 2' B=\\ 3 rm x",
            "time -f %e rm x",
            "time -o f rm x",
            "{rm,x}",
            "r$@m x",
            "r``m x",
            "r$()m x",
            "r\"$*\"m x",
            "echo rm x | sh",
            "echo a | tee b | sudo bash -s; echo rm x |& sh",
            "uv run rm x",
            "poetry run -q rm x",
            "bundle exec rm x",
            "npm exec -- rm x",
            "npx rm x",
            "docker exec -it box rm x",
            "kubectl exec pod -- /bin/rm x",
            "systemd-run rm x",
            "nsenter -t 1 rm x",
            "screen -dm rm x",
            "direnv exec . rm x",
            "caffeinate rm x",
            "git submodule foreach rm x",
        ] {
            assert!(finds(line, Shell::Posix), "{line}");
        }
    }

    #[test]
    fn a_dollar_before_a_quote_is_a_part_of_the_name_if_it_is_quoted_itself() {
        for (line, name) in
            [("\"a$\"'b' x", "a$b"), ("a\\$'b' x", "a$b"), ("a$'b' x", "ab"), ("a$\"b\" x", "ab")]
        {
            let sought = Pattern::for_text(&format!("{name} x"), Shell::Posix);
            assert!(super::runs(line, Shell::Posix, &sought), "{line}");
        }
    }

    #[test]
    fn words_of_other_commands_are_none() {
        for line in [
            "echo rm x",
            "cargo rm x",
            "git rm x",
            "ls >rm x",
            "rm y x",
            "xrm x",
            "a=rm x",
            "# rm x",
            "echo rm x; sh y",
            "echo rm x || sh",
            "docker rm x",
        ] {
            assert!(!finds(line, Shell::Posix), "{line}");
        }
    }

    #[test]
    fn powershell_escapes_by_backticks() {
        for line in [
            r"dir C:\;rm x",
            "r`m x",
            "& 'rm' x",
            "& “rm” x",
            r"C:\bin\rm.exe x",
            "if (a) { rm x }",
            "cmd /c rm x",
            "a; rm `\nx",
        ] {
            assert!(finds(line, Shell::Power), "{line}");
        }
        assert!(!finds("echo rm x", Shell::Power));
    }
}
