//! Which models a list of denied ones means.

/// The families that can be denied by their name alone.
const FAMILIES: [&str; 4] = ["sonnet", "opus", "haiku", "fable"];

/// Names that stand for another model from time to time.
const MOVING: [&str; 3] = ["best", "opusplan", "default"];

/// Where Bedrock's models may be.
const REGIONS: [&str; 7] = ["us", "eu", "apac", "jp", "au", "us-gov", "global"];

/// Models that are not to be used, from the setting `deniedModels`.
///
/// ```
/// use unspool_client::settings::DeniedModels;
///
/// let denied = DeniedModels::new(["opus", "claude-sonnet-4-5"]);
/// assert!(denied.denies("us.anthropic.claude-opus-4-8-v1:0"));
/// assert!(denied.denies("claude-sonnet-4-5-20250929"));
/// assert!(!denied.denies("claude-sonnet-4-6"));
/// ```
///
/// Names are compared, and nothing else. What is denied here Claude Code 2.1.325 refuses too; what is not may still be refused,
/// because Claude Code also looks at what a name stands for.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DeniedModels {
    entries: Vec<Entry>,
    ignored: Vec<String>,
}

#[derive(Clone, Debug, PartialEq)]
enum Entry {
    /// Every model of it.
    Family(String),
    /// A version in every spelling.
    Version(Name),
    /// This word.
    Word(String),
}

/// A model's name in parts.
#[derive(Clone, Debug, PartialEq)]
struct Name {
    family: String,
    major: u32,
    minor: Option<u32>,
    /// What is behind the version and is neither a date nor a revision.
    rest: String,
}

impl DeniedModels {
    /// These: families (`opus`), versions (`claude-opus-4`, `opus-4-5`) in every spelling, or any other word as it is.
    pub fn new<S: AsRef<str>>(list: impl IntoIterator<Item = S>) -> Self {
        let mut denied = DeniedModels::default();
        for text in list {
            match Entry::of(text.as_ref()) {
                Some(entry) => denied.entries.push(entry),
                None => denied.ignored.push(text.as_ref().to_owned()),
            }
        }
        denied
    }

    /// Whether a model is denied.
    #[must_use]
    pub fn denies(&self, model: &str) -> bool {
        let model = plain(model);
        let name = Name::read(&model);
        self.entries.iter().any(|entry| match entry {
            Entry::Word(word) => model == *word,
            Entry::Family(family) => {
                name.as_ref().is_some_and(|name| name.family == *family) || has_word(&model, family)
            }
            Entry::Version(denied) => name.as_ref().is_some_and(|name| denied.covers(name)),
        })
    }

    /// Entries that deny nothing, because they are empty or stand for another model from time to time.
    #[must_use]
    pub fn ignored(&self) -> &[String] {
        &self.ignored
    }
}

impl Entry {
    fn of(text: &str) -> Option<Self> {
        let text = plain(text);
        if text.is_empty() || MOVING.contains(&&*text) {
            return None;
        }
        if FAMILIES.contains(&&*text) {
            return Some(Entry::Family(text));
        }
        let full = Name::read(&text).or_else(|| Name::read(&format!("claude-{text}")));
        Some(full.map_or(Entry::Word(text), Entry::Version))
    }
}

impl Name {
    /// Reads `claude-opus-4-5-20251101` and `claude-3-5-haiku`, also behind a path or a region.
    fn read(text: &str) -> Option<Self> {
        if text.contains(char::is_whitespace) {
            return None;
        }
        let mut text = text.rsplit_once('/').map_or(text, |(_, last)| last);
        if let Some((region, name)) =
            text.split_once("anthropic.").filter(|(_, name)| name.starts_with("claude-"))
        {
            let region = region.strip_suffix('.').unwrap_or(region);
            if !region.is_empty() && !REGIONS.contains(&region) {
                return None;
            }
            text = name;
        }
        let text = text.strip_prefix("claude-")?;
        let (mut name, rest) = Name::family_first(text).or_else(|| Name::version_first(text))?;
        if !(rest.is_empty() || rest.starts_with(['-', '@'])) {
            return None;
        }
        if !is_release(rest) {
            name.rest = rest.to_owned();
        }
        Some(name)
    }

