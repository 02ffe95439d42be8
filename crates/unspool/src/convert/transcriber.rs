//! The transcript of a session that was recorded: entries that Claude Code goes on from as it does from its own.
//!
//! An entry names the one before it. What the stream has of a conversation is taken word for word; what Claude Code adds to a prompt
//! (reminders, the date, lists of tools) it adds anew when the session goes on. Where something that was said is not in the recording, no
//! transcript is made: Claude Code would go on from another conversation than it had.

use super::inventory::is_of_agent;
use crate::digest::{hash_of, join};
use crate::json::{Json, Str};
use crate::line::{Line, Lines};
use crate::transcript::INTERRUPTED;
use crate::wire::input::Draft;
use crate::wire::system::System;
use crate::wire::{Assistant, Block, Content, Envelope, Kind, List, Message, SystemKind, User};
use std::collections::{HashSet, VecDeque};

/// Makes entries of lines.
#[derive(Debug, Default)]
pub struct Transcriber {
    lines: Lines,
    writer: Writer,
}

/// Why there is no transcript.
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum NoTranscript {
    /// No line names the session.
    #[error("no line of it names a session")]
    NoSession,
    /// Lines of two sessions are in it.
    #[error("it has several sessions, and a transcript is of one")]
    Sessions,
    /// Nothing was said in it.
    #[error("nothing was said in it")]
    Silent,
    /// A turn began, and what began it is not there.
    #[error(
        "what was asked before line {line} is not in it: Claude Code would go on from another conversation"
    )]
    NoPrompt {
        /// The line of the stream that answers.
        line: u64,
    },
    /// Several prompts waited, and the stream does not say which of them was taken up.
    #[error("several prompts waited before line {line}, and it does not say which of them was taken up then")]
    Prompts {
        /// The line of the stream that answers.
        line: u64,
    },
    /// The conversation was compacted: what Claude Code kept of it is not all there.
    #[error("the conversation was compacted in line {line}, and what was kept of it is not in it")]
    Compacted {
        /// The line of the stream that says so.
        line: u64,
    },
}

#[derive(Debug, Default)]
struct Writer {
    session: Option<String>,
    cwd: Option<String>,
    version: Option<String>,
    /// The last entry.
    last: Option<String>,
    /// How many entries there are, and what they are called, by hash. Claude Code never ends to read entries that stand one behind the
    /// other in a circle.
    entries: u64,
    known: HashSet<u64>,
    /// Prompts that were written and not taken up yet.
    waiting: VecDeque<Prompt>,
    /// Something began the turn that is open.
    asked: bool,
    /// The model has said something in it.
    answered: bool,
    /// Milliseconds since 1970.
    now: Option<i64>,
    refused: Option<NoTranscript>,
}

/// What was said in a line, word for word.
#[derive(Clone, Copy)]
struct Wording<'a> {
    message: Json<'a>,
    line: u64,
}

/// What the host has asked.
#[derive(Debug)]
struct Prompt {
    line: String,
    uuid: Option<String>,
    at: Option<i64>,
}

impl Transcriber {
    /// Nothing yet.
    #[must_use]
    pub fn new() -> Self {
        Transcriber::default()
    }

    /// It is now so many milliseconds since 1970. Entries bear the times of their lines; where those have none, this.
    pub fn set_clock(&mut self, now: i64) {
        self.writer.now = Some(now);
    }

    /// A line was written to Claude Code.
    pub fn wrote(&mut self, line: &str) {
        let Ok(Envelope::User(said)) = Envelope::read(line.trim()) else { return };
        if said.message.is_some() {
            let uuid = said.uuid.map(|uuid| uuid.to_string());
            self.writer.waiting.push_back(Prompt { line: line.trim().to_owned(), uuid, at: self.writer.now });
        }
    }

    /// Claude Code wrote these bytes, cut anywhere. Appends the entries that they complete.
    pub fn feed(&mut self, bytes: &[u8], out: &mut Vec<u8>) {
        let Transcriber { lines, writer } = self;
        lines.feed(bytes, |_| {}, |line| writer.step(&line, out));
    }

