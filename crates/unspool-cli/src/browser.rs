//! A page in the browser of whoever is at the machine.

use anyhow::{Context, bail};
use std::fs::{self, DirBuilder};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};
use std::{env, io, process, thread};

/// Whoever opens a page has said by then that it cannot. Some stay as long as the browser does.
const PATIENCE: Duration = Duration::from_secs(3);

/// Shows a file to the user.
pub(crate) fn open(file: &Path) -> anyhow::Result<()> {
    // Whoever is called may stand in another folder, and must not take a name for an option.
    let file = fs::canonicalize(file)?;
    let mut command = opener();
    let name = command.get_program().to_string_lossy().into_owned();
    command.arg(&file).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let no_browser = || format!("the page is in {}, but {name} did not open it", file.display());
    let mut child = command.spawn().with_context(no_browser)?;
    let begun = Instant::now();
    while begun.elapsed() < PATIENCE {
        match child.try_wait()? {
            Some(status) if status.success() => return Ok(()),
            Some(status) => bail!("{}: {status}", no_browser()),
            None => thread::sleep(Duration::from_millis(20)),
        }
    }
    Ok(())
}

fn opener() -> Command {
    if cfg!(target_os = "macos") {
        Command::new("open")
    } else if cfg!(windows) {
        let mut command = Command::new("rundll32");
        command.arg("url.dll,FileProtocolHandler");
        command
    } else {
        Command::new("xdg-open")
    }
}

/// A new folder that nobody else can look into. It stays: the browser may want its file again.
pub(crate) fn private_folder() -> io::Result<PathBuf> {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let folder = env::temp_dir().join(format!("unspool-{}-{}", process::id(), now.as_nanos()));
    let mut builder = DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    // It must not be there before: somebody else could have made it.
    builder.create(&folder)?;
    Ok(folder)
}
