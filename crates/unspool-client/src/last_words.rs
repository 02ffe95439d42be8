//! What the program wrote to its standard error: the end of it, for people who want to know what went wrong.

use crate::tap::Tap;
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};
use tokio::io::{AsyncRead, AsyncReadExt};

/// So many bytes are kept.
const KEPT: usize = 64 << 10;

/// Called with each piece of standard error.
pub(crate) type Listener = Arc<dyn Fn(&str) + Send + Sync>;

/// The end of standard error, shared between the task that reads it and those that ask for it.
#[derive(Clone, Debug, Default)]
pub(crate) struct LastWords(Arc<Mutex<VecDeque<u8>>>);

impl LastWords {
    /// Reads until there is no more. Reading must go on: a program that cannot write its errors stands still.
    pub(crate) async fn hear(self, mut errors: impl AsyncRead + Unpin, tap: Tap, listener: Option<Listener>) {
        let mut piece = vec![0; 8 << 10];
        let mut cut = Vec::new();
        while let Ok(length @ 1..) = errors.read(&mut piece).await {
            self.push(&piece[..length]);
            tap.errors(&piece[..length]);
            if let Some(listener) = &listener {
                cut.extend_from_slice(&piece[..length]);
                let words = whole(&mut cut);
                if !words.is_empty() {
                    listener(&words);
                }
            }
        }
        if let Some(listener) = listener.filter(|_| !cut.is_empty()) {
            listener(&String::from_utf8_lossy(&cut));
        }
    }

    fn push(&self, piece: &[u8]) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.extend(piece);
        let surplus = kept.len().saturating_sub(KEPT);
        kept.drain(..surplus);
    }

    /// The words, without white space around them.
    pub(crate) fn text(&self) -> String {
        let kept: Vec<u8> = self.0.lock().unwrap_or_else(PoisonError::into_inner).iter().copied().collect();
        String::from_utf8_lossy(&kept).trim().to_owned()
    }
}

/// Takes the characters that are whole; what may be the beginning of one stays.
fn whole(bytes: &mut Vec<u8>) -> String {
    let begun = bytes.utf8_chunks().last().filter(|last| {
        let invalid = last.invalid();
        let wanted = match invalid.first() {
            Some(0xc2..=0xdf) => 2,
            Some(0xe0..=0xef) => 3,
            Some(0xf0..=0xf4) => 4,
            _ => 0,
        };
        bytes.ends_with(invalid) && invalid.len() < wanted
    });
    let rest = bytes.split_off(bytes.len() - begun.map_or(0, |last| last.invalid().len()));
    String::from_utf8_lossy(&std::mem::replace(bytes, rest)).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_are_told_whole() {
        let text = "aü€😀\u{fffd}";
        for cut in 0..=text.len() {
            let mut bytes = text.as_bytes()[..cut].to_vec();
            let first = whole(&mut bytes);
            bytes.extend_from_slice(&text.as_bytes()[cut..]);
            assert_eq!(first + &whole(&mut bytes), text, "{cut}");
            assert!(bytes.is_empty());
        }
        assert_eq!(whole(&mut b"a\xff".to_vec()), "a\u{fffd}");
        assert_eq!(whole(&mut b"a\xc3b".to_vec()), "a\u{fffd}b");
    }

    #[tokio::test]
    async fn the_end_is_kept() {
        let words = LastWords::default();
        let long = "x".repeat(2 * KEPT) + "at last\n";
        let tap = Tap::new(tokio::time::Instant::now(), Vec::new());
        words.clone().hear(long.as_bytes(), tap, None).await;
        assert!(words.text().ends_with("xat last"));
        assert_eq!(words.0.lock().unwrap().len(), KEPT);
    }
}
