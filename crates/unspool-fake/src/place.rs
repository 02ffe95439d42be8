//! Which turn of which conversation is due.
//!
//! Like a real model this one is told everything with every request: how many answers there are since the
//! prompt says which turn is due, so sessions may run side by side, be resumed or begin again. Only what
//! leaves no trace in the next request has to be remembered: an answer that broke, and all that a summary
//! took the place of.

use crate::background::Kind;
use crate::request::Request;
use crate::script::{Conversation, Script, Turn};
use std::collections::{BTreeMap, HashMap};

/// What is due.
#[derive(Debug, Eq, PartialEq)]
pub(crate) enum Due {
    /// This turn of this conversation.
    Turn(usize, usize),
    /// Nothing more: the turns of this conversation have run out.
    Over(usize),
    /// Something for the CLI's own ends.
    Background(Kind),
    /// It is not known: no conversation takes the request.
    Nobody,
}

/// What was answered already.
#[derive(Debug, Default)]
pub(crate) struct Places {
    played: HashMap<Place, Played>,
    /// By session: the conversation that was summed up, and the turn that is due after it.
    summed_up: HashMap<String, (usize, usize)>,
}

/// A conversation that a client has with the script.
#[derive(Debug, Eq, Hash, PartialEq)]
struct Place {
    session: String,
    conversation: usize,
    from: Option<usize>,
    prompt: String,
}

/// By the length of the request: the answers in it, and the turn that was played.
type Played = BTreeMap<usize, (usize, usize)>;

impl Places {
    /// Finds what is due, and takes note of it.
    pub(crate) fn step(&mut self, script: &Script, request: &Request, background: Option<Kind>) -> Due {
        if background == Some(Kind::Compact) {
            self.sum_up(script, request);
        }
        let chosen = choose(script, request, background);
        // What was said before a summary goes on after it, unless a new prompt begins something else.
        let before =
            self.summed_up.get(&request.session).filter(|_| request.continued && background.is_none());
        let (number, from, begin) = match (chosen, before) {
            (Some((_, None)) | None, Some(&(number, begin))) => (number, None, begin),
            (Some((number, from)), _) => (number, from, 0),
            (None, None) => return background.map_or(Due::Nobody, Due::Background),
        };
        let turns = &script.conversations[number].turns;
        let played = self.played.entry(Place::of(request, number, from)).or_default();
        let answers = request.answers_after(from);
        let turn = next(turns, played, request.length, answers, begin);
        played.insert(request.length, (answers, turn));
        if turn < turns.len() { Due::Turn(number, turn) } else { Due::Over(number) }
    }

    /// Remembers which turn is due after a summary.
    fn sum_up(&mut self, script: &Script, request: &Request) {
        // What asks for the summary is no prompt of anybody's.
        let mut before = request.clone();
        let asks = before.prompts.last().map(|prompt| prompt.message);
        before.prompts.retain(|prompt| Some(prompt.message) != asks);
        let Some((number, from)) = choose(script, &before, None) else { return };
        let played = self.played.get(&Place::of(&before, number, from));
        if let Some((_, (_, turn))) = played.and_then(|played| played.last_key_value()) {
            self.summed_up.insert(request.session.clone(), (number, turn + 1));
        }
    }
}

impl Place {
    fn of(request: &Request, conversation: usize, from: Option<usize>) -> Self {
        let at = from.or(request.prompts.first().map(|prompt| prompt.message));
        let prompt = request.prompts.iter().find(|prompt| Some(prompt.message) == at);
        Place {
            session: request.session.clone(),
            conversation,
            from,
            prompt: prompt.map(|prompt| prompt.text.clone()).unwrap_or_default(),
        }
    }
}

