//! The stream of a recording from somewhere in its middle on, without reading what stands before.

use super::frames::frames;
use super::kind::What;
use super::open::{Opened, read_more};
use super::unpack::Unpacked;
use super::{Listener, Source, pause, recording};
use anyhow::Context;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use unspool::journal::{Goal, Place, Reader, find};

impl Source {
    /// Tells the lines of a recording, and no events, from a place on that is at or shortly before the goal. Returns whether that could be done:
    /// what is no recording, or no file, has to be read from its beginning.
    pub(crate) fn tell_lines_from(&self, goal: Goal, listener: &mut dyn Listener) -> anyhow::Result<bool> {
        // What is masked there may have been read before.
        if crate::redact::masks().is_some() || self.held.is_some() || !self.path.is_file() {
            return Ok(false);
        }
        let read = || -> io::Result<Option<Unpacked>> {
            let opened = Opened::new(&self.path)?;
            if opened.what != What::Recording {
                return Ok(None);
            }
            let mut file = File::open(&self.path)?;
            let offset =
                if opened.rest.is_packed() { in_frames(&mut file, goal)? } else { in_text(&mut file, goal)? };
            file.seek(SeekFrom::Start(offset))?;
            Ok(Some(Unpacked::new(Box::new(file))?))
        };
        let Some(from) = read().with_context(|| format!("cannot read {}", self.name()))? else {
            return Ok(false);
        };
        tell(from, listener)?;
        Ok(true)
    }
}

fn tell(mut from: Unpacked, listener: &mut dyn Listener) -> anyhow::Result<()> {
    listener.begins(true);
    let (mut reader, mut piece) = (Reader::anywhere(), Vec::new());
    while read_more(&mut from, &mut piece)? > 0 {
        // What is wrong with it is said where all of it is read.
        reader.feed(&piece, |entry| entry.iter().for_each(|entry| recording::came(entry, listener)));
        if !pause(listener)? {
            break;
        }
        piece.clear();
    }
    Ok(())
}

fn in_text(file: &mut File, goal: Goal) -> io::Result<u64> {
    let length = file.metadata()?.len();
    find(length, goal, |at, bytes| {
        file.seek(SeekFrom::Start(at))?;
        read_more(file, bytes).map(drop)
    })
}

/// The last frame that begins with an entry which is not behind the goal; else the beginning.
fn in_frames(file: &mut File, goal: Goal) -> io::Result<u64> {
    let frames = frames(file)?;
    let (mut low, mut high) = (0, frames.len());
    let mut found = 0;
    while low < high {
        // Other programs may begin a frame anywhere in a line.
        let middle = low + (high - low) / 2;
        let places = (low..=middle).rev().map(|at| Ok((at, place(file, frames[at])?)));
        let place = places.filter_map(|it: io::Result<_>| match it {
            Ok((at, place)) => place.map(|place| Ok((at, place))),
            Err(error) => Some(Err(error)),
        });
        match place.into_iter().next().transpose()? {
            Some((at, place)) if goal.is_from(place) => (found, low) = (frames[at], middle + 1),
            Some((at, _)) => high = at,
            None => low = middle + 1,
        }
    }
    Ok(found)
}

/// Where the entry stands that this frame begins with.
fn place(file: &File, offset: u64) -> io::Result<Option<Place>> {
    let mut file = file.try_clone()?;
    file.seek(SeekFrom::Start(offset))?;
    let mut head = Vec::new();
    let read = Unpacked::new(Box::new(file))?.take(64).read_to_end(&mut head);
    // One that is damaged is met by whoever reads it.
    Ok(read.ok().and_then(|_| Place::of(&head)))
}
