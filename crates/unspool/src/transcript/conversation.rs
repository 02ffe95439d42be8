//! The conversation as it stands: what was said, without the branches that were left.

use crate::json::{Json, Str};
use crate::wire::entry::{
    Attached, AttachedKind, CompactBoundaryEntry, EntryPreservedMessages, EntryPreservedSegment,
};
use crate::wire::{Block, Content, Entry as Noted, EntryHead, EntryKind, List, Message, Wire};
use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

/// Something that was said in a session, by the user, a tool or the model.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Spoken<'a> {
    /// Whether the model has said it.
    pub by_model: bool,
    /// What was said: words, or blocks.
    pub content: Json<'a>,
    /// Its entry in the transcript.
    pub entry: Json<'a>,
}

impl<'a> Spoken<'a> {
    /// How the entry is named.
    #[must_use]
    pub fn uuid(&self) -> Option<Cow<'a, str>> {
        EntryHead::of(self.entry)?.uuid.map(Str::decode)
    }

    /// Whether Claude Code itself has said it; see [`conversation_with_system`].
    #[must_use]
    pub fn by_system(&self) -> bool {
        EntryHead::of(self.entry).is_some_and(|head| head.is_system())
    }

    /// What an entry says, wherever it stands in its conversation. `None` if nobody says anything in it.
    #[must_use]
    pub fn of(entry: Json<'a>) -> Option<Self> {
        Self::of_head(&EntryHead::of(entry)?, entry)
    }

    fn of_head(head: &EntryHead<'a>, entry: Json<'a>) -> Option<Self> {
        let content = if head.is_user() || head.is_assistant() {
            head.message?.json().get(Message::NAMES.content)?
        } else if head.is_system() {
            // Some have no words, only fields.
            head.content.unwrap_or(entry)
        } else {
            // Somebody typed it while the model was at work.
            attached(head, entry).filter(|it| it.kind == Some(AttachedKind::QueuedCommand))?.prompt?
        };
        Some(Spoken { by_model: head.is_assistant(), content, entry })
    }
}

/// What was said in a session, in order, from the lines of its main file. A message of the model is as many entries as it has
/// blocks, as on the wire; `message.id` in the entry says which belong together. Given the file of an agent, what was said to it and
/// by it.
///
/// Entries name the one before them, so a file is a tree: what was rewound or edited is in it, but no longer in the
/// conversation. A compaction begins a new one, with some messages of the old if it kept them. Calls that were made together,
/// and their answers, are branches of the tree and all part of the conversation.
///
/// ```
/// use unspool::transcript::conversation;
///
/// let file = r#"{"type":"user","uuid":"1","parentUuid":null,"message":{"content":"2+2?"}}
/// {"type":"assistant","uuid":"2","parentUuid":"1","message":{"content":"5"}}
/// {"type":"assistant","uuid":"3","parentUuid":"1","message":{"content":"4"}}"#;
/// let said: Vec<_> = conversation(file.lines()).iter().map(|it| it.content.text()).collect();
/// assert_eq!(said, [r#""2+2?""#, r#""4""#]);
/// ```
pub fn conversation<'a>(lines: impl IntoIterator<Item = &'a str>) -> Vec<Spoken<'a>> {
    let mut said = conversation_with_system(lines);
    said.retain(|it| !it.by_system());
    said
}

/// What was said in a session as [`conversation`] tells it, and between it what Claude Code itself has said ([`Spoken::by_system`]):
/// where it compacted, notices, what hooks did. Of those that have no words the content is the whole entry.
pub fn conversation_with_system<'a>(lines: impl IntoIterator<Item = &'a str>) -> Vec<Spoken<'a>> {
    let mut tree = Tree::of(lines);
    tree.keep_what_compactions_keep();
    let chain = tree.with_siblings(&tree.chain());
    let said = chain.into_iter().map(|at| &tree.entries[at]).filter(|it| !it.is_meta);
    said.filter_map(|it| it.spoken).collect()
}

