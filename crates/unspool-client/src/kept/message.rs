//! What was said in a session that is kept, message by message.

use super::page::Page;
use unspool::control::Payload;
use unspool::json::{Json, Str};
use unspool::transcript::{Spoken, conversation, conversation_with_system};
use unspool::wire::entry::AgentMetadata;
use unspool::wire::{Block, Content, Entry, EntryHead, EntryKind, Message, Wire as _};

/// Which messages of a session are wanted: all that was said, unless it says otherwise.
///
/// ```
/// use unspool_client::kept::Excerpt;
///
/// let third_page = Excerpt::new().offset(100).limit(50);
/// # assert_ne!(third_page, Excerpt::new());
/// ```
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct Excerpt {
    page: Page,
    system: bool,
}

impl Excerpt {
    /// All that was said.
    #[must_use]
    pub fn new() -> Self {
        Excerpt::default()
    }

    /// Leaves out so many of the first.
    #[must_use]
    pub fn offset(mut self, messages: usize) -> Self {
        self.page.offset = messages;
        self
    }

    /// Takes at most so many.
    #[must_use]
    pub fn limit(mut self, messages: usize) -> Self {
        self.page.limit = Some(messages);
        self
    }

    /// Whether to tell what Claude Code itself has said as well: where it compacted, notices, what hooks did.
    #[must_use]
    pub fn system(mut self, system: bool) -> Self {
        self.system = system;
        self
    }

    /// The messages in the text of a transcript.
    pub(crate) fn of(&self, transcript: &str, agent: &AboutAgent) -> Vec<KeptMessage> {
        let lines = transcript.lines();
        let said = if self.system { conversation_with_system(lines) } else { conversation(lines) };
        self.page.of(said).map(|said| KeptMessage::of(said, agent)).collect()
    }
}

/// Who has said something in a session that is kept.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub enum Speaker {
    /// The user who asks, or a tool that answers.
    User,
    /// The model.
    Model,
    /// Claude Code itself; see [`Excerpt::system`].
    System,
}

/// Something that was said in a session on disk or in a store. A message of the model is as many of them as it has blocks; those
/// that belong together have the same [`Message::id`].
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct KeptMessage {
    /// Who has said it.
    pub by: Speaker,
    /// How its entry is named, to [fork](crate::kept::Fork::up_to) the session there.
    pub uuid: String,
    /// The session that it was said in.
    pub session: Option<String>,
    /// When: `2026-11-15T06:48:16.272Z`.
    pub at: Option<String>,
    /// Of an agent: the call that started it.
    pub call: Option<String>,
    /// Of an agent that another agent has started: that one.
    pub parent_agent: Option<String>,
    /// Its entry in the transcript.
    pub entry: Payload,
}

impl KeptMessage {
    fn of(said: Spoken<'_>, agent: &AboutAgent) -> Self {
        let head = EntryHead::of(said.entry).unwrap_or_default();
        let by = match (said.by_model, said.by_system()) {
            (true, _) => Speaker::Model,
            (false, true) => Speaker::System,
            (false, false) => Speaker::User,
        };
        KeptMessage {
            by,
            uuid: owned(head.uuid).unwrap_or_default(),
            session: owned(head.session_id),
            at: owned(head.timestamp),
            call: agent.call.clone(),
            parent_agent: agent.parent.clone(),
            entry: said.entry.into(),
        }
    }

    /// The message of the Messages API: its model, its blocks, what it took. What was typed while the model was at work, and what Claude
    /// Code says itself, is none.
    #[must_use]
    pub fn message(&self) -> Option<Message<'_>> {
        EntryHead::of(self.entry.json())?.message.map(|message| message.read())
    }

    /// What was said: words, or blocks. Of a system message that has neither, its entry.
    #[must_use]
    pub fn content(&self) -> Json<'_> {
        let entry = self.entry.json();
        Spoken::of(entry).map_or(entry, |said| said.content)
    }

    /// The words of it, without thoughts, calls and what tools answered.
    #[must_use]
    pub fn text(&self) -> String {
        let words = |block| match block {
            Block::Text(block) => owned(block.text),
            _ => None,
        };
        match Content::of(self.content()) {
            Some(Content::Text(words)) => words.to_string(),
            Some(Content::Blocks(blocks)) => blocks.iter().filter_map(words).collect(),
            _ => String::new(),
        }
    }
}

/// What is known of a sub-agent of a session that is kept. Old versions write nothing down.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
#[non_exhaustive]
pub struct AboutAgent {
    /// What kind of agent it is: `Explore`.
    pub kind: Option<String>,
    /// What it was to do, in a few words.
    pub description: Option<String>,
    /// The call that started it.
    pub call: Option<String>,
    /// The agent that started it, if that was one.
    pub parent: Option<String>,
}

impl AboutAgent {
    /// What stands in the transcript in a store.
    pub(crate) fn of(metadata: &AgentMetadata<'_>) -> Self {
        AboutAgent {
            kind: owned(metadata.agent_type),
            description: owned(metadata.description),
            call: owned(metadata.tool_use_id),
            parent: owned(metadata.parent_agent_id),
        }
    }

    /// What stands beside the transcript on disk, where it does not say what it is. What has another shape says nothing.
    pub(super) fn beside(file: Json<'_>) -> Self {
        match Entry::of_kind(EntryKind::AgentMetadata, file) {
            Entry::AgentMetadata(metadata) => AboutAgent::of(&metadata),
            _ => AboutAgent::default(),
        }
    }
}

fn owned(text: Option<Str<'_>>) -> Option<String> {
    text.map(|text| text.to_string())
}
