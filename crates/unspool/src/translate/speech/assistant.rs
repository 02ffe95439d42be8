//! What the agents say and are told: `assistant`, `user` and `system/init` lines.

use crate::digest::{self, Digest};
use crate::event::{PartKind, Raw, Role, What};
use crate::json::{Chart, Str};
use crate::translate::Translator;
use crate::translate::read::line::{Counts, Hearing, Saying, Spoken};
use crate::translate::read::result::Beginning;
use crate::translate::speech::part::{Mark, Part};
use crate::translate::speech::speaker::Speaker;
use crate::translate::speech::track::Fresh;
use crate::translate::tell::Cx;
use std::borrow::Cow;

/// What an assistant line says, taken apart.
struct Speech<'l> {
    id: Option<&'l str>,
    /// It has a uuid that was not seen before.
    new_line: bool,
    message: &'l Spoken<'l>,
    parts: &'l [(Part<'l>, Mark)],
    /// How many blocks there are, those with nothing in them too.
    blocks: usize,
    synthetic: bool,
}

impl Translator {
    pub(crate) fn on_init(&mut self, cx: &mut Cx<'_, '_>, init: &Beginning<'_>) {
        let Beginning { tools, mcp_servers: servers, .. } = *init;
        let mode = init.permission_mode.map(Str::decode);
        let texts = [init.model, init.cwd, init.claude_code_version].map(|text| text.map(Str::decode));
        let lists = [tools, servers].map(|list| list.map(|list| list.clean()));
        let said = texts.iter().chain(&lists).chain([&mode]);
        let hashes = said.map(|text| text.as_deref().map_or(0, digest::hash_of));
        let session = digest::hash_of(self.teller.session().unwrap_or_default());
        let hash = hashes.fold(session, digest::join);
        if self.meta.replace(hash) != Some(hash) {
            let what = What::SessionMeta {
                model: init.model.map(Str::decode),
                cwd: init.cwd.map(Str::decode),
                tools: tools.and_then(Raw::unless_null),
                mcp_servers: servers.and_then(Raw::unless_null),
                permission_mode: mode,
                version: init.claude_code_version.map(Str::decode),
            };
            self.teller.tell(cx, None, what);
        }
        self.turns.prompted |= init.prompted;
        self.begin_turn(cx);
        self.evidence.begun = true;
    }

    pub(crate) fn begin_turn(&mut self, cx: &mut Cx<'_, '_>) {
        let (cause, prompt) = self.turns.begin();
        self.teller.turn = self.turns.current();
        self.teller.tell(cx, None, What::TurnStart { cause, prompt: prompt.map(Cow::Owned) });
    }

    /// A line of the main agent is a sign of a turn.
    pub(crate) fn in_turn(&mut self, cx: &mut Cx<'_, '_>) {
        if self.turns.current().is_none() {
            self.begin_turn(cx);
        }
        self.evidence.begun = true;
    }

    pub(crate) fn on_assistant(&mut self, cx: &mut Cx<'_, '_>, line: &Saying<'_>) {
        let mut scratch = self.teller.scratch();
        self.tell_assistant(cx, line, &mut scratch);
        self.teller.give_back(scratch);
    }

    fn tell_assistant(&mut self, cx: &mut Cx<'_, '_>, line: &Saying<'_>, scratch: &mut String) {
        let agent = sub_agent(line.parent_tool_use_id);
        match agent.as_deref() {
            None => self.in_turn(cx),
            Some(call) => self.announce(cx, call, line.subagent_type, line.task_description),
        }
        let Some(message) = &line.message else { return };
        let synthetic = line.is_synthetic();
        let (parts, blocks) = Part::all(message.content, scratch);
        if agent.is_none() {
            self.note_main(&cx.chart, line, message, &parts, synthetic);
        }
        self.evidence.spoken |=
            !synthetic && parts.iter().any(|(part, _)| !matches!(part, Part::Other { .. } | Part::Answer(_)));
        let id = message.id.filter(|id| !id.is_empty()).map(Str::decode);
        if let Some(uuid) = line.uuid {
            let hash = parts.iter().fold(0, |hash, (_, mark)| digest::join(hash, mark.hash()));
            let line = digest::join(Digest::of(&uuid.decode()).hash(), line.whose());
            if !self.lines.insert(digest::join(line, hash))
                && parts.iter().all(|(part, _)| self.calls.knows(part))
            {
                return;
            }
        }
        self.give_up_other(cx, agent.as_deref(), id.as_deref(), synthetic);
        let speech = Speech {
            id: id.as_deref(),
            new_line: line.uuid.is_some(),
            message,
            parts: &parts,
            blocks,
            synthetic,
        };
        self.say(cx, agent.as_deref(), &speech);
    }

