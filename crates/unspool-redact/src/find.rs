//! Secrets in a text.

use crate::own::Own;
use crate::rule::{Before, Looked, RULES, Rule, of_field};
use crate::unescape::Unescaped;
use crate::vault::Values;
use aho_corasick::AhoCorasick;
use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::sync::LazyLock;

/// How placeholders begin.
const PLACEHOLDER: &str = "[redacted:";
/// What a pattern of one's own finds.
const OWN: &str = "own";
/// What was read from a file of variables.
const ENV: &str = "env";

/// Looks for secrets.
#[derive(Debug)]
pub(crate) struct Finder {
    exact: &'static Begins,
    any_case: &'static Begins,
    own: Vec<Own>,
}

/// Made once, of a table that is always the same.
static EXACT: LazyLock<Begins> = LazyLock::new(|| Begins::new(false));
static ANY_CASE: LazyLock<Begins> = LazyLock::new(|| Begins::new(true));

/// Beginnings of rules.
#[derive(Debug)]
struct Begins {
    finder: AhoCorasick,
    any_case: bool,
    /// The rule of each.
    rules: Vec<usize>,
    /// All that a beginning may begin with, and whether no word may go on before any that begin so.
    heads: HashMap<Vec<u8>, bool>,
    longest: usize,
}

/// A secret in a text.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) struct Secret {
    /// What is masked.
    pub(crate) range: Range<usize>,
    /// What kind of secret it is.
    pub(crate) name: &'static str,
    /// The secret, without escapes.
    pub(crate) words: String,
    /// It was found in the text without its escapes, which says best what it is.
    is_flat: bool,
}

/// Where a text stands.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Surroundings<'a> {
    /// Nothing but what can be nothing else is masked.
    pub(crate) is_fixed: bool,
    /// The name of its field.
    pub(crate) field: Option<&'a str>,
    /// It is a file of variables: each value is secret.
    pub(crate) is_env: bool,
    /// What stands just before the place from which on is looked was a secret.
    pub(crate) is_behind_secret: bool,
}

/// What there is in a text.
#[derive(Debug, Default)]
pub(crate) struct Findings {
    /// In order, none touching another by a byte of both.
    pub(crate) secrets: Vec<Secret>,
    /// What stands before it is decided, whatever comes behind the text.
    pub(crate) open: usize,
}

impl Finder {
    pub(crate) fn new(own: Vec<Own>) -> Self {
        Finder { exact: &EXACT, any_case: &ANY_CASE, own }
    }

    /// Finds what there is from `from` on; what stands before is known not to be a secret. `last` if nothing follows the text.
    pub(crate) fn find(
        &self,
        text: &str,
        from: usize,
        last: bool,
        place: Surroundings<'_>,
        values: Option<&Values>,
    ) -> Findings {
        let mut found = Vec::new();
        let mut open = self.look(text, from, last, place, values, &mut found);
        if memchr::memchr(b'\\', text.as_bytes()).is_some() {
            let flat = Unescaped::flat(text);
            let mut again = Vec::new();
            let opened = self.look(&flat.text, flat.place(from), last, place, values, &mut again);
            if !last {
                let at =
                    if opened < flat.text.len() { flat.source(opened..opened + 1).start } else { text.len() };
                open = open.min(at).min(flat.open.unwrap_or(text.len())).max(from);
            }
            found.extend(again.into_iter().map(|it| Secret {
                range: flat.source(it.range.clone()),
                is_flat: true,
                ..it
            }));
        }
        if let Some((name, range)) =
            place.field.filter(|_| !place.is_fixed && last).and_then(|field| of_field(field, text))
        {
            push(text, range, name, &mut found);
        }
        together(found, open)
    }