/// The conversation that takes a request, and the message its turns are counted from.
///
/// The latest prompt decides; among equals the first in the script, but the one that takes everything only
/// if nobody else does.
fn choose(script: &Script, request: &Request, background: Option<Kind>) -> Option<(usize, Option<usize>)> {
    let takes = |(number, it): (usize, &Conversation)| {
        let from = it.when.takes(request, background)?;
        Some((number, from, !it.when.is_anything()))
    };
    let all = script.conversations.iter().enumerate().filter_map(takes);
    let best = all.reduce(|best, next| if (next.1, next.2) > (best.1, best.2) { next } else { best });
    best.map(|(number, from, _)| (number, from.map(|prompt| request.prompts[prompt].message)))
}

/// The turn that is due in a request of this length with this many answers, in a conversation that began
/// with this turn.
fn next(turns: &[Turn], played: &Played, length: usize, answers: usize, begin: usize) -> usize {
    let breaks = |turn: usize| turns.get(turn).is_some_and(Turn::breaks);
    match played.range(..=length).next_back() {
        // Asked again: because the answer broke, or because it was lost.
        Some((&same, &(_, turn))) if same == length => turn + usize::from(breaks(turn)),
        // An answer that broke or was interrupted may be missing, so what follows is counted from it.
        Some((_, &(before, turn))) => skip(turns, turn + 1, answers.saturating_sub(before).saturating_sub(1)),
        None => skip(turns, begin, answers),
    }
}

