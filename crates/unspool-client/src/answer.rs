//! What a turn came to.

use crate::error::{Error, Failed};
use std::borrow::Cow;
use unspool::Event;
use unspool::control::Payload;
use unspool::event::{Cause, ErrorKind, ModelTokens, Tokens, What};
use unspool::verdict::for_people;
use unspool::wire::{Envelope, RateLimitStatus};
use unspool_report::answer::TurnAnswer;

/// What is said of a turn that failed without a word for people, as those do that were interrupted.
const NOT_DONE: &str = "the turn is not done";

/// What a turn came to.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Answer {
    /// The answer: the last words of the main agent, as the result gives them.
    pub text: String,
    /// All words of the main agent in this turn, part by part.
    pub parts: Vec<String>,
    /// The structured answer, if there is one.
    pub structured: Option<Payload>,
    /// The session, to resume it.
    pub session: Option<String>,
    /// The turn's number.
    pub turn: Option<u64>,
    /// Who started it.
    pub cause: Option<Cause>,
    /// Why the model stopped.
    pub stop_reason: Option<String>,
    /// Money this turn cost.
    pub cost_usd: Option<f64>,
    /// Money the session has cost.
    pub total_cost_usd: Option<f64>,
    /// Tokens of the main agent.
    pub usage: Option<Tokens>,
    /// Tokens and money of all agents, by model.
    pub models: Vec<(String, ModelTokens)>,
    /// How long it took.
    pub duration_ms: Option<u64>,
    /// Calls that were not allowed, as the wire lists them.
    pub denials: Option<Payload>,
}

/// Makes answers of events.
#[derive(Debug, Default)]
pub(crate) struct Collector {
    answer: TurnAnswer,
    failure: Option<Failure>,
    /// When a rate limit ends, in seconds since 1970.
    resets_at: Option<u64>,
}

#[derive(Debug)]
struct Failure {
    kind: ErrorKind,
    text: String,
    status: Option<u64>,
    retryable: bool,
}

impl Collector {
    /// Takes note of an event. The end of a turn gives its answer, or why there is none.
    pub(crate) fn step(&mut self, event: &Event<'_>) -> Option<Result<Answer, Error>> {
        self.answer.step(event);
        match &event.what {
            What::TurnStart { .. } => self.failure = None,
            What::RateLimit { .. } => {
                let info = match event.what.envelope() {
                    Some(Envelope::RateLimitEvent(line)) => line.rate_limit_info.map(|info| info.read()),
                    _ => None,
                };
                let rejected = info.filter(|info| info.status == Some(RateLimitStatus::Rejected));
                self.resets_at = rejected.and_then(|info| info.resets_at).map(|time| time as u64);
            }
            What::Error { text, kind, status, retryable, .. } => {
                let text = Some(for_people(text)).filter(|text| !text.is_empty());
                let text = text.map_or_else(|| NOT_DONE.to_owned(), Cow::into_owned);
                let (status, retryable) = (*status, *retryable);
                self.failure = Some(Failure { kind: *kind, text, status, retryable });
            }
            What::TurnComplete { .. } => return Some(self.complete(event)),
            _ => {}
        }
        None
    }

    fn complete(&mut self, event: &Event<'_>) -> Result<Answer, Error> {
        let answer = self.answer(event);
        match self.failure.take() {
            None => Ok(answer),
            Some(failure) => {
                let failed = Failed {
                    text: failure.text,
                    status: failure.status,
                    retryable: failure.retryable,
                    answer: Some(answer),
                    ending: None,
                };
                Err(Error::of(failure.kind, failed, self.resets_at))
            }
        }
    }

    fn answer(&self, event: &Event<'_>) -> Answer {
        let mut answer = Answer {
            text: self.answer.text().unwrap_or_default().to_owned(),
            parts: self.answer.parts().to_vec(),
            structured: self.answer.structured().map(|value| Payload::from(value.json())),
            session: event.session.as_ref().map(ToString::to_string),
            turn: event.turn,
            ..Answer::default()
        };
        if let What::TurnComplete {
            stop_reason,
            cause,
            cost_usd,
            total_cost_usd,
            usage,
            models,
            duration_ms,
            denials,
            ..
        } = &event.what
        {
            answer.cause = Some(*cause);
            answer.stop_reason = stop_reason.as_ref().map(ToString::to_string);
            answer.cost_usd = *cost_usd;
            answer.total_cost_usd = *total_cost_usd;
            answer.usage = usage.clone();
            answer.models = models.clone().unwrap_or_default();
            answer.duration_ms = *duration_ms;
            answer.denials = denials.as_ref().map(|denials| Payload::from(denials.json()));
        }
        answer
    }
}
