//! The texts between quotes in the source files of a crate, and what stands around each.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// A text between quotes.
#[derive(Clone, Copy)]
pub(crate) struct Literal<'t> {
    /// As it is written, escapes and all.
    pub(crate) text: &'t str,
    /// All that stands before it, without the white space in between.
    pub(crate) before: &'t str,
    /// All that stands behind it, without the white space in between.
    pub(crate) behind: &'t str,
    /// The last bracket before it that is still open, with what stands before it.
    inside: &'t str,
    /// The statement that it stands in, as far as it goes before it.
    statement: &'t str,
}

impl Literal<'_> {
    /// Whether it stands in a list: it may be compared with anything.
    pub(crate) fn is_listed(&self) -> bool {
        // What is indexed has a name before the bracket.
        let is_index = |before: char| before.is_alphanumeric() || matches!(before, '_' | ')' | ']' | '?');
        let list = self.inside.strip_suffix('[');
        list.is_some_and(|list| !list.ends_with('#') && !list.ends_with(is_index))
            && self.before.ends_with(['[', ','])
    }

    /// Whether it has a name of its own, by which it may be compared with anything.
    pub(crate) fn is_named(&self) -> bool {
        let words = self.statement.split_whitespace();
        let mut words = words.skip_while(|word| word.starts_with("pub"));
        matches!(words.next(), Some("const" | "static")) && words.next() != Some("fn")
    }

    /// Whether it is JSON, or a piece of it, with one of these words between quotes; the last one need not be whole.
    pub(crate) fn quotes(&self, words: &BTreeSet<&str>) -> bool {
        let parts: Vec<&str> = self.text.split('"').map(|part| part.trim_end_matches('\\')).collect();
        let is_json = |before: &str| before.is_empty() || before.ends_with(['{', '[', ',', ':']);
        let is_one = |(at, pair): (usize, &[&str])| {
            let [before, word] = *pair else { return false };
            let is_whole = at + 2 < parts.len();
            let begins = || words.iter().any(|one| !word.is_empty() && one.starts_with(word));
            is_json(before.trim_end()) && if is_whole { words.contains(word) } else { begins() }
        };
        parts.windows(2).enumerate().any(is_one)
    }
}

/// The texts between quotes outside of comments and of the tests in the same file.
pub(crate) fn literals(text: &str) -> Vec<Literal<'_>> {
    let text = text.split("\nmod tests {").next().unwrap_or_default();
    let (mut found, mut open, mut begun, mut at) = (Vec::new(), Vec::new(), 0, 0);
    while let Some(letter) = text[at..].chars().next() {
        let rest = &text[at..];
        let length = match letter {
            '/' if rest.starts_with("//") => rest.find('\n').unwrap_or(rest.len()),
            '\'' => character(rest),
            '"' => {
                let (from, to, end) = between(text, at);
                found.push(Literal {
                    text: &text[from..to],
                    before: text[..at].trim_end_matches(['#', 'r', 'b']).trim_end(),
                    behind: text[end..].trim_start(),
                    inside: open.last().map_or("", |open| &text[..=*open]),
                    statement: &text[begun..at],
                });
                end - at
            }
            _ => {
                match letter {
                    '(' | '[' | '{' => open.push(at),
                    ')' | ']' | '}' => drop(open.pop()),
                    _ => {}
                }
                // A list in a `const` has no statements in it.
                if letter == ';' && !open.last().is_some_and(|open| text[*open..].starts_with('['))
                    || matches!(letter, '{' | '}')
                {
                    begun = at + 1;
                }
                letter.len_utf8()
            }
        };
        at += length;
    }
    found
}

/// Where the text begins and ends whose first quote stands here, and what is behind it.
fn between(text: &str, quote: usize) -> (usize, usize, usize) {
    let before = &text[..quote];
    let hashes = before.len() - before.trim_end_matches('#').len();
    let from = quote + 1;
    if before.trim_end_matches('#').ends_with('r') {
        let close = format!("\"{}", "#".repeat(hashes));
        let to = text[from..].find(&close).map_or(text.len(), |length| from + length);
        return (from, to, (to + close.len()).min(text.len()));
    }
    let mut escaped = false;
    let is_end = |letter: char| {
        let is_end = letter == '"' && !escaped;
        escaped = letter == '\\' && !escaped;
        is_end
    };
    let to = text[from..].find(is_end).map_or(text.len(), |length| from + length);
    (from, to, (to + 1).min(text.len()))
}

/// How long a character between quotes is; of the name of a lifetime the quote alone.
fn character(rest: &str) -> usize {
    let mut letters = rest.char_indices().skip(1);
    let (_, first) = letters.next().unwrap_or_default();
    match letters.find(|(_, letter)| *letter == '\'') {
        Some((at, _)) if first == '\\' => at + 1 + usize::from(rest[at + 1..].starts_with('\'')),
        Some((at, _)) if at == 1 + first.len_utf8() => at + 1,
        _ => 1,
    }
}

/// The source files in a folder that are part of the program; modules that only tests have are not.
pub(crate) fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files.extend(sources(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    let tests: Vec<PathBuf> = files.iter().flat_map(|file| tests_of(file)).collect();
    files.retain(|file| {
        !tests.iter().any(|tests| file.starts_with(tests) || file.with_extension("") == *tests)
    });
    files
}

/// The modules of a file that only tests have, without the ending of their files.
fn tests_of(file: &Path) -> Vec<PathBuf> {
    let text = fs::read_to_string(file).unwrap();
    let is_root = file.file_stem().is_some_and(|name| name == "mod" || name == "lib" || name == "main");
    let folder = if is_root { file.parent().unwrap().to_owned() } else { file.with_extension("") };
    let lines: Vec<&str> = text.lines().map(str::trim_start).collect();
    let modules = lines.windows(2).filter_map(|pair| {
        let is_for_tests = pair[0].starts_with("#[cfg(test)]") || pair[0].starts_with("#[cfg(all(test,");
        let (_, name) = pair[1].strip_suffix(';').filter(|_| is_for_tests)?.split_once("mod ")?;
        Some(folder.join(name))
    });
    modules.collect()
}
