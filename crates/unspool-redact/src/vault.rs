//! Which placeholder stands for which secret, and values that are secret wherever they stand.

use aho_corasick::{AhoCorasick, MatchKind};
use std::collections::HashMap;
use std::sync::Arc;

/// More secrets are masked, but not known again.
const SECRETS: usize = 1 << 16;
/// More values are not looked for.
const VALUES: usize = 4096;

/// What was found so far. All that goes into one output has one.
#[derive(Debug, Default)]
pub(crate) struct Vault {
    /// By the secret, without what a line end may put into it.
    placeholders: HashMap<String, String>,
    /// How many there are of each kind.
    counts: HashMap<&'static str, u64>,
    values: Vec<String>,
    finder: Option<Arc<Values>>,
}

/// Values that are looked for wherever they may stand.
#[derive(Debug)]
pub(crate) struct Values {
    pub(crate) finder: AhoCorasick,
    /// In order.
    sorted: Vec<String>,
    longest: usize,
}

impl Vault {
    /// The placeholder of this secret: by the order in which secrets were found, so that it says nothing of the secret.
    pub(crate) fn placeholder(&mut self, name: &'static str, secret: &str) -> String {
        let key = essence(secret);
        if let Some(known) = self.placeholders.get(&key) {
            return known.clone();
        }
        let count = self.counts.entry(name).or_default();
        *count += 1;
        let made = format!("[redacted:{name}:{count}]");
        if self.placeholders.len() < SECRETS {
            self.placeholders.insert(key, made.clone());
        }
        made
    }

    /// How many there are of each kind.
    pub(crate) fn counts(&self) -> Vec<(&'static str, u64)> {
        self.counts.iter().map(|(name, count)| (*name, *count)).collect()
    }

    /// This value is a secret from now on.
    pub(crate) fn learn(&mut self, value: &str) {
        if self.values.len() < VALUES && !self.values.iter().any(|known| known == value) {
            self.values.push(value.to_owned());
            self.finder = None;
        }
    }

    /// The values that are secret; none if there are none.
    pub(crate) fn values(&mut self) -> Option<Arc<Values>> {
        if self.values.is_empty() {
            return None;
        }
        if self.finder.is_none() {
            self.finder = Values::new(&self.values).map(Arc::new);
        }
        self.finder.clone()
    }
}

impl Values {
    fn new(values: &[String]) -> Option<Self> {
        let finder = AhoCorasick::builder().match_kind(MatchKind::LeftmostLongest).build(values).ok()?;
        let mut sorted = values.to_vec();
        sorted.sort();
        let longest = values.iter().map(String::len).max().unwrap_or(0);
        Some(Values { finder, sorted, longest })
    }

    /// Where at the end of a text a value may begin.
    pub(crate) fn open(&self, text: &str, from: usize) -> usize {
        let first = text.len().saturating_sub(self.longest.saturating_sub(1)).max(from);
        let begins = |at: &usize| {
            let end = &text[*at..];
            let next = self.sorted.partition_point(|value| value.as_str() <= end);
            self.sorted.get(next).is_some_and(|value| value.starts_with(end))
        };
        (first..text.len()).filter(|at| text.is_char_boundary(*at)).find(begins).unwrap_or(text.len())
    }
}

/// A secret without white space, backslashes and numbers of lines: the same, however it was written down.
fn essence(secret: &str) -> String {
    if !secret.contains(|letter: char| letter.is_whitespace() || letter == '\\' || letter == '"') {
        return secret.to_owned();
    }
    let is_number = |word: &str| {
        let digits = word.trim_end_matches(['→', '|', ':']);
        word.len() <= 10 && !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
    };
    let words = secret.split(|letter: char| letter.is_whitespace() || matches!(letter, '\\' | '"' | '+'));
    // A number stuck to what follows it.
    let words = words.map(|word| word.split_once('→').map_or(word, |(_, rest)| rest));
    words.filter(|word| !is_number(word)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_secret_has_the_same_placeholder_however_it_is_written() {
        let mut vault = Vault::default();
        let first = vault.placeholder("private-key", "BEGIN x\nabc\ndef");
        assert_eq!(first, "[redacted:private-key:1]");
        for same in ["BEGIN x\r\nabc\r\ndef", "BEGIN x\n     2→abc\n     3→def", "BEGIN x\n2\tabc\n3\tdef"]
        {
            assert_eq!(vault.placeholder("private-key", same), first, "{same}");
        }
        assert_eq!(vault.placeholder("jwt", "other"), "[redacted:jwt:1]");
        assert_eq!(vault.placeholder("private-key", "x"), "[redacted:private-key:2]");
    }

    #[test]
    fn a_value_that_begins_at_the_end_is_known() {
        let mut vault = Vault::default();
        assert!(vault.values().is_none());
        ["hunter2hunter2", "hunter3"].iter().for_each(|value| vault.learn(value));
        let values = vault.values().unwrap();
        assert_eq!(values.open("the word is hunt", 0), 12);
        assert_eq!(values.open("the word is hunter3", 0), 19);
        assert_eq!(values.open("the word is hunter2", 0), 12);
        assert_eq!(values.open("hunters", 0), 7);
    }
}
