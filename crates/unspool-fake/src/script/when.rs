//! Which requests a conversation takes.

use crate::background::Kind;
use crate::request::Request;
use serde::Deserialize;

/// Words that a request must have; all that are given must be there.
#[derive(Clone, Debug, Default, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub(crate) struct When {
    /// In a prompt; turns are counted from the latest one that has them.
    pub(crate) prompt: Option<String>,
    /// In the first prompt of all.
    pub(crate) first: Option<String>,
    /// In the system prompt.
    pub(crate) system: Option<String>,
    /// In the name of the model.
    pub(crate) model: Option<String>,
    /// What the CLI asks for its own ends.
    pub(crate) background: Option<Kind>,
}

impl When {
    /// Whether it takes whatever no other conversation does.
    pub(crate) fn is_anything(&self) -> bool {
        *self == When::default()
    }

    /// Where the turns are counted from, if the request is taken: which of its prompts, or the start.
    pub(crate) fn takes(&self, request: &Request, background: Option<Kind>) -> Option<Option<usize>> {
        let has = |words: &Option<String>, text: &str| words.as_ref().is_none_or(|it| text.contains(it));
        let taken = self.background == background
            && has(&self.model, &request.model)
            && has(&self.system, &request.system)
            && has(&self.first, request.prompts.first().map_or("", |prompt| &prompt.text));
        match &self.prompt {
            _ if !taken => None,
            None => Some(None),
            Some(words) => request.prompts.iter().rposition(|prompt| prompt.text.contains(words)).map(Some),
        }
    }

    /// Whether a sub-agent with this prompt could be meant.
    pub(crate) fn may_take_agent(&self, prompt: &str) -> bool {
        let has = |words: &Option<String>| words.as_ref().is_some_and(|it| prompt.contains(it));
        let fits = has(&self.prompt) || has(&self.first);
        self.background.is_none() && (fits || (self.system.is_some() && self.prompt.is_none()))
    }
}
