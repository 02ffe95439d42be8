//! Words to fill lines with: code, base64 and Chinese, which is what tools print in bulk.

/// What a text is made of.
#[derive(Clone, Copy, Debug)]
pub enum Text {
    /// An escape every twenty letters or so: line ends, quotes, tabs.
    Code,
    /// No escape at all.
    Base64,
    /// Three bytes a letter, and an escape now and then.
    Cjk,
}

impl Text {
    pub const ALL: [Text; 3] = [Text::Code, Text::Base64, Text::Cjk];

    pub fn name(self) -> &'static str {
        match self {
            Text::Code => "code",
            Text::Base64 => "base64",
            Text::Cjk => "CJK",
        }
    }

    /// About so many bytes of it, as a JSON string with its quotes. Another number begins elsewhere.
    pub fn string(self, number: usize, size: usize) -> String {
        let mut out = String::with_capacity(size + 512);
        out.push('"');
        match self {
            Text::Code => lines_of(include_str!("../../samples/code.txt"), number, size, &mut out),
            Text::Base64 => base64(number, size, &mut out),
            Text::Cjk => lines_of(include_str!("../../samples/cjk.txt"), number, size, &mut out),
        }
        out.push('"');
        out
    }
}

/// Lines of a sample, from the `number`th on and round again, until there is enough.
fn lines_of(sample: &str, number: usize, size: usize, out: &mut String) {
    let lines: Vec<String> = sample.split_inclusive('\n').map(escaped).collect();
    for line in lines.iter().cycle().skip(number % lines.len()) {
        if out.len() >= size {
            break;
        }
        out.push_str(line);
    }
}

/// As it stands between the quotes of a JSON string.
fn escaped(text: &str) -> String {
    let quoted = serde_json::Value::from(text).to_string();
    quoted[1..quoted.len() - 1].to_owned()
}

/// Letters in no order (xorshift), the same ones every time.
fn base64(number: usize, size: usize, out: &mut String) {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut state = 0x9e37_79b9_7f4a_7c15_u64 ^ number as u64;
    while out.len() < size {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        out.extend((0..10).map(|at| char::from(LETTERS[(state >> (6 * at)) as usize % 64])));
    }
}
