//! The end of a turn: `result` lines.

use crate::event::{Cause, Raw, What};
use crate::json::{Json, Str};
use crate::translate::Translator;
use crate::translate::read::result::Ending;
use crate::translate::tell::Cx;
use crate::translate::turns::Turn;
use crate::translate::turns::failure::Failed;
use crate::wire::OriginKind;
use std::borrow::Cow;

impl Translator {
    pub(crate) fn on_result(&mut self, cx: &mut Cx<'_, '_>, line: Ending<'_, '_>) {
        // A session that does not exist has a result and nothing else: fixtures/errors/resume_missing-2.1.325.
        let never_began = self.turns.current().is_none();
        if never_began {
            self.begin_turn(cx);
        }
        let Some((turn, merged, proven)) = self.turns.end(line.words()) else { return };
        let result = proven.map(Cow::Owned).or_else(|| result_text(line));
        self.teller.set_turn(Some(turn.number()));
        // What was interrupted while it streamed is never confirmed: fixtures/partial/interrupt_stream_partial-2.0.77.
        let old = self.agents.voice(None).stream().is_some_and(|stream| stream.turn() <= Some(turn.number()));
        if old {
            self.give_up_stream(cx, None);
        }
        for agent in self.agents.departed() {
            self.give_up_stream(cx, Some(&agent));
        }
        self.end_unheard(cx);

        let failed = Failed::of(line, &turn, never_began, result.as_deref());
        self.evidence.turn_ended(failed.as_ref().map(Failed::evidence));
        if line.permission_denials().is_some_and(|denials| !denials.is_empty()) {
            self.evidence.tool_denied();
        }
        if let Some(failed) = &failed {
            let what = What::Error {
                text: Cow::Borrowed(&failed.text),
                kind: failed.kind,
                status: failed.status,
                retryable: failed.is_retryable(),
            };
            self.teller.tell(cx, None, what);
        }
        let called = turn.structured();
        let structured = line.structured_output().or_else(|| called.and_then(|input| Json::new(input).ok()));
        if let Some(value) = structured {
            let what = What::StructuredOutput { value: Raw::unless_null(value) };
            cx.with_kept(|cx| self.teller.tell(cx, None, what));
        }
        self.complete(cx, line, &turn, merged, result, failed.is_none());
        self.agents.result();
        self.teller.set_turn(self.turns.current());
    }

    fn complete(
        &mut self,
        cx: &mut Cx<'_, '_>,
        line: Ending<'_, '_>,
        turn: &Turn,
        merged: Vec<u64>,
        result: Option<Cow<'_, str>>,
        ok: bool,
    ) {
        if line.resumed() {
            self.tally.resumes();
        }
        let bill = self.tally.take(self.teller.session().unwrap_or_default(), line.figures());
        let mut notes = bill.notes;
        if line.duration_ms().is_none() {
            notes.push(crate::event::Note::new("duration_ms", "not_reported"));
        }
        let stop_reason = line.stop_reason().map(Str::decode);
        let prompts = prompts_of(line);
        let what = What::TurnComplete {
            ok,
            result,
            // In results from 2.1.50 on; before, only partial messages say it: fixtures/partial/struct_partial-2.0.77.
            stop_reason: stop_reason.or_else(|| turn.stop_reason().map(Cow::Borrowed)),
            cause: cause_of(line, turn, prompts.is_some()),
            prompts,
            merged: (!merged.is_empty()).then_some(merged),
            cost_usd: bill.cost_usd,
            total_cost_usd: bill.total_cost_usd,
            usage: bill.usage,
            models: bill.models,
            duration_ms: line.duration_ms().map(|time| time as u64),
            denials: line.permission_denials().and_then(Raw::unless_null),
            notes: (!notes.is_empty()).then_some(notes),
        };
        self.teller.tell(cx, None, what);
    }
}

/// The answer as text. Some tools put a value in its place; it is told as it is written. No recorded version does so:
/// fixtures/odd/results_of_other_kinds.
fn result_text<'l>(line: Ending<'_, 'l>) -> Option<Cow<'l, str>> {
    let result = line.result().filter(|result| !result.is_null())?;
    Some(line.words().map_or_else(|| result.clean(), Str::decode))
}

/// Who began the turn. 2.1.325 says so in its result where it was a task (`origin`: fixtures/agents/bgagent-2.1.325) or
/// a slash command (`local_command`: fixtures/turns/slash_stream-2.1.325).
fn cause_of(line: Ending<'_, '_>, turn: &Turn, prompted: bool) -> Cause {
    let origin = line.origin().and_then(|origin| origin.read().kind);
    match origin {
        Some(OriginKind::TaskNotification) => Cause::Task,
        _ if line.local_command() => Cause::Command,
        Some(OriginKind::Human) => Cause::User,
        _ if prompted => Cause::User,
        _ => turn.cause(),
    }
}

/// The prompts that the result answers; 2.1.325 names them: fixtures/turns/queued-2.1.325.
fn prompts_of<'l>(line: Ending<'_, 'l>) -> Option<Vec<Cow<'l, str>>> {
    let mut prompts: Vec<_> =
        line.user_message_uuids().iter().flat_map(|uuids| uuids.iter()).map(Str::decode).collect();
    if let Some(last) = line.user_message_uuid().map(Str::decode)
        && !prompts.contains(&last)
    {
        prompts.push(last);
    }
    (!prompts.is_empty()).then_some(prompts)
}
