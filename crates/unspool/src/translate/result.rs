//! The end of a turn: `result` lines.

use super::Translator;
use super::teller::Cx;
use super::turns::{Failure, Turn};
use crate::event::{Cause, ErrorKind, Raw, What};
use crate::json::{Json, Kind, Str};
use crate::wire::{OriginKind, ResultLine};
use std::borrow::Cow;

impl Translator {
    pub(super) fn on_result(&mut self, cx: &mut Cx<'_, '_>, line: &ResultLine<'_>) {
        if self.turns.current().is_none() {
            self.begin_turn(cx);
        }
        let text = line.result.and_then(Json::as_str);
        let Some((turn, merged, proven)) = self.turns.end(text) else { return };
        let result = proven.map(Cow::Owned).or_else(|| result_text(line));
        self.teller.turn = Some(turn.number);
        let old =
            self.agents.voice(None).stream.as_ref().is_some_and(|stream| stream.turn <= Some(turn.number));
        if old {
            self.give_up_stream(cx, None);
        }
        for agent in self.agents.departed() {
            self.give_up_stream(cx, Some(&agent));
        }
        self.end_unheard(cx);

        let failed = failure_of(line, &turn, result.as_deref());
        self.evidence.result = true;
        self.evidence.begun = false;
        self.evidence.error = failed.as_ref().map(|failed| (failed.kind, failed.text.clone()));
        self.evidence.denied |= line.permission_denials.is_some_and(|denials| !denials.is_empty());
        if let Some(failed) = &failed {
            let what = What::Error {
                text: Cow::Borrowed(&failed.text),
                kind: failed.kind,
                status: failed.status,
                retryable: failed.is_retryable(),
            };
            self.teller.tell(cx, None, what);
        }
        let called = turn.structured.last().map(|(_, input)| input.as_str());
        let structured = line.structured_output.or_else(|| called.and_then(|input| Json::new(input).ok()));
        if let Some(value) = structured {
            self.teller.tell(cx, None, What::StructuredOutput { value: Some(Raw::new(value)) });
        }
        self.complete(cx, line, &turn, merged, result, failed.is_none());
        self.agents.result();
        self.teller.turn = self.turns.current();
    }

    fn complete(
        &mut self,
        cx: &mut Cx<'_, '_>,
        line: &ResultLine<'_>,
        turn: &Turn,
        merged: Vec<u64>,
        result: Option<Cow<'_, str>>,
        ok: bool,
    ) {
        self.tally.resumed |= line.resume_reason.is_some() || line.turn_start_resume_kind.is_some();
        let session = self.teller.session().unwrap_or_default().to_owned();
        let bill = self.tally.step(&session, line);
        let mut notes = bill.notes;
        if line.duration_ms.is_none() {
            notes.push(crate::event::Note { field: "duration_ms".into(), reason: "not_reported".into() });
        }
        let stop_reason = line.stop_reason.map(|reason| reason.as_str());
        let what = What::TurnComplete {
            ok,
            result,
            stop_reason: stop_reason.or_else(|| turn.stop_reason.as_deref().map(Cow::Borrowed)),
            cause: cause_of(line, turn),
            prompts: prompts_of(line),
            merged: (!merged.is_empty()).then_some(merged),
            cost_usd: bill.cost_usd,
            total_cost_usd: bill.total_cost_usd,
            usage: bill.usage,
            models: bill.models,
            duration_ms: line.duration_ms.map(|time| time as u64),
            denials: line.permission_denials.map(|denials| Raw::new(denials.json())),
            notes: (!notes.is_empty()).then_some(notes),
        };
        self.teller.tell(cx, None, what);
    }
}

fn result_text<'l>(line: &ResultLine<'l>) -> Option<Cow<'l, str>> {
    let result = line.result?;
    match result.kind() {
        Kind::String => result.as_str().map(Str::decode),
        Kind::Null => None,
        Kind::Bool | Kind::Number | Kind::Array | Kind::Object => Some(result.clean()),
    }
}

fn cause_of(line: &ResultLine<'_>, turn: &Turn) -> Cause {
    let origin = line.origin.and_then(|origin| origin.read().kind);
    match origin {
        Some(OriginKind::TaskNotification) => Cause::Task,
        _ if line.local_command.is_some_and(|command| !command.is_null()) => Cause::Command,
        Some(OriginKind::Human) => Cause::User,
        _ if prompts_of(line).is_some() => Cause::User,
        _ => turn.cause,
    }
}

