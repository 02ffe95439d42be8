//! What must hold for a script as a whole.

use super::step::named;
use super::turn::{Then, Turn, Usage};
use super::when::When;
use super::{Conversation, RawConversation, RawScript, Script};
use toml::Spanned;

/// What is wrong, and at which byte.
pub(super) struct Fault {
    pub(super) at: usize,
    pub(super) message: String,
}

fn fault<T>(at: usize, message: impl Into<String>) -> Result<T, Fault> {
    Err(Fault { at, message: message.into() })
}

const EMPTY: &str = "the script says nothing: begin with a line [[turn]], and under it say = \"Hello!\"";
const TURNS: &str = "a conversation needs at least one [[conversation.turn]]";
const NAME: &str = "a name has letters, digits, `_` and `-`, because ids are made from it";
const ANYTHING: &str =
    "a second conversation for everything that no other takes would never be asked: give it words by `when`";
const AGENT: &str = "no conversation takes this agent: add a [[conversation]], and give it some words of this \
                     prompt by when.prompt = \"..\"";
const ITSELF: &str = "this agent would be given the turns of the conversation that starts it, and start itself \
                      again and again: its prompt has the words of that conversation's `when`";

/// The script, if it is good.
pub(super) fn script(raw: RawScript) -> Result<Script, Fault> {
    let usage = raw.usage.unwrap_or_default();
    let mut conversations = Vec::new();
    if let Some(first) = raw.turn.first() {
        let at = first.span().start;
        let turns = raw.turn.into_iter().map(Spanned::into_inner).collect();
        let mut main = Conversation::new("main".into(), When::default(), turns, raw.then.clone());
        main.prepare(usage);
        conversations.push((at, main));
    }
    for written in raw.conversation {
        let at = written.span().start;
        let next = conversation(written.into_inner(), at, &raw.then, usage, &conversations)?;
        conversations.push((at, next));
    }
    if conversations.is_empty() {
        return fault(0, EMPTY);
    }
    let mut open = conversations.iter().filter(|(_, it)| it.when.is_anything());
    if let (Some(_), Some((at, _))) = (open.next(), open.next()) {
        return fault(*at, ANYTHING);
    }
    let conversations: Vec<_> = conversations.into_iter().map(|(_, it)| it).collect();
    agents(&conversations)?;
    Ok(Script { conversations, count_tokens: raw.count_tokens })
}

fn conversation(
    raw: RawConversation,
    at: usize,
    then: &Then,
    usage: Usage,
    others: &[(usize, Conversation)],
) -> Result<Conversation, Fault> {
    if raw.turn.is_empty() {
        return fault(at, TURNS);
    }
    let taken = |name: &str| others.iter().any(|(_, it)| it.name == name);
    let name = match raw.name {
        Some(name) if !named(name.get_ref()) => return fault(name.span().start, NAME),
        Some(name) if taken(name.get_ref()) => {
            return fault(name.span().start, format!("the name `{}` is taken", name.get_ref()));
        }
        Some(name) => name.into_inner(),
        None => {
            let words = slug(&raw.when);
            let numbered = (2..).map(|number| format!("{words}-{number}"));
            std::iter::once(words.clone()).chain(numbered).find(|name| !taken(name)).unwrap_or(words)
        }
    };
    let mut conversation =
        Conversation::new(name, raw.when, raw.turn, raw.then.unwrap_or_else(|| then.clone()));
    conversation.prepare(raw.usage.unwrap_or_default().or(usage));
    Ok(conversation)
}

impl Conversation {
    fn new(name: String, when: When, turns: Vec<Turn>, then: Then) -> Self {
        Conversation { name, when, turns, then }
    }

    /// Says what was said once for many turns in each of them.
    fn prepare(&mut self, usage: Usage) {
        let turns = std::mem::take(&mut self.turns).into_iter();
        self.turns = turns.flat_map(|turn| std::iter::repeat_n(turn.clone(), turn.times)).collect();
        let last = match &mut self.then {
            Then::Turn(turn) => Some(&mut **turn),
            Then::Say | Then::Repeat | Then::Fail => None,
        };
        for turn in self.turns.iter_mut().chain(last) {
            turn.usage = turn.usage.or(usage);
        }
    }
}

/// A name from the words of a rule.
fn slug(when: &When) -> String {
    let words = [&when.prompt, &when.first, &when.system, &when.model].into_iter().flatten().next();
    let kind = when.background.map(|kind| kind.as_str().to_owned());
    let text = words.cloned().or(kind).unwrap_or_else(|| "main".to_owned()).to_lowercase();
    let parts = text.split(|it: char| !it.is_ascii_alphanumeric()).filter(|part| !part.is_empty());
    let name = parts.take(4).collect::<Vec<_>>().join("-");
    if name.is_empty() { "conversation".to_owned() } else { name }
}

/// A sub-agent that no conversation answers for would be given the words of the agent that started it, and start itself
/// again and again.
fn agents(conversations: &[Conversation]) -> Result<(), Fault> {
    for (number, conversation) in conversations.iter().enumerate() {
        for agent in conversation.turns.iter().flat_map(Turn::agents) {
            let at = agent.prompt.span().start;
            let takes = |it: &Conversation| it.when.may_take_agent(agent.prompt.get_ref());
            match conversations.iter().position(takes) {
                None => return fault(at, AGENT),
                Some(taker) if taker == number => return fault(at, ITSELF),
                Some(_) => {}
            }
        }
    }
    Ok(())
}
