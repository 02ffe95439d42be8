//! A program of the name `claude`, for hosts that look for one.

use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Writes a program `claude` into a folder, which is made if need be, and returns its path. It calls `unspool`, a program by its
/// path, as `unspool fake-claude`, with these flags and this recording and whatever it is given itself.
///
/// The folder in front of others in `PATH` makes it the `claude` of whatever is started; hosts may as well be given the path.
pub fn install<F: AsRef<OsStr>>(
    folder: impl AsRef<Path>,
    unspool: impl AsRef<Path>,
    recording: impl AsRef<Path>,
    flags: &[F],
) -> io::Result<PathBuf> {
    let folder = folder.as_ref();
    fs::create_dir_all(folder)?;
    let unspool = fs::canonicalize(unspool)?;
    let recording = fs::canonicalize(recording)?;
    let words = [unspool.as_os_str(), OsStr::new("fake-claude")];
    let words = words.into_iter().chain(flags.iter().map(F::as_ref)).chain([recording.as_os_str()]);
    let words = words.map(|word| word.to_str().ok_or_else(|| odd(word))).collect::<io::Result<Vec<_>>>()?;
    let file = folder.join(if cfg!(windows) { "claude.cmd" } else { "claude" });
    if let Ok(old) = fs::read_to_string(&file)
        && !old.contains(MARK)
    {
        let why = format!("{} is there already, and none of ours", file.display());
        return Err(io::Error::new(io::ErrorKind::AlreadyExists, why));
    }
    fs::write(&file, script(&words))?;
    make_executable(&file)?;
    Ok(file)
}

/// By this a script is known to be ours.
const MARK: &str = "plays a recording in the place of Claude Code";

fn script(words: &[&str]) -> String {
    if cfg!(windows) {
        let words: Vec<String> =
            words.iter().map(|word| format!("\"{}\"", word.replace('%', "%%"))).collect();
        return format!("@rem unspool {MARK}\r\n@{} -- %*\r\n", words.join(" "));
    }
    let words: Vec<String> = words.iter().map(|word| format!("'{}'", word.replace('\'', r"'\''"))).collect();
    format!("#!/bin/sh\n# unspool {MARK}\nexec {} -- \"$@\"\n", words.join(" "))
}

fn odd(word: &OsStr) -> io::Error {
    io::Error::new(
        io::ErrorKind::InvalidInput,
        format!("{} is no text, and cannot stand in a script", word.display()),
    )
}

#[cfg(unix)]
fn make_executable(file: &Path) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(file, fs::Permissions::from_mode(0o755))
}

#[cfg(not(unix))]
fn make_executable(_: &Path) -> io::Result<()> {
    Ok(())
}
