//! Prices that somebody else has written down. There are none in this program: they change, and differ by contract.

use super::count::Count;
use anyhow::{Context, ensure};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// Dollars for a million tokens, by model.
#[derive(Debug, Default)]
pub(crate) struct Prices {
    models: BTreeMap<String, Price>,
}

/// Dollars for a million tokens of each kind.
#[derive(Clone, Copy, Debug, Default, serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct Price {
    input: Option<f64>,
    output: Option<f64>,
    cache_read: Option<f64>,
    cache_write_5m: Option<f64>,
    cache_write_1h: Option<f64>,
}

impl Prices {
    /// Reads TOML or JSON: an object for each model, or the beginning of its name.
    pub(crate) fn read(path: &Path) -> anyhow::Result<Self> {
        let name = path.display();
        let text = fs::read_to_string(path).with_context(|| format!("cannot read {name}"))?;
        Prices::of(&text).with_context(|| format!("{name} is no list of prices"))
    }

    pub(crate) fn of(text: &str) -> anyhow::Result<Self> {
        let models: BTreeMap<String, Price> = if text.trim_start().starts_with('{') {
            serde_json::from_str(text)?
        } else {
            toml::from_str(text)?
        };
        ensure!(!models.is_empty(), "it names no model");
        for (model, price) in &models {
            let Price { input, output, cache_read, cache_write_5m, cache_write_1h } = *price;
            for figure in [input, output, cache_read, cache_write_5m, cache_write_1h].into_iter().flatten() {
                ensure!(figure.is_finite() && figure >= 0.0, "{figure} is no price (of {model})");
            }
        }
        Ok(Prices { models })
    }

    /// What so many tokens of a model cost; none if a price that is needed is missing. Events do not tell how long the
    /// cache keeps what is written to it: it is priced as what Claude Code writes unless it is told otherwise.
    pub(crate) fn cost(&self, model: &str, count: &Count) -> Option<f64> {
        let price = self.price(model)?;
        let kinds = [
            (count.input, price.input),
            (count.output, price.output),
            (count.cache_read, price.cache_read),
            (count.cache_creation, price.cache_write_5m.or(price.cache_write_1h)),
        ];
        let needed = kinds.into_iter().filter(|(tokens, _)| *tokens > 0);
        needed.map(|(tokens, price)| price.map(|price| tokens as f64 * price / 1e6)).sum()
    }

    /// Whether it matters how long the cache keeps what this model writes.
    pub(crate) fn depends_on_cache(&self, model: &str, count: &Count) -> bool {
        let differ =
            |price: &Price| price.cache_write_1h.is_some() && price.cache_write_5m != price.cache_write_1h;
        count.cache_creation > 0 && self.price(model).is_some_and(differ)
    }

    fn price(&self, model: &str) -> Option<&Price> {
        let fits = self.models.iter().filter(|(name, _)| model.starts_with(name.as_str()));
        fits.max_by_key(|(name, _)| name.len()).map(|(_, price)| price)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const COUNT: Count = Count { input: 1_000_000, output: 2_000_000, cache_read: 0, cache_creation: 0 };

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
    fn a_price_that_is_missing_makes_no_sum() {
        let prices = Prices::of("[m]\ninput = 1\noutput = 1\n").unwrap();
        assert_eq!(prices.cost("m", &Count { cache_read: 1, ..COUNT }), None);
        assert_eq!(prices.cost("m", &COUNT), Some(3.0));
    }

    #[test]
    fn what_is_no_list_is_refused() {
        for text in ["", "[m]\ninput = -1", "[m]\ninput = nan", "[m]\nimput = 1", "{\"m\":3}", "{"] {
            assert!(Prices::of(text).is_err(), "{text}");
        }
    }
}