    fn look(
        &self,
        text: &str,
        from: usize,
        last: bool,
        place: Surroundings<'_>,
        values: Option<&Values>,
        found: &mut Vec<Secret>,
    ) -> usize {
        let mut open =
            if last { text.len() } else { self.exact.open(text, from).min(self.any_case.open(text, from)) };
        if !place.is_fixed {
            for own in &self.own {
                own.find(text, from).for_each(|range| push(text, range, OWN, found));
                open = if last { open } else { open.min(own.open(text, from)) };
            }
            if let Some(values) = values {
                let input = aho_corasick::Input::new(text).range(from..);
                values.finder.find_iter(input).for_each(|it| push(text, it.range(), ENV, found));
                open = if last { open } else { open.min(values.open(text, from)) };
            }
            if place.is_env {
                crate::env::values(text).into_iter().for_each(|it| push(text, it.value, ENV, found));
            }
        }
        self.by_rules(text, from, last, place, found).min(open)
    }

    fn by_rules(
        &self,
        text: &str,
        from: usize,
        last: bool,
        place: Surroundings<'_>,
        found: &mut Vec<Secret>,
    ) -> usize {
        let bytes = text.as_bytes();
        let mut places: Vec<_> = self.exact.find(text, from).chain(self.any_case.find(text, from)).collect();
        if places.is_empty() {
            return text.len();
        }
        places.sort_unstable();
        let mut behind = vec![from; RULES.len()];
        let mut ends: HashSet<usize> = found.iter().map(|it| it.range.end).collect();
        ends.extend(place.is_behind_secret.then_some(from));
        let mut open = text.len();
        for (start, end, number) in places {
            let rule = &RULES[number];
            if place.is_fixed && !rule.is_certain || start < behind[number] {
                continue;
            }
            let wants_edge = matches!(rule.before, Before::Edge);
            if wants_edge && !is_edge(bytes, start) && !ends.contains(&start) {
                continue;
            }
            match rule.look(bytes, start, end, last) {
                Looked::Secret(range) => {
                    behind[number] = range.end;
                    ends.insert(range.end);
                    push(text, range, rule.name, found);
                }
                Looked::MayBe => open = open.min(start),
                Looked::Nothing => {}
            }
        }
        open
    }
}

impl Begins {
    fn new(any_case: bool) -> Self {
        let of_this_kind = |rule: &&(usize, &Rule)| rule.1.any_case == any_case;
        let rules: Vec<_> = RULES.iter().enumerate().collect();
        let words: Vec<_> = rules
            .iter()
            .filter(of_this_kind)
            .flat_map(|(at, rule)| rule.begins.iter().map(|word| (*at, *word)))
            .collect();
        let finder =
            AhoCorasick::builder().ascii_case_insensitive(any_case).build(words.iter().map(|(_, word)| word));
        let mut heads = HashMap::new();
        for (rule, word) in &words {
            let wants_edge = matches!(RULES[*rule].before, Before::Edge);
            for length in 1..word.len() {
                let only = heads.entry(word.as_bytes()[..length].to_vec()).or_insert(true);
                *only &= wants_edge;
            }
        }
        Begins {
            // The table is ours: a test builds it.
            finder: finder.unwrap_or_else(|_| unreachable!("a few short words")),
            any_case,
            rules: words.iter().map(|(at, _)| *at).collect(),
            heads,
            longest: words.iter().map(|(_, word)| word.len()).max().unwrap_or(0),
        }
    }

    /// Where beginnings stand, to where, and of which rules.
    fn find(&self, text: &str, from: usize) -> impl Iterator<Item = (usize, usize, usize)> {
        let input = aho_corasick::Input::new(text).range(from..);
        self.finder
            .find_overlapping_iter(input)
            .map(|it| (it.start(), it.end(), self.rules[it.pattern().as_usize()]))
    }

