//! Which of many sessions are the newest, found out without reading them all.

use super::Row;
use crate::source::{Glance, Source, each};
use std::cmp::Reverse;

/// The newest sessions.
pub(crate) struct Newest {
    /// In no order where there are no more than are wanted.
    pub(crate) sources: Vec<Source>,
    /// How many more there are.
    pub(crate) older: u64,
    /// Files that cannot be read.
    pub(crate) failures: u64,
}

impl Newest {
    /// The newest so many, by the times in them: a copy of a file is newer than the file, but not the session.
    pub(crate) fn of(sources: Vec<Source>, wanted: usize) -> anyhow::Result<Self> {
        if sources.len() <= wanted {
            return Ok(Newest { sources, older: 0, failures: 0 });
        }
        let mut found: Vec<(i64, Source)> = Vec::new();
        let failures = each(&sources, look, |source, (glance, spoken)| {
            if spoken {
                found.push((glance.when, source.clone()));
            }
            Ok(())
        })?;
        found.sort_by_key(|(when, _)| Reverse(*when));
        let older = found.len().saturating_sub(wanted) as u64;
        let sources = found.into_iter().take(wanted).map(|(_, source)| source).collect();
        Ok(Newest { sources, older, failures })
    }
}

/// When it was, and whether anything was said in it.
fn look(source: &Source) -> anyhow::Result<(Glance, bool)> {
    let glance = source.glance()?;
    let spoken = glance.spoken.map_or_else(|| Row::of(source).map(|row| !row.is_empty()), Ok)?;
    Ok((glance, spoken))
}
