//! What the agents say and are told: `assistant`, `user` and `system/init` lines.

use super::Translator;
use super::part::{Mark, Part};
use super::tell_part::Speaker;
use super::teller::Cx;
use super::track::Fresh;
use crate::digest::Digest;
use crate::event::{Raw, Role, What};
use crate::json::Str;
use crate::tally;
use crate::wire::{Assistant, Content, Init, Lazy, Message, Usage, User};
use std::borrow::Cow;

const SYNTHETIC: &str = "<synthetic>";

impl Translator {
    pub(super) fn on_init(&mut self, cx: &mut Cx<'_, '_>, init: &Init<'_>) {
        let tools = init.tools.map(|tools| tools.json());
        let servers = init.mcp_servers.or(init.mcp_servers_old).map(|servers| servers.json());
        let texts = [init.model, init.cwd, init.permission_mode, init.claude_code_version];
        let mut digest = Digest::default();
        for text in texts
            .into_iter()
            .flatten()
            .map(Str::decode)
            .chain(tools.map(|it| it.clean()))
            .chain(servers.map(|it| it.clean()))
        {
            digest.push(&text);
            digest.push("\n");
        }
        digest.push(self.teller.session().unwrap_or_default());
        if self.meta.replace(digest.hash()) != Some(digest.hash()) {
            let what = What::SessionMeta {
                model: init.model.map(Str::decode),
                cwd: init.cwd.map(Str::decode),
                tools: tools.map(Raw::new),
                mcp_servers: servers.map(Raw::new),
                permission_mode: init.permission_mode.map(Str::decode),
                version: init.claude_code_version.map(Str::decode),
            };
            self.teller.tell(cx, None, what);
        }
        self.turns.prompted |= init.user_message_uuids.is_some_and(|uuids| !uuids.is_empty());
        self.begin_turn(cx);
        self.evidence.begun = true;
    }

    pub(super) fn begin_turn(&mut self, cx: &mut Cx<'_, '_>) {
        let cause = self.turns.begin();
        self.teller.turn = self.turns.current();
        self.teller.tell(cx, None, What::TurnStart { cause, prompt: None });
    }

    /// A line of the main agent is a sign of a turn.
    pub(super) fn in_turn(&mut self, cx: &mut Cx<'_, '_>) {
        if self.turns.current().is_none() {
            self.begin_turn(cx);
        }
        self.evidence.begun = true;
    }

