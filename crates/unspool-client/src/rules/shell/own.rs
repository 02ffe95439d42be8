//! Commands that a shell does itself, and what they may do to it.
//!
//! A program can change nothing in the shell that starts it. A command of the shell's own can: it may say where programs are
//! looked for (`export`, `printf -v PATH`), what a name means (`alias`, `hash`), or what is done later (`trap`), and some
//! compute what they are given, and so run what stands in the index of an array, be it in a variable that another one has
//! filled, or in `$_`. After that nothing on the line means what it says.
//!
//! So all of them are named here, and those that may do no more than print, wait, end the shell, send a signal or go to
//! another folder are named once more, with the words for which that is certain. All others [alter](alters) the shell: no
//! pattern can tell what comes of them, and only a rule that is the command itself allows them. The tests ask the shells for
//! the names of theirs.
//!
//! What Claude Code keeps of the shell from one line to the next is its folder, and nothing else.

use super::word::{Word, stand_in};

/// What bash, dash or zsh do themselves, beside what begins with a [reserved](super::command) word. Modules that zsh has to be
/// told to load bring more.
const OWN: [&str; 109] = [
    ".",
    ":",
    "[",
    "alias",
    "autoload",
    "bg",
    "bind",
    "bindkey",
    "break",
    "bye",
    "caller",
    "cd",
    "chdir",
    "command",
    "compadd",
    "comparguments",
    "compcall",
    "compctl",
    "compdescribe",
    "compfiles",
    "compgen",
    "compgroups",
    "complete",
    "compopt",
    "compquote",
    "compset",
    "comptags",
    "comptry",
    "compvalues",
    "continue",
    "declare",
    "dirs",
    "disable",
    "disown",
    "echo",
    "echotc",
    "echoti",
    "emulate",
    "enable",
    "eval",
    "exit",
    "export",
    "false",
    "fc",
    "fg",
    "float",
    "functions",
    "getln",
    "getopts",
    "hash",
    "help",
    "history",
    "integer",
    "jobs",
    "kill",
    "let",
    "limit",
    "local",
    "log",
    "logout",
    "mapfile",
    "popd",
    "print",
    "printf",
    "private",
    "pushd",
    "pushln",
    "pwd",
    "r",
    "read",
    "readarray",
    "readonly",
    "rehash",
    "return",
    "sched",
    "set",
    "setopt",
    "shift",
    "shopt",
    "source",
    "suspend",
    "test",
    "time",
    "times",
    "trap",
    "true",
    "ttyctl",
    "type",
    "typeset",
    "ulimit",
    "umask",
    "unalias",
    "unfunction",
    "unhash",
    "unlimit",
    "unset",
    "unsetopt",
    "vared",
    "wait",
    "whence",
    "where",
    "which",
    "zcompile",
    "zformat",
    "zle",
    "zmodload",
    "zparseopts",
    "zregexparse",
    "zstyle",
];

/// Whether a shell does it itself.
pub(super) fn is_own(name: &str) -> bool {
    OWN.binary_search(&name).is_ok()
}

/// Whether the command may leave the shell such that what is behind it, or in it, means something else.
pub(super) fn alters(words: &[Word]) -> bool {
    let Some((name, rest)) = words.split_first().filter(|(name, _)| is_own(&name.text)) else { return false };
    let is_certain = match &*name.text {
        ":" | "cd" | "echo" | "false" | "kill" | "popd" | "pushd" | "pwd" | "true" | "type" | "which" => true,
        "command" => matches!(rest, [how, _] if is_one_of(how, &["-v", "-V"])),
        "exit" => rest.is_empty() || matches!(rest, [code] if is_number(code)),
        "printf" => rest.first().is_some_and(takes_texts),
        "set" => ends_sooner(rest),
        "test" => asks(rest),
        "wait" => rest.is_empty(),
        _ => false,
    };
    !is_certain
}

fn is_one_of(word: &Word, texts: &[&str]) -> bool {
    word.is_literal() && texts.contains(&&*word.text)
}

/// A number, or how the last command has ended, which is one.
fn is_number(word: &Word) -> bool {
    let is_written = !word.text.is_empty() && word.text.bytes().all(|c| c.is_ascii_digit());
    is_written || word.text == format!("{}?", stand_in(b'$'))
}

/// A format that takes nothing but texts: what it takes as a number is computed, and `%n` fills a variable.
fn takes_texts(format: &Word) -> bool {
    let mut rest = format.text.chars();
    let mut takes_texts = format.is_literal() && !format.text.starts_with('-');
    while let Some(c) = rest.next() {
        takes_texts &= match c {
            '\\' => rest.next().is_some_and(|c| "\\abfnrtv\"'".contains(c)),
            '%' => {
                let kind = rest.find(|c| !c.is_ascii_digit() && !matches!(c, '-' | '.'));
                kind.is_some_and(|kind| matches!(kind, '%' | 'b' | 's'))
            }
            _ => true,
        };
    }
    takes_texts
}