/// What was put beside a prompt, if the entry is that.
fn attached<'a>(head: &EntryHead<'a>, entry: Json<'a>) -> Option<Attached<'a>> {
    head.noted().filter(|kind| *kind == EntryKind::Attachment)?;
    let Noted::Attachment(attachment) = Noted::of(entry)? else { return None };
    Some(attachment.attachment?.read())
}

struct Entry<'a> {
    json: Json<'a>,
    uuid: String,
    parent: Option<String>,
    timestamp: Option<Cow<'a, str>>,
    spoken: Option<Spoken<'a>>,
    /// The message of the model that it is a part of.
    message: Option<Cow<'a, str>>,
    is_user: bool,
    is_assistant: bool,
    is_sidechain: bool,
    /// Of an agent, of another member of a team, or nothing that stays.
    is_aside: bool,
    is_meta: bool,
}

impl<'a> Entry<'a> {
    fn of(line: &'a str) -> Option<Self> {
        let json = Json::new(crate::line::trim(line)).ok()?;
        let head = EntryHead::of(json)?;
        head.kind?;
        let briefs = || attached(&head, json).is_some_and(|it| it.kind == Some(AttachedKind::ForkBriefing));
        let is_passing = head.noted() == Some(EntryKind::Progress);
        let message = head.message.filter(|_| head.is_assistant());
        Some(Entry {
            json,
            uuid: head.uuid?.to_string(),
            parent: head.parent_uuid.map(|parent| parent.to_string()),
            timestamp: head.timestamp.map(Str::decode),
            spoken: Spoken::of_head(&head, json),
            message: message.and_then(|message| message.read().id).map(Str::decode),
            is_user: head.is_user(),
            is_assistant: head.is_assistant(),
            is_sidechain: head.is_sidechain == Some(true),
            is_aside: is_passing || head.team_name.is_some() || briefs(),
            is_meta: head.is_meta == Some(true),
        })
    }

    fn is_said(&self) -> bool {
        self.is_user || self.is_assistant
    }

    fn blocks(&self) -> impl Iterator<Item = Block<'a>> + use<'a> {
        let content = self.spoken.filter(|_| self.is_said()).and_then(|it| Content::of(it.content));
        let blocks = match content {
            Some(Content::Blocks(blocks)) => Some(blocks),
            _ => None,
        };
        blocks.into_iter().flat_map(|blocks| blocks.iter())
    }

    /// The calls in it.
    fn calls(&self) -> impl Iterator<Item = Cow<'a, str>> + use<'a> {
        self.blocks().filter_map(|block| match block {
            Block::ToolUse(call) => call.id.map(Str::decode),
            _ => None,
        })
    }

    /// The calls that it answers.
    fn answered(&self) -> impl Iterator<Item = Cow<'a, str>> + use<'a> {
        self.blocks().filter_map(|block| match block {
            Block::ToolResult(answer) => answer.tool_use_id.map(Str::decode),
            _ => None,
        })
    }
}

/// The entries of a file, each once, in the order of the file.
struct Tree<'a> {
    entries: Vec<Entry<'a>>,
    by_uuid: HashMap<String, usize>,
}

impl<'a> Tree<'a> {
    fn of(lines: impl IntoIterator<Item = &'a str>) -> Self {
        let mut entries: Vec<Entry<'a>> = lines.into_iter().filter_map(Entry::of).collect();
        // The file of an agent is all sidechain; elsewhere those are agents, in old versions.
        if entries.iter().any(|entry| entry.is_said() && !entry.is_sidechain) {
            entries.iter_mut().for_each(|entry| entry.is_aside |= entry.is_sidechain);
        }
        // An entry that was written again is the later one.
        let by_uuid = entries.iter().enumerate().map(|(at, entry)| (entry.uuid.clone(), at)).collect();
        Tree { entries, by_uuid }
    }

