//! Recordings on disk: entries are appended as things happen, and are in the file at once.

#[cfg(all(unix, feature = "zstd"))]
mod frames;
#[cfg(all(unix, feature = "zstd"))]
mod packed;
mod resume;
#[cfg(all(test, unix, feature = "zstd"))]
mod tests;

pub use resume::Resumed;

use std::fs::{File, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::path::Path;
use unspool::journal::Entry;

/// A recording that is being made: a [journal](unspool::journal) in a file.
///
/// Its name says whether it is compressed: one that ends with `.zst` is, by zstd, and needs Unix and the feature `zstd`. Either way
/// what was [written](Self::write) is in the file: whoever is killed loses none of it. It is not yet on the disk, so that a power cut may cost
/// what was written last, unless it was [synced](Self::sync).
///
/// ```
/// use unspool_client::tap::RecordingFile;
/// use unspool_client::unspool::journal::{Begin, FORMAT, Finish, Scribe, Way};
///
/// # let folder = std::env::temp_dir().join(format!("unspool-doc-{}", std::process::id()));
/// # std::fs::create_dir_all(&folder)?;
/// # let path = folder.join("run.rec");
/// let mut file = RecordingFile::create(&path)?;
/// let mut scribe = Scribe::new();
/// scribe.note(&Begin::default().format(FORMAT), 0, |entry| file.take(&entry));
/// scribe.feed(Way::Out, b"{\"type\":\"system\"}\n", 12, |entry| file.take(&entry));
/// file.write()?;
/// scribe.note(&Finish::default(), 15, |entry| file.take(&entry));
/// file.end()?;
/// assert_eq!(std::fs::read_to_string(&path)?.lines().count(), 3);
/// # std::fs::remove_dir_all(folder)?;
/// # Ok::<_, std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct RecordingFile {
    to: To,
    /// Entries that were taken and are not written.
    text: Vec<u8>,
}

#[derive(Debug)]
enum To {
    Plain(File),
    #[cfg(all(unix, feature = "zstd"))]
    Packed(Box<packed::Packed>),
}

impl RecordingFile {
    /// Begins a recording, in place of one that may be there. A new file can be read by its owner alone: whatever passes stands
    /// in it. One that somebody else writes is refused.
    pub fn create(path: impl AsRef<Path>) -> io::Result<Self> {
        let path = path.as_ref();
        can(is_packed(path))?;
        let file = open(path, false)?;
        // Pipes and devices have no length; and a file that was emptied is written to the disk when it is closed, which has to be waited for.
        if file.metadata().is_ok_and(|there| there.is_file() && there.len() > 0) {
            file.set_len(0)?;
        }
        RecordingFile::of(file, is_packed(path))
    }

    /// Begins a recording in a file that is open, and empty.
    pub fn of(file: File, is_compressed: bool) -> io::Result<Self> {
        Ok(RecordingFile { to: To::new(file, is_compressed)?, text: Vec::new() })
    }

    /// Goes on with a recording, behind its last whole entry; what stands there of one that is not whole is removed. Where there is
    /// none yet, or nothing in it, it begins one, and where it goes on is `None`.
    ///
    /// It is read once, from its beginning. One that somebody else writes is refused, and so are what is no recording, and a recording
    /// that a newer version has written.
    pub fn append(path: impl AsRef<Path>) -> io::Result<(Self, Option<Resumed>)> {
        let path = path.as_ref();
        can(is_packed(path))?;
        // Whoever opens a pipe to read it, too, never hears that its reader has gone.
        let file = open(path, std::fs::metadata(path).map_or(true, |there| there.is_file()))?;
        let metadata = file.metadata()?;
        if !metadata.is_file() || metadata.len() == 0 {
            return Ok((RecordingFile::of(file, is_packed(path))?, None));
        }
        let (to, resumed) = resume::resume(file)?;
        Ok((RecordingFile { to, text: Vec::new() }, Some(resumed)))
    }

    /// Takes an entry, to be [written](Self::write).
    pub fn take(&mut self, entry: &Entry<'_>) {
        entry.write(&mut self.text);
    }

    /// Writes what was taken. Then it is in the file, however we end.
    pub fn write(&mut self) -> io::Result<()> {
        let written = match &mut self.to {
            To::Plain(file) => file.write_all(&self.text),
            #[cfg(all(unix, feature = "zstd"))]
            To::Packed(packed) => packed.write(&self.text),
        };
        self.text.clear();
        // One huge line must not cost its size for ever.
        self.text.shrink_to(1 << 20);
        written
    }

    /// Writes what was taken, and all else that belongs to the file's end. More may follow all the same.
    pub fn end(&mut self) -> io::Result<()> {
        self.write()?;
        match &mut self.to {
            To::Plain(_) => Ok(()),
            #[cfg(all(unix, feature = "zstd"))]
            To::Packed(packed) => packed.end(),
        }
    }

    /// Waits until what was written is on the disk, where a power cut cannot take it.
    pub fn sync(&self) -> io::Result<()> {
        match &self.to {
            To::Plain(file) => file.sync_data(),
            #[cfg(all(unix, feature = "zstd"))]
            To::Packed(packed) => packed.file().sync_data(),
        }
    }
}

impl To {
    fn new(file: File, is_packed: bool) -> io::Result<Self> {
        can(is_packed)?;
        #[cfg(all(unix, feature = "zstd"))]
        if is_packed {
            return Ok(To::Packed(Box::new(packed::Packed::new(file)?)));
        }
        Ok(To::Plain(file))
    }
}

/// Whether the name asks for compression.
fn is_packed(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending == "zst")
}

fn can(pack: bool) -> io::Result<()> {
    if pack && !cfg!(all(unix, feature = "zstd")) {
        let why = "this build compresses nothing: choose a name that does not end with .zst";
        return Err(io::Error::new(ErrorKind::Unsupported, why));
    }
    Ok(())
}

/// Opens a file to write, for us alone.
fn open(path: &Path, to_read: bool) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(to_read).write(true).create(true).truncate(false);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let file = options.open(path)?;
    #[cfg(unix)]
    if file.metadata()?.is_file() {
        lock(&file)?;
    }
    Ok(file)
}

/// Keeps everybody else out who locks it. Where files cannot be locked, nobody can know.
#[cfg(unix)]
fn lock(file: &File) -> io::Result<()> {
    use rustix::fs::{FlockOperation, flock};
    use rustix::io::Errno;
    use std::time::{Duration, Instant};

    // What a recorder was about to start when it was killed has its files for another moment.
    const PATIENCE: Duration = Duration::from_millis(500);
    let began = Instant::now();
    while flock(file, FlockOperation::NonBlockingLockExclusive) == Err(Errno::WOULDBLOCK) {
        if began.elapsed() > PATIENCE {
            return Err(io::Error::new(ErrorKind::WouldBlock, "somebody else writes it at this moment"));
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    Ok(())
}
