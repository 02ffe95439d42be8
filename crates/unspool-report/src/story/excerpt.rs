//! A long text by its beginning and its end.

use std::hash::{DefaultHasher, Hash, Hasher};

/// How much of a text is kept.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Limit {
    /// Everything.
    Whole,
    /// About this many bytes; of longer texts the beginning and the end.
    Bytes(usize),
}

/// A text, or its beginning and its end.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
#[non_exhaustive]
pub struct Excerpt {
    /// All of it, or the beginning.
    pub head: String,
    /// The bytes between beginning and end.
    pub left_out: usize,
    /// The end; empty if nothing was left out.
    pub tail: String,
    /// What is left out, as a number: two excerpts are equal if their texts are.
    pub(crate) omitted: u64,
}

impl Excerpt {
    pub(crate) fn of(text: &str, limit: Limit) -> Self {
        let Limit::Bytes(limit) = limit else { return Excerpt::whole(text) };
        // What is left out must be worth the line that says so.
        if text.len() <= limit + limit / 4 {
            return Excerpt::whole(text);
        }
        let head = &text[..line_end(text, limit / 3 * 2)];
        let tail = &text[line_start(text, text.len() - limit / 3)..];
        let left_out = text.len() - head.len() - tail.len();
        let mut hasher = DefaultHasher::new();
        text[head.len()..head.len() + left_out].hash(&mut hasher);
        Excerpt { head: head.to_owned(), left_out, tail: tail.to_owned(), omitted: hasher.finish() }
    }

    /// Nothing is left out.
    #[must_use]
    pub fn whole(text: &str) -> Self {
        Excerpt { head: text.to_owned(), ..Default::default() }
    }

    /// There is nothing to show.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.head.is_empty() && self.left_out == 0
    }
}

/// The last end of a line before a place; the place itself where lines are long.
fn line_end(text: &str, at: usize) -> usize {
    let at = (0..=at).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
    text[..at].rfind('\n').filter(|end| at - end < at / 4).map_or(at, |end| end + 1)
}

/// The first beginning of a line after a place; the place itself where lines are long.
fn line_start(text: &str, at: usize) -> usize {
    let at = (at..text.len()).find(|at| text.is_char_boundary(*at)).unwrap_or(text.len());
    let rest = text.len() - at;
    text[at..].find('\n').filter(|end| *end < rest / 4).map_or(at, |end| at + end + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn excerpts_are_equal_if_their_texts_are() {
        let text = |middle: &str| format!("{}{middle}{}", "x".repeat(500), "x".repeat(500));
        let excerpt = |middle: &str| Excerpt::of(&text(middle), Limit::Bytes(99));
        assert_eq!(excerpt("a"), excerpt("a"));
        assert_eq!(excerpt("a").head, excerpt("b").head);
        assert_ne!(excerpt("a"), excerpt("b"));
    }

    #[test]
    fn nothing_is_lost_but_what_is_counted() {
        let lines: String = (0..400).map(|line| format!("line {line}\n")).collect();
        let texts = [lines, "é".repeat(900), "x".repeat(5000), "\n".repeat(777), String::new()];
        for text in &texts {
            for limit in [0, 1, 2, 3, 10, 100, 1000, 10_000] {
                let excerpt = Excerpt::of(text, Limit::Bytes(limit));
                assert!(text.starts_with(&excerpt.head) && text.ends_with(&excerpt.tail), "{limit}");
                assert_eq!(excerpt.head.len() + excerpt.left_out + excerpt.tail.len(), text.len());
                assert!(excerpt.head.len() + excerpt.tail.len() <= limit + limit / 4, "{limit}");
            }
            assert_eq!(Excerpt::of(text, Limit::Whole), Excerpt::whole(text));
        }
        let excerpt = Excerpt::of(&texts[0], Limit::Bytes(600));
        assert!(excerpt.head.ends_with('\n') && excerpt.tail.starts_with("line "), "{excerpt:?}");
    }
}