    fn get(&self, uuid: &str) -> Option<usize> {
        self.by_uuid.get(uuid).copied()
    }

    /// All entries that count, with their places.
    fn latest(&self) -> impl Iterator<Item = (usize, &Entry<'a>)> {
        self.entries.iter().enumerate().filter(|(at, entry)| self.get(&entry.uuid) == Some(*at))
    }

    /// A compaction that keeps messages puts them behind itself, and what came next behind them.
    fn keep_what_compactions_keep(&mut self) {
        let boundaries = self.latest().filter_map(|(_, entry)| CompactBoundaryEntry::of(entry.json));
        let is_here =
            |kept: &Kept| kept.links.iter().chain([&kept.last]).all(|uuid| self.get(uuid).is_some());
        let kept = boundaries.filter_map(|boundary| Kept::of(&boundary).into_iter().find(is_here));
        let kept: Vec<Kept> = kept.collect();
        for Kept { anchor, links, last } in kept {
            let Some(first) = links.first().cloned() else { continue };
            let mut before = anchor.clone();
            for uuid in links {
                if let Some(at) = self.get(&uuid) {
                    self.entries[at].parent = Some(std::mem::replace(&mut before, uuid));
                }
            }
            for entry in &mut self.entries {
                if entry.parent.as_ref() == Some(&anchor) && entry.uuid != first {
                    entry.parent = Some(last.clone());
                }
            }
        }
    }

    /// From the first thing said to the last one, along the parents.
    fn chain(&self) -> Vec<usize> {
        let own = || self.latest().filter(|(_, entry)| !entry.is_aside);
        let parents: HashSet<&str> = own().filter_map(|(_, entry)| entry.parent.as_deref()).collect();
        let mut leaves: Vec<usize> =
            own().filter(|(_, entry)| !parents.contains(&*entry.uuid)).map(|(at, _)| at).collect();
        leaves.reverse();
        let said = |leaf: usize| {
            let walk = self.walk(leaf);
            walk.iter().position(|at| self.entries[*at].is_said()).map(|first| walk[first..].to_vec())
        };
        let mut chain = leaves.into_iter().find_map(said).unwrap_or_default();
        chain.reverse();
        chain
    }

    /// From an entry to the root.
    fn walk(&self, from: usize) -> Vec<usize> {
        let (mut walk, mut seen, mut next) = (Vec::new(), HashSet::new(), Some(from));
        while let Some(at) = next.filter(|at| seen.insert(*at)) {
            walk.push(at);
            next = self.entries[at].parent.as_deref().and_then(|parent| self.get(parent));
        }
        walk
    }

    /// Adds what hangs beside the chain: other parts of its messages, and the answers to their calls.
    fn with_siblings(&self, chain: &[usize]) -> Vec<usize> {
        let on_chain: HashSet<usize> = chain.iter().copied().collect();
        let mut last: HashMap<Cow<'_, str>, usize> = HashMap::new();
        for at in chain {
            if let Some(message) = &self.entries[*at].message {
                last.insert(message.clone(), *at);
            }
        }
        let mut message_of: HashMap<Cow<'_, str>, Cow<'_, str>> = HashMap::new();
        for (_, entry) in self.latest() {
            if let Some(message) = entry.message.as_ref().filter(|message| last.contains_key(*message)) {
                message_of.extend(entry.calls().map(|call| (call, message.clone())));
            }
        }
        let mut beside: HashMap<usize, Vec<usize>> = HashMap::new();
        for (at, entry) in self.latest().filter(|(at, entry)| !entry.is_aside && !on_chain.contains(at)) {
            let by_call = || entry.answered().find_map(|call| message_of.get(&call));
            let message = entry.message.as_ref().or_else(|| if entry.is_user { by_call() } else { None });
            if let Some(place) = message.and_then(|message| last.get(message)) {
                beside.entry(*place).or_default().push(at);
            }
        }
        let mut whole = Vec::with_capacity(chain.len());
        for at in chain {
            whole.push(*at);
            let mut siblings = beside.remove(at).unwrap_or_default();
            siblings.sort_by_key(|at| self.entries[*at].timestamp.as_deref());
            whole.append(&mut siblings);
        }
        whole
    }
}