    /// There is no more. Returns how many prompts were never taken up, or why what was appended is no transcript.
    pub fn finish(mut self, out: &mut Vec<u8>) -> Result<u64, NoTranscript> {
        let Transcriber { lines, writer } = &mut self;
        lines.finish(|line| writer.step(&line, out));
        match self.writer {
            Writer { refused: Some(why), .. } => Err(why),
            Writer { entries: 0, .. } => Err(NoTranscript::Silent),
            Writer { session: None, .. } => Err(NoTranscript::NoSession),
            Writer { waiting, .. } => Ok(waiting.len() as u64),
        }
    }

    /// The session, once it is known: Claude Code looks for its transcript under this name.
    #[must_use]
    pub fn session(&self) -> Option<&str> {
        self.writer.session.as_deref()
    }
}

impl Writer {
    fn step(&mut self, line: &Line<'_>, out: &mut Vec<u8>) {
        let text = line.text();
        let Ok(json) = Json::new(&text) else { return };
        let counts =
            matches!(
                Kind::last_of(json),
                Kind::Assistant | Kind::User | Kind::Result | Kind::BareAssistant | Kind::BareUser
            ) || matches!(Kind::last_of(json), Kind::System(SystemKind::Init | SystemKind::CompactBoundary));
        if self.refused.is_some() || !counts || is_of_agent(json) {
            return;
        }
        let Ok(envelope) = Envelope::read(&text) else { return };
        let said = Wording { message: json.get("message").unwrap_or(Json::NULL), line: line.number };
        if let Err(why) = self.take(&envelope, said, out) {
            self.refused = Some(why);
        }
    }

