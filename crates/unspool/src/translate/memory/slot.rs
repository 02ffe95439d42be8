//! A short text that may be missing, and whose memory stays.

/// The longest text for which memory is kept.
pub(crate) const LONG: usize = 256;

#[derive(Debug, Default)]
pub(crate) struct Slot {
    text: String,
    is_there: bool,
}

impl Slot {
    pub(crate) fn set(&mut self, text: Option<&str>) {
        self.is_there = text.is_some();
        self.text.clear();
        self.text.shrink_to(LONG);
        self.text.push_str(text.unwrap_or_default());
    }

    #[inline]
    pub(crate) fn as_deref(&self) -> Option<&str> {
        self.is_there.then_some(self.text.as_str())
    }
}
