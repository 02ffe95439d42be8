//! What a turn came to.

use crate::error::{Error, Failed};
use std::borrow::Cow;
use unspool::Event;
use unspool::control::Payload;
use unspool::event::{Agent, Cause, ErrorKind, ModelTokens, Tokens, What};
use unspool::verdict::for_people;
use unspool::wire::{Envelope, RateLimitStatus};

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
    parts: Vec<String>,
    /// The part that is arriving in pieces.
    open: Option<u64>,
    structured: Option<Payload>,
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
        match &event.what {
            What::TurnStart { .. } => {
                let resets_at = self.resets_at;
                *self = Collector { resets_at, ..Collector::default() };
            }
            What::Text { content, .. } if event.agent == Agent::Main => self.parts.push(content.to_string()),
            What::TextDelta { content, .. } if event.agent == Agent::Main => {
                let part = event.place.as_ref().map(|place| place.part);
                match self.parts.last_mut().filter(|_| self.open.is_some() && self.open == part) {
                    Some(last) => last.push_str(content),
                    None => self.parts.push(content.to_string()),
                }
                self.open = part;
            }
            What::BlockEnd { .. } if event.agent == Agent::Main => self.open = None,
            What::StructuredOutput { value, .. } => {
                self.structured = value.as_ref().map(|value| Payload::from(value.json()));
            }
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

    fn answer(&mut self, event: &Event<'_>) -> Answer {
        let mut answer = Answer {
            parts: std::mem::take(&mut self.parts),
            structured: self.structured.take(),
            session: event.session.as_ref().map(ToString::to_string),
            turn: event.turn,
            ..Answer::default()
        };
        if let What::TurnComplete {
            result,
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
            let last = answer.parts.last().cloned();
            answer.text = result.as_ref().map(ToString::to_string).or(last).unwrap_or_default();
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
