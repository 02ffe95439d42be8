//! What the agents are told: `user` lines, prompts and the answers of tools.

use crate::event::{Role, What};
use crate::json::Str;
use crate::translate::Translator;
use crate::translate::read::line::Hearing;
use crate::translate::speech::assistant::sub_agent;
use crate::translate::speech::part::Part;
use crate::translate::speech::speaker::Speaker;
use crate::translate::tell::Cx;
use std::borrow::Cow;

impl Translator {
    pub(crate) fn on_user(&mut self, cx: &mut Cx<'_, '_>, line: &Hearing<'_>) {
        let agent = sub_agent(line.parent_tool_use_id);
        if let Some(call) = agent.as_deref() {
            self.announce(cx, call, line.subagent_type, line.task_description);
        }
        let agent = agent.as_deref();
        let replay = line.is_replay;
        self.agents.voice(agent).user_line();
        let Some(message) = &line.message else { return };
        let Some(content) = message.content else { return };
        let id = message.id.map(Str::decode);
        let synthetic = line.is_synthetic;
        let parts = Part::of_user(content);
        if replay && agent.is_none() && !parts.iter().any(Part::is_command_output) {
            self.turns.replayed(cx.uuid());
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
