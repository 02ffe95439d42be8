//! Prices by model: those that somebody has written down, or the list that ships with the program.
//!
//! They are only used when asked for: prices change, and differ by contract.

use super::count::Count;
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// What each kind of tokens costs, by model.
#[derive(Debug, Default)]
pub struct Prices {
    models: BTreeMap<String, Price>,
    /// The day on which the list was made that ships with the program, and by which version of Claude Code.
    builtin: Option<&'static str>,
}

/// The prices of a model.
#[derive(Clone, Copy, Debug, Default)]
struct Price {
    usual: Rates,
    fast: Option<Rates>,
    /// For requests whose prompt has more tokens than that.
    long: Option<(u64, Rates)>,
}

/// Dollars for a million tokens of each kind, and for a search.
#[derive(Clone, Copy, Debug, Default)]
struct Rates {
    input: Option<f64>,
    output: Option<f64>,
    cache_read: Option<f64>,
    cache_write_5m: Option<f64>,
    cache_write_1h: Option<f64>,
    web_search: Option<f64>,
}

/// How a request was answered.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Speed {
    Standard,
    Fast,
}

/// The list that ships with the program. `cargo xtask prices` writes it.
const BUILTIN: &str = include_str!("builtin.toml");

/// What whoever wrote something else should have written.
const SHAPE: &str = "\
A list of prices is TOML with a table for each model, or JSON of the same shape:

  [\"claude-opus\"]         # any model whose name begins so
  input = 5.0             # dollars for a million tokens
  output = 25.0
  cache_read = 0.5
  cache_write_5m = 6.25
  cache_write_1h = 10.0
  web_search = 0.01       # dollars for one
  fast = { input = 10.0, output = 50.0 }
  long = { above = 200000, input = 10.0, output = 37.5 }";

impl Prices {
    /// What whoever wrote something else should have written.
    pub const SHAPE: &str = SHAPE;

    /// The list that ships with this library, by what Claude Code itself reports.
    #[must_use]
    pub fn builtin() -> Self {
        let made = BUILTIN.lines().next().and_then(|line| line.strip_prefix("# ")).unwrap_or_default();
        // A test reads it.
        Prices { builtin: Some(made), ..Prices::read(BUILTIN).unwrap_or_default() }
    }

    /// Reads TOML or JSON: an object for each model, or the beginning of its name.
    pub fn read(text: &str) -> Result<Self, NoPrices> {
        // What a value should be is said in the words of this file, not in those of a parser.
        let models: Map<String, Value> = match text.trim_start().starts_with('{') {
            true => serde_json::from_str(text).map_err(|error| NoPrices(error.to_string()))?,
            false => {
                toml::from_str(text).map_err(|error| NoPrices(error.to_string().trim_end().to_owned()))?
            }
        };
        if models.is_empty() {
            return Err(NoPrices("it names no model".to_owned()));
        }
        let price = |(model, kinds): (String, Value)| Price::of(&model, kinds).map(|price| (model, price));
        let models = models.into_iter().map(price).collect::<Result<_, NoPrices>>()?;
        Ok(Prices { models, builtin: None })
    }

    /// What people call the list.
    #[must_use]
    pub fn name(&self) -> String {
        self.builtin
            .map_or_else(|| "the given prices".to_owned(), |made| format!("the builtin prices ({made})"))
    }

    /// What so many tokens of a model cost, of one request or of many; none if a price that is needed is missing. What is
    /// written to the cache, and not told to be kept for an hour, is kept for five minutes.
    #[must_use]
    pub fn cost(&self, model: &str, count: &Count, request: Option<Speed>) -> Option<f64> {
        let price = self.price(model)?;
        let long = price.long.filter(|(above, _)| request.is_some() && count.total_input() > *above);
        let fast = price.fast.filter(|_| request == Some(Speed::Fast));
        fast.or(long.map(|(_, rates)| rates)).unwrap_or(price.usual).cost(count)
    }

    /// Whether something is priced as if the cache kept it for five minutes, and would cost more otherwise.
    #[must_use]
    pub fn depends_on_cache(&self, model: &str, count: &Count) -> bool {
        let differ =
            |rates: &Rates| rates.cache_write_1h.is_some() && rates.cache_write_5m != rates.cache_write_1h;
        count.cache_creation > count.kept_1h && self.price(model).is_some_and(|price| differ(&price.usual))
    }

    /// Whether it may have been a long prompt, which has a price of its own.
    #[must_use]
    pub fn has_tier(&self, model: &str, count: &Count) -> bool {
        let long = self.price(model).and_then(|price| price.long);
        long.is_some_and(|(above, _)| count.total_input() > above)
    }

    fn price(&self, model: &str) -> Option<&Price> {
        // Of the builtin list names count whole, but for their dates: a model to come may cost something else.
        let fits = |name: &str| {
            model.strip_prefix(name).is_some_and(|rest| self.builtin.is_none() || is_trailer(rest))
        };
        let fits = self.models.iter().filter(|(name, _)| fits(name));
        fits.max_by_key(|(name, _)| name.len()).map(|(_, price)| price)
    }
}

/// Why a text is no list of prices.
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
#[error("{0}")]
pub struct NoPrices(String);

fn no_table(model: &str, kinds: &Value) -> NoPrices {
    NoPrices(format!("{model} is {kinds}, and should be a table"))
}

/// Whether it is what stands behind the name of a model: nothing, a date, or how much fits in.
fn is_trailer(rest: &str) -> bool {
    let rest = rest.split_once('[').map_or(rest, |(before, _)| before);
    let date = rest.strip_prefix(['-', '@']).unwrap_or(rest);
    rest.is_empty() || date.len() == 8 && date.bytes().all(|byte| byte.is_ascii_digit())
}

impl Price {
    fn of(model: &str, mut kinds: Value) -> Result<Self, NoPrices> {
        let Some(table) = kinds.as_object_mut() else { return Err(no_table(model, &kinds)) };
        let fast =
            table.remove("fast").map(|fast| Rates::of(&format!("{model}, fast"), &fast)).transpose()?;
        let long = match table.remove("long") {
            None => None,
            Some(mut long) => {
                let above = long.as_object_mut().and_then(|long| long.remove("above"));
                let above = above.as_ref().and_then(Value::as_u64);
                let above = above
                    .ok_or_else(|| NoPrices(format!("long (of {model}) has to say above how many tokens")))?;
                Some((above, Rates::of(&format!("{model}, long"), &long)?))
            }
        };
        Ok(Price { usual: Rates::of(model, &kinds)?, fast, long })
    }
}

impl Rates {
    fn of(model: &str, kinds: &Value) -> Result<Self, NoPrices> {
        let Value::Object(kinds) = kinds else { return Err(no_table(model, kinds)) };
        let mut rates = Rates::default();
        for (kind, figure) in kinds {
            let place = match kind.as_str() {
                "input" => &mut rates.input,
                "output" => &mut rates.output,
                "cache_read" => &mut rates.cache_read,
                "cache_write_5m" => &mut rates.cache_write_5m,
                "cache_write_1h" => &mut rates.cache_write_1h,
                "web_search" => &mut rates.web_search,
                _ => return Err(NoPrices(format!("{kind} (of {model}) is no kind of tokens"))),
            };
            *place = figure.as_f64().filter(|figure| figure.is_finite() && *figure >= 0.0);
            if place.is_none() {
                let why = format!("{kind} (of {model}) is {figure}, and should be a number of dollars");
                return Err(NoPrices(why));
            }
        }
        Ok(rates)
    }

    fn cost(&self, count: &Count) -> Option<f64> {
        let kept_1h = count.kept_1h.min(count.cache_creation);
        let kinds = [
            (count.input, self.input),
            (count.output, self.output),
            (count.cache_read, self.cache_read),
            (count.cache_creation - kept_1h, self.cache_write_5m.or(self.cache_write_1h)),
            (kept_1h, self.cache_write_1h),
        ];
        let needed = kinds.into_iter().filter(|(tokens, _)| *tokens > 0);
        let tokens: Option<f64> =
            needed.map(|(tokens, price)| price.map(|price| tokens as f64 * price / 1e6)).sum();
        // Lists that say nothing of searches are about tokens alone.
        Some(tokens? + count.searches as f64 * self.web_search.unwrap_or(0.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const COUNT: Count = Count {
        input: 1_000_000,
        output: 2_000_000,
        cache_read: 0,
        cache_creation: 0,
        kept_1h: 0,
        searches: 0,
    };

    fn cost(prices: &Prices, model: &str, count: &Count) -> Option<f64> {
        prices.cost(model, count, Some(Speed::Standard))
    }

    #[test]
    fn the_longest_name_that_fits_counts() {
        for text in [
            "[claude]\ninput = 1\noutput = 10\n[\"claude-opus\"]\ninput = 2\noutput = 20.5\n",
            r#"{"claude":{"input":1,"output":10},"claude-opus":{"input":2,"output":20.5}}"#,
        ] {
            let prices = Prices::read(text).unwrap();
            assert_eq!(cost(&prices, "claude-opus-5", &COUNT), Some(43.0));
            assert_eq!(cost(&prices, "claude-haiku", &COUNT), Some(21.0));
            assert_eq!(cost(&prices, "gpt", &COUNT), None);
        }
    }

    #[test]
    fn what_is_kept_for_an_hour_has_a_price_of_its_own() {
        let count = Count { cache_creation: 3_000_000, kept_1h: 1_000_000, ..Count::default() };
        let prices =
            Prices::read("[m]\ncache_write_5m = 5\ncache_write_1h = 8\n[n]\ncache_write_5m = 5\n").unwrap();
        assert_eq!((cost(&prices, "m", &count), cost(&prices, "n", &count)), (Some(18.0), None));
        assert!(prices.depends_on_cache("m", &count));
        assert!(!prices.depends_on_cache("m", &Count { kept_1h: 3_000_000, ..count }));
    }

    #[test]
    fn a_price_that_is_missing_makes_no_sum() {
        let prices = Prices::read("[m]\ninput = 1\noutput = 1\n").unwrap();
        assert_eq!(cost(&prices, "m", &Count { cache_read: 1, ..COUNT }), None);
        assert_eq!(cost(&prices, "m", &COUNT), Some(3.0));
    }

    #[test]
    fn long_prompts_fast_mode_and_searches_have_prices_of_their_own() {
        let prices = Prices::read(
            "[m]\ninput = 1\nweb_search = 0.01\nfast = { input = 3 }\nlong = { above = 200000, input = 2 }\n",
        )
        .unwrap();
        let count = |input| Count { input, ..Count::default() };
        let cost = |input, request| prices.cost("m", &count(input), request).unwrap();
        assert_eq!(cost(200_000, Some(Speed::Standard)), 0.2);
        assert_eq!(cost(250_000, Some(Speed::Standard)), 0.5);
        assert_eq!(cost(100_000, Some(Speed::Fast)), 0.3);
        // Nobody knows how long the prompts of many requests were.
        assert_eq!(cost(1_000_000, None), 1.0);
        assert!(prices.has_tier("m", &count(1_000_000)) && !prices.has_tier("m", &count(200_000)));
        assert_eq!(prices.cost("m", &Count { searches: 5, ..count(0) }, None), Some(0.05));
    }

    #[test]
    fn the_builtin_list_names_models_whole() {
        let prices = Prices::builtin();
        assert_eq!(Prices::read(BUILTIN).map(drop), Ok(()));
        assert!(prices.name().contains("Claude Code 2."), "{}", prices.name());
        let known = |model: &str| prices.price(model).is_some();
        assert!(
            known("claude-sonnet-4-5")
                && known("claude-sonnet-4-5-20250929")
                && known("claude-sonnet-4-5[1m]")
        );
        assert!(!known("claude-sonnet-4-50") && !known("claude-sonnet-4-5-mini") && !known("claude"));
    }

    #[test]
    fn what_is_no_list_is_refused() {
        for (text, why) in [
            ("", "it names no model"),
            ("[m]\ninput = -1", "input (of m) is -1, and should be a number of dollars"),
            ("[m]\ninput = nan", "input (of m) is null, and should be a number of dollars"),
            ("[m]\ninput = \"1\"", "input (of m) is \"1\", and should be a number of dollars"),
            ("[m]\nimput = 1", "imput (of m) is no kind of tokens"),
            ("[m]\nlong = { input = 1 }", "long (of m) has to say above how many tokens"),
            ("[m]\nfast = { imput = 1 }", "imput (of m, fast) is no kind of tokens"),
            ("m = 5", "m is 5, and should be a table"),
            ("{\"m\":[3]}", "m is [3], and should be a table"),
        ] {
            assert_eq!(Prices::read(text).unwrap_err().to_string(), why, "{text}");
        }
        for text in ["{", "hello", "[1,2]"] {
            assert!(Prices::read(text).is_err(), "{text}");
        }
    }
}
