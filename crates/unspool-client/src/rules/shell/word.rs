//! Words of a line, and what they mean.
//!
//! ```text
//! word    = { bare | active | "\" punctuation | "'" { printed } "'" | '"' { inside } '"' }
//! inside  = printed | "\" punctuation | expansion | "$" before the closing quote
//! ```

/// A word of a command.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub(in super::super) struct Word {
    /// What it means, on one line with the others of its command: see [`stand_in`].
    pub(super) text: String,
    /// How much of it, in front, is written without quotes.
    pub(super) bare: usize,
    /// Whether a shell may put something else in its place: files, say.
    pub(super) is_open: bool,
}

/// A letter of words that is none: a blank that does not end the word, or something that a shell replaces. No letter of a
/// pattern fits it, but for the same one written in the same way; a `*` fits it.
pub(in super::super) const fn stand_in(c: u8) -> char {
    // The first of those that Unicode gives no meaning.
    match char::from_u32(0xE000 + c as u32) {
        Some(c) => c,
        None => unreachable!(),
    }
}

/// The text without [stand-ins](stand_in), as a user might write it who has no quotes.
pub(in super::super) fn written(text: &str) -> String {
    let plain = |c: char| match u32::from(c).wrapping_sub(0xE000) {
        stood_for @ 0..0x80 => char::from_u32(stood_for).unwrap_or(c),
        _ => c,
    };
    text.chars().map(plain).collect()
}

/// The words of a pattern, with nothing else on the line.
pub(in super::super) fn words(text: &str) -> Option<Vec<Word>> {
    let mut rest = Rest(text);
    let mut words = Vec::new();
    loop {
        rest.blanks();
        match rest.word()? {
            Some(word) => words.push(word),
            None => return rest.0.is_empty().then_some(words),
        }
    }
}

/// What is left of a line.
#[derive(Clone, Copy)]
pub(super) struct Rest<'a>(pub(super) &'a str);

impl Rest<'_> {
    pub(super) fn peek(self) -> Option<char> {
        self.0.chars().next()
    }

    pub(super) fn next(&mut self) -> Option<char> {
        let c = self.peek()?;
        self.0 = &self.0[c.len_utf8()..];
        Some(c)
    }

    /// Takes this text, if it is there.
    pub(super) fn take(&mut self, text: &str) -> bool {
        let behind = self.0.strip_prefix(text);
        self.0 = behind.unwrap_or(self.0);
        behind.is_some()
    }

    /// Takes blanks; whether there were any.
    pub(super) fn blanks(&mut self) -> bool {
        let before = self.0.len();
        self.0 = self.0.trim_start_matches([' ', '\t']);
        self.0.len() < before
    }

    /// Whether a word cannot go on here.
    pub(super) fn is_at_end_of_word(self) -> bool {
        self.peek().is_none_or(|c| " \t\n;&|<>)".contains(c))
    }

    /// Takes a word; `Some(None)` if there is none here, `None` if the grammar does not say what it means.
    pub(super) fn word(&mut self) -> Option<Option<Word>> {
        let mut word = Word::default();
        let mut is_bare = true;
        let before = self.0.len();
        while let Some(c) = self.peek() {
            let is_first = self.0.len() == before;
            match c {
                'a'..='z' | 'A'..='Z' | '0'..='9' | '_' | '-' | '+' | '.' | '/' | ',' | ':' | '@' | '%' => {
                    word.text.push(c);
                }
                // In front, zsh puts a path in its place.
                '=' if !is_first => word.text.push(c),
                '\'' | '"' | '\\' => {
                    is_bare = false;
                    self.next();
                    match c {
                        '\'' => self.single_quoted(&mut word)?,
                        '"' => self.double_quoted(&mut word)?,
                        _ => word.push(self.next().filter(|c| *c == ' ' || c.is_ascii_punctuation())?),
                    }
                    continue;
                }
                '~' if is_first => {
                    self.next();
                    if !self.is_at_end_of_word() && self.peek() != Some('/') {
                        return None;
                    }
                    word.text.push(stand_in(b'~'));
                    continue;
                }
                '*' | '?' => word.replace(c as u8),
                // With some options these are patterns for files in zsh.
                '~' | '^' | '#' if !is_first => word.replace(c as u8),
                '$' => {
                    self.next();
                    self.expansion(&mut word, Rest::is_at_end_of_word)?;
                    word.is_open = true;
                    continue;
                }
                _ => break,
            }
            self.next();
            if is_bare {
                word.bare = word.text.len();
            }
        }
        Some((self.0.len() < before).then_some(word))
    }

    fn single_quoted(&mut self, word: &mut Word) -> Option<()> {
        loop {
            match self.next()? {
                // Two of them are one that is meant, with an option of zsh.
                '\'' if self.peek() == Some('\'') => return None,
                '\'' => return Some(()),
                c => word.push(printed(c)?),
            }
        }
    }

    fn double_quoted(&mut self, word: &mut Word) -> Option<()> {
        let mut last = '"';
        loop {
            let c = self.next()?;
            match c {
                '"' => return Some(()),
                '`' => return None,
                '$' if self.peek() == Some('"') => word.text.push('$'),
                '$' => self.expansion(word, |rest| rest.peek().is_some_and(|c| matches!(c, '"' | ' ')))?,
                // In some encodings it would be the second half of a letter.
                '\\' if !last.is_ascii() => return None,
                '\\' => match self.next()? {
                    c @ ('$' | '`' | '"' | '\\') => word.text.push(c),
                    '!' => return None,
                    c if c.is_ascii_graphic() => word.text.extend(['\\', c]),
                    _ => return None,
                },
                c => word.push(printed(c)?),
            }
            last = c;
        }
    }

    /// What is behind a `$`: nothing that runs or computes anything, and nothing that zsh would read on.
    fn expansion(&mut self, word: &mut Word, ends: impl Fn(Self) -> bool) -> Option<()> {
        let name = ["?", "HOME", "PWD"].into_iter().find(|name| self.take(name))?;
        let is_path = name != "?" && self.peek() == Some('/');
        word.text.push(stand_in(b'$'));
        word.text.push_str(name);
        (is_path || ends(*self)).then_some(())
    }
}

