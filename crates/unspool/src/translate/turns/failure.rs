//! Why a turn failed, from what the wire says.

use crate::event::ErrorKind;
use crate::json::Str;
use crate::translate::read::result::Ending;
use crate::translate::turns::Turn;
use crate::wire::quirk::{API_ERROR, api_error};
use crate::wire::{AssistantError, ResultSubtype, StopReason, TerminalReason};

/// Why a turn failed.
#[derive(Debug)]
pub(crate) struct Failed {
    pub(crate) kind: ErrorKind,
    pub(crate) text: String,
    pub(crate) status: Option<u64>,
}

impl Failed {
    /// Both `is_error` and the subtype must be asked: API errors come as `success` with `is_error`
    /// (fixtures/errors/e400-2.1.325), CLIs up to 2.1.86 send `error_during_execution` without it
    /// (fixtures/errors/interrupt_tool-2.1.50). A turn of which nothing came but its result never began.
    pub(crate) fn of(
        line: Ending<'_, '_>,
        turn: &Turn,
        never_began: bool,
        result: Option<&str>,
    ) -> Option<Failed> {
        let subtype = line.subtype().map(ResultSubtype::from);
        if line.is_error() != Some(true) && !subtype.is_some_and(|subtype| subtype.is_error()) {
            return None;
        }
        let errors = || {
            let errors = line.errors();
            let errors = errors.iter().flat_map(|errors| errors.iter());
            errors.map(|error| error.to_string()).collect::<Vec<_>>().join("\n")
        };
        let text = result.map(str::to_owned).unwrap_or_else(errors);
        let said = turn.failure();
        let stop_reason = line.stop_reason().or(turn.stop_reason().map(Str::from));
        let signs = Signs {
            subtype,
            ended: line.terminal_reason().map(TerminalReason::from),
            refused: stop_reason.map(StopReason::from) == Some(StopReason::Refusal),
            not_started: line.not_started(),
            // Versions up to 2.0.0 count no turns of one that was interrupted either, but that one has begun.
            did_nothing: never_began && line.num_turns() == Some(0),
            error: said.and_then(|said| said.error.as_deref()).map(error_of),
            // In the result from 2.1.112 on, in the message in 2.1.325; older versions have it in their words alone.
            status: line.api_error_status().or(said.and_then(|said| said.status)),
            text: &text,
        };
        let (kind, status) = (signs.kind(), signs.status);
        let word = || subtype.map(|subtype| subtype.as_str().into_owned()).unwrap_or_default();
        let text = if text.is_empty() { word() } else { text };
        Some(Failed { kind, text, status })
    }

    /// Why a turn of a transcript failed, of which only the message is known that Claude Code put in the model's place.
    pub(crate) fn of_message(text: &str, error: Option<&str>, status: Option<u64>) -> Failed {
        let status = status.or_else(|| status_in(text));
        let signs = Signs { error: error.map(error_of), status, text, ..Signs::default() };
        Failed { kind: signs.kind(), text: text.to_owned(), status }
    }

    /// What the verdict on the stream is made from.
    pub(crate) fn evidence(&self) -> (ErrorKind, String) {
        (self.kind, self.text.clone())
    }

    /// Whether trying again may help.
    pub(crate) fn is_retryable(&self) -> bool {
        match self.kind {
            ErrorKind::RateLimit | ErrorKind::Overloaded => true,
            ErrorKind::Api => {
                self.status.is_none_or(|status| status >= 500 || status == 408 || status == 409)
            }
            _ => false,
        }
    }
}

/// What the wire says of a failure.
#[derive(Default)]
struct Signs<'s> {
    subtype: Option<ResultSubtype<'s>>,
    ended: Option<TerminalReason<'s>>,
    refused: bool,
    not_started: bool,
    /// Nothing of the turn came before its result, which counts none.
    did_nothing: bool,
    /// The `error` of the turn's last synthetic message.
    error: Option<AssistantError<'s>>,
    status: Option<u64>,
    text: &'s str,
}

