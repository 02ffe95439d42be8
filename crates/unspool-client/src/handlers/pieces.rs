//! What a line plainly runs, to look for commands that must not be.
//!
//! Here it is better to see a command where there is none than to miss one: what is quoted may be given to another
//! shell, so it is looked at like a line of its own.

use super::shell::Shell;

/// Words behind which a command stands.
const KEYWORDS: [&str; 11] =
    ["if", "then", "elif", "else", "while", "until", "do", "time", "coproc", "!", "{"];

/// Programs that run what they are given; which of their words begin it is theirs to know.
const WRAPPERS: [&str; 45] = [
    "sudo",
    "doas",
    "pkexec",
    "su",
    "runuser",
    "env",
    "nohup",
    "nice",
    "ionice",
    "chrt",
    "taskset",
    "exec",
    "command",
    "builtin",
    "eval",
    "trap",
    "xargs",
    "parallel",
    "timeout",
    "time",
    "setsid",
    "stdbuf",
    "watch",
    "flock",
    "chroot",
    "unshare",
    "strace",
    "find",
    "fd",
    "bash",
    "sh",
    "zsh",
    "dash",
    "ash",
    "ksh",
    "fish",
    "busybox",
    "ssh",
    "cmd",
    "pwsh",
    "powershell",
    "iex",
    "invoke-expression",
    "start-process",
    "start",
];

/// Whether something that the line may run fits.
pub(super) fn any(line: &str, shell: Shell, fits: impl Fn(&str) -> bool) -> bool {
    let line = shell.as_read(line);
    // It may end a line, or be a letter like any other.
    let bare = line.contains('\r').then(|| line.replace('\r', ""));
    in_line(&line, shell, &fits) || bare.is_some_and(|bare| in_line(&bare, shell, &fits))
}

/// Looks at the line as it is read; at what is between quotes and what seems to be; and at what is between any two
/// marks.
fn in_line(line: &str, shell: Shell, fits: &impl Fn(&str) -> bool) -> bool {
    let opens = |c: char| matches!(c, '"' | '\'' | '{' | '}') || shell == Shell::Posix && c == '`';
    let ends = |c: char| opens(c) || matches!(c, ';' | '&' | '|' | '\n' | '\r' | '(' | ')');
    let found = |part: &str| {
        let pieces = pieces(part, shell);
        pieces.iter().any(|piece| fits(&piece.written) || piece.runs(shell, fits))
    };
    found(line) || line.split(opens).any(found) || line.split(ends).any(found)
}

impl Shell {
    fn escape(self) -> char {
        match self {
            Shell::Posix => '\\',
            Shell::Power => '`',
        }
    }

    /// A line that goes on in the next one is one line; to PowerShell all quotes are the same.
    fn as_read(self, line: &str) -> String {
        match self {
            Shell::Posix => line.replace("\\\n", ""),
            Shell::Power => {
                let line = line.replace("`\n", "").replace("`\r\n", "");
                line.replace(['“', '”', '„'], "\"").replace(['‘', '’', '‚', '‛'], "'")
            }
        }
    }

    fn ends_name(self, c: char) -> bool {
        c == '/' || self == Shell::Power && c == '\\'
    }
}

/// A command, perhaps.
#[derive(Default)]
struct Piece {
    /// As it is written.
    written: String,
    /// Without quotes, escapes and redirections.
    meant: String,
}

impl Piece {
    /// Whether a command that it runs fits.
    fn runs(&self, shell: Shell, fits: &impl Fn(&str) -> bool) -> bool {
        let words: Vec<&str> = self.meant.split_whitespace().collect();
        let line = words.join(" ");
        let mut rest = &*line;
        while let Some((word, behind)) = rest.split_once(' ') {
            if !KEYWORDS.contains(&word) && !sets_variable(word) && !word.starts_with('-') {
                break;
            }
            rest = behind;
        }
        let name = rest.split(' ').next().unwrap_or_default();
        let name = name.rsplit(|c| shell.ends_name(c)).next().unwrap_or_default();
        if !WRAPPERS.contains(&name.strip_suffix(".exe").unwrap_or(name)) {
            return named(rest, shell, fits);
        }
        let mut suffixes = std::iter::successors(Some(rest), |rest| Some(rest.split_once(' ')?.1));
        suffixes.any(|rest| named(rest, shell, fits))
    }
}

