//! Who is who: sub-agents below those who called them, each in a colour of its own.

use super::line::Line;
use super::style::{self, DIM};
use super::wrap::{cut, tidy_line};
use anstyle::Style;
use std::collections::{HashMap, HashSet};

/// Columns that a name takes at the most, where it stands before each line.
const NAME: usize = 18;

/// How sub-agents are shown.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[non_exhaustive]
pub enum AgentsArg {
    /// Indented below who called them.
    #[default]
    Tree,
    /// With their name before each line.
    Flat,
    /// Not at all, but for what they are asked and what they answer.
    Hide,
}

/// A sub-agent.
#[derive(Clone, Debug)]
pub(super) struct Branch {
    pub(super) name: String,
    pub(super) kind: Option<String>,
    pub(super) style: Style,
    parent: Option<String>,
    /// Its name was shown with its kind.
    pub(super) introduced: bool,
    /// Its end was told.
    pub(super) ended: bool,
}

/// All sub-agents that were seen. A few words for each, and they are few.
pub(super) struct Tree {
    how: AgentsArg,
    branches: HashMap<String, Branch>,
    names: HashSet<String>,
    /// How many have asked for a name.
    asked: HashMap<String, u64>,
}

impl Tree {
    pub(super) fn new(how: AgentsArg) -> Self {
        Tree { how, branches: HashMap::new(), names: HashSet::new(), asked: HashMap::new() }
    }

    /// An agent begins. Those with one name get numbers.
    pub(super) fn begin(&mut self, call: &str, parent: &str, name: Option<&str>, kind: Option<&str>) {
        let name = name.or(kind).map(tidy_line).filter(|name| !name.trim().is_empty());
        let name = self.numbered(&cut(name.as_deref().unwrap_or("sub-agent").trim(), 60));
        let parent = Some(parent.to_owned()).filter(|parent| self.branches.contains_key(parent));
        let style = style::agent(self.branches.len());
        let kind = kind.map(tidy_line).filter(|kind| *kind != name);
        self.branches
            .insert(call.to_owned(), Branch { name, kind, style, parent, introduced: false, ended: false });
    }

    /// A name that nobody else has.
    fn numbered(&mut self, name: &str) -> String {
        let asked = self.asked.entry(name.to_owned()).or_default();
        loop {
            *asked += 1;
            let own = if *asked == 1 { name.to_owned() } else { format!("{name} #{asked}") };
            if self.names.insert(own.clone()) {
                return own;
            }
        }
    }

    pub(super) fn get_mut(&mut self, call: &str) -> Option<&mut Branch> {
        self.branches.get_mut(call)
    }

    pub(super) fn get(&self, call: &str) -> Option<&Branch> {
        self.branches.get(call)
    }

    /// What stands before each line of an agent; `None` is the main one.
    pub(super) fn margin(&self, call: Option<&str>, columns: usize) -> Line {
        let Some(branch) = call.and_then(|call| self.branches.get(call)) else {
            return call.map_or(Line::new(), |_| Line::of("│ ", DIM));
        };
        match self.how {
            AgentsArg::Flat => {
                let name = cut(&branch.name, NAME.min(columns / 3));
                Line::of(&format!("[{name}] "), branch.style)
            }
            AgentsArg::Tree | AgentsArg::Hide => {
                let mut margin = self.above(branch, columns);
                margin.push("│ ", branch.style);
                margin
            }
        }
    }

    /// What stands before the name of an agent: the lines of those above it.
    pub(super) fn above(&self, branch: &Branch, columns: usize) -> Line {
        let mut styles = Vec::new();
        let mut above = branch.parent.as_deref();
        // So deep that they no longer fit, only the nearest are shown. Nobody calls those who called them.
        while let Some(branch) = above.and_then(|call| self.branches.get(call)) {
            if (styles.len() + 2) * 2 * 4 > columns {
                break;
            }
            styles.push(branch.style);
            above = branch.parent.as_deref();
        }
        let mut line = Line::new();
        styles.iter().rev().for_each(|style| line.push("│ ", *style));
        line
    }
}
