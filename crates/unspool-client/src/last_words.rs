//! What the program wrote to its standard error: the end of it, for people who want to know what went wrong.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};
use tokio::io::{AsyncRead, AsyncReadExt};

/// So many bytes are kept.
const KEPT: usize = 64 << 10;

/// Called with each piece of standard error.
pub(crate) type Listener = Arc<dyn Fn(&str) + Send + Sync>;

/// The end of standard error, shared between whoever reads and whoever asks.
#[derive(Clone, Debug, Default)]
pub(crate) struct LastWords(Arc<Mutex<VecDeque<u8>>>);

impl LastWords {
    /// Reads until there is no more. Nobody may stop reading: a program that cannot write its errors stands still.
    pub(crate) async fn hear(self, mut errors: impl AsyncRead + Unpin, listener: Option<Listener>) {
        let mut piece = vec![0; 8 << 10];
        while let Ok(length @ 1..) = errors.read(&mut piece).await {
            self.push(&piece[..length]);
            if let Some(listener) = &listener {
                listener(&String::from_utf8_lossy(&piece[..length]));
            }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn the_end_is_kept() {
        let words = LastWords::default();
        let long = "x".repeat(2 * KEPT) + "at last\n";
        words.clone().hear(long.as_bytes(), None).await;
        assert!(words.text().ends_with("xat last"));
        assert_eq!(words.0.lock().unwrap().len(), KEPT);
    }
}