fn error_of(word: &str) -> AssistantError<'_> {
    Str::from(word).into()
}

impl Signs<'_> {
    /// The first that applies.
    fn kind(&self) -> ErrorKind {
        match self.subtype {
            // fixtures/errors/maxturns-1.0.0, budget-2.1.325. The third is in no recording.
            Some(ResultSubtype::ErrorMaxTurns) => return ErrorKind::MaxTurns,
            Some(ResultSubtype::ErrorMaxBudgetUsd) => return ErrorKind::MaxBudget,
            Some(ResultSubtype::ErrorMaxStructuredOutputRetries) => return ErrorKind::StructuredOutput,
            _ => {}
        }
        // 2.1.112 and later; fixtures/agents/interrupt_subagents-2.1.325.
        if self.ended.is_some_and(|ended| ended.is_abort()) {
            return ErrorKind::Interrupted;
        }
        // 2.1.325: a refusal is tried again, and only the second one ends the turn; fixtures/errors/refusal-2.1.325.
        if self.refused {
            return ErrorKind::Refusal;
        }
        // 2.1.112 says `prompt_too_long`, older versions the words alone; fixtures/errors/etoolong-2.1.112. 2.1.325 lists
        // `blocking_limit` as well (fixtures/protocol/catalogue.json); no recording has it, and it is taken for the same.
        let full = matches!(self.ended, Some(TerminalReason::PromptTooLong | TerminalReason::BlockingLimit));
        if full || self.text.starts_with("Prompt is too long") {
            return ErrorKind::Context;
        }
        // 2.1.325 lists the reasons (fixtures/protocol/catalogue.json); no recording has one. All are about the set-up: settings,
        // folders, the login that an organisation wants. So they come before what the API may have said.
        if self.not_started {
            return ErrorKind::Startup;
        }
        if let Some(kind) = self.api_kind() {
            return kind;
        }
        match self.subtype {
            // A session that does not exist: fixtures/errors/resume_missing-2.1.325.
            Some(ResultSubtype::ErrorDuringExecution) if self.did_nothing => ErrorKind::Startup,
            // 2.1.50 and older give no reason (fixtures/errors/interrupt_tool-2.1.50); 2.0.77 and older end so
            // where the stream of the API was cut, too (fixtures/errors/cut-2.0.77).
            Some(ResultSubtype::ErrorDuringExecution) => ErrorKind::Interrupted,
            _ => ErrorKind::Other,
        }
    }

    /// The failure of the API, if it is one.
    fn api_kind(&self) -> Option<ErrorKind> {
        // What the API answers with, as far as an `error` does not say more: fixtures/errors/e400-2.1.325, e429ever-2.1.325,
        // e529ever-2.1.112. 401 and 403 come with one from 2.0.77 on (docs/protocol.md, 7).
        let by_status = match self.status {
            Some(401 | 403) => Some(ErrorKind::Auth),
            Some(429) => Some(ErrorKind::RateLimit),
            Some(529) => Some(ErrorKind::Overloaded),
            Some(_) => Some(ErrorKind::Api),
            None => None,
        };
        // Messages of 2.0.0 and older have no `error`, and a login that is refused no status: fixtures/errors/e401-1.0.60.
        let Some(error) = self.error else {
            return by_status.or_else(|| self.text.starts_with(API_ERROR).then_some(ErrorKind::Api));
        };
        Some(match error {
            // The first is what 2.0.77 and later say; the others 2.1.325 lists, and no recording has them.
            AssistantError::AuthenticationFailed
            | AssistantError::OauthOrgNotAllowed
            | AssistantError::AccountOnHold
            | AssistantError::VerificationRequired
            | AssistantError::CloudCredentialError => ErrorKind::Auth,
            // 2.1.325: the credit is used up; its status, 400, would say less.
            AssistantError::BillingError => ErrorKind::Billing,
            AssistantError::RateLimit => ErrorKind::RateLimit,
            AssistantError::Overloaded => ErrorKind::Overloaded,
            // 2.1.50 and later, after three attempts to go on; fixtures/errors/maxtok-2.1.50.
            AssistantError::MaxOutputTokens => ErrorKind::MaxTokens,
            // The general words of the CLI hide what the status tells: 529 is a `server_error`;
            // fixtures/errors/e529ever-2.1.112, e529fallback-2.1.325.
            AssistantError::InvalidRequest
            | AssistantError::ModelNotFound
            | AssistantError::ServerError
            | AssistantError::Unspecified
            | AssistantError::Other(_) => by_status.unwrap_or(ErrorKind::Api),
        })
    }
}

