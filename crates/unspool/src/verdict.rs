//! How a stream ended: one rule for recordings and live runs, and the exit code that says it.

use crate::event::ErrorKind;
use crate::event::tell::words;
use std::borrow::Cow;

words! {
    /// How it ended.
    pub enum Verdict {
        /// The last turn completed.
        Ok = "ok",
        /// The last turn failed.
        Failed = "failed",
        /// The API failed.
        ApiError = "api_error",
        /// A tool was not allowed; only where asked for.
        Denied = "denied",
        /// Nothing was said; only where asked for.
        Empty = "empty",
        /// Nothing came any more; only live.
        Hung = "hung",
        /// The stream was cut.
        Truncated = "truncated",
        /// Too much was spent.
        OverBudget = "over_budget",
        /// Nothing ever began.
        NotStarted = "not_started",
    }
}

impl Verdict {
    /// The exit code.
    #[must_use]
    pub fn code(self) -> u8 {
        match self {
            Verdict::Ok => 0,
            Verdict::Failed => 10,
            Verdict::ApiError => 11,
            Verdict::Denied => 12,
            Verdict::Empty => 13,
            Verdict::Hung => 20,
            Verdict::Truncated => 21,
            Verdict::OverBudget => 22,
            Verdict::NotStarted => 30,
        }
    }
}

/// What counts as a failure although the last turn completed.
///
/// ```
/// let fail_on = unspool::verdict::FailOn::new().denied(true);
/// ```
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
#[non_exhaustive]
pub struct FailOn {
    /// A tool that was not allowed.
    pub denied: bool,
    /// A stream in which no model said anything.
    pub empty: bool,
}

impl FailOn {
    /// Nothing.
    #[must_use]
    pub fn new() -> Self {
        FailOn::default()
    }

    /// A tool that was not allowed.
    #[must_use]
    pub fn denied(mut self, fails: bool) -> Self {
        self.denied = fails;
        self
    }

    /// A stream in which no model said anything.
    #[must_use]
    pub fn empty(mut self, fails: bool) -> Self {
        self.empty = fails;
        self
    }
}

/// What a live run knows of its end beside the stream. A recording that keeps it ends as the run did.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
#[non_exhaustive]
pub struct Beside {
    /// Why we ended it ourselves.
    pub cut: Option<Cut>,
    /// Why the last structured answer does not fit its schema. The application says so, which knows the schema.
    pub unfit: Option<String>,
    /// What was at work, and waited for, when the program ended by itself, in words.
    pub left: Option<String>,
}

impl Beside {
    /// Nothing is known.
    #[must_use]
    pub fn new() -> Self {
        Beside::default()
    }

    /// We ended it ourselves.
    #[must_use]
    pub fn cut(mut self, cut: Cut) -> Self {
        self.cut = Some(cut);
        self
    }

    /// The last structured answer fits its schema, or does not, and why.
    #[must_use]
    pub fn unfit(mut self, why: Option<String>) -> Self {
        self.unfit = why;
        self
    }

    /// The program ended by itself while this was at work.
    #[must_use]
    pub fn left(mut self, what: Option<String>) -> Self {
        self.left = what;
        self
    }
}

/// Why we ended a run ourselves.
#[derive(Clone, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub enum Cut {
    /// A watchdog or a time limit; what it waited for.
    Hung(String),
    /// Our limit on money or tokens.
    OverBudget(String),
    /// Our limit on turns.
    MaxTurns(String),
    /// The program could not be started.
    NotStarted(String),
    /// The user or the application wanted it to end.
    Interrupted(String),
    /// The login is refused, and the application does not want it to be tried again.
    NotLoggedIn(String),
}

/// What the verdict is made from.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Evidence {
    /// A result has come.
    result: bool,
    /// A turn has begun since the last result, or ever.
    begun: bool,
    /// The last result's error.
    error: Option<(ErrorKind, String)>,
    /// Bytes behind the last newline are not a whole object.
    cut_line: bool,
    /// What of the stream is not there, in words: of a recording that is damaged or has no end.
    incomplete: Option<String>,
    /// A tool was not allowed.
    denied: bool,
    /// A model said something.
    spoken: bool,
    /// What only a live run knows.
    beside: Beside,
    /// It is a transcript, which has no results: what the last message says counts.
    transcript: bool,
}

impl Evidence {
    /// A turn has begun.
    pub fn turn_began(&mut self) {
        self.begun = true;
    }

    /// A turn is over, with an error or without.
    pub fn turn_ended(&mut self, error: Option<(ErrorKind, String)>) {
        (self.result, self.begun, self.error) = (true, false, error);
    }

    /// A tool was not allowed.
    pub fn tool_denied(&mut self) {
        self.denied = true;
    }

    /// A model said something.
    pub fn model_spoke(&mut self) {
        self.spoken = true;
    }

    /// Bytes behind the last newline are not a whole object, or what was read is not all that was there.
    pub fn line_cut(&mut self) {
        self.cut_line = true;
    }