/// Options by which a shell gives up sooner, or shows what it does: `-e`, `-eux`, `-euo pipefail`. A `-` alone takes the parameters
/// from zsh.
fn ends_sooner(words: &[Word]) -> bool {
    let letters = match words {
        [options] => Some(&*options.text).filter(|it| it.len() > 1),
        [options, name] if is_one_of(name, &["pipefail"]) => options.text.strip_suffix('o'),
        _ => None,
    };
    letters.and_then(|it| it.strip_prefix('-')).is_some_and(|it| it.bytes().all(|c| b"eux".contains(&c)))
}

/// Questions about one text or file, and comparisons of two numbers. What asks about a variable (`-v`) computes its index, and
/// with more words it is not certain which of them is the question.
fn asks(words: &[Word]) -> bool {
    const QUESTIONS: [&str; 11] = ["-L", "-d", "-e", "-f", "-h", "-n", "-r", "-s", "-w", "-x", "-z"];
    const COMPARISONS: [&str; 6] = ["-eq", "-ge", "-gt", "-le", "-lt", "-ne"];
    match words {
        [question, about] => is_one_of(question, &QUESTIONS) && !about.is_open,
        [one, comparison, other] => is_one_of(comparison, &COMPARISONS) && is_number(one) && is_number(other),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::super::command::RESERVED;
    use super::super::word::words;
    use super::*;
    use std::process::Command;

    #[test]
    fn what_only_prints_waits_ends_or_goes_elsewhere_alters_nothing() {
        for line in [
            "cargo -v x",
            "./export x",
            "echo -n 'a[$(x)]' *",
            ": x",
            "true 'a[x]'",
            "cd -",
            "cd 'a[$(x)]'",
            "pushd sub",
            "popd",
            "pwd -P",
            "type cargo",
            "which -a cargo",
            "kill -9 %1",
            "command -v cargo",
            "exit",
            "exit 1",
            "exit $?",
            "wait",
            "printf x",
            "printf '%s\\n' *",
            r#"printf '%-9.3s|%b\t%%\\ \"' x y"#,
            "set -e",
            "set -eux",
            "set -o pipefail",
            "set -euo pipefail",
            "test -f x",
            "test -z \"$HOME/x\"",
            "test $? -eq 0",
            "test 1 -lt 2",
        ] {
            assert!(!alters(&words(line).unwrap()), "{line}");
        }
    }

    #[test]
    fn all_else_that_a_shell_does_itself_may_alter_it() {
        for line in [
            "export PATH=.",
            "declare x",
            "alias cargo=x",
            "hash -p ./x cargo",
            "eval x",
            ". ./x",
            "source x",
            "trap x EXIT",
            "read x",
            "let x",
            "unset x",
            "shift x",
            "return x",
            "emulate sh -c x",
            "compgen -C x",
            "print -v x y",
            "command",
            "command -p x",
            "command -v",
            "command -v a b",
            "time -p x",
            "exit x",
            "exit 'a[_]'",
            "exit 1 2",
            "wait x",
            "wait -p x",
            "printf",
            "printf -v x y",
            "printf -- x",
            "printf *",
            "printf $HOME",
            "printf %d x",
            "printf %5d x",
            "printf '%*s' x y",
            "printf '%s%n' x PATH",
            "printf '%1\\$s' x",
            "printf '%(%s)T' x",
            "printf %",
            "printf '\\044'",
            "printf '\\x24'",
            "printf 'a\\'",
            "set",
            "set x",
            "set -- x",
            "set -",
            "set -k",
            "set -ek",
            "set +e",
            "set -e x",
            "set -o noglob",
            "set -e pipefail",
            "set -euo pipefail x",
            "test",
            "test x",
            "test -v x",
            "test -v 'a[_]'",
            "test -f *",
            "test -f x -a -v y",
            "test x -eq 1",
            "test 1 -eq 'a[_]'",
            "test -f -v x",
        ] {
            assert!(alters(&words(line).unwrap()), "{line}");
        }
    }

    /// A shell that can do more by itself than is known here makes this fail. dash does not tell, and has nothing that the
    /// others have not.
    #[test]
    fn what_the_shells_here_do_themselves_is_known() {
        for (shell, options, list) in [
            ("bash", "--norc", "compgen -b; compgen -k"),
            ("zsh", "-f", "print -l ${(k)builtins} ${(k)reswords}"),
        ] {
            let Ok(listed) = Command::new(shell).args([options, "-c", list]).output() else { continue };
            let listed = String::from_utf8(listed.stdout).unwrap();
            assert!(listed.lines().count() > 30, "{shell}: {listed}");
            for name in listed.lines() {
                assert!(is_own(name) || RESERVED.contains(&name), "{shell}: {name}");
            }
        }
        assert!(OWN.is_sorted());
    }
}
