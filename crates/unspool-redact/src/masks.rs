//! What is masked, and what was found so far.

use crate::find::{Finder, Secret, Surroundings};
use crate::own::{NotAPattern, Own};
use crate::vault::Vault;
use std::borrow::Cow;
use std::sync::{Arc, Mutex, PoisonError};

/// What is masked. All clones know the same secrets, and call them by the same placeholders: what goes into one output has clones of one.
#[derive(Clone, Debug)]
pub struct Masks {
    finder: Arc<Finder>,
    vault: Arc<Mutex<Vault>>,
}

impl Default for Masks {
    fn default() -> Self {
        Masks::made(Vec::new())
    }
}

impl Masks {
    /// What is known of keys and tokens, and nothing else.
    #[must_use]
    pub fn new() -> Self {
        Masks::default()
    }

    /// Also what these regular expressions find, in the words of anybody; what stands in ids is left alone.
    ///
    /// A pattern is looked for from left to right in time that is in proportion to the text, whatever the pattern is: there are no
    /// references to what was found, and nothing looks ahead or back but `^`, `$` and `\b`.
    pub fn with_patterns<'p>(patterns: impl IntoIterator<Item = &'p str>) -> Result<Self, NotAPattern> {
        Ok(Masks::made(patterns.into_iter().map(Own::new).collect::<Result<_, _>>()?))
    }

    /// This value is a secret, too, wherever it stands.
    pub fn add_secret(&self, value: &str) {
        self.learn([value.to_owned()]);
    }

    /// A text without its secrets.
    ///
    /// ```
    /// let masks = unspool_redact::Masks::new();
    /// assert_eq!(masks.text("no secret"), "no secret");
    /// let url = "postgres://me:hunter2@db/x";
    /// assert_eq!(masks.text(url), "postgres://me:[redacted:url-password:1]@db/x");
    /// ```
    #[must_use]
    pub fn text<'t>(&self, text: &'t str) -> Cow<'t, str> {
        let found = self.find(text, Surroundings::default());
        if found.is_empty() {
            return Cow::Borrowed(text);
        }
        let (mut made, mut at) = (String::with_capacity(text.len()), 0);
        for (secret, placeholder) in found {
            made.push_str(&text[at..secret.range.start]);
            made.push_str(&placeholder);
            at = secret.range.end;
        }
        made.push_str(&text[at..]);
        Cow::Owned(made)
    }

    /// A text without its secrets that is JSON: of what is none, as [`text`](Self::text).
    #[must_use]
    pub fn json<'t>(&self, json: &'t str) -> Cow<'t, str> {
        let mut lines = crate::redactor::Lines::new(self.clone());
        lines.line(unspool::journal::Way::Note, json.as_bytes().to_vec(), false, ());
        lines.finish();
        match lines.pop() {
            Some(masked) if masked.is_changed => {
                Cow::Owned(String::from_utf8_lossy(&masked.bytes).into_owned())
            }
            _ => Cow::Borrowed(json),
        }
    }

    /// How many different secrets of each kind were found so far, by the names of kinds.
    #[must_use]
    pub fn counts(&self) -> Vec<(&'static str, u64)> {
        let mut counts = self.with(|_, vault| vault.counts());
        counts.sort_unstable();
        counts
    }

    fn made(own: Vec<Own>) -> Self {
        Masks { finder: Arc::new(Finder::new(own)), vault: Arc::default() }
    }

    pub(crate) fn with<R>(&self, work: impl FnOnce(&Finder, &mut Vault) -> R) -> R {
        let mut vault = self.vault.lock().unwrap_or_else(PoisonError::into_inner);
        work(&self.finder, &mut vault)
    }

    /// The secrets of a whole text, with their placeholders.
    pub(crate) fn find(&self, text: &str, place: Surroundings<'_>) -> Vec<(Secret, String)> {
        let values = self.with(|_, vault| vault.values());
        let found = self.finder.find(text, 0, true, place, values.as_deref());
        if found.secrets.is_empty() {
            return Vec::new();
        }
        self.with(|_, vault| {
            let named = found.secrets.into_iter().map(|secret| {
                let placeholder = vault.placeholder(secret.name, &secret.words);
                (secret, placeholder)
            });
            named.collect()
        })
    }

    pub(crate) fn learn(&self, values: impl IntoIterator<Item = String>) {
        self.with(|_, vault| values.into_iter().for_each(|value| vault.learn(&value)));
    }
}