/// A command is known by its path, by its name, and without the `.exe` at its end.
fn named(command: &str, shell: Shell, fits: &impl Fn(&str) -> bool) -> bool {
    let end = command.find(' ').unwrap_or(command.len());
    let name = command[..end].rfind(|c| shell.ends_name(c)).map_or(0, |at| at + 1);
    let short = command[name..end].strip_suffix(".exe").map(|short| format!("{short}{}", &command[end..]));
    fits(command) || fits(&command[name..]) || short.is_some_and(|short| fits(&short))
}

/// `A=1`, `a+=1`, `a[0]=1`.
fn sets_variable(word: &str) -> bool {
    let name = word.split_once('=').map(|(name, _)| name.trim_end_matches('+'));
    let name = name.map(|name| name.split('[').next().unwrap_or_default());
    name.is_some_and(|name| name.chars().all(|c| c.is_alphanumeric() || c == '_'))
}

/// Where a redirection is.
#[derive(Clone, Copy, PartialEq)]
enum Redirection {
    None,
    /// Its file has not begun yet.
    Before,
    /// In the name of its file.
    File,
}

/// A line, cut where commands end.
fn pieces(line: &str, shell: Shell) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut piece = Piece::default();
    let mut redirection = Redirection::None;
    let mut quote = None;
    let mut rest = line.chars().peekable();
    while let Some(c) = rest.next() {
        let ends_here = quote.is_none()
            && match c {
                ';' | '|' | '\n' | '\r' | '(' | ')' => true,
                '&' => rest.peek() != Some(&'>'),
                '`' => shell == Shell::Posix,
                _ => false,
            };
        if ends_here {
            pieces.push(std::mem::take(&mut piece));
            redirection = Redirection::None;
            continue;
        }
        piece.written.push(c);
        let meant = match (quote, c) {
            (None, '<' | '>' | '&') => {
                let mark = piece.meant.trim_end_matches(|c: char| c.is_ascii_digit()).len();
                if piece.meant[..mark].chars().next_back().is_none_or(char::is_whitespace) {
                    piece.meant.truncate(mark);
                }
                while let Some(c) = rest.next_if(|c| matches!(c, '<' | '>' | '&' | '|')) {
                    piece.written.push(c);
                }
                piece.meant.push(' ');
                redirection = Redirection::Before;
                continue;
            }
            (None, '\'' | '"') => {
                quote = Some(c);
                if piece.meant.ends_with('$') {
                    piece.meant.pop();
                }
                None
            }
            (Some(open), c) if open == c => {
                quote = None;
                None
            }
            (quote, c) if c == shell.escape() && quote != Some('\'') => {
                let escaped = rest.next();
                piece.written.extend(escaped);
                escaped
            }
            (_, c) => Some(c),
        };
        let is_space = quote.is_none() && c.is_whitespace();
        redirection = match redirection {
            Redirection::Before if !is_space => Redirection::File,
            Redirection::File if is_space => Redirection::None,
            other => other,
        };
        if redirection == Redirection::None {
            piece.meant.extend(meant);
        }
    }
    pieces.push(piece);
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    fn finds(line: &str, shell: Shell) -> bool {
        any(line, shell, |piece| piece.trim() == "rm x")
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
        ] {
            assert!(finds(line, Shell::Posix), "{line}");
        }
    }

    #[test]
    fn words_of_other_commands_are_none() {
        for line in ["echo rm x", "cargo rm x", "git rm x", "ls >rm x", "rm y x", "xrm x", "a=rm x", "# rm x"]
        {
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