    fn take(
        &mut self,
        envelope: &Envelope<'_>,
        it: Wording<'_>,
        out: &mut Vec<u8>,
    ) -> Result<(), NoTranscript> {
        match envelope {
            Envelope::System(System::Init(init)) => {
                self.belongs(init.session_id)?;
                let keep = |known: &mut Option<String>, said: Option<Str<'_>>| {
                    *known = said.map(|said| said.to_string()).or(known.take());
                };
                keep(&mut self.cwd, init.cwd);
                keep(&mut self.version, init.claude_code_version);
                self.answered = false;
                // With several, whoever answers says which.
                self.asked = self.waiting.len() == 1 && self.take_up(0, out);
                Ok(())
            }
            Envelope::System(System::CompactBoundary(_)) => Err(NoTranscript::Compacted { line: it.line }),
            Envelope::Assistant(said) => self.on_assistant(said, it, out),
            Envelope::User(said) => self.on_user(said, it, out),
            Envelope::Result(_) => {
                (self.asked, self.answered) = (false, false);
                Ok(())
            }
            Envelope::BareMessage(_) => Err(NoTranscript::NoSession),
            _ => Ok(()),
        }
    }

    fn on_assistant(
        &mut self,
        said: &Assistant<'_>,
        it: Wording<'_>,
        out: &mut Vec<u8>,
    ) -> Result<(), NoTranscript> {
        self.belongs(said.session_id)?;
        let named = said.user_message_uuids.iter().flat_map(List::iter).chain(said.user_message_uuid);
        let named: Vec<String> = named.map(|uuid| uuid.to_string()).collect();
        while let Some(at) = self.waiting.iter().position(|prompt| prompt.is_any_of(&named)) {
            self.asked |= self.take_up(at, out);
        }
        if !self.asked && !self.waiting.is_empty() {
            return Err(NoTranscript::Prompts { line: it.line });
        }
        if !self.asked {
            return Err(NoTranscript::NoPrompt { line: it.line });
        }
        if said.message.is_none() || self.is_written(said.uuid) {
            return Ok(());
        }
        self.answered = true;
        let is_error = said.error.is_some() || said.is_api_error_message == Some(true);
        let mut entry = self.entry("assistant", said.uuid, said.timestamp, Some(it.message));
        if let Some(request) = said.request_id {
            entry = entry.with("requestId", request);
        }
        if is_error {
            entry = entry.with("isApiErrorMessage", true);
        }
        self.write(&entry, out);
        Ok(())
    }

    fn on_user(&mut self, said: &User<'_>, it: Wording<'_>, out: &mut Vec<u8>) -> Result<(), NoTranscript> {
        self.belongs(said.session_id)?;
        let Some(message) = &said.message else { return Ok(()) };
        let uuid = said.uuid.map(|uuid| uuid.to_string());
        let is_told_back = |prompt: &Prompt| prompt.uuid.is_some() && prompt.uuid == uuid;
        if let Some(at) = self.waiting.iter().position(is_told_back) {
            self.asked |= self.take_up(at, out);
            return Ok(());
        }
        // A prompt that is told back, which 1.0.128 does not say of it.
        if self.is_written(said.uuid) {
            return Ok(());
        }
        // Nobody has kept what was written.
        self.asked |= said.is_replay == Some(true);
        if !self.asked && !is_prompt(message) {
            return Err(NoTranscript::NoPrompt { line: it.line });
        }
        self.asked = true;
        let is_meta = said.is_meta == Some(true) || said.is_synthetic == Some(true) && !interrupts(message);
        let mut entry = self.entry("user", said.uuid, said.timestamp, Some(it.message));
        if is_meta {
            entry = entry.with("isMeta", true);
        }
        if let Some(result) = said.tool_use_result {
            entry = entry.with("toolUseResult", result);
        }
        self.write(&entry, out);
        Ok(())
    }

    /// Writes a prompt that waits. Returns whether it did.
    fn take_up(&mut self, at: usize, out: &mut Vec<u8>) -> bool {
        let Some(prompt) = self.waiting.remove(at) else { return false };
        let Ok(Envelope::User(said)) = Envelope::read(&prompt.line) else { return false };
        let message = Json::new(&prompt.line).ok().and_then(|line| line.get("message"));
        let Some(message) = message else { return false };
        let now = std::mem::replace(&mut self.now, prompt.at);
        let entry = if self.answered {
            self.in_between(&said, message)
        } else {
            self.entry("user", said.uuid, said.timestamp, Some(message))
        };
        self.write(&entry, out);
        self.now = now;
        true
    }

    /// A prompt that was taken up in the middle of a turn, beside the answers of tools: Claude Code 2.1.325 keeps it so, and older
    /// versions forget it when the session goes on.
    fn in_between(&mut self, said: &User<'_>, message: Json<'_>) -> Draft {
        let words = message.get("content").unwrap_or(Json::NULL);
        let asked = Draft::new().with("type", "queued_command").with("prompt", words);
        let asked = match said.uuid {
            Some(uuid) => asked.with("source_uuid", uuid),
            None => asked,
        };
        let entry = self.entry("attachment", None, said.timestamp, None);
        entry.with("attachment", asked.with("commandMode", "prompt"))
    }

    /// What all entries have. Their order is that of Claude Code's own.
    fn entry(
        &mut self,
        kind: &str,
        uuid: Option<Str<'_>>,
        time: Option<Str<'_>>,
        message: Option<Json<'_>>,
    ) -> Draft {
        self.entries += 1;
        let text = message.map_or("", Json::text);
        let uuid =
            uuid.map_or_else(|| made_up(text, self.last.as_deref(), self.entries), |uuid| uuid.to_string());
        let time = time.map(|time| time.to_string()).or_else(|| self.now.map(written));
        self.known.insert(hash_of(&uuid));
        let draft = match self.last.replace(uuid.clone()) {
            Some(last) => Draft::new().with("parentUuid", last),
            None => Draft::new().with("parentUuid", Json::NULL),
        };
        let draft = draft.with("isSidechain", false).with("type", kind);
        let draft = message.into_iter().fold(draft, |draft, message| draft.with("message", message));
        let words = [
            ("uuid", Some(uuid)),
            ("timestamp", time),
            ("userType", Some("external".to_owned())),
            ("cwd", self.cwd.clone()),
            ("sessionId", self.session.clone()),
            ("version", self.version.clone()),
        ];
        words
            .into_iter()
            .filter_map(|(name, word)| Some((name, word?)))
            .fold(draft, |draft, (name, word)| draft.with(name, word))
    }

    fn is_written(&self, uuid: Option<Str<'_>>) -> bool {
        uuid.is_some_and(|uuid| self.known.contains(&hash_of(&uuid.decode())))
    }

    fn write(&mut self, entry: &Draft, out: &mut Vec<u8>) {
        out.extend_from_slice(entry.to_line().as_bytes());
    }

    /// All lines are of one session.
    fn belongs(&mut self, session: Option<Str<'_>>) -> Result<(), NoTranscript> {
        let Some(session) = session.map(|session| session.to_string()) else { return Ok(()) };
        match &self.session {
            Some(known) if *known != session => Err(NoTranscript::Sessions),
            Some(_) => Ok(()),
            None => {
                self.session = Some(session);
                Ok(())
            }
        }
    }
}

