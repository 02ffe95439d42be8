//! What a terminal would be written to, to be looked at.

use std::io;
use std::sync::{Arc, Mutex};

#[derive(Clone, Default)]
pub(super) struct Paper(pub(super) Arc<Mutex<Vec<u8>>>);

impl io::Write for Paper {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        io::Write::write(&mut *self.0.lock().unwrap(), bytes)
    }
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
