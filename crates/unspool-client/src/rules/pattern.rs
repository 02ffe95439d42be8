//! Patterns for commands: `cargo test`, `cargo *`, `git log:*`, `npm run test*`.

use super::glob::wild_from;
use super::shell::{Shell, line, stand_in, words, written};

/// A pattern for commands, in all forms that a command may have which fits.
pub(super) struct Pattern(Vec<String>);

impl Pattern {
    /// For what a command means, word by word: a blank in a word fits no blank between words.
    pub(super) fn for_meaning(pattern: &str, shell: Shell) -> Self {
        Pattern(forms(pattern).map(|form| meaning(&form, shell).unwrap_or_else(|| spaced(&form))).collect())
    }

    /// For the text of a command, with quotes or without.
    pub(super) fn for_text(pattern: &str, shell: Shell) -> Self {
        let mut all = Vec::new();
        for form in forms(pattern) {
            let unquoted = meaning(&form, shell).map(|meaning| written(&meaning));
            for text in [Some(spaced(&form)), unquoted].into_iter().flatten() {
                all.extend([without_exe(&text), text]);
            }
        }
        all.sort_unstable();
        all.dedup();
        Pattern(all)
    }

    pub(super) fn fits(&self, text: &str) -> bool {
        self.fits_from(text, &[0])
    }

    /// Whether a command fits that begins in one of these places and goes on to the end.
    pub(super) fn fits_from(&self, text: &str, begins: &[usize]) -> bool {
        self.0.iter().any(|form| wild_from(form, text, begins.iter().copied()))
    }
}

/// `cargo *` and `cargo:*` fit `cargo` and `cargo test`, but not `cargoes`; `cargo*` fits all three.
fn forms(pattern: &str) -> impl Iterator<Item = String> {
    let whole = pattern.strip_suffix(":*").or_else(|| pattern.strip_suffix(" *"));
    let (first, second) = match whole {
        Some(prefix) => (prefix.to_owned(), Some(format!("{prefix} *"))),
        None => (pattern.to_owned(), None),
    };
    std::iter::once(first).chain(second)
}

/// What the words of a pattern mean, if they are words to this shell.
fn meaning(form: &str, shell: Shell) -> Option<String> {
    match shell {
        Shell::Posix => Some(line(&words(form)?).replace(stand_in(b'*'), "*")),
        Shell::Power => None,
    }
}

/// One blank between two words.
fn spaced(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A program of Windows has a name of its own and one with an ending.
pub(super) fn without_exe(text: &str) -> String {
    let words = text.split_whitespace().map(|word| word.strip_suffix(".exe").unwrap_or(word));
    words.collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_is_held_against_words() {
        for (pattern, command, fits) in [
            ("cargo test", "cargo\ttest", true),
            ("cargo test", "cargo  \"test\"", true),
            ("cargo  test", "cargo test", true),
            ("cargo test", "cargo test x", false),
            ("cargo *", "cargo", true),
            ("cargo *", "cargoes", false),
            ("cargo*", "cargoes", true),
            ("git log *", "git log x", true),
            ("git log *", "git 'log x'", false),
            ("git log *", "git log\\ x", false),
            ("git log:*", "'git log' x", false),
            ("git * log", "git 'a log'", false),
            ("git commit -m \"a b\"", "git commit -m 'a b'", true),
            ("git commit -m \"a b\"", "git commit -m a b", false),
            ("git commit -m \"fix: *\"", "git commit -m \"fix: all of it\"", true),
            ("ls ~/x", "ls ~/x", true),
            ("ls ~/x", "ls '~/x'", false),
            ("ls ~/*", "ls ~/a", true),
            ("ls a.rs", "ls *", false),
            ("ls *", "ls *.rs", true),
            ("it's *", "it s x", false),
        ] {
            let command = line(&words(command).unwrap());
            assert_eq!(
                Pattern::for_meaning(pattern, Shell::Posix).fits(&command),
                fits,
                "{pattern} {command}"
            );
        }
    }
}
