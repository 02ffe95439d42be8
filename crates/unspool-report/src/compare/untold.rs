//! What is not compared, because one of the runs does not tell it.

use super::parts::PartKind;
use super::take::Take;
use crate::story::Item;

/// What each run does not tell while the other does. A bare stream has no prompts, and not every version tells what sub-agents say.
#[derive(Clone, Debug, Default)]
pub(super) struct Untold {
    pub(super) prompts: [bool; 2],
    pub(super) agent_words: [bool; 2],
    pub(super) agent_calls: [bool; 2],
    /// None of its agents at all.
    pub(super) agents: [bool; 2],
    /// Nothing of some of them.
    pub(super) some_agents: [bool; 2],
}

impl Untold {
    pub(super) fn of(takes: [&Take; 2]) -> Self {
        let lacking = |has: [bool; 2]| [!has[0] && has[1], !has[1] && has[0]];
        let is_word = |item: &Item| matches!(item, Item::Text(_) | Item::Thinking(_));
        let has_agents = takes.map(|take| take.story.agents.len() > 1);
        // Where a run has no agents there is nothing that they could have said.
        let of_agents = |is_it: fn(&Item) -> bool| {
            if has_agents == [true; 2] {
                lacking(takes.map(|take| take.agents_have(is_it)))
            } else {
                [false; 2]
            }
        };
        Untold {
            prompts: lacking(takes.map(Take::has_prompts)),
            agent_words: of_agents(is_word),
            agent_calls: of_agents(|item| matches!(item, Item::Call(_))),
            agents: [false; 2],
            some_agents: [false; 2],
        }
    }

    /// Whether both runs tell such parts.
    pub(super) fn compares(&self, kind: PartKind, is_agent: bool) -> bool {
        let both = |untold: [bool; 2]| untold == [false; 2];
        match kind {
            PartKind::Prompt if is_agent => false,
            PartKind::Prompt => both(self.prompts),
            PartKind::Text | PartKind::Thinking if is_agent => both(self.agent_words),
            PartKind::Call if is_agent => both(self.agent_calls),
            _ => true,
        }
    }

    /// Whether all calls are told in both, those of sub-agents too.
    pub(super) fn has_all_calls(&self) -> bool {
        [self.agent_calls, self.agents, self.some_agents] == [[false; 2]; 3]
    }

    /// What a run does not tell, in words and for programs.
    pub(super) fn of_side(&self, side: usize) -> impl Iterator<Item = (&'static str, &'static str)> + '_ {
        let all = self.agent_words[side] && self.agent_calls[side];
        [
            (self.prompts, "prompts", "the prompts"),
            (self.agents, "agents", "its sub-agents"),
            (self.some_agents, "some_agents", "what some of its sub-agents did"),
            (self.agent_words, "agent_words", "what its sub-agents said"),
            (self.agent_calls, "agent_calls", "which tools its sub-agents called"),
        ]
        .into_iter()
        .filter(move |(untold, name, _)| untold[side] && !(all && *name == "some_agents"))
        .map(|(_, name, words)| (name, words))
    }
}