    /// Some of the stream is not there; what that is, in words. The first to be said counts.
    pub fn incomplete(&mut self, why: String) {
        self.incomplete.get_or_insert(why);
    }

    /// It is a transcript, which has no results: what the last message says counts.
    pub fn of_transcript(&mut self) {
        self.transcript = true;
    }

    /// What only a live run knows.
    pub fn know_beside(&mut self, beside: Beside) {
        self.beside = beside;
    }

    /// How it ended, and why in words.
    #[must_use]
    pub fn verdict(&self, fail_on: FailOn) -> (Verdict, String) {
        if let Some(cut) = &self.beside.cut {
            return cut.verdict();
        }
        // A slow reader loses the end of the stream, and Claude Code exits with 0:
        // fixtures/errors/stall_reader-2.1.325.
        if self.cut_line {
            return (Verdict::Truncated, "the last line is cut".into());
        }
        if let Some(why) = &self.incomplete {
            return (Verdict::Truncated, why.clone());
        }
        // Ended by SIGTERM: fixtures/errors/sig_term_tool-2.1.325.
        if self.begun {
            let why = match (self.transcript, self.result) {
                (true, _) => "the transcript ends in the middle of a turn",
                (false, true) => "a turn began after the last result",
                (false, false) => "there is no result",
            };
            return (Verdict::Truncated, why.into());
        }
        if let Some(what) = &self.beside.left {
            return (Verdict::Truncated, format!("Claude Code ended with {what}"));
        }
        if !self.result {
            return (Verdict::NotStarted, "no turn has begun".into());
        }
        if let Some((kind, text)) = &self.error {
            let reason = match for_people(text).lines().next() {
                Some(first) => format!("{kind}: {first}"),
                None => kind.to_string(),
            };
            return (kind.verdict(), reason);
        }
        if let Some(why) = &self.beside.unfit {
            return (Verdict::Failed, format!("{}: {why}", ErrorKind::StructuredOutput));
        }
        if fail_on.denied && self.denied {
            return (Verdict::Denied, "a tool was not allowed".into());
        }
        if fail_on.empty && !self.spoken {
            return (Verdict::Empty, "no model said anything".into());
        }
        (Verdict::Ok, "the last turn completed".into())
    }
}

/// The text of an error without Claude Code's notes for those who write it; of an interruption nothing may be left.
/// 2.1.112 and later write them: fixtures/partial/interrupt_stream_partial-2.1.325.
#[must_use]
pub fn for_people(text: &str) -> Cow<'_, str> {
    let is_note = |line: &str| line.starts_with("[ede_diagnostic]");
    if !text.lines().any(is_note) {
        return Cow::Borrowed(text);
    }
    Cow::Owned(text.lines().filter(|line| !is_note(line)).collect::<Vec<_>>().join("\n"))
}

/// Every variant with its name, both ways.
macro_rules! cuts {
    ($($variant:ident = $name:literal),* $(,)?) => {
        impl Cut {
            /// A word for it.
            #[must_use]
            pub fn name(&self) -> &'static str {
                match self {
                    $(Cut::$variant(_) => $name,)*
                }
            }

            /// The reason in words.
            #[must_use]
            pub fn why(&self) -> &str {
                match self {
                    $(Cut::$variant(why) => why,)*
                }
            }

            /// The one with this name; nothing, if there is none.
            #[must_use]
            pub fn of(name: &str, why: String) -> Option<Self> {
                match name {
                    $($name => Some(Cut::$variant(why)),)*
                    _ => None,
                }
            }
        }
    };
}

cuts! {
    Hung = "hung",
    OverBudget = "over_budget",
    MaxTurns = "max_turns",
    NotStarted = "not_started",
    Interrupted = "interrupted",
    NotLoggedIn = "not_logged_in",
}

impl Cut {
    fn verdict(&self) -> (Verdict, String) {
        match self {
            Cut::Hung(why) => (Verdict::Hung, why.clone()),
            Cut::OverBudget(why) => (Verdict::OverBudget, why.clone()),
            Cut::MaxTurns(why) => (Verdict::Failed, why.clone()),
            Cut::NotStarted(why) => (Verdict::NotStarted, why.clone()),
            Cut::Interrupted(why) => (Verdict::Failed, format!("{}: {why}", ErrorKind::Interrupted)),
            Cut::NotLoggedIn(why) => (Verdict::ApiError, format!("{}: {why}", ErrorKind::Auth)),
        }
    }
}

