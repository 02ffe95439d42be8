//! Lists of prices that somebody names.

use anyhow::{Context, anyhow};
use std::fs;
use std::path::Path;
use unspool_report::bill::Prices;

/// Reads a list. `builtin` is the one that ships with the program.
pub(crate) fn read_prices(path: &Path) -> anyhow::Result<Prices> {
    if path.as_os_str() == "builtin" {
        return Ok(Prices::builtin());
    }
    let name = path.display();
    let text = fs::read(path).with_context(|| format!("cannot read {name}"))?;
    let text = String::from_utf8(text).map_err(|_| "it is no text".to_owned());
    let read = text.and_then(|text| Prices::read(&text).map_err(|error| error.to_string()));
    read.map_err(|why| anyhow!("{name} is no list of prices: {why}\n\n{}", Prices::SHAPE))
}