/// The turn after this many whole answers.
fn skip(turns: &[Turn], from: usize, answers: usize) -> usize {
    let whole = (from..turns.len()).filter(|turn| !turns[*turn].breaks());
    match answers {
        0 => from,
        _ => whole.map(|turn| turn + 1).nth(answers - 1).unwrap_or(turns.len()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Who says what: `u:words` and `a:words`, or `r` for the result of a tool; `|` stands between blocks.
    fn request(said: &str, session: &str) -> Request {
        let message = |word: &str| match word.split_once(':') {
            Some(("u", words)) => {
                let block =
                    |words: &str| format!(r#"{{"type":"text","text":"{}"}}"#, words.replace('_', " "));
                let blocks: Vec<String> = words.split('|').map(block).collect();
                format!(r#"{{"role":"user","content":[{}]}}"#, blocks.join(","))
            }
            Some((_, words)) => format!(r#"{{"role":"assistant","content":"{words}"}}"#),
            None => r#"{"role":"user","content":[{"type":"tool_result","content":"x"}]}"#.to_owned(),
        };
        let messages: Vec<String> = said.split_whitespace().map(message).collect();
        let body = format!(
            r#"{{"metadata":{{"user_id":"_session_{session}"}},"messages":[{}]}}"#,
            messages.join(",")
        );
        Request::read(&body).unwrap()
    }

    /// Plays requests, `#` before those of a second session; tells the turns, by name and number.
    fn check(script: &str, requests: &[&str], due: &[&str]) {
        let script: Script = script.parse().unwrap();
        let mut places = Places::default();
        let tell = |said: &&str| {
            let (session, said) = said.strip_prefix('#').map_or(("1", *said), |said| ("2", said));
            match places.step(&script, &request(said, session), None) {
                Due::Turn(number, turn) => format!("{} {}", script.conversations[number].name, turn + 1),
                Due::Over(number) => format!("{} over", script.conversations[number].name),
                other => format!("{other:?}"),
            }
        };
        assert_eq!(requests.iter().map(tell).collect::<Vec<_>>(), due);
    }

    const PLAIN: &str = "[[turn]]\nsay = 'a'\n[[turn]]\nsay = 'b'";
    const BROKEN: &str = "[[turn]]\nfail = 529\ntimes = 2\n[[turn]]\nsay = 'a'\n[[turn]]\nsay = 'b'";

    #[test]
    fn turns_come_in_order_and_end() {
        check(PLAIN, &["u:x", "u:x a:a r", "u:x a:a r a:b u:y"], &["main 1", "main 2", "main over"]);
    }

    #[test]
    fn a_session_may_come_in_the_middle() {
        check(PLAIN, &["u:x a:a r"], &["main 2"]);
    }

    #[test]
    fn an_answer_that_was_lost_is_given_again() {
        check(PLAIN, &["u:x", "u:x", "u:x a:a r"], &["main 1", "main 1", "main 2"]);
    }

    #[test]
    fn an_answer_that_was_interrupted_is_over() {
        check(PLAIN, &["u:x", "u:x u:stop u:y"], &["main 1", "main 2"]);
    }

    #[test]
    fn a_failure_is_followed_by_the_next_turn() {
        check(
            BROKEN,
            &["u:x", "u:x", "u:x", "u:x", "u:x a:a r"],
            &["main 1", "main 2", "main 3", "main 3", "main 4"],
        );
    }

    #[test]
    fn a_failure_that_nobody_tries_again_is_over() {
        check(BROKEN, &["u:x", "u:x u:y"], &["main 1", "main 2"]);
    }

    #[test]
    fn a_cut_answer_counts_whether_it_left_a_trace_or_not() {
        let script = "[[turn]]\ndo = [{ say = 'a' }, { cut = 'stream' }]\n[[turn]]\nsay = 'b'";
        check(script, &["u:x", "u:x a:a r"], &["main 1", "main 2"]);
        check(script, &["u:x", "u:x"], &["main 1", "main 2"]);
    }

    #[test]
    fn sessions_do_not_share_failures() {
        check(BROKEN, &["u:x", "#u:x", "u:x", "#u:x"], &["main 1", "main 1", "main 2", "main 2"]);
    }

    #[test]
    fn a_conversation_goes_on_after_a_summary() {
        let script: Script = "
            [[turn]]
            say = 'else'
            [[conversation]]
            when.prompt = 'one'
            turn = [{ say = '1' }, { say = '2' }, { say = '3' }]"
            .parse()
            .unwrap();
        let mut places = Places::default();
        const SUMMARY: &str = "u:This_session_is_being_continued_from_a_previous_conversation";
        let summary = |rest: &str| request(&format!("{SUMMARY} {rest}"), "1");
        let mut step = |request: Request, kind| places.step(&script, &request, kind);
        assert_eq!(step(request("u:one", "1"), None), Due::Turn(1, 0));
        let asks = request("u:one a:1 u:sum-up-the-one", "1");
        assert_eq!(step(asks, Some(Kind::Compact)), Due::Background(Kind::Compact));
        assert_eq!(step(summary(""), None), Due::Turn(1, 1));
        assert_eq!(step(summary("a:2 r"), None), Due::Turn(1, 2));
        // Unless somebody begins something else.
        assert_eq!(step(summary("a:2 u:one"), None), Due::Turn(1, 0));
        // Another session knows nothing of it.
        let other = request(SUMMARY, "2");
        assert_eq!(step(other, None), Due::Turn(0, 0));
    }

    #[test]
    fn the_latest_prompt_decides() {
        let script = "
            [[turn]]
            say = 'else'
            [[conversation]]
            when.prompt = 'one'
            turn = [{ say = '1' }]
            [[conversation]]
            when.prompt = 'two'
            turn = [{ say = '2' }]";
        check(
            script,
            &["u:one", "u:one a:1 u:two", "u:one a:1 u:two a:2 u:one", "u:else", "u:two-one", "u:one|two"],
            &["one 1", "two 1", "one 1", "main 1", "one 1", "two 1"],
        );
    }

    #[test]
    fn a_request_that_nobody_takes_is_told() {
        check("[[conversation]]\nwhen.prompt = 'one'\nturn = [{ say = '1' }]", &["u:two"], &["Nobody"]);
    }

    #[test]
    fn all_words_of_a_rule_are_needed() {
        let script = "
            [[conversation]]
            name = 'both'
            when = { first = 'one', prompt = 'two' }
            turn = [{ say = '1' }]
            [[conversation]]
            name = 'first'
            when.first = 'one'
            turn = [{ say = '2' }, { say = '3' }]";
        check(script, &["u:one a:x u:two", "u:one a:x u:three", "u:two"], &["both 1", "first 2", "Nobody"]);
    }
}