impl Prompt {
    fn is_any_of(&self, uuids: &[String]) -> bool {
        self.uuid.as_ref().is_some_and(|uuid| uuids.contains(uuid))
    }
}

/// Whether a user line says something to the model, and is no answer of a tool.
fn is_prompt(message: &Message<'_>) -> bool {
    match message.content {
        Some(Content::Text(_)) => true,
        Some(Content::Blocks(blocks)) => !blocks.iter().any(|block| matches!(block, Block::ToolResult(_))),
        _ => false,
    }
}

/// Whether it is the mark of an interruption, which people see in a transcript.
fn interrupts(message: &Message<'_>) -> bool {
    let begins = |text: Str<'_>| text.decode().starts_with(INTERRUPTED);
    match message.content {
        Some(Content::Text(text)) => begins(text),
        Some(Content::Blocks(blocks)) => {
            blocks.iter().any(|block| matches!(block, Block::Text(text) if text.text.is_some_and(begins)))
        }
        _ => false,
    }
}

/// An id for an entry whose line has none: made of what it says and where it stands, so that it is the same every time.
fn made_up(message: &str, last: Option<&str>, rank: u64) -> String {
    let place = format!("{rank} {}", last.unwrap_or_default());
    let (high, low) = (hash_of(&place), join(hash_of(message), hash_of(&place)));
    let (version, variant) = (high & 0x0fff | 0x8000, low >> 48 & 0x3fff | 0x8000);
    format!(
        "{:08x}-{:04x}-{version:04x}-{variant:04x}-{:012x}",
        high >> 32,
        high >> 16 & 0xffff,
        low & 0xffff_ffff_ffff
    )
}

