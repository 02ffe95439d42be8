//! What is read, masked as it comes.

use super::masks;
use std::io::{self, Read};
use unspool_redact::Redactor;

/// Masks what somebody else reads.
pub(crate) struct Reading {
    redactor: Redactor,
    /// What is masked and not handed on.
    ready: Vec<u8>,
    at: usize,
    piece: Vec<u8>,
    has_ended: bool,
}

/// Bytes that are read at once.
const PIECE: usize = 64 << 10;

impl Reading {
    /// Only if something is to be masked.
    pub(crate) fn wanted() -> Option<Box<Self>> {
        let redactor = Redactor::new(masks()?);
        Some(Box::new(Reading {
            redactor,
            ready: Vec::new(),
            at: 0,
            piece: vec![0; PIECE],
            has_ended: false,
        }))
    }

    /// Reads from `from`, and hands on what is masked: as soon as there is any.
    pub(crate) fn read(
        &mut self,
        to: &mut [u8],
        mut from: impl FnMut(&mut [u8]) -> io::Result<usize>,
    ) -> io::Result<usize> {
        while self.at == self.ready.len() && !self.has_ended {
            self.ready.clear();
            self.at = 0;
            let length = from(&mut self.piece)?;
            if length == 0 {
                self.has_ended = true;
                self.redactor.finish(&mut self.ready);
            } else {
                self.redactor.feed(&self.piece[..length], &mut self.ready);
            }
        }
        let length = (&self.ready[self.at..]).read(to)?;
        self.at += length;
        Ok(length)
    }

    /// Takes what was read elsewhere, and returns what is masked; none of it if nothing more comes.
    pub(crate) fn pass(&mut self, bytes: Option<&[u8]>) -> Vec<u8> {
        let mut out = Vec::new();
        match bytes {
            Some(bytes) => self.redactor.feed(bytes, &mut out),
            None => self.redactor.finish(&mut out),
        }
        out
    }
}
