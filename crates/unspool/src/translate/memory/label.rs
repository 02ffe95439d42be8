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

/// What is known of the last so many ids, at least.
#[derive(Debug)]
pub(crate) struct LastIds<T> {
    least: usize,
    count: u64,
    ids: ByLabel<(u64, T)>,
}

impl<T: Default> LastIds<T> {
    /// Remembers at least so many; with half as many more, the oldest are forgotten.
    pub(crate) fn new(least: usize) -> Self {
        LastIds { least, count: 0, ids: ByLabel::default() }
    }

    pub(crate) fn get(&self, id: &str) -> Option<&T> {
        self.ids.get(id.as_bytes()).map(|(_, known)| known)
    }

    /// What is known of an id, from now on.
    pub(crate) fn of(&mut self, id: &str) -> &mut T {
        if self.ids.len() > self.least + self.least / 2 {
            self.forget_oldest();
        }
        self.count += 1;
        &mut self.ids.entry(Label::of(id)).or_insert_with(|| (self.count, T::default())).1
    }

    fn forget_oldest(&mut self) {
        let mut orders: Vec<u64> = self.ids.values().map(|(order, _)| *order).collect();
        let gone = orders.len() - self.least;
        let oldest = *orders.select_nth_unstable(gone).1;
        self.ids.retain(|_, (order, _)| *order >= oldest);
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
            assert!(ids.ids.len() <= 151, "{n}");
        }
        assert_eq!(ids.get("id0"), None);
        assert!(!*ids.of("id0"));
    }
}
