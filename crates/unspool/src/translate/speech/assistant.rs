//! What the agents say: `assistant` lines.

use crate::digest::{self, Digest};
use crate::event::{PartKind, Role, What};
use crate::json::{Chart, Str};
use crate::translate::Translator;
use crate::translate::read::line::{Counts, Saying, Spoken};
use crate::translate::speech::part::{Mark, Part};
use crate::translate::speech::said::{Fresh, Said};
use crate::translate::speech::speaker::Speaker;
use crate::translate::speech::streamed::Stream;
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
            self.note_main(&cx.chart(), line, message, &parts, synthetic);
        }
        if !synthetic && parts.iter().any(|(part, _)| !matches!(part, Part::Other { .. } | Part::Answer(_))) {
            self.evidence.model_spoke();
        }
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
                    if let Some(input) = call.input {
                        let id = call.id.map(|id| Box::from(&*id.decode()));
                        self.turns.called_structured(id, input.text());
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
        if parts.is_empty() && cx.chart().first(message.usage) != b'{' {
            return;
        }
        let results = self.agents.results();
        let voice = self.agents.voice(agent);
        let new_line = new_line && id.is_some();
        let (said, mut stream) = voice.said(id, parts, results, synthetic);
        let fresh = said.fresh(parts, blocks, new_line);
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
        for (seen, fresh) in parts.iter().zip(fresh.into_iter().chain(std::iter::repeat(Fresh::New))) {
            match fresh {
                Fresh::Known if speaker.calls.knows(&seen.0) => {}
                Fresh::Grown { from, part: rank } => speaker.grown(cx, rank, &seen.0, from),
                Fresh::Known | Fresh::New => speaker.new_part(cx, said, stream.as_deref_mut(), seen),
            }
        }
        if stream.is_none()
            && !self.holds_usage
            && said.owes_usage()
            && let Some(usage) = Counts::of(&cx.chart(), message.usage)
        {
            said.tell_usage();
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
}

impl Speaker<'_> {
    /// Tells a part of an assistant line that is new, or what is left of it if it was streamed.
    fn new_part(
        &mut self,
        cx: &mut Cx<'_, '_>,
        said: &mut Said,
        stream: Option<&mut Stream>,
        (part, mark): &(Part<'_>, Mark),
    ) {
        let draft = stream.and_then(|stream| {
            stream.hear();
            stream.confirm(part).or_else(|| {
                let contradicted = stream.contradict(part)?;
                if let Some(rank) = contradicted.rank() {
                    self.abandoned(cx, rank, contradicted);
                }
                None
            })
        });
        let rank = draft.as_ref().and_then(|draft| draft.part);
        if let Part::Call(call) = part
            && let Some(id) = call.id
            && !self.calls.tell(&id.decode())
        {
            said.remember(*mark, 0);
            if let Some(rank) = rank {
                self.close(cx, rank, PartKind::ToolUse, None, None);
            }
            return;
        }
        let rank = rank.unwrap_or_else(|| said.rank());
        said.remember(*mark, rank);
        self.whole(cx, rank, part, draft);
    }
}

/// The sub-agent that a line bears; the main agent is none.
pub(crate) fn sub_agent(parent: Option<Str<'_>>) -> Option<Cow<'_, str>> {
    parent.filter(|call| !call.is_empty()).map(Str::decode)
}