    /// A name such as `opus-4-5`, and what is behind it.
    fn family_first(text: &str) -> Option<(Self, &str)> {
        let end = text.find(|c: char| !c.is_ascii_lowercase()).filter(|end| *end > 0)?;
        let (major, minor, rest) = version(text[end..].strip_prefix('-')?)?;
        Some((Name { family: text[..end].to_owned(), major, minor, rest: String::new() }, rest))
    }

    /// A name such as `3-5-haiku`, and what is behind it.
    fn version_first(text: &str) -> Option<(Self, &str)> {
        let (major, minor, rest) = version(text)?;
        let text = rest.strip_prefix('-')?;
        let end = text.find(|c: char| !c.is_ascii_lowercase()).unwrap_or(text.len());
        let name = || Name { family: text[..end].to_owned(), major, minor, rest: String::new() };
        (end > 0).then(|| (name(), &text[end..]))
    }

    /// Whether an entry of the list that denies this means that one too.
    fn covers(&self, other: &Name) -> bool {
        let rest = other.rest.strip_prefix(&*self.rest);
        self.family == other.family
            && self.major == other.major
            && self.minor.is_none_or(|minor| other.minor.unwrap_or(0) == minor)
            && (self.rest.is_empty() || rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('-')))
    }
}

/// One number or two, and what is behind them.
fn version(text: &str) -> Option<(u32, Option<u32>, &str)> {
    let (major, rest) = number(text)?;
    let minor = rest.strip_prefix('-').and_then(number);
    Some(minor.map_or((major, None, rest), |(minor, rest)| (major, Some(minor), rest)))
}

/// A number of one or two digits, and what is behind it.
fn number(text: &str) -> Option<(u32, &str)> {
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    Some((text.get(..end).filter(|digits| matches!(digits.len(), 1 | 2))?.parse().ok()?, &text[end..]))
}

/// Whether this says which release of a version it is, such as `-20251101-v1:0`, `-latest` or `@20251101`.
fn is_release(rest: &str) -> bool {
    let rest = rest.strip_prefix("-fast").or(rest.strip_prefix("-latest")).unwrap_or(rest);
    let rest = dated(rest).unwrap_or(rest);
    rest.is_empty() || behind_revision(rest) == Some("")
}

/// What is behind a date: `-20251101`, `@20251101`, `-v1@20251101`.
fn dated(rest: &str) -> Option<&str> {
    let digits = |text: &str| text.len() >= 8 && text.as_bytes()[..8].iter().all(u8::is_ascii_digit);
    let plain = rest.strip_prefix(['-', '@']).filter(|rest| digits(rest));
    let behind = || rest_of_number(rest.strip_prefix("-v")?)?.strip_prefix('@').filter(|rest| digits(rest));
    plain.or_else(behind).map(|rest| &rest[8..])
}

/// What is behind `-v1` or `-v1:0`.
fn behind_revision(rest: &str) -> Option<&str> {
    let rest = rest_of_number(rest.strip_prefix("-v")?)?;
    Some(rest.strip_prefix(':').and_then(rest_of_number).unwrap_or(rest))
}

/// What is behind one to three digits.
fn rest_of_number(text: &str) -> Option<&str> {
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    matches!(end, 1..=3).then(|| &text[end..])
}

/// Without what says how much context it has.
fn plain(text: &str) -> String {
    let mut text = text.trim().to_lowercase();
    for tag in ["[1m]", "[2m]"] {
        text = text.replace(tag, "");
    }
    text.trim().to_owned()
}

/// Whether a word stands in a text, and not as a part of another.
fn has_word(text: &str, word: &str) -> bool {
    let ends = |c: Option<char>| !c.is_some_and(|c| c.is_ascii_alphanumeric());
    text.match_indices(word)
        .any(|(at, _)| ends(text[..at].chars().next_back()) && ends(text[at + word.len()..].chars().next()))
}
