//! Where the new form goes: to standard output, or into a file that is there only when all of it is.

use crate::recording::{Recorder, beside};
use anyhow::{Context, bail};
use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use unspool::convert::Target;
use unspool::journal::{Entry, Finish, Note, Way};
use unspool::line::End;
use unspool::verdict::Beside;
use unspool_client::tap::RecordingFile;

/// Bytes that are compressed at once: more of them make it smaller.
const PIECE: usize = 1 << 20;

/// Where it goes.
pub(in crate::command) struct Outlet {
    file: Option<PathBuf>,
    /// Whoever may not read what it is made of must not read it either.
    permissions: Option<fs::Permissions>,
}

/// What is written to.
pub(in crate::command) enum Made<'m> {
    /// As it comes; none if nobody reads it any more.
    Out(Option<&'m mut dyn Write>),
    File(File),
    /// A recording that is compressed, and how many bytes of it were taken and not written.
    Packed(RecordingFile, usize),
    /// A stream, and its times. Only the last end of a program is kept beside it.
    Stream(Box<Recorder>, Option<(u64, Beside)>, u64),
}

impl Outlet {
    pub(in crate::command) fn of(file: Option<PathBuf>, input: &Path) -> anyhow::Result<Self> {
        let is_input = |file: &PathBuf| {
            fs::canonicalize(file).is_ok_and(|file| fs::canonicalize(input).is_ok_and(|input| input == file))
        };
        if let Some(file) = file.as_ref().filter(|file| is_input(file)) {
            bail!("{} would be written over itself", file.display());
        }
        Ok(Outlet { file, permissions: fs::metadata(input).ok().map(|input| input.permissions()) })
    }

    /// Whether it is a file, beside which another may stand.
    pub(in crate::command) fn is_file(&self) -> bool {
        self.file.as_ref().is_some_and(|file| fs::metadata(file).map_or(true, |found| found.is_file()))
    }

    /// Whether what is made is compressed, by its name.
    pub(in crate::command) fn is_packed(&self) -> bool {
        self.is_file() && self.file.iter().any(|file| file.extension().is_some_and(|ending| ending == "zst"))
    }

    /// Writes it, and puts it where it belongs once it is whole.
    pub(in crate::command) fn write(
        self,
        target: Target,
        out: &mut dyn Write,
        encode: impl FnOnce(&mut Made<'_>) -> anyhow::Result<()>,
    ) -> anyhow::Result<()> {
        let (is_file, is_packed) = (self.is_file(), self.is_packed());
        let Some(file) = &self.file else { return encode(&mut Made::Out(Some(out))) };
        let no_file = || format!("cannot write {}", file.display());
        if !is_file {
            let mut device = File::create(file).with_context(no_file)?;
            return encode(&mut Made::Out(Some(&mut device)));
        }
        let mut part = OsString::from(file);
        part.push(".part");
        let part = PathBuf::from(part);
        let parts = [(part.clone(), file.clone()), (beside(&part), beside(file))];
        let written = Made::create(&part, target, is_packed)
            .with_context(no_file)
            .and_then(|mut made| encode(&mut made));
        let published = written.and_then(|()| {
            // Times of a stream that was there before are not those of this one.
            let times = target == Target::TimedStream;
            if target == Target::Stream {
                let _ = fs::remove_file(&parts[1].1);
            }
            parts[..1 + usize::from(times)].iter().try_for_each(|(from, to)| {
                self.permit(from).and_then(|()| fs::rename(from, to)).with_context(no_file)
            })
        });
        if published.is_err() {
            parts.iter().for_each(|(part, _)| drop(fs::remove_file(part)));
        }
        published
    }

    fn permit(&self, file: &Path) -> std::io::Result<()> {
        #[cfg(unix)]
        if let Some(permissions) = &self.permissions {
            use std::os::unix::fs::PermissionsExt;
            // Its owner may always go on with it.
            return fs::set_permissions(file, fs::Permissions::from_mode(permissions.mode() & 0o777 | 0o600));
        }
        let _ = (file, &self.permissions);
        Ok(())
    }
}

impl Made<'_> {
    fn create(file: &Path, target: Target, is_packed: bool) -> anyhow::Result<Self> {
        if target == Target::TimedStream {
            return Ok(Made::Stream(Box::new(Recorder::bare(file)?), None, 0));
        }
        let file = File::create(file)?;
        if is_packed { Ok(Made::Packed(RecordingFile::of(file, true)?, 0)) } else { Ok(Made::File(file)) }
    }

    pub(in crate::command) fn is_packed(&self) -> bool {
        matches!(self, Made::Packed(..))
    }

    /// Writes the text, if it is more than so many bytes, and empties it.
    pub(in crate::command) fn collect(&mut self, text: &mut Vec<u8>, most: usize) -> anyhow::Result<()> {
        if text.len() <= most {
            return Ok(());
        }
        match self {
            Made::Out(out) => {
                let written =
                    out.as_mut().map_or(Ok(()), |out| out.write_all(text).and_then(|()| out.flush()));
                match written {
                    Err(error) if error.kind() == ErrorKind::BrokenPipe => *out = None,
                    written => written?,
                }
            }
            Made::File(file) => file.write_all(text)?,
            Made::Packed(..) => {}
            Made::Stream(recorder, ..) => recorder.feed(Way::Out, text, 0)?,
        }
        text.clear();
        Ok(())
    }

    /// Keeps an entry: of a recording that is compressed, or in the stream or beside it.
    pub(in crate::command) fn record(&mut self, entry: &Entry<'_>) -> anyhow::Result<()> {
        if let Made::Packed(file, taken) = self {
            file.take(entry);
            *taken += entry.bytes.len();
            if *taken >= PIECE {
                *taken = 0;
                file.write()?;
            }
        }
        let Made::Stream(recorder, end, now) = self else { return Ok(()) };
        *now = entry.at;
        let mut bytes = Vec::with_capacity(entry.bytes.len() + 1);
        entry.write_bytes(&mut bytes);
        match (entry.way, entry.note()) {
            (Way::Out, _) => recorder.feed(Way::Out, &bytes, entry.at)?,
            // Half a line was never read as one.
            (Way::In, _) if entry.end == End::Newline => recorder.feed(Way::In, &bytes, entry.at)?,
            (_, Some(Note::Finish(said))) => *end = Some((entry.at, Finish::beside(&said))),
            (_, Some(Note::Start(_))) => *end = None,
            _ => {}
        }
        Ok(())
    }

    /// There are no more entries.
    pub(in crate::command) fn end(&mut self) -> anyhow::Result<()> {
        match self {
            Made::Stream(recorder, Some((at, known)), _) => recorder.end((None, None), known, *at),
            Made::Stream(recorder, None, now) => recorder.finish(*now),
            Made::Packed(file, _) => Ok(file.end()?),
            Made::Out(_) | Made::File(_) => Ok(()),
        }
    }
}
