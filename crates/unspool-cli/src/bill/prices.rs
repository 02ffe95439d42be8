//! Prices that somebody else has written down. There are none in this program: they change, and differ by contract.

use super::count::Count;
use anyhow::{Context, anyhow, bail, ensure};
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// Dollars for a million tokens, by model.
#[derive(Debug, Default)]
pub(crate) struct Prices {
    models: BTreeMap<String, Price>,
}

/// Dollars for a million tokens of each kind.
#[derive(Clone, Copy, Debug, Default)]
struct Price {
    input: Option<f64>,
    output: Option<f64>,
    cache_read: Option<f64>,
    cache_write_5m: Option<f64>,
    cache_write_1h: Option<f64>,
}

/// What whoever wrote something else should have written.
const SHAPE: &str = "\
A list of prices is TOML with a table for each model, or JSON of the same shape:

  [\"claude-opus\"]         # any model whose name begins so
  input = 5.0             # dollars for a million tokens
  output = 25.0
  cache_read = 0.5
  cache_write_5m = 6.25
  cache_write_1h = 10.0";

impl Prices {
    /// Reads TOML or JSON: an object for each model, or the beginning of its name.
    pub(crate) fn read(path: &Path) -> anyhow::Result<Self> {
        let name = path.display();
        let text = fs::read(path).with_context(|| format!("cannot read {name}"))?;
        let read = String::from_utf8(text).context("it is no text").and_then(|text| Prices::of(&text));
        read.map_err(|error| anyhow!("{name} is no list of prices: {error:#}\n\n{SHAPE}"))
    }

    pub(crate) fn of(text: &str) -> anyhow::Result<Self> {
        // What a value should be is said in the words of this file, not in those of a parser.
        let models: Map<String, Value> = match text.trim_start().starts_with('{') {
            true => serde_json::from_str(text)?,
            false => toml::from_str(text).map_err(|error| anyhow!("{}", error.to_string().trim_end()))?,
        };
        ensure!(!models.is_empty(), "it names no model");
        let price = |(model, kinds): (String, Value)| Price::of(&model, &kinds).map(|price| (model, price));
        Ok(Prices { models: models.into_iter().map(price).collect::<anyhow::Result<_>>()? })
    }

    /// What so many tokens of a model cost; none if a price that is needed is missing. What is written to the cache, and
    /// not told to be kept for an hour, is kept for five minutes.
    pub(crate) fn cost(&self, model: &str, count: &Count) -> Option<f64> {
        let price = self.price(model)?;
        let kept_1h = count.kept_1h.min(count.cache_creation);
        let kinds = [
            (count.input, price.input),
            (count.output, price.output),
            (count.cache_read, price.cache_read),
            (count.cache_creation - kept_1h, price.cache_write_5m.or(price.cache_write_1h)),
            (kept_1h, price.cache_write_1h),
        ];
        let needed = kinds.into_iter().filter(|(tokens, _)| *tokens > 0);
        needed.map(|(tokens, price)| price.map(|price| tokens as f64 * price / 1e6)).sum()
    }

    /// Whether something is priced as if the cache kept it for five minutes, and would cost more otherwise.
    pub(crate) fn depends_on_cache(&self, model: &str, count: &Count) -> bool {
        let differ =
            |price: &Price| price.cache_write_1h.is_some() && price.cache_write_5m != price.cache_write_1h;
        count.cache_creation > count.kept_1h && self.price(model).is_some_and(differ)
    }

    fn price(&self, model: &str) -> Option<&Price> {
        let fits = self.models.iter().filter(|(name, _)| model.starts_with(name.as_str()));
        fits.max_by_key(|(name, _)| name.len()).map(|(_, price)| price)
    }
}

impl Price {
    fn of(model: &str, kinds: &Value) -> anyhow::Result<Self> {
        let Value::Object(kinds) = kinds else { bail!("{model} is {kinds}, and should be a table") };
        let mut price = Price::default();
        for (kind, figure) in kinds {
            let place = match kind.as_str() {
                "input" => &mut price.input,
                "output" => &mut price.output,
                "cache_read" => &mut price.cache_read,
                "cache_write_5m" => &mut price.cache_write_5m,
                "cache_write_1h" => &mut price.cache_write_1h,
                _ => bail!("{kind} (of {model}) is no kind of tokens"),
            };
            *place = figure.as_f64().filter(|figure| figure.is_finite() && *figure >= 0.0);
            ensure!(place.is_some(), "{kind} (of {model}) is {figure}, and should be a number of dollars");
        }
        Ok(price)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const COUNT: Count =
        Count { input: 1_000_000, output: 2_000_000, cache_read: 0, cache_creation: 0, kept_1h: 0 };

    #[test]
    fn the_longest_name_that_fits_counts() {
        for text in [
            "[claude]\ninput = 1\noutput = 10\n[\"claude-opus\"]\ninput = 2\noutput = 20.5\n",
            r#"{"claude":{"input":1,"output":10},"claude-opus":{"input":2,"output":20.5}}"#,
        ] {
            let prices = Prices::of(text).unwrap();
            assert_eq!(prices.cost("claude-opus-5", &COUNT), Some(43.0));
            assert_eq!(prices.cost("claude-haiku", &COUNT), Some(21.0));
            assert_eq!(prices.cost("gpt", &COUNT), None);
        }
    }

    #[test]
    fn what_is_kept_for_an_hour_has_a_price_of_its_own() {
        let count = Count { cache_creation: 3_000_000, kept_1h: 1_000_000, ..Count::default() };
        let prices =
            Prices::of("[m]\ncache_write_5m = 5\ncache_write_1h = 8\n[n]\ncache_write_5m = 5\n").unwrap();
        assert_eq!((prices.cost("m", &count), prices.cost("n", &count)), (Some(18.0), None));
        assert!(prices.depends_on_cache("m", &count));
        assert!(!prices.depends_on_cache("m", &Count { kept_1h: 3_000_000, ..count }));
    }

    #[test]
    fn a_price_that_is_missing_makes_no_sum() {
        let prices = Prices::of("[m]\ninput = 1\noutput = 1\n").unwrap();
        assert_eq!(prices.cost("m", &Count { cache_read: 1, ..COUNT }), None);
        assert_eq!(prices.cost("m", &COUNT), Some(3.0));
    }

    #[test]
    fn what_is_no_list_is_refused() {
        for (text, why) in [
            ("", "it names no model"),
            ("[m]\ninput = -1", "input (of m) is -1, and should be a number of dollars"),
            ("[m]\ninput = nan", "input (of m) is null, and should be a number of dollars"),
            ("[m]\ninput = \"1\"", "input (of m) is \"1\", and should be a number of dollars"),
            ("[m]\nimput = 1", "imput (of m) is no kind of tokens"),
            ("m = 5", "m is 5, and should be a table"),
            ("{\"m\":[3]}", "m is [3], and should be a table"),
        ] {
            assert_eq!(Prices::of(text).unwrap_err().to_string(), why, "{text}");
        }
        for text in ["{", "hello", "[1,2]"] {
            assert!(Prices::of(text).is_err(), "{text}");
        }
    }
}