impl Word {
    /// A letter that means itself.
    fn push(&mut self, c: char) {
        self.text.push(if c == ' ' { stand_in(b' ') } else { c });
    }

    /// A letter that a shell replaces.
    fn replace(&mut self, c: u8) {
        self.text.push(stand_in(c));
        self.is_open = true;
    }

    /// Whether it means what it says, whatever there is around it.
    pub(super) fn is_literal(&self) -> bool {
        !self.is_open && !self.text.contains([stand_in(b'~'), stand_in(b'$')])
    }
}

/// A letter that may stand between quotes.
fn printed(c: char) -> Option<char> {
    let is_stand_in = ('\u{e000}'..='\u{e07f}').contains(&c);
    (matches!(c, '\n' | '\t') || !c.is_control() && !is_stand_in).then_some(c)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A word, and what it means; `␣` is a blank in it, `⟨c⟩` what is replaced.
    fn meaning(text: &str) -> Option<String> {
        let words = words(text)?;
        let shown = |c: char| match u32::from(c).checked_sub(0xE000).and_then(|c| u8::try_from(c).ok()) {
            Some(b' ') => "␣".to_owned(),
            Some(c) => format!("⟨{}⟩", char::from(c)),
            None => c.to_string(),
        };
        Some(
            words
                .iter()
                .map(|word| word.text.chars().map(shown).collect())
                .collect::<Vec<String>>()
                .join(" "),
        )
    }

    #[test]
    fn words_mean_what_all_shells_read() {
        for (text, means) in [
            ("cargo test", "cargo test"),
            ("\tcargo \t test ", "cargo test"),
            (r#""car"'go' t\-est"#, "cargo t-est"),
            (r#"a" b"c' d'\ e"#, "a␣bc␣d␣e"),
            ("''", ""),
            (r#""a \" \\ \$ \` \n $""#, r#"a␣"␣\␣$␣`␣\n␣$"#),
            ("'$(x) `y` \\'", "$(x)␣`y`␣\\"),
            ("'a\nb'", "a\nb"),
            ("--a=b=c", "--a=b=c"),
            ("~ ~/x '~' a~1 b^ c#d", "⟨~⟩ ⟨~⟩/x ~ a⟨~⟩1 b⟨^⟩ c⟨#⟩d"),
            ("*.rs a? '*'", "⟨*⟩.rs a⟨?⟩ *"),
            ("$? $HOME $HOME/x \"$PWD/a b\" \"$? x\"", "⟨$⟩? ⟨$⟩HOME ⟨$⟩HOME/x ⟨$⟩PWD/a␣b ⟨$⟩?␣x"),
            ("'ä' \"€!\"", "ä €!"),
        ] {
            assert_eq!(meaning(text).as_deref(), Some(means), "{text}");
        }
    }

    #[test]
    fn all_else_is_no_word() {
        for text in [
            "'a",
            "\"a",
            "a\\",
            "\\a",
            "\\\n",
            "\"\\\n\"",
            "\"$\\\n(x)\"",
            "$\\\n(x)",
            "$(x)",
            "`x`",
            "\"$(x)\"",
            "\"`x`\"",
            "${x}",
            "$x",
            "$((1))",
            "$[1]",
            "$'a'",
            "$\"a\"",
            "$?[x]",
            "\"$?[x]\"",
            "$HOME[x]",
            "$HOMEx",
            "\"$HOME:h\"",
            "$?x",
            "{a,b}",
            "a{",
            "[a]",
            "a[0]=1",
            "~user",
            "~+",
            "=ls",
            "a(b)",
            "!x",
            "a!",
            "\u{a0}",
            "ä",
            "a\r",
            "'\r'",
            "'\u{1}'",
            "'\u{7f}'",
            "'\u{85}'",
            "'\u{e020}'",
            "'a''b'",
            "\"ä\\\\\"",
            "\"\\!\"",
            "\"\\\t\"",
            "\0",
            "a;b",
            "a>b",
        ] {
            assert_eq!(meaning(text), None, "{text:?}");
        }
    }
}
