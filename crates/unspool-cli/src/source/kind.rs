//! What there is to read: one rule for files and for pipes. The first line that is known says it.

use memchr::memrchr;
use unspool::journal::{is_begun, is_journal};
use unspool::line::{Line, Lines};
use unspool::transcript::Form;

/// What has nothing in it by then that is known is not looked at further.
pub(super) const HEAD: usize = 1 << 20;

/// So many bytes say whether something is text.
pub(super) const SAMPLE: usize = 4096;

/// What a file is.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum What {
    Stream,
    Transcript,
    /// A journal in a file.
    Recording,
    /// What `unspool events` printed.
    Events,
    /// Nothing at all.
    Empty,
    /// Text, and no line of it is known.
    Other,
    /// No text.
    Binary,
}

/// What it is, if that can be said of its beginning, or of all of it.
pub(super) fn judge(head: &[u8], ended: bool) -> Option<What> {
    if is_journal(head) || ended && is_begun(head) {
        return Some(What::Recording);
    }
    let whole = if ended { head } else { &head[..memrchr(b'\n', head).map_or(0, |end| end + 1)] };
    // A list on one line has no end for long.
    let whole = if opens_list(head) { head } else { whole };
    match known(whole, ended) {
        Some(what) => Some(what),
        None if !ended && head.len() < HEAD => None,
        None if head.trim_ascii().is_empty() => Some(What::Empty),
        None if !is_text(head) => Some(What::Binary),
        None => Some(What::Other),
    }
}

/// What the first known line says.
pub(super) fn known(bytes: &[u8], ended: bool) -> Option<What> {
    let is_list = opens_list(bytes);
    let mut known = None;
    let mut look = |line: Line<'_>| {
        if known.is_none() {
            known = match Form::of(line.bytes) {
                // On disk there are no lists, and `unspool events` prints none.
                Form::Transcript | Form::Events if is_list => Some(What::Stream),
                Form::Transcript => Some(What::Transcript),
                Form::Stream => Some(What::Stream),
                Form::Events => Some(What::Events),
                _ => None,
            };
        }
    };
    let mut lines = Lines::default();
    lines.feed(bytes, |_| {}, &mut look);
    if ended {
        lines.finish(look);
    }
    known
}

/// Whether an object or a list begins there that goes on in other lines: only streams have that.
pub(super) fn is_spread(bytes: &[u8]) -> bool {
    let mut lines = bytes.split(|&byte| byte == b'\n').rev();
    // Of the last line more may come.
    let last = lines.next().and_then(list);
    last.is_some_and(|behind| behind.starts_with(b"{"))
        || lines.any(|line| line.trim_ascii() == b"{" || opens_list(line))
}

fn opens_list(bytes: &[u8]) -> bool {
    list(bytes).is_some_and(|behind| behind.is_empty() || behind.starts_with(b"{"))
}

/// What comes behind the bracket of a list.
fn list(bytes: &[u8]) -> Option<&[u8]> {
    let bytes = bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes);
    bytes.trim_ascii_start().strip_prefix(b"[").map(<[u8]>::trim_ascii_start)
}

/// Whether it is text: a few bytes may be odd, as in the output of a program that was cut.
pub(super) fn is_text(bytes: &[u8]) -> bool {
    let odd =
        bytes.iter().filter(|byte| byte.is_ascii_control() && !b"\t\n\r\x08\x0c\x1b".contains(byte)).count();
    let wrong: usize = bytes.utf8_chunks().map(|chunk| chunk.invalid().len()).sum();
    (odd + wrong) * 10 <= bytes.len()
}

/// Whether every byte is text.
pub(super) fn is_clean(bytes: &[u8]) -> bool {
    str::from_utf8(bytes).is_ok() && !bytes.contains(&0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(text: &str) -> Option<What> {
        judge(text.as_bytes(), true)
    }

    #[test]
    fn an_object_over_several_lines_is_known() {
        assert_eq!(all("{\n  \"role\": \"assistant\",\n  \"content\": []\n}\n"), Some(What::Stream));
        assert_eq!(all("{\n  \"name\": \"left-pad\"\n}\n"), Some(What::Other));
    }

    #[test]
    fn the_first_line_that_is_known_decides() {
        let stream = "{\"type\":\"system\",\"subtype\":\"init\",\"session_id\":\"s\"}\n";
        let entry = "{\"type\":\"user\",\"sessionId\":\"s\",\"message\":{}}\n";
        assert_eq!(all(stream), Some(What::Stream));
        assert_eq!(all(entry), Some(What::Transcript));
        assert_eq!(all(&format!("Warning: x\n{{\"a\":1}}\n{entry}{stream}")), Some(What::Transcript));
        assert_eq!(all(&format!("[{stream}, {entry}]")), Some(What::Stream), "a list");
        assert_eq!(
            judge(format!("[{stream}, {{").as_bytes(), false),
            Some(What::Stream),
            "a list that goes on"
        );
        let event = "{\"type\":\"turn_start\",\"seq\":1,\"agent\":\"main\",\"cause\":\"user\"}\n";
        assert_eq!(all(&format!("Warning: x\n{event}{stream}")), Some(What::Events));
        assert_eq!(all(&format!("[{event}]")), Some(What::Stream), "as from a pipe");
        assert_eq!(all(&format!("\n  [{stream}]")), Some(What::Stream), "a list with a margin");
        assert_eq!(all("# Title\n\nwords\n"), Some(What::Other));
        assert_eq!(all("[\"a\", {\"type\":\"user\"}]"), Some(What::Other));
        assert_eq!(all(" \n"), Some(What::Empty), "a run that printed nothing");
    }

    #[test]
    fn a_recording_is_known_by_its_first_entry() {
        let entry = b"1\t0\tnote\t{\"note\":\"begin\",\"format\":1}\n";
        assert_eq!(judge(entry, false), Some(What::Recording));
        assert_eq!(judge(&entry[..12], false), Some(What::Recording), "its columns are there");
        assert_eq!(judge(&entry[..3], false), None);
        assert_eq!(judge(b"7\t12\tout\t{}\n", true), Some(What::Recording), "its beginning is gone");
        assert_eq!(all("1\t0\telse\tx\n"), Some(What::Other));
    }

    #[test]
    fn a_line_that_has_not_ended_is_waited_for() {
        assert_eq!(judge(b"{\"type\":\"user\",\"sess", false), None);
        assert_eq!(judge(b"Warning\n{\"type\":", false), None);
        assert_eq!(judge(b"", false), None);
    }

    #[test]
    fn what_is_no_text_is_known() {
        let noise: Vec<u8> = (0..5000_u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 23) as u8).collect();
        let png = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\x06\0\0\0\x1f\x15\xc4\x89";
        let wide: Vec<u8> = "{\"type\":\"user\"}\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
        for bytes in [&noise[..], png, &wide, &[0; 99]] {
            assert_eq!(judge(bytes, true), Some(What::Binary));
        }
        for text in ["caf\u{e9}", "\u{1b}[31mred\u{1b}[0m\n", "日本語", "x"] {
            assert_eq!(judge(text.as_bytes(), true), Some(What::Other), "{text}");
        }
        assert_eq!(judge(b"words, and one byte that is \xff odd", true), Some(What::Other));
    }
}