    pub(super) fn on_assistant<'l>(&mut self, cx: &mut Cx<'_, '_>, line: &Assistant<'l>) {
        let agent = line.parent_tool_use_id.map(Str::decode);
        match agent.as_deref() {
            None => self.in_turn(cx),
            Some(call) => self.announce(cx, call, line.subagent_type, line.task_description),
        }
        let Some(message) = &line.message else { return };
        let synthetic = message.model.is_some_and(|model| model == SYNTHETIC);
        let marked = |part: Part<'l>| {
            let mark = part.mark();
            (part, mark)
        };
        let parts: Vec<_> = Part::all(message.content).into_iter().map(marked).collect();
        if agent.is_none() {
            self.note_main(line, message, &parts, synthetic);
        }
        self.evidence.spoken |=
            !synthetic && parts.iter().any(|(part, _)| !matches!(part, Part::Other { .. } | Part::Answer(_)));
        let id = message.id.filter(|id| !id.is_empty()).map(Str::decode);
        if let Some(uuid) = line.uuid {
            let mut line = Digest::of(&uuid.decode());
            for name in [agent.as_deref(), id.as_deref()] {
                line.push("\n");
                line.push(name.unwrap_or_default());
            }
            parts.iter().for_each(|(_, mark)| line.push(&mark.hash().to_string()));
            if !self.lines.insert(line.hash()) {
                return;
            }
        }
        if synthetic {
            // The CLI wrote it, so it is not what a model streams.
            self.give_up_stream(cx, agent.as_deref());
        } else {
            self.give_up_other(cx, agent.as_deref(), id.as_deref());
        }
        self.say(cx, agent.as_deref(), id.as_deref(), line.uuid.is_some(), message, &parts, synthetic);
    }

    /// What a turn must know of its main agent's lines.
    fn note_main(
        &mut self,
        line: &Assistant<'_>,
        message: &Message<'_>,
        parts: &[(Part<'_>, Mark)],
        synthetic: bool,
    ) {
        for (part, _) in parts {
            match part {
                Part::Text { words, .. } => self.turns.said(words),
                Part::Call(call) if call.name.is_some_and(|name| name == "StructuredOutput") => {
                    if let (Some(turn), Some(input)) = (self.turns.newest(), call.input) {
                        let id = call.id.map(|id| Box::from(&*id.decode()));
                        turn.structured.retain(|(other, _)| id.is_none() || *other != id);
                        turn.structured.push((id, input.text().to_owned()));
                    }
                }
                _ => {}
            }
        }
        if synthetic {
            self.turns.synthetic(line.error, line.api_error_status);
        }
        if let (Some(turn), Some(reason)) = (self.turns.newest(), message.stop_reason) {
            turn.stop_reason = Some(reason.as_str().into_owned());
        }
    }

    #[expect(clippy::too_many_arguments, reason = "what a line says, taken apart once")]
    fn say(
        &mut self,
        cx: &mut Cx<'_, '_>,
        agent: Option<&str>,
        id: Option<&str>,
        has_uuid: bool,
        message: &Message<'_>,
        parts: &[(Part<'_>, Mark)],
        synthetic: bool,
    ) {
        if parts.is_empty() && message.usage.is_none() {
            return;
        }
        let blocks = match message.content {
            Some(Content::Blocks(blocks)) => blocks.json().items().count(),
            _ => 1,
        };
        let voice = self.agents.voice(agent);
        let said = match id {
            Some(id) => voice.track.message(id),
            None => voice.track.unnamed(parts),
        };
        if let Some(stream) = voice.stream.as_ref().filter(|stream| id.is_none() && stream.id.is_none()) {
            said.reserve(stream.ranks);
        }
        let fresh = said.fresh(parts, blocks, has_uuid);
        let mut speaker = Speaker {
            teller: &mut self.teller,
            calls: &mut self.calls,
            grain: self.grain,
            agent,
            message: id,
            role: Role::Assistant,
            synthetic,
            detail: None,
        };
        for ((part, mark), fresh) in parts.iter().zip(fresh) {
            match fresh {
                Fresh::Known => {}
                Fresh::Grown { from, part: rank } => speaker.grown(cx, rank, part, from),
                Fresh::New => {
                    let draft = voice.stream.as_mut().and_then(|stream| {
                        stream.confirmed = true;
                        stream.confirm(part).or_else(|| {
                            let contradicted = stream.contradict(part)?;
                            speaker.abandoned(cx, contradicted, true);
                            None
                        })
                    });
                    if let Part::Call(call) = part
                        && let Some(id) = call.id
                        && !speaker.calls.told(&id.decode())
                    {
                        said.remember(*mark, 0);
                        if let Some((draft, _)) = draft {
                            speaker.abandoned(cx, draft, true);
                        }
                        continue;
                    }
                    let rank =
                        draft.as_ref().and_then(|(draft, _)| draft.part).unwrap_or_else(|| said.rank());
                    said.remember(*mark, rank);
                    speaker.whole(cx, rank, part, draft);
                }
            }
        }
        let streamed = voice.stream.as_ref().is_some_and(|stream| stream.id.as_deref() == id);
        if !streamed
            && !said.usage_told
            && let Some(usage) = &message.usage
        {
            said.usage_told = true;
            let what = What::Usage {
                model: message.model.map(Str::decode),
                usage: tally::tokens(&Lazy::<Usage<'_>>::read(usage)),
                stop_reason: message.stop_reason.map(|reason| reason.as_str()),
                is_final: false,
            };
            self.teller.tell(cx, agent, what);
        }
    }

    pub(super) fn on_user(&mut self, cx: &mut Cx<'_, '_>, line: &User<'_>) {
        let agent = line.parent_tool_use_id.map(Str::decode);
        if let Some(call) = agent.as_deref() {
            self.announce(cx, call, line.subagent_type, line.task_description);
        }
        let agent = agent.as_deref();
        let replay = line.is_replay.unwrap_or(false);
        self.turns.prompted |= replay && agent.is_none();
        self.agents.voice(agent).track.user_line();
        let Some(content) = line.message.as_ref().and_then(|message| message.content) else { return };
        let synthetic = line.is_synthetic.unwrap_or(false);
        let parts = Part::of_user(content);
        let answers = parts.iter().filter(|part| matches!(part, Part::Answer(_))).count();
        let detail = line.tool_use_result.filter(|detail| !detail.is_null() && answers == 1);
        for (rank, part) in (0..).zip(&parts) {
            if let Part::Text { words, .. } = part {
                let what = What::UserText { content: Cow::Borrowed(words), synthetic, replay };
                self.teller.part(cx, agent, None, rank, what);
                continue;
            }
            if let Part::Answer(answer) = part {
                self.on_answer(cx, answer, detail);
            }
            if let Part::Call(call) = part
                && let Some(id) = call.id
                && !self.calls.told(&id.decode())
            {
                continue;
            }
            let mut speaker = Speaker {
                teller: &mut self.teller,
                calls: &mut self.calls,
                grain: self.grain,
                agent,
                message: None,
                role: Role::User,
                synthetic,
                detail,
            };
            speaker.whole(cx, rank, part, None);
        }
    }
}
