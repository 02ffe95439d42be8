//! Which brackets are open.

/// For each open bracket, whether it is an object: one bit a level, the innermost 64 at hand.
#[derive(Default)]
pub(super) struct Levels {
    near: u64,
    count: usize,
    far: Vec<u64>,
}

impl Levels {
    #[inline]
    pub(super) fn push(&mut self, object: bool) {
        if self.count == 64 {
            self.far.push(self.near);
            self.count = 0;
        }
        self.near = self.near << 1 | u64::from(object);
        self.count += 1;
    }

    #[inline]
    pub(super) fn pop(&mut self) {
        self.near >>= 1;
        self.count -= 1;
        if self.count == 0
            && let Some(far) = self.far.pop()
        {
            self.near = far;
            self.count = 64;
        }
    }

    #[inline]
    pub(super) fn in_object(&self) -> bool {
        self.near & 1 == 1
    }
}