/// A time as Claude Code writes it.
fn written(ms: i64) -> String {
    let (day, of_day) = (ms.div_euclid(86_400_000), ms.rem_euclid(86_400_000));
    // Days since the first of March of the year 0, in cycles of 400 years, which all have as many days.
    let shifted = day + 719_468;
    let (cycle, of_cycle) = (shifted.div_euclid(146_097), shifted.rem_euclid(146_097));
    let year = (of_cycle - of_cycle / 1460 + of_cycle / 36_524 - of_cycle / 146_096) / 365;
    let of_year = of_cycle - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let date = of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    let year = cycle * 400 + year + i64::from(month <= 2);
    let (hour, minute, second) = (of_day / 3_600_000, of_day / 60_000 % 60, of_day / 1000 % 60);
    format!("{year:04}-{month:02}-{date:02}T{hour:02}:{minute:02}:{second:02}.{:03}Z", of_day % 1000)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::transcript::{conversation, milliseconds};
    use crate::{Grain, Verdict, transcript::Transcript};

    /// Lines that were written to Claude Code begin with `>`.
    fn transcribed(dialogue: &str) -> Result<String, NoTranscript> {
        let (mut transcriber, mut out) = (Transcriber::new(), Vec::new());
        transcriber.set_clock(1_763_500_456_123);
        for line in dialogue.lines() {
            match line.strip_prefix('>') {
                Some(line) => transcriber.wrote(line),
                None => transcriber.feed(format!("{line}\n").as_bytes(), &mut out),
            }
        }
        transcriber.finish(&mut out).map(|_| String::from_utf8(out).unwrap())
    }

    const INIT: &str =
        r#"{"type":"system","subtype":"init","session_id":"s","cwd":"/src","claude_code_version":"2.1.325"}"#;
    const RESULT: &str =
        r#"{"type":"result","subtype":"success","is_error":false,"result":"4","session_id":"s"}"#;

    fn asks(words: &str, uuid: &str) -> String {
        format!(r#">{{"type":"user","uuid":"{uuid}","message":{{"role":"user","content":"{words}"}}}}"#)
    }

    fn says(words: &str, uuid: &str, more: &str) -> String {
        format!(
            r#"{{"type":"assistant","session_id":"s","uuid":"{uuid}","message":{{"id":"m{uuid}","content":[{{"type":"text","text":"{words}"}}]}}{more}}}"#
        )
    }

    fn said(dialogue: &[&str]) -> Vec<String> {
        let transcript = transcribed(&dialogue.join("\n")).unwrap();
        conversation(transcript.lines()).iter().map(|it| it.content.text().to_owned()).collect()
    }

    #[test]
    fn a_conversation_is_taken_word_for_word() {
        let call = r#"{"type":"assistant","session_id":"s","uuid":"3","request_id":"r","message":{"id":"m","content":[{"type":"tool_use","id":"t","name":"Bash","input":{"command":"ls"}}]}}"#;
        let answer = r#"{"type":"user","session_id":"s","uuid":"4","timestamp":"2026-11-15T06:47:58.121Z","tool_use_result":{"stdout":"a"},"message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t","content":"a"}]}}"#;
        let agent = r#"{"type":"assistant","session_id":"s","uuid":"5","parent_tool_use_id":"t","message":{"id":"n","content":[{"type":"text","text":"I am another"}]}}"#;
        let (first, second) = (asks("2+2?", "1"), asks("And now?", "6"));
        let end = says("4", "2", "");
        let transcript = transcribed(
            &[&first, INIT, call, agent, answer, &end, RESULT, &second, INIT, &says("5", "7", ""), RESULT]
                .join("\n"),
        )
        .unwrap();
        let lines: Vec<&str> = transcript.lines().collect();
        assert_eq!(
            lines[..3],
            [
                r#"{"parentUuid":null,"isSidechain":false,"type":"user","message":{"role":"user","content":"2+2?"},"uuid":"1","timestamp":"2025-11-18T21:14:16.123Z","userType":"external","cwd":"/src","sessionId":"s","version":"2.1.325"}"#,
                r#"{"parentUuid":"1","isSidechain":false,"type":"assistant","message":{"id":"m","content":[{"type":"tool_use","id":"t","name":"Bash","input":{"command":"ls"}}]},"uuid":"3","timestamp":"2025-11-18T21:14:16.123Z","userType":"external","cwd":"/src","sessionId":"s","version":"2.1.325","requestId":"r"}"#,
                r#"{"parentUuid":"3","isSidechain":false,"type":"user","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t","content":"a"}]},"uuid":"4","timestamp":"2026-11-15T06:47:58.121Z","userType":"external","cwd":"/src","sessionId":"s","version":"2.1.325","toolUseResult":{"stdout":"a"}}"#,
            ]
        );
        assert_eq!(lines.len(), 6);
        let events = Transcript::read(Grain::Blocks, transcript.as_bytes(), &[]);
        let Some(crate::event::What::Finished { verdict, turns, .. }) = events.last().map(|it| &it.what)
        else {
            panic!()
        };
        assert_eq!((*verdict, *turns), (Verdict::Ok, 2));
    }

    #[test]
    fn a_prompt_stands_where_it_was_taken_up() {
        let (a, b) = (asks("a", "1"), asks("b", "2"));
        let by_name = |words: &str, uuid: &str, prompt: &str| {
            says(words, uuid, &format!(r#","user_message_uuids":["{prompt}"]"#))
        };
        let story =
            said(&[&a, &b, INIT, &by_name("A", "3", "1"), RESULT, INIT, &by_name("B", "4", "2"), RESULT]);
        let words = |letter: &str| format!(r#"[{{"type":"text","text":"{letter}"}}]"#);
        let told = vec![r#""a""#.to_owned(), words("A"), r#""b""#.to_owned(), words("B")];
        assert_eq!(story, told);
        // Told back.
        let back = |uuid: &str| {
            format!(
                r#"{{"type":"user","session_id":"s","uuid":"{uuid}","isReplay":true,"message":{{"role":"user","content":"{uuid}"}}}}"#
            )
        };
        let story = said(&[
            &a,
            &b,
            INIT,
            &back("1"),
            &says("A", "3", ""),
            RESULT,
            INIT,
            &back("2"),
            &says("B", "4", ""),
        ]);
        assert_eq!(story, told);
        // 1.0.128 does not say that it is told back, and whatever is told twice stands once.
        let plainly = back("1").replace(r#""isReplay":true,"#, "");
        let once = says("A", "3", "");
        assert_eq!(said(&[&a, INIT, &plainly, &once, &once, RESULT]), [r#""a""#.to_owned(), words("A")]);
        // Nobody has kept what was written.
        let story = said(&[INIT, &back("1"), &says("A", "3", ""), RESULT]);
        assert_eq!(story, [r#""1""#.to_owned(), words("A")]);
    }

    #[test]
    fn a_prompt_in_the_middle_of_a_turn_stands_beside_it() {
        let (a, b) = (asks("a", "1"), asks("b", "2"));
        let back = r#"{"type":"user","session_id":"s","uuid":"2","isReplay":true,"message":{"role":"user","content":"b"}}"#;
        let dialogue = [&a, INIT, &b, &says("A", "3", ""), back, &says("B", "4", ""), RESULT].join("\n");
        let transcript = transcribed(&dialogue).unwrap();
        assert!(
            transcript.contains(r#""attachment":{"type":"queued_command","prompt":"b","source_uuid":"2","commandMode":"prompt"}"#),
            "{transcript}"
        );
        let said: Vec<_> =
            conversation(transcript.lines()).iter().map(|it| it.content.text().to_owned()).collect();
        assert_eq!(said[2], r#""b""#);
        let twice = transcribed(&dialogue).unwrap();
        assert_eq!(transcript, twice, "made-up ids are the same every time");
    }

    #[test]
    fn what_was_not_all_told_has_no_transcript() {
        let (a, b, one) = (asks("a", "1"), asks("b", "2"), says("A", "3", ""));
        let other = one.replace(r#""session_id":"s""#, r#""session_id":"x""#);
        let compacted = r#"{"type":"system","subtype":"compact_boundary","session_id":"s"}"#;
        for (dialogue, why) in [
            (vec![INIT, &one, RESULT], NoTranscript::NoPrompt { line: 2 }),
            (vec![&a, INIT, &one, RESULT, INIT, &one], NoTranscript::NoPrompt { line: 5 }),
            (vec![&a, INIT, &one, INIT, &one], NoTranscript::NoPrompt { line: 4 }),
            (vec![&a, &b, INIT, &one], NoTranscript::Prompts { line: 2 }),
            (vec![&a, INIT, &other], NoTranscript::Sessions),
            (vec![&a, INIT, compacted, &one], NoTranscript::Compacted { line: 2 }),
            (vec![], NoTranscript::Silent),
            (vec![RESULT], NoTranscript::Silent),
        ] {
            assert_eq!(transcribed(&dialogue.join("\n")), Err(why), "{dialogue:?}");
        }
    }

    #[test]
    fn times_are_written_as_claude_code_does() {
        for time in [
            "1970-01-01T00:00:00.000Z",
            "2024-02-29T23:59:59.999Z",
            "2026-11-18T21:14:16.123Z",
            "1999-12-31T00:00:00.001Z",
        ] {
            assert_eq!(written(milliseconds(time).unwrap()), time);
        }
        for day in (-200_000..200_000).step_by(97) {
            let ms = day * 86_400_000;
            assert_eq!(milliseconds(&written(ms)), Some(ms), "{day}");
        }
    }
}
