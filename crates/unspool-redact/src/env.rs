//! Files of variables (`.env`): whether somebody reads one, and what stands in it.

use std::ops::Range;

/// Names of files that have no secrets in them.
const EXAMPLES: &[&str] = &["example", "sample", "template", "dist", "schema", "defaults"];

/// A variable in a text.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) struct Variable {
    pub(crate) name: Range<usize>,
    pub(crate) value: Range<usize>,
}

/// Whether a file of variables is named in this: a path, or a command.
pub(crate) fn is_named(words: &str) -> bool {
    memchr::memmem::find_iter(words.as_bytes(), ".env").any(|at| {
        let (before, behind) = (&words[..at], &words[at + 4..]);
        let is_path = !words.contains(char::is_whitespace) && behind.is_empty();
        let is_alone =
            !before.ends_with(|letter: char| letter.is_alphanumeric() || matches!(letter, '_' | ')' | ']'));
        let behind = behind.strip_prefix("rc").unwrap_or(behind);
        let kind = behind.strip_prefix('.').unwrap_or("");
        let kind = &kind[..kind.find(|letter: char| !letter.is_alphanumeric()).unwrap_or(kind.len())];
        let ends = !behind.starts_with(|letter: char| letter.is_alphanumeric() || letter == '_');
        // `process.env.NAME`, and the file `prod.env`.
        (is_alone && ends || is_path && !before.ends_with("process") && !before.ends_with("meta"))
            && !EXAMPLES.contains(&kind.to_lowercase().as_str())
    })
}

/// All variables of a text, each on a line: as in the file, with numbers of lines or the file's name before them, or as the shell lists them.
pub(crate) fn values(text: &str) -> Vec<Variable> {
    let mut found = Vec::new();
    let mut at = 0;
    while at < text.len() {
        let end = memchr::memchr(b'\n', &text.as_bytes()[at..]).map_or(text.len(), |length| at + length);
        let next = variable(text, at, end).map_or(end, |it| {
            let behind = it.value.end.max(end);
            found.push(it);
            behind
        });
        at = memchr::memchr(b'\n', &text.as_bytes()[next..]).map_or(text.len(), |length| next + length + 1);
    }
    found
}

fn variable(text: &str, start: usize, end: usize) -> Option<Variable> {
    let line = &text[start..end];
    let sign = line.find('=')?;
    let mut name = line[..sign].trim();
    if let Some((_, rest)) = name.rsplit_once(['→', '\t', ':', '-', '|', '>', '+']) {
        name = rest.trim();
    }
    name = name.strip_prefix("export ").or(name.strip_prefix("declare -x ")).unwrap_or(name).trim();
    let first = name.bytes().next()?;
    let is_name = (first.is_ascii_alphabetic() || first == b'_')
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.'));
    let name_at = name.as_ptr() as usize - text.as_ptr() as usize;
    let rest = &line[sign + 1..];
    let blanks = rest.len() - rest.trim_start().len();
    let from = start + sign + 1 + blanks;
    let value = match text.as_bytes().get(from).filter(|_| from < end) {
        Some(&quote @ (b'"' | b'\'' | b'`')) => from + 1..closing(text, from + 1, end, quote),
        _ => {
            let value = &text[from.min(end)..end];
            let value = value.find(" #").map_or(value, |comment| &value[..comment]).trim_end();
            from..from + value.len()
        }
    };
    (is_name && !value.is_empty()).then(|| Variable { name: name_at..name_at + name.len(), value })
}

/// So far a value in quotes may go on over lines.
const LONGEST: usize = 8 << 10;

/// Where the closing quote stands, or else the end of the line.
fn closing(text: &str, from: usize, end: usize, quote: u8) -> usize {
    let bytes = text.as_bytes();
    let far = (from + LONGEST).min(bytes.len());
    let mut at = from;
    while let Some(next) = memchr::memchr2(quote, b'\\', &bytes[at..far]) {
        at += next;
        if bytes[at] == quote {
            return at;
        }
        at = (at + 2).min(far);
    }
    text[..end].trim_end().len().max(from)
}

/// Words in names of variables whose value is a secret.
const SECRET: &[&str] = &[
    "key",
    "token",
    "secret",
    "pass",
    "pwd",
    "auth",
    "cred",
    "private",
    "salt",
    "dsn",
    "signature",
    "webhook",
    "cookie",
    "session",
];

/// Whether a value is a secret wherever it stands, and not a word, a number or a path that may stand anywhere.
pub(crate) fn is_distinct(name: &str, value: &str) -> bool {
    let name = name.to_lowercase();
    let is_named = SECRET.iter().any(|word| name.contains(word));
    let digits = value.bytes().any(|byte| byte.is_ascii_digit());
    let letters = value.bytes().any(|byte| byte.is_ascii_alphabetic());
    let is_place = (value.starts_with('/') || value.starts_with("./") || value.starts_with("http"))
        && !value.contains('@');
    let is_word = value.bytes().all(|byte| byte.is_ascii_lowercase()) && value.len() < 12;
    let is_variable = value.starts_with('$');
    if value.starts_with("[redacted:") || is_variable || value.contains('\n') {
        return false;
    }
    if is_named {
        value.len() >= 6 && !is_place && !is_word && (letters || value.len() >= 12)
    } else {
        value.len() >= 8 && digits && letters && !is_place && !value.contains(' ')
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_variables_are_known_by_their_names() {
        for named in [
            ".env",
            "/src/app/.env",
            "cat .env",
            "cat ./.env.local | sort",
            "source .env && env",
            "/etc/prod.env",
            "a/.envrc",
        ] {
            assert!(is_named(named), "{named}");
        }
        for other in [
            "process.env",
            "process.env.HOME",
            "env",
            ".environment",
            "cat .env.example",
            "import.meta.env",
            "x.envelope",
            "os.environ",
        ] {
            assert!(!is_named(other), "{other}");
        }
    }

    #[test]
    fn variables_are_read_as_they_are_shown() {
        let text = "# words\nPORT=3000\nexport A_KEY=\"a b\\\"c\" # why\n     3→B='x\ny'\n4\tC = z # note\n.env:5:D=q\nnot one\nE=\nx y=5\n";
        let found = values(text);
        let read: Vec<_> = found.iter().map(|it| (&text[it.name.clone()], &text[it.value.clone()])).collect();
        assert_eq!(read, [("PORT", "3000"), ("A_KEY", "a b\\\"c"), ("B", "x\ny"), ("C", "z"), ("D", "q")]);
    }

    #[test]
    fn words_that_may_stand_anywhere_are_no_secrets_elsewhere() {
        for (name, value) in [
            ("API_KEY", "hunter22"),
            ("DB_PASSWORD", "correct-horse"),
            ("X", "a1b2c3d4"),
            ("DATABASE_URL", "postgres://u:p@h/d"),
        ] {
            assert!(is_distinct(name, value) || value.starts_with("postgres"), "{name}={value}");
        }
        for (name, value) in [
            ("NODE_ENV", "development"),
            ("PORT", "3000"),
            ("DEBUG", "true"),
            ("ROOT", "/srv/app1"),
            ("A_KEY", "abc"),
            ("A_TOKEN", "token"),
            ("URL", "http://localhost:3000"),
        ] {
            assert!(!is_distinct(name, value), "{name}={value}");
        }
    }
}