    /// What a turn must know of its main agent's lines.
    fn note_main(
        &mut self,
        chart: &Chart<'_>,
        line: &Saying<'_>,
        message: &Spoken<'_>,
        parts: &[(Part<'_>, Mark)],
        synthetic: bool,
    ) {
        for (part, mark) in parts {
            match part {
                Part::Text { .. } => self.turns.said(mark.digest()),
                Part::Call(call) if call.name.is_some_and(|name| name == "StructuredOutput") => {
                    if let (Some(turn), Some(input)) = (self.turns.newest(), call.input) {
                        turn.structured.called(call.id.map(|id| Box::from(&*id.decode())), input.text());
                    }
                }
                _ => {}
            }
        }
        if synthetic {
            self.turns.synthetic(chart.str(line.error), chart.u64(line.api_error_status));
        }
        let id = message.id.filter(|id| !id.is_empty()).map(Str::decode);
        self.turns.speaks(id.as_deref());
        if let Some(reason) = message.stop_reason {
            self.turns.stopped(id.as_deref(), &reason.decode());
        }
    }

    /// Tells what a line adds.
    fn say(&mut self, cx: &mut Cx<'_, '_>, agent: Option<&str>, speech: &Speech<'_>) {
        let Speech { id, new_line, message, parts, blocks, synthetic } = *speech;
        if parts.is_empty() && cx.chart.first(message.usage) != b'{' {
            return;
        }
        let results = self.agents.results;
        let voice = self.agents.voice(agent);
        let (said, new_line) = match id {
            Some(id) => (voice.track.message(id), new_line),
            None => (voice.track.unnamed(parts, results), false),
        };
        let fresh = said.fresh(parts, blocks, new_line);
        let mut stream = voice.stream.as_mut().filter(|stream| !synthetic && stream.id.as_deref() == id);
        if let Some(stream) = &stream {
            said.ranks_given(stream.ranks);
        }
        let mut speaker = Speaker {
            teller: &mut self.teller,
            calls: &mut self.calls,
            grain: self.grain,
            agent,
            message: id,
            role: Role::Assistant,
            synthetic,
            detail: None,
            launch: false,
        };
        for ((part, mark), fresh) in parts.iter().zip(fresh.into_iter().chain(std::iter::repeat(Fresh::New)))
        {
            match fresh {
                Fresh::Known if speaker.calls.knows(part) => {}
                Fresh::Grown { from, part: rank } => speaker.grown(cx, rank, part, from),
                Fresh::Known | Fresh::New => {
                    let draft = stream.as_mut().and_then(|stream| {
                        stream.heard = true;
                        stream.confirm(part).or_else(|| {
                            let contradicted = stream.contradict(part)?;
                            if let Some(rank) = contradicted.part {
                                speaker.abandoned(cx, rank, contradicted);
                            }
                            None
                        })
                    });
                    if let Part::Call(call) = part
                        && let Some(id) = call.id
                        && !speaker.calls.tell(&id.decode())
                    {
                        said.remember(*mark, 0);
                        if let Some(rank) = draft.and_then(|draft| draft.part) {
                            speaker.close(cx, rank, PartKind::ToolUse, None, None);
                        }
                        continue;
                    }
                    let rank = draft.as_ref().and_then(|draft| draft.part).unwrap_or_else(|| said.rank());
                    said.remember(*mark, rank);
                    speaker.whole(cx, rank, part, draft);
                }
            }
        }
        if stream.is_none()
            && !self.holds_usage
            && !said.usage_told
            && let Some(usage) = Counts::of(&cx.chart, message.usage)
        {
            said.usage_told = true;
            let what = What::Usage {
                model: message.model.map(Str::decode),
                usage: usage.tokens(),
                stop_reason: message.stop_reason.map(Str::decode),
                is_final: false,
                message_id: id.map(Cow::Borrowed),
                request_id: None,
                cache_creation_1h: usage.for_an_hour(),
            };
            self.teller.tell(cx, agent, what);
        }
    }

    pub(crate) fn on_user(&mut self, cx: &mut Cx<'_, '_>, line: &Hearing<'_>) {
        let agent = sub_agent(line.parent_tool_use_id);
        if let Some(call) = agent.as_deref() {
            self.announce(cx, call, line.subagent_type, line.task_description);
        }
        let agent = agent.as_deref();
        let replay = line.is_replay;
        self.agents.voice(agent).track.user_line();
        let Some(message) = &line.message else { return };
        let Some(content) = message.content else { return };
        let id = message.id.map(Str::decode);
        let synthetic = line.is_synthetic;
        let parts = Part::of_user(content);
        if replay && agent.is_none() && !parts.iter().any(Part::is_command_output) {
            self.turns.replayed(cx.uuid);
        }
        let answers = parts.iter().filter(|part| matches!(part, Part::Answer(_))).count();
        let detail = line.tool_use_result.as_ref().filter(|_| answers == 1);
        for (rank, part) in (0..).zip(parts.iter()) {
            if let Part::Text { words, .. } = part {
                let what = What::UserText { content: Cow::Borrowed(words), synthetic, replay };
                self.teller.part(cx, agent, id.as_deref(), rank, what);
                continue;
            }
            let mut launch = false;
            match part {
                Part::Answer(answer) => launch = self.on_answer(cx, answer, detail),
                Part::Call(call) if call.id.is_some_and(|id| !self.calls.tell(&id.decode())) => continue,
                _ => {}
            }
            let mut speaker = Speaker {
                teller: &mut self.teller,
                calls: &mut self.calls,
                grain: self.grain,
                agent,
                message: id.as_deref(),
                role: Role::User,
                synthetic,
                detail,
                launch,
            };
            speaker.whole(cx, rank, part, None);
        }
    }
}

/// The sub-agent that a line bears; the main agent is none.
pub(crate) fn sub_agent(parent: Option<Str<'_>>) -> Option<Cow<'_, str>> {
    parent.filter(|call| !call.is_empty()).map(Str::decode)
}