/// The messages that a compaction has kept.
struct Kept {
    /// What they come behind.
    anchor: String,
    /// Those whose place is said, each behind the one before it.
    links: Vec<String>,
    /// The last one.
    last: String,
}

impl Kept {
    /// What a boundary says of them, in the order in which it counts.
    fn of(boundary: &CompactBoundaryEntry<'_>) -> Vec<Self> {
        let about = boundary.compact_metadata.map(|about| about.read()).unwrap_or_default();
        let by_list = about.preserved_messages.and_then(|messages| Kept::by_list(&messages.read()));
        let by_ends = about.preserved_segment.and_then(|segment| Kept::by_ends(&segment.read()));
        by_list.into_iter().chain(by_ends).collect()
    }

    fn by_list(messages: &EntryPreservedMessages<'_>) -> Option<Self> {
        let uuids = messages.uuids.iter().flat_map(List::iter);
        let links: Vec<String> = uuids.map(|uuid| uuid.to_string()).collect();
        Some(Kept { anchor: messages.anchor_uuid?.to_string(), last: links.last()?.clone(), links })
    }

    fn by_ends(segment: &EntryPreservedSegment<'_>) -> Option<Self> {
        let EntryPreservedSegment { anchor_uuid, head_uuid, tail_uuid, .. } = segment;
        Some(Kept {
            anchor: anchor_uuid.as_ref()?.to_string(),
            links: vec![head_uuid.as_ref()?.to_string()],
            last: tail_uuid.as_ref()?.to_string(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::{Spoken, conversation, conversation_with_system};

    /// Entries in short: `uuid parent kind content`, the content of an answer being `call=words`.
    fn said(entries: &[&str]) -> String {
        let lines: Vec<String> = entries.iter().map(|entry| line(entry)).collect();
        names(&conversation(lines.iter().map(|line| &**line)))
    }

    fn names(spoken: &[Spoken<'_>]) -> String {
        spoken.iter().map(|it| it.uuid().unwrap().into_owned()).collect::<Vec<_>>().join(" ")
    }

    fn line(entry: &str) -> String {
        if entry.starts_with('{') {
            return entry.to_owned();
        }
        let [uuid, parent, kind, rest] = *entry.splitn(4, ' ').collect::<Vec<_>>() else { panic!("{entry}") };
        let parent = if parent == "-" { "null".to_owned() } else { format!("\"{parent}\"") };
        let message = match (kind, rest.split_once('=')) {
            ("assistant", Some((message, call))) => {
                format!(r#"{{"id":"{message}","content":[{{"type":"tool_use","id":"{call}"}}]}}"#)
            }
            ("user", Some((call, words))) => {
                format!(
                    r#"{{"content":[{{"type":"tool_result","tool_use_id":"{call}","content":"{words}"}}]}}"#
                )
            }
            _ => format!(r#"{{"content":"{rest}"}}"#),
        };
        format!(r#"{{"type":"{kind}","uuid":"{uuid}","parentUuid":{parent},"message":{message}}}"#)
    }

    #[test]
    fn a_branch_that_was_left_is_no_part_of_it() {
        assert_eq!(said(&["1 - user a", "2 1 assistant b", "3 2 user c", "4 1 assistant d"]), "1 4");
        assert_eq!(said(&["1 - user a", "2 1 assistant b", "1 - user again"]), "1 2");
        assert_eq!(said(&[]), "");
        assert_eq!(said(&["{no json", "{\"type\":\"summary\"}"]), "");
    }

    #[test]
    fn what_was_called_together_is_all_part_of_it() {
        let entries = [
            "1 - user a",
            "2 1 assistant m=x",
            "3 2 assistant m=y",
            "4 2 user x=1",
            "5 3 user y=2",
            "6 5 assistant b",
        ];
        assert_eq!(said(&entries), "1 2 3 4 5 6");
    }

    #[test]
    fn a_compaction_begins_anew_with_what_it_kept() {
        let boundary = |kept: &str| {
            format!(
                r#"{{"type":"system","subtype":"compact_boundary","uuid":"b","parentUuid":null,"compactMetadata":{{{kept}}}}}"#
            )
        };
        let told = |kept: &str| {
            let boundary = boundary(kept);
            said(&[
                "1 - user a",
                "2 1 assistant b",
                "3 2 user c",
                "4 3 assistant d",
                &boundary,
                "5 b user sum",
                "6 5 user e",
            ])
        };
        assert_eq!(told(""), "5 6");
        assert_eq!(told(r#""preservedMessages":{"anchorUuid":"5","uuids":["3","4"]}"#), "5 3 4 6");
        assert_eq!(told(r#""preservedSegment":{"headUuid":"3","anchorUuid":"5","tailUuid":"4"}"#), "5 3 4 6");
        assert_eq!(told(r#""preservedMessages":{"anchorUuid":"5","uuids":["3","gone"]}"#), "5 6");
        let segment = r#""preservedSegment":{"headUuid":"3","anchorUuid":"5","tailUuid":"gone"}"#;
        assert_eq!(told(segment), "5 6");
        let both = r#""preservedMessages":{"anchorUuid":"5","uuids":["gone"]},"preservedSegment":{"headUuid":"3","anchorUuid":"5","tailUuid":"4"}"#;
        assert_eq!(told(both), "5 3 4 6");
    }

    #[test]
    fn agents_and_what_nobody_said_are_no_part_of_it() {
        let aside =
            r#"{"type":"user","uuid":"2","parentUuid":"1","isSidechain":true,"message":{"content":"x"}}"#;
        let meta = r#"{"type":"user","uuid":"3","parentUuid":"1","isMeta":true,"message":{"content":"x"}}"#;
        let queued = r#"{"type":"attachment","uuid":"4","parentUuid":"3","attachment":{"type":"queued_command","prompt":"q"}}"#;
        assert_eq!(said(&["1 - user a", aside, meta, queued, "5 4 assistant b"]), "1 4 5");
        assert_eq!(said(&[aside]), "2", "the file of an agent");
    }

    #[test]
    fn what_claude_code_says_itself_is_told_to_who_asks_for_it() {
        let lines = [
            r#"{"type":"system","subtype":"compact_boundary","uuid":"b","parentUuid":null,"content":"Compacted"}"#.to_owned(),
            line("1 b user a"),
            line("2 1 assistant b"),
            r#"{"type":"system","subtype":"stop_hook_summary","uuid":"h","parentUuid":"2","hookCount":1}"#.to_owned(),
            r#"{"type":"system","uuid":"m","parentUuid":"h","isMeta":true,"content":"x"}"#.to_owned(),
            line("3 m user c"),
        ];
        let lines = || lines.iter().map(|line| &**line);
        assert_eq!(names(&conversation(lines())), "1 2 3");
        let all = conversation_with_system(lines());
        assert_eq!(names(&all), "b 1 2 h 3");
        assert_eq!(all[0].content.text(), "\"Compacted\"");
        assert_eq!(all[3].content, all[3].entry);
        let by_system: Vec<bool> = all.iter().map(Spoken::by_system).collect();
        assert_eq!(by_system, [true, false, false, true, false]);
    }

    #[test]
    fn a_ring_ends() {
        assert_eq!(said(&["1 2 user a", "2 1 assistant b", "3 2 user c"]), "1 2 3");
    }
}
