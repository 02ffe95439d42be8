//! Which calls of a recording were not allowed, before it is told.
//!
//! A stream says so at the end of a turn, when they were shown long ago; who reads a file can look ahead.

use super::Source;
use super::kind::What;
use super::open::{Opened, read_more};
use memchr::memmem::Finder;
use std::collections::HashSet;
use unspool::journal::{Reader, Way};
use unspool::json::Json;
use unspool::line::Lines;
use unspool::wire::{List, PermissionDenial, ResultLine};

/// The fields that list them: of a result, and of the event that is made from it.
const FIELDS: [&str; 2] = [ResultLine::NAMES.permission_denials, "denials"];

impl Source {
    /// Their ids. What cannot be read has none: whoever reads it whole says why.
    pub(crate) fn denied(&self) -> HashSet<String> {
        let Ok(Opened { what, head: mut piece, mut rest }) = Opened::new(self.path()) else {
            return HashSet::new();
        };
        let mut journal = (what == What::Recording).then(Reader::new);
        let (mut lines, field) = (Lines::default(), Finder::new(FIELDS[1]));
        let mut denied = HashSet::new();
        let mut look = |line: &[u8]| {
            if field.find(line).is_some() {
                denied.extend(listed(line));
            }
        };
        while !piece.is_empty() {
            match &mut journal {
                None => lines.feed(&piece, |_| {}, |line| look(line.bytes)),
                Some(journal) => journal.feed(&piece, |entry| {
                    if let Some(entry) = entry.ok().filter(|entry| entry.way == Way::Out) {
                        look(&entry.bytes);
                    }
                }),
            }
            piece.clear();
            if read_more(&mut rest, &mut piece).is_err() {
                break;
            }
        }
        lines.finish(|line| look(line.bytes));
        denied
    }
}

fn listed(line: &[u8]) -> Vec<String> {
    let text = str::from_utf8(line).ok().and_then(|line| Json::new(line).ok());
    let lists = FIELDS.into_iter().filter_map(|field| text?.get(field));
    let list = lists.flat_map(|list| List::<PermissionDenial<'_>>::from(list).iter());
    list.filter_map(|denial| Some(denial.tool_use_id?.to_string())).collect()
}