    /// From where on the end of a text may be the beginning of a beginning. What stands before `from` may have been a secret.
    fn open(&self, text: &str, from: usize) -> usize {
        let bytes = text.as_bytes();
        let first = bytes.len().saturating_sub(self.longest.saturating_sub(1)).max(from);
        let begins = |at: &usize| {
            let head = &bytes[*at..];
            let wants_edge = match self.heads.get(head) {
                Some(wants_edge) => Some(*wants_edge),
                None if self.any_case => self.heads.get(&head.to_ascii_lowercase()).copied(),
                None => None,
            };
            wants_edge.is_some_and(|wants_edge| !wants_edge || *at == from || is_edge(bytes, *at))
        };
        (first..bytes.len()).find(begins).unwrap_or(bytes.len())
    }
}

/// Takes what was found, but for what is masked already.
fn push(text: &str, range: Range<usize>, name: &'static str, found: &mut Vec<Secret>) {
    let mut start = range.start;
    for part in masked(text, &range) {
        let clear = start..part.start.clamp(start, range.end);
        start = part.end.max(start);
        add(text, clear, name, found);
    }
    add(text, start..range.end.max(start), name, found);
}

fn add(text: &str, range: Range<usize>, name: &'static str, found: &mut Vec<Secret>) {
    if !range.is_empty() {
        found.push(Secret { words: text[range.clone()].to_owned(), range, name, is_flat: false });
    }
}

/// Placeholders that touch this range.
fn masked(text: &str, range: &Range<usize>) -> Vec<Range<usize>> {
    let bytes = text.as_bytes();
    // A placeholder that goes on behind the range, or began before it, is one all the same.
    let from = range.start.saturating_sub(64);
    let until = (range.end + PLACEHOLDER.len()).min(bytes.len());
    let places = memchr::memmem::find_iter(&bytes[from..until], PLACEHOLDER);
    let whole = places.filter_map(|at| {
        let start = from + at;
        let body = bytes[start + PLACEHOLDER.len()..].iter().take(48);
        let length =
            body.take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b':')).count();
        let end = start + PLACEHOLDER.len() + length;
        (bytes.get(end) == Some(&b']')).then_some(start..end + 1)
    });
    whole.filter(|it| it.start < range.end && it.end > range.start).collect()
}

/// Whether no word goes on here. What colours a word, and what stands for a sign in a URL, is no part of it.
fn is_edge(text: &[u8], at: usize) -> bool {
    let Some(&before) = at.checked_sub(1).and_then(|before| text.get(before)) else { return true };
    if !before.is_ascii_alphanumeric() && before != b'_' {
        return true;
    }
    let head = &text[at.saturating_sub(16)..at];
    let is_color = before == b'm'
        && head.iter().rposition(|byte| *byte == 0x1b).is_some_and(|start| {
            head[start + 1..head.len() - 1].iter().all(|byte| matches!(byte, b'[' | b';' | b'0'..=b'9'))
        });
    let is_percent =
        matches!(head, [.., b'%', high, low] if high.is_ascii_hexdigit() && low.is_ascii_hexdigit());
    is_color || is_percent
}

/// What overlaps is one secret; the longest says what it is.
fn together(mut found: Vec<Secret>, open: usize) -> Findings {
    found.sort_by_key(|it| (it.range.start, std::cmp::Reverse(it.range.end)));
    let mut findings = Findings { secrets: Vec::new(), open };
    let mut best = (false, 0);
    for it in found {
        let worth = (it.is_flat, it.words.len());
        match findings.secrets.last_mut() {
            Some(before) if it.range.start < before.range.end => {
                before.range.end = before.range.end.max(it.range.end);
                if worth > best {
                    best = worth;
                    (before.name, before.words) = (it.name, it.words);
                }
            }
            _ => {
                best = worth;
                findings.secrets.push(it);
            }
        }
    }
    // What reaches into what is open may be longer yet.
    if let Some(first) = findings.secrets.iter().position(|it| it.range.end > open || it.range.start >= open)
    {
        findings.open = open.min(findings.secrets[first].range.start);
        findings.secrets.truncate(first);
    }
    findings
}
