//! Ids and names: texts that are looked up as they are, and that hardly ever need memory of their own.

use crate::digest::ByText;
use std::borrow::Borrow;
use std::collections::HashMap;
use std::hash::{Hash, Hasher};

/// An id or a name. Those of recorded versions have up to 30 bytes, and stand here themselves.
#[derive(Clone)]
pub(crate) enum Label {
    Short { length: u8, bytes: [u8; SHORT] },
    Long(Box<str>),
}

/// The longest text that stands here itself.
const SHORT: usize = 46;

/// Things by their ids.
pub(crate) type ByLabel<T> = HashMap<Label, T, ByText>;

impl Label {
    pub(crate) fn of(text: &str) -> Self {
        let mut bytes = [0; SHORT];
        match bytes.get_mut(..text.len()) {
            Some(own) => {
                own.copy_from_slice(text.as_bytes());
                Label::Short { length: text.len() as u8, bytes }
            }
            None => Label::Long(text.into()),
        }
    }

    pub(crate) fn as_str(&self) -> &str {
        match self {
            // It was a text when it was copied.
            Label::Short { .. } => std::str::from_utf8(self.as_bytes()).unwrap_or_default(),
            Label::Long(text) => text,
        }
    }

    fn as_bytes(&self) -> &[u8] {
        match self {
            Label::Short { length, bytes } => &bytes[..usize::from(*length)],
            Label::Long(text) => text.as_bytes(),
        }
    }
}

impl std::fmt::Debug for Label {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?}", self.as_str())
    }
}

impl Eq for Label {}

impl PartialEq for Label {
    fn eq(&self, other: &Self) -> bool {
        self.as_bytes() == other.as_bytes()
    }
}

impl Hash for Label {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.as_bytes().hash(state);
    }
}

/// Looked up by the bytes of a text.
impl Borrow<[u8]> for Label {
    fn borrow(&self) -> &[u8] {
        self.as_bytes()
    }
}

/// What is known of the last so many ids, at least, and of at most twice as many.
///
/// In two halves, of which the older one goes as a whole: to take single ids out of a table lets it grow.
#[derive(Debug)]
pub(crate) struct LastIds<T> {
    least: usize,
    newer: ByLabel<T>,
    older: ByLabel<T>,
}

impl<T: Default> LastIds<T> {
    pub(crate) fn new(least: usize) -> Self {
        LastIds { least, newer: ByLabel::default(), older: ByLabel::default() }
    }

    pub(crate) fn get(&self, id: &str) -> Option<&T> {
        self.newer.get(id.as_bytes()).or_else(|| self.older.get(id.as_bytes()))
    }

    /// What is known of an id, from now on.
    pub(crate) fn of(&mut self, id: &str) -> &mut T {
        if self.newer.len() == self.least && !self.newer.contains_key(id.as_bytes()) {
            self.older = std::mem::take(&mut self.newer);
        }
        let older = &mut self.older;
        self.newer.entry(Label::of(id)).or_insert_with(|| older.remove(id.as_bytes()).unwrap_or_default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_label_is_its_text_however_long() {
        for text in ["", "toolu_01", "é 🚀", &"x".repeat(46), &"x".repeat(47), &"é".repeat(500)] {
            let label = Label::of(text);
            assert_eq!((label.as_str(), &label), (text, &label.clone()));
            assert_ne!(label, Label::of(&format!("{text}x")));
            let by: ByLabel<()> = [(label, ())].into_iter().collect();
            assert!(by.contains_key(text.as_bytes()) && !by.contains_key(b"other".as_slice()));
        }
    }

    #[test]
    fn the_last_ids_are_remembered_and_the_first_forgotten() {
        let mut ids = LastIds::<bool>::new(100);
        for n in 0_u32..1_000 {
            *ids.of(&format!("id{n}")) = true;
            assert!((n.saturating_sub(99)..=n).all(|m| ids.get(&format!("id{m}")) == Some(&true)), "{n}");
            assert!(ids.newer.len() + ids.older.len() <= 200, "{n}");
        }
        assert_eq!(ids.get("id0"), None);
        assert!(!*ids.of("id0"));
    }
}
