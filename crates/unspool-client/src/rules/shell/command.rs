//! A command of a line, and what else it is: `RUST_LOG=debug nice cargo test` is also `cargo test`.

use super::own;
use super::word::{Word, stand_in};

/// A command with its words.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(in super::super) struct Command {
    words: Vec<Word>,
    /// Where it begins, and where it does without what stands in front of it and does no harm.
    begins: Vec<usize>,
    /// Whether the shell may be another one behind it.
    alters_shell: bool,
}

/// Variables that change how something is told or shown, and nothing else: none names a program, a file or an option, and
/// none is a number to zsh, which computes whatever such a variable is given.
pub(super) const HARMLESS: [&str; 21] = [
    "CARGO_INCREMENTAL",
    "CARGO_TERM_COLOR",
    "CARGO_TERM_PROGRESS_WHEN",
    "CI",
    "CLICOLOR",
    "CLICOLOR_FORCE",
    "COLORTERM",
    "DEBUG",
    "FORCE_COLOR",
    "LANG",
    "LC_ALL",
    "LC_CTYPE",
    "NODE_ENV",
    "NO_COLOR",
    "PROPTEST_CASES",
    "PYTHONUNBUFFERED",
    "RUST_BACKTRACE",
    "RUST_LIB_BACKTRACE",
    "RUST_LOG",
    "RUST_TEST_THREADS",
    "TZ",
];

/// Words that begin something else than a program, in at least one of the shells.
pub(super) const RESERVED: [&str; 30] = [
    "!",
    "-",
    "[[",
    "]]",
    "{",
    "}",
    "always",
    "builtin",
    "case",
    "coproc",
    "do",
    "done",
    "elif",
    "else",
    "end",
    "esac",
    "exec",
    "fi",
    "for",
    "foreach",
    "function",
    "if",
    "in",
    "nocorrect",
    "noglob",
    "repeat",
    "select",
    "then",
    "until",
    "while",
];

/// How many programs may start one another: nobody needs more, and each is one more reading of the whole rest.
const MOST_PROGRAMS: usize = 8;

impl Command {
    /// `None` if it is not certain what these words run.
    pub(super) fn of(words: Vec<Word>) -> Option<Self> {
        let assigned = words.iter().take_while(|word| word.variable().is_some()).count();
        let (assignments, run) = words.split_at(assigned);
        if !assignments.iter().all(Word::is_literal) || !starts_program(run) {
            return None;
        }
        let programs = std::iter::successors(Some(assigned), |at| Some(at + handed_on(&words[*at..])?));
        let programs: Vec<usize> = programs.take(MOST_PROGRAMS + 1).collect();
        if programs.len() > MOST_PROGRAMS || !programs.iter().all(|at| is_certain(&words[*at..])) {
            return None;
        }
        let last = &words[*programs.last().expect("there is a program")..];
        let is_harmless = assignments.iter().all(Word::is_harmless);
        // What is assigned in front of some of a shell's own commands stays.
        let alters_shell = own::alters(last) || !is_harmless && own::is_own(&run[0].text);
        let mut begins = vec![0];
        if is_harmless {
            begins.extend(programs.into_iter().filter(|at| *at > 0));
        }
        Some(Command { words, begins, alters_shell })
    }

    /// A command whose words mean what they say.
    pub(super) fn plain(words: &[&str], alters_shell: bool) -> Self {
        let words = words.iter().map(|word| Word::plain(word)).collect();
        Command { words, begins: vec![0], alters_shell }
    }

    /// Whether commands behind it may mean something else than they say.
    pub(in super::super) fn alters_shell(&self) -> bool {
        self.alters_shell
    }

    /// What it is, each on one line: all of it, and without what does no harm in front of it.
    pub(in super::super) fn readings(&self) -> impl Iterator<Item = String> {
        self.begins.iter().map(|at| line(&self.words[*at..]))
    }
}

/// The words with a blank between them.
pub(in super::super) fn line(words: &[Word]) -> String {
    words.iter().map(|word| &*word.text).collect::<Vec<_>>().join(" ")
}

fn starts_program(words: &[Word]) -> bool {
    words.first().is_some_and(|word| {
        let is_known = !word.is_open && !word.text.contains(stand_in(b'$'));
        let is_name = !word.text.is_empty() && !word.text.starts_with('-') && !word.text.contains('=');
        is_known && is_name && !RESERVED.contains(&&*word.text)
    })
}

/// Whether nothing but a program is run. To bash and zsh `time` is none: what is behind it may be reserved.
fn is_certain(words: &[Word]) -> bool {
    words[0].text != "time" || !words.iter().any(|word| RESERVED.contains(&&*word.text))
}

/// How many words are in front of the program that this one starts with the rest of them, as they are.
fn handed_on(words: &[Word]) -> Option<usize> {
    let text = |at: usize| words.get(at).filter(|word| word.is_literal()).map(|word| &*word.text);
    let while_fit = |fits: fn(&Word) -> bool| 1 + words[1..].iter().take_while(|word| fits(word)).count();
    let at = match text(0)? {
        "command" | "nohup" | "time" => 1,
        "nice" if text(1) == Some("-n") && is_number(text(2)?) => 3,
        "nice" => 1,
        "timeout" if is_number(text(1)?.trim_end_matches(['s', 'm', 'h'])) => 2,
        "env" => while_fit(Word::is_harmless),
        "stdbuf" => while_fit(|word| ["-i0", "-iL", "-o0", "-oL", "-e0", "-eL"].contains(&&*word.text)),
        _ => return None,
    };
    starts_program(&words[at..]).then_some(at)
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|c| c.is_ascii_digit() || c == b'.')
}

impl Word {
    fn plain(text: &str) -> Self {
        Word { text: text.into(), ..Word::default() }
    }

    /// The name and the value, if it gives one to a variable. It does not where the name is quoted.
    fn variable(&self) -> Option<(&str, &str)> {
        let (name, value) = self.text.split_once('=').filter(|(name, _)| name.len() < self.bare)?;
        let is_name = !name.starts_with(|c: char| c.is_ascii_digit())
            && !name.is_empty()
            && name.bytes().all(|c| c.is_ascii_alphanumeric() || c == b'_');
        is_name.then_some((name, value))
    }

    /// Whether it gives a variable a value that nobody computes and that names no file.
    fn is_harmless(&self) -> bool {
        let is_plain = |c: u8| c.is_ascii_alphanumeric() || b"_-.,:=@+%".contains(&c);
        self.variable().is_some_and(|(name, value)| HARMLESS.contains(&name) && value.bytes().all(is_plain))
    }
}