/// The HTTP status in words such as `API Error: 529 {…}` (fixtures/errors/e529ever-2.1.112). 2.1.325 puts 429 elsewhere
/// in its words, and into a field (fixtures/errors/e429ever-2.1.325).
fn status_in(text: &str) -> Option<u64> {
    let digits = api_error(text)?.get(..3)?;
    digits.parse().ok().filter(|status| (400..600).contains(status))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn signs() -> Signs<'static> {
        Signs::default()
    }

    #[test]
    fn the_first_sign_decides() {
        let (aborted, full) = (Some(TerminalReason::AbortedTools), Some(TerminalReason::BlockingLimit));
        let new_abort = Some(TerminalReason::from(Str::from("aborted_anew")));
        let limited = Some(AssistantError::RateLimit);
        for (signs, kind) in [
            (
                Signs { subtype: Some(ResultSubtype::ErrorMaxTurns), ended: aborted, ..signs() },
                ErrorKind::MaxTurns,
            ),
            (Signs { ended: aborted, refused: true, ..signs() }, ErrorKind::Interrupted),
            (Signs { ended: new_abort, refused: true, ..signs() }, ErrorKind::Interrupted),
            (Signs { refused: true, text: "Prompt is too long", ..signs() }, ErrorKind::Refusal),
            (Signs { text: "Prompt is too long", status: Some(400), ..signs() }, ErrorKind::Context),
            (Signs { ended: full, not_started: true, ..signs() }, ErrorKind::Context),
            (Signs { not_started: true, error: limited, ..signs() }, ErrorKind::Startup),
            (Signs { error: limited, status: Some(529), ..signs() }, ErrorKind::RateLimit),
            (
                Signs { error: Some(error_of("server_error")), status: Some(529), ..signs() },
                ErrorKind::Overloaded,
            ),
            (Signs { error: Some(error_of("new")), ..signs() }, ErrorKind::Api),
            (Signs { status: Some(401), text: "API Error: 500", ..signs() }, ErrorKind::Auth),
            (Signs { text: "API Error: it broke", ..signs() }, ErrorKind::Api),
            (Signs { text: "it broke", ..signs() }, ErrorKind::Other),
        ] {
            assert_eq!(signs.kind(), kind, "{:?} {:?} {:?}", signs.ended, signs.error, signs.text);
        }
    }

    #[test]
    fn an_execution_that_did_nothing_never_started() {
        let failed = Signs { subtype: Some(ResultSubtype::ErrorDuringExecution), ..signs() };
        assert_eq!(failed.kind(), ErrorKind::Interrupted);
        assert_eq!(Signs { did_nothing: true, ..failed }.kind(), ErrorKind::Startup);
    }

    #[test]
    fn a_message_says_whether_trying_again_may_help() {
        for (text, error, kind, status, retryable) in [
            ("API Error: 529 {}", None, ErrorKind::Overloaded, Some(529), true),
            ("API Error: 400 {}", Some("unknown"), ErrorKind::Api, Some(400), false),
            ("API Error: Request rejected (429)", Some("rate_limit"), ErrorKind::RateLimit, None, true),
            ("API Error: 999", None, ErrorKind::Api, None, true),
            ("Invalid API key", Some("authentication_failed"), ErrorKind::Auth, None, false),
        ] {
            let failed = Failed::of_message(text, error, None);
            assert_eq!(
                (failed.kind, failed.status, failed.is_retryable()),
                (kind, status, retryable),
                "{text}"
            );
        }
    }
}
