//! Opens a file and finds out what it is.

use std::fs::File;
use std::io::{self, ErrorKind, Read, stdin};
use std::path::Path;
use unspool::transcript::Form;

/// Bytes that are read at once.
pub(super) const PIECE: usize = 64 << 10;

/// What has no complete line by then, or nothing that is known, is not looked at further.
const HEAD: usize = 1 << 20;

/// What a file is.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum What {
    Stream,
    Transcript,
    Neither,
}

/// A file, and what was read of it to find out what it is.
pub(super) struct Opened {
    pub(super) what: What,
    pub(super) head: Vec<u8>,
    pub(super) rest: Box<dyn Read>,
    is_stdin: bool,
}

impl Opened {
    /// A file, or `-` for standard input.
    pub(super) fn new(path: &Path) -> io::Result<Self> {
        let is_stdin = path.as_os_str() == "-";
        let mut rest: Box<dyn Read> =
            if is_stdin { Box::new(stdin().lock()) } else { Box::new(File::open(path)?) };
        let mut head = Vec::new();
        let what = loop {
            let ended = read_more(&mut rest, &mut head)? == 0;
            // Whoever writes to us waits to be read: the first line must do.
            if let Some(what) = judge(&head, ended, is_stdin) {
                break what;
            }
        };
        Ok(Opened { what, head, rest, is_stdin })
    }

    pub(super) fn is_stdin(&self) -> bool {
        self.is_stdin
    }
}

/// Appends what comes next. Returns how much that is.
pub(super) fn read_more(from: &mut dyn Read, to: &mut Vec<u8>) -> io::Result<usize> {
    let length = to.len();
    to.resize(length + PIECE, 0);
    loop {
        match from.read(&mut to[length..]) {
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            read => {
                to.truncate(length + *read.as_ref().unwrap_or(&0));
                return read;
            }
        }
    }
}

/// What it is, if that can be said.
pub(super) fn judge(head: &[u8], ended: bool, by_first_line: bool) -> Option<What> {
    let whole = match memchr::memrchr(b'\n', head) {
        _ if ended => head,
        Some(end) => &head[..end],
        None => &[],
    };
    let mut known = None;
    let mut lines = whole.split(|&byte| byte == b'\n').filter(|line| !line.trim_ascii().is_empty());
    while let Some(line) = lines.next() {
        // The oldest versions print objects over several lines.
        let over_lines = (line.trim_ascii() == b"{").then(|| joined(lines.clone()));
        match Form::of(over_lines.as_deref().unwrap_or(line)) {
            Form::Transcript => return Some(What::Transcript),
            Form::Stream => return Some(What::Stream),
            Form::Unknown | Form::Other => known = Some(What::Neither),
        }
        if by_first_line {
            return Some(What::Stream);
        }
    }
    let empty = ended && head.trim_ascii().is_empty();
    match known {
        _ if empty => Some(What::Stream),
        _ if ended || head.len() >= HEAD => Some(What::Neither),
        _ => None,
    }
}

/// The object that a line with nothing but its brace has opened.
fn joined<'l>(lines: impl Iterator<Item = &'l [u8]>) -> Vec<u8> {
    let mut object = b"{".to_vec();
    for line in lines {
        object.extend_from_slice(line);
        if line.trim_ascii_end() == b"}" {
            break;
        }
    }
    object
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_object_over_several_lines_is_known() {
        let all = |text: &str| judge(text.as_bytes(), true, false);
        assert_eq!(all("{\n  \"role\": \"assistant\",\n  \"content\": []\n}\n"), Some(What::Stream));
        assert_eq!(all("{\n  \"name\": \"left-pad\"\n}\n"), Some(What::Neither));
    }

    #[test]
    fn the_first_line_that_is_known_decides() {
        let stream = "{\"type\":\"system\",\"subtype\":\"init\",\"session_id\":\"s\"}\n";
        let entry = "{\"type\":\"user\",\"sessionId\":\"s\",\"message\":{}}\n";
        let all = |text: &str| judge(text.as_bytes(), true, false);
        assert_eq!(all(stream), Some(What::Stream));
        assert_eq!(all(entry), Some(What::Transcript));
        assert_eq!(all(&format!("Warning: x\n{{\"a\":1}}\n{entry}{stream}")), Some(What::Transcript));
        assert_eq!(all("# Title\n\nwords\n"), Some(What::Neither));
        assert_eq!(all(""), Some(What::Stream), "a run that printed nothing");
    }

    #[test]
    fn a_line_that_has_not_ended_is_waited_for() {
        let half = b"{\"type\":\"user\",\"sess";
        assert_eq!(judge(half, false, false), None);
        assert_eq!(judge(b"Warning\n{\"type\":", false, false), None);
        assert_eq!(judge(b"Warning\n{\"type\":", false, true), Some(What::Stream));
    }
}
