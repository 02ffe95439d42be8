//! A stand-in for Claude Code: a shell script that reads what it is sent and plays a recorded stream.

use crate::program::{Ran, ended};
use std::fs;
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};

/// A stand-in, and the folder that it runs in.
pub(crate) struct StandIn {
    pub(crate) folder: PathBuf,
}

/// Writes down a line that it was sent.
const HEAR: &str = "IFS= read -r line && printf '%s\\n' \"$line\" >> heard.ndjson";

impl StandIn {
    /// Plays a stream when it has its prompt, and exits when its input is closed.
    pub(crate) fn plays(stream: &str) -> Self {
        let stand_in = Self::acts(&format!("{HEAR}\ncat stream.ndjson\ncat > /dev/null\n"));
        fs::write(stand_in.folder.join("stream.ndjson"), stream).unwrap();
        stand_in
    }

    /// Does what a shell script says; `hear` in it takes a line.
    pub(crate) fn acts(script: &str) -> Self {
        static NEXT: AtomicUsize = AtomicUsize::new(0);
        let name = format!("{}-{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("stand-in").join(name);
        fs::create_dir_all(&folder).unwrap();
        let head = "#!/bin/sh\nprintf '%s\\n' \"$@\" > args.txt\n";
        let program = folder.join("claude");
        fs::write(&program, format!("{head}hear() {{ {HEAR}; }}\n{script}")).unwrap();
        fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
        StandIn { folder }
    }

    /// A file in its folder.
    pub(crate) fn file(&self, name: &str, text: &str) -> String {
        let file = self.folder.join(name);
        fs::write(&file, text).unwrap();
        file.to_str().unwrap().to_owned()
    }

    /// The program, with this stand-in as the `claude` that it finds, in its folder.
    pub(crate) fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_unspool"));
        command.args(args).current_dir(&self.folder).env("UNSPOOL_CLAUDE", self.folder.join("claude"));
        command.env("COLUMNS", "100");
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    pub(crate) fn start(&self, args: &[&str]) -> Child {
        self.command(args).spawn().unwrap()
    }

    pub(crate) fn run(&self, args: &[&str]) -> Ran {
        ended(self.start(args))
    }

    /// The same, with something piped in.
    pub(crate) fn run_on(&self, args: &[&str], input: &str) -> Ran {
        let mut child = self.command(args).stdin(Stdio::piped()).spawn().unwrap();
        child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
        ended(child)
    }

    /// What was written to a file in its folder; nothing if it is not there.
    pub(crate) fn read(&self, name: &str) -> String {
        fs::read_to_string(self.folder.join(name)).unwrap_or_default()
    }
}