impl ErrorKind {
    /// The verdict on a stream whose last turn failed so.
    #[must_use]
    pub fn verdict(self) -> Verdict {
        match self {
            ErrorKind::MaxBudget => Verdict::OverBudget,
            ErrorKind::Api
            | ErrorKind::RateLimit
            | ErrorKind::Overloaded
            | ErrorKind::Auth
            | ErrorKind::Billing => Verdict::ApiError,
            ErrorKind::MaxTurns
            | ErrorKind::MaxTokens
            | ErrorKind::Refusal
            | ErrorKind::Context
            | ErrorKind::StructuredOutput
            | ErrorKind::Interrupted
            | ErrorKind::Startup
            | ErrorKind::Other => Verdict::Failed,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const COMPLETE: fn(&mut Evidence) = |it| {
        it.turn_began();
        it.model_spoke();
        it.turn_ended(None);
    };
    const FAILED: fn(&mut Evidence) = |it| it.turn_ended(Some((ErrorKind::RateLimit, "slow\ndown".into())));

    fn beside(beside: Beside) -> impl Fn(&mut Evidence) {
        move |it| it.know_beside(beside.clone())
    }

    /// What happened, in order, and the verdict on it where everything counts as a failure that can.
    #[track_caller]
    fn check(happened: &[&dyn Fn(&mut Evidence)], verdict: Verdict, reason: &str) {
        let mut evidence = Evidence::default();
        happened.iter().for_each(|it| it(&mut evidence));
        let all = FailOn::new().denied(true).empty(true);
        assert_eq!(evidence.verdict(all), (verdict, reason.to_owned()));
    }

    #[test]
    fn a_stream_is_complete_when_its_last_turn_is() {
        check(&[], Verdict::NotStarted, "no turn has begun");
        check(&[&Evidence::model_spoke], Verdict::NotStarted, "no turn has begun");
        check(&[&COMPLETE], Verdict::Ok, "the last turn completed");
        check(&[&FAILED], Verdict::ApiError, "rate_limit: slow");
        check(&[&FAILED, &COMPLETE], Verdict::Ok, "the last turn completed");
        check(&[&COMPLETE, &FAILED], Verdict::ApiError, "rate_limit: slow");
        check(&[&Evidence::turn_began], Verdict::Truncated, "there is no result");
        check(&[&COMPLETE, &Evidence::turn_began], Verdict::Truncated, "a turn began after the last result");
        let transcript: [&dyn Fn(&mut Evidence); 2] = [&Evidence::of_transcript, &Evidence::turn_began];
        check(&transcript, Verdict::Truncated, "the transcript ends in the middle of a turn");
    }

    #[test]
    fn what_says_more_comes_first() {
        let cut = beside(Beside::new().cut(Cut::Hung("nothing for 5 s".into())).left(Some("a task".into())));
        let left = beside(Beside::new().left(Some("a task".into())).unfit(Some("no number".into())));
        let unfit = beside(Beside::new().unfit(Some("no number".into())));
        check(&[&Evidence::line_cut, &COMPLETE, &cut], Verdict::Hung, "nothing for 5 s");
        check(
            &[&Evidence::turn_began, &Evidence::line_cut, &left],
            Verdict::Truncated,
            "the last line is cut",
        );
        check(&[&Evidence::turn_began, &left], Verdict::Truncated, "there is no result");
        check(&[&FAILED, &left], Verdict::Truncated, "Claude Code ended with a task");
        check(&[&FAILED, &unfit], Verdict::ApiError, "rate_limit: slow");
        check(&[&COMPLETE, &Evidence::tool_denied, &unfit], Verdict::Failed, "structured_output: no number");
        check(&[&COMPLETE, &Evidence::tool_denied], Verdict::Denied, "a tool was not allowed");
        let silent: fn(&mut Evidence) = |it| it.turn_ended(None);
        check(&[&silent, &Evidence::tool_denied], Verdict::Denied, "a tool was not allowed");
        check(&[&silent], Verdict::Empty, "no model said anything");
    }

    #[test]
    fn denials_and_silence_fail_only_where_asked_for() {
        let mut evidence = Evidence::default();
        evidence.tool_denied();
        evidence.turn_ended(None);
        assert_eq!(evidence.verdict(FailOn::new()).0, Verdict::Ok);
        assert_eq!(evidence.verdict(FailOn::new().empty(true)).0, Verdict::Empty);
        assert_eq!(evidence.verdict(FailOn::new().denied(true)).0, Verdict::Denied);
    }

    #[test]
    fn each_way_to_end_a_run_has_its_verdict() {
        let why = || "why".to_owned();
        for (cut, verdict, reason) in [
            (Cut::Hung(why()), Verdict::Hung, "why"),
            (Cut::OverBudget(why()), Verdict::OverBudget, "why"),
            (Cut::MaxTurns(why()), Verdict::Failed, "why"),
            (Cut::NotStarted(why()), Verdict::NotStarted, "why"),
            (Cut::Interrupted(why()), Verdict::Failed, "interrupted: why"),
            (Cut::NotLoggedIn(why()), Verdict::ApiError, "auth: why"),
        ] {
            assert_eq!(Cut::of(cut.name(), why()), Some(cut.clone()));
            check(&[&beside(Beside::new().cut(cut))], verdict, reason);
        }
    }
}
