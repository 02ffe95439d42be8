//! A short text that may be missing, and whose memory stays.

/// The longest text for which memory is kept.
pub(super) const LONG: usize = 256;

#[derive(Debug, Default)]
pub(super) struct Slot {
    text: String,
    is_there: bool,
}

impl Slot {
    pub(super) fn set(&mut self, text: Option<&str>) {
        self.is_there = text.is_some();
        self.text.clear();
        self.text.shrink_to(LONG);
        self.text.push_str(text.unwrap_or_default());
    }

    #[inline]
    pub(super) fn as_deref(&self) -> Option<&str> {
        self.is_there.then_some(self.text.as_str())
    }

    pub(super) fn is_none(&self) -> bool {
        !self.is_there
    }
}