fn prompts_of<'l>(line: &ResultLine<'l>) -> Option<Vec<Cow<'l, str>>> {
    let mut prompts: Vec<_> =
        line.user_message_uuids.iter().flat_map(|uuids| uuids.iter()).map(Str::decode).collect();
    if let Some(last) = line.user_message_uuid.map(Str::decode)
        && !prompts.contains(&last)
    {
        prompts.push(last);
    }
    (!prompts.is_empty()).then_some(prompts)
}

/// Why a turn failed.
struct Failed {
    kind: ErrorKind,
    text: String,
    status: Option<u64>,
}

impl Failed {
    fn is_retryable(&self) -> bool {
        match self.kind {
            ErrorKind::RateLimit | ErrorKind::Overloaded => true,
            ErrorKind::Api => {
                self.status.is_none_or(|status| status >= 500 || status == 408 || status == 409)
            }
            _ => false,
        }
    }
}

/// Both `is_error` and the subtype must be asked: API errors come as `success` with `is_error`, CLIs up to
/// 2.1.86 send `error_during_execution` without it.
fn failure_of(line: &ResultLine<'_>, turn: &Turn, result: Option<&str>) -> Option<Failed> {
    let subtype = line.subtype.map(Str::decode).unwrap_or_default();
    if line.is_error != Some(true) && !subtype.starts_with("error") {
        return None;
    }
    let none = Failure::default();
    let said = turn.failure.as_ref().unwrap_or(&none);
    let status = line.api_error_status.or(said.status);
    let errors = || {
        let errors: Vec<_> =
            line.errors.iter().flat_map(|errors| errors.iter()).map(|it| it.to_string()).collect();
        errors.join("\n")
    };
    let text = result.map(str::to_owned).unwrap_or_else(errors);
    let kind = kind_of(line, &subtype, said, status, &text);
    let text = if text.is_empty() { subtype.into_owned() } else { text };
    Some(Failed { kind, text, status })
}

/// The first that applies.
fn kind_of(
    line: &ResultLine<'_>,
    subtype: &str,
    said: &Failure,
    status: Option<u64>,
    text: &str,
) -> ErrorKind {
    let ended = line.terminal_reason.map(Str::decode).unwrap_or_default();
    match subtype {
        "error_max_turns" => return ErrorKind::MaxTurns,
        "error_max_budget_usd" => return ErrorKind::MaxBudget,
        "error_max_structured_output_retries" => return ErrorKind::StructuredOutput,
        _ => {}
    }
    if ended.starts_with("aborted_") {
        return ErrorKind::Interrupted;
    }
    if line.stop_reason.is_some_and(|reason| reason.as_str() == "refusal") {
        return ErrorKind::Refusal;
    }
    if ended == "prompt_too_long" || ended == "blocking_limit" || text.starts_with("Prompt is too long") {
        return ErrorKind::Context;
    }
    if line.startup_failure_reason.is_some() {
        return ErrorKind::Startup;
    }
    let by_status = match status {
        Some(401 | 403) => Some(ErrorKind::Auth),
        Some(429) => Some(ErrorKind::RateLimit),
        Some(529) => Some(ErrorKind::Overloaded),
        _ => None,
    };
    match said.error.as_deref() {
        Some(
            "authentication_failed" | "oauth_org_not_allowed" | "account_on_hold" | "verification_required",
        ) => ErrorKind::Auth,
        Some("cloud_credential_error") => ErrorKind::Auth,
        Some("billing_error") => ErrorKind::Billing,
        Some("rate_limit") => ErrorKind::RateLimit,
        Some("overloaded") => ErrorKind::Overloaded,
        Some("max_output_tokens") => ErrorKind::MaxTokens,
        // The general words of the CLI hide what the status tells: 529 is a `server_error`.
        Some(_) => by_status.unwrap_or(ErrorKind::Api),
        None if by_status.is_some() => by_status.unwrap_or(ErrorKind::Api),
        None if status.is_some() || text.starts_with("API Error") => ErrorKind::Api,
        None if subtype == "error_during_execution" => ErrorKind::Interrupted,
        None => ErrorKind::Other,
    }
}
