//! What is typed, as keys.

/// What somebody wants.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Key {
    /// To stop, or to go on.
    Pause,
    Faster,
    Slower,
    /// To the event before, and the next.
    EventBack,
    EventOn,
    /// To the turn before, and the next.
    TurnBack,
    TurnOn,
    /// To where another agent has the floor, back or on.
    AgentBack,
    AgentOn,
    /// To what went wrong, back or on.
    TroubleBack,
    TroubleOn,
    Begin,
    End,
    /// To read what has scrolled away, a line at a time.
    Up,
    Down,
    Help,
    Quit,
    /// Anything else.
    Other,
}

/// Reads keys from the bytes that a terminal sends, however they are cut.
#[derive(Default)]
pub(super) struct Keys {
    /// The beginning of a key of several bytes.
    held: Vec<u8>,
}

/// No key is longer.
const LONGEST: usize = 16;

impl Keys {
    /// Takes the next bytes.
    pub(super) fn feed(&mut self, bytes: &[u8], mut take: impl FnMut(Key)) {
        // What follows an escape comes with it; one that stood alone was the key itself.
        if self.held == [ESCAPE] && !matches!(bytes.first(), Some(b'[' | b'O')) {
            self.held.clear();
            take(Key::Other);
        }
        for &byte in bytes {
            self.held.push(byte);
            match key(&self.held) {
                Read::Whole(key) => {
                    self.held.clear();
                    take(key);
                }
                Read::Part if self.held.len() < LONGEST => {}
                Read::Part => self.held.clear(),
            }
        }
    }
}

enum Read {
    Whole(Key),
    Part,
}

const ESCAPE: u8 = 0x1b;

fn key(bytes: &[u8]) -> Read {
    let key = match bytes {
        [ESCAPE] | [ESCAPE, b'[' | b'O'] => return Read::Part,
        [ESCAPE, b'[', parameters @ .., last] if (0x40..=0x7e).contains(last) => control(parameters, *last),
        [ESCAPE, b'[', ..] => return Read::Part,
        [ESCAPE, b'O', last] => control(b"", *last),
        [ESCAPE, ..] => Key::Other,
        [b' '] => Key::Pause,
        [b'+' | b'='] => Key::Faster,
        [b'-' | b'_'] => Key::Slower,
        [b'h'] => Key::EventBack,
        [b'l'] => Key::EventOn,
        [b'k'] => Key::Up,
        [b'j'] => Key::Down,
        [b'a'] => Key::AgentOn,
        [b'A'] => Key::AgentBack,
        [b'e'] => Key::TroubleOn,
        [b'E'] => Key::TroubleBack,
        [b'g'] => Key::Begin,
        [b'G'] => Key::End,
        [b'?'] => Key::Help,
        // Ctrl-D, as at the end of what is typed elsewhere.
        [b'q' | b'Q' | 0x04] => Key::Quit,
        _ => Key::Other,
    };
    Read::Whole(key)
}

/// What begins with an escape. Other keys that are held meanwhile make no difference.
fn control(parameters: &[u8], last: u8) -> Key {
    match (parameters.split(|byte| *byte == b';').next().unwrap_or_default(), last) {
        (_, b'A') => Key::Up,
        (_, b'B') => Key::Down,
        (_, b'C') => Key::EventOn,
        (_, b'D') => Key::EventBack,
        (_, b'H') | (b"1" | b"7", b'~') => Key::Begin,
        (_, b'F') | (b"4" | b"8", b'~') => Key::End,
        (b"5", b'~') => Key::TurnBack,
        (b"6", b'~') => Key::TurnOn,
        _ => Key::Other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(pieces: &[&[u8]]) -> Vec<Key> {
        let (mut keys, mut read) = (Keys::default(), Vec::new());
        pieces.iter().for_each(|piece| keys.feed(piece, |key| read.push(key)));
        read
    }

    #[test]
    fn keys_are_known_however_they_are_cut() {
        let typed = b" +-\x1b[C\x1b[D\x1bOC\x1b[5~\x1b[6~aAeE\x1b[H\x1b[F\x1b[1~\x1b[4~gG\x1b[A\x1b[B?q\x04";
        let keys = [
            Key::Pause,
            Key::Faster,
            Key::Slower,
            Key::EventOn,
            Key::EventBack,
            Key::EventOn,
            Key::TurnBack,
            Key::TurnOn,
            Key::AgentOn,
            Key::AgentBack,
            Key::TroubleOn,
            Key::TroubleBack,
            Key::Begin,
            Key::End,
            Key::Begin,
            Key::End,
            Key::Begin,
            Key::End,
            Key::Up,
            Key::Down,
            Key::Help,
            Key::Quit,
            Key::Quit,
        ];
        assert_eq!(read(&[typed]), keys);
        let pieces: Vec<&[u8]> = typed.chunks(1).collect();
        assert_eq!(read(&pieces), keys, "byte by byte");
    }

    #[test]
    fn what_is_no_key_of_ours_does_nothing() {
        assert_eq!(read(&[b"\x1b[1;5C", b"\x1b[200~"]), [Key::EventOn, Key::Other]);
        assert_eq!(read(&[b"x", b"\x1bx", b"\xc3\xa9"]), [Key::Other; 4]);
        assert_eq!(read(&[b"\x1b", b"q"]), [Key::Other, Key::Quit], "an escape alone");
        let endless = [b"\x1b[".as_slice(), &[b'1'; 40]].concat();
        assert_eq!(read(&[&endless, b"x", b"q"]).last(), Some(&Key::Quit));
    }
}
