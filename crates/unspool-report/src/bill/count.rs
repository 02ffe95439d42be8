//! Numbers of tokens.

use unspool::event::{ModelTokens, Tokens};

/// Tokens by kind. What was not said counts as none: unlike `Tokens` these are plain numbers, since the bill also subtracts what was
/// billed before, and compares; and it prices what `Tokens` do not have.
#[derive(Clone, Copy, Debug, Default)]
pub struct Count {
    pub input: u64,
    pub output: u64,
    pub cache_read: u64,
    pub cache_creation: u64,
    /// How much of that is kept for an hour, where it is told.
    pub kept_1h: u64,
    /// How often the API searched the web, where it is told.
    pub searches: u64,
}

/// Reports do not tell how long something is kept, so it makes no difference.
impl PartialEq for Count {
    fn eq(&self, other: &Self) -> bool {
        self.figures() == other.figures()
    }
}

impl Count {
    pub fn of(tokens: &Tokens) -> Self {
        let or_none = |figure: Option<u64>| figure.unwrap_or(0);
        Count {
            input: or_none(tokens.input),
            output: or_none(tokens.output),
            cache_read: or_none(tokens.cache_read),
            cache_creation: or_none(tokens.cache_creation),
            kept_1h: 0,
            searches: 0,
        }
    }

    /// Sets how many of the tokens written to the cache are kept for an hour.
    pub fn with_hour(mut self, tokens: Option<u64>) -> Self {
        self.kept_1h = tokens.unwrap_or(0);
        self
    }

    /// Sets how often the web was searched.
    pub fn with_searches(mut self, searches: u64) -> Self {
        self.searches = searches;
        self
    }

    pub fn of_model(tokens: &ModelTokens) -> Self {
        Count::of(&tokens.tokens())
    }

    /// Fresh input, output, what was read from the cache, and what was written to it.
    pub fn figures(&self) -> [u64; 4] {
        [self.input, self.output, self.cache_read, self.cache_creation]
    }

    /// All input, cached or not.
    pub fn total_input(&self) -> u64 {
        self.input.saturating_add(self.cache_read).saturating_add(self.cache_creation)
    }

    pub fn is_zero(&self) -> bool {
        *self == Count::default()
    }

    /// How much of the input came from the cache, from 0 to 1.
    pub fn cache_share(&self) -> Option<f64> {
        let all = self.total_input();
        (all > 0).then(|| self.cache_read as f64 / all as f64)
    }

    pub fn add(&mut self, more: &Count) {
        self.with(more, u64::saturating_add);
    }

    /// What is above `less`.
    pub fn minus(mut self, less: &Count) -> Count {
        self.with(less, u64::saturating_sub);
        self
    }

    /// The higher figure of each kind.
    pub fn raise(&mut self, other: &Count) {
        self.with(other, u64::max);
    }

    fn with(&mut self, other: &Count, join: impl Fn(u64, u64) -> u64) {
        self.input = join(self.input, other.input);
        self.output = join(self.output, other.output);
        self.cache_read = join(self.cache_read, other.cache_read);
        self.cache_creation = join(self.cache_creation, other.cache_creation);
        self.kept_1h = join(self.kept_1h, other.kept_1h);
        self.searches = join(self.searches, other.searches);
    }
}
