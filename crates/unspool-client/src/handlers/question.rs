//! `AskUserQuestion`: the model wants to know something from the user.

use super::permission::{Decision, Permission, words};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;
use unspool::control::Payload;
use unspool::json::Json;
use unspool::wire::Wire as _;
use unspool::wire::input::Draft;
use unspool::wire::tool::{AskUserQuestionInput, UserOption, UserQuestion};

/// The model asks the user one or more questions.
#[derive(Clone, Debug)]
pub struct Questions(pub(super) Permission);

/// One of them.
#[derive(Clone, Copy, Debug)]
pub struct Question<'a>(Json<'a>);

/// Something to choose.
#[derive(Clone, Copy, Debug)]
pub struct Choice<'a>(Json<'a>);

impl Questions {
    /// The questions, in order.
    pub fn iter(&self) -> impl Iterator<Item = Question<'_>> {
        let questions = AskUserQuestionInput::of(self.0.input()).and_then(|input| input.questions);
        questions.into_iter().flat_map(|questions| questions.json().items()).map(Question)
    }

    /// The question whether the tool may be used, which this is on the wire.
    #[must_use]
    pub fn permission(&self) -> &Permission {
        &self.0
    }
}

impl<'a> Question<'a> {
    /// The question itself; answers are given by it.
    #[must_use]
    pub fn text(&self) -> Cow<'a, str> {
        words(self.read().question).unwrap_or_default()
    }

    /// What it is about, in a word or two.
    #[must_use]
    pub fn header(&self) -> Option<Cow<'a, str>> {
        words(self.read().header)
    }

    /// What there is to choose. A user may say something else all the same.
    pub fn choices(&self) -> impl Iterator<Item = Choice<'a>> + use<'a> {
        self.read().options.into_iter().flat_map(|options| options.json().items()).map(Choice)
    }

    /// Whether several may be chosen.
    #[must_use]
    pub fn takes_several(&self) -> bool {
        self.read().multi_select.unwrap_or(false)
    }

    fn read(&self) -> UserQuestion<'a> {
        UserQuestion::of(self.0).unwrap_or_default()
    }

    /// The question as it came.
    #[must_use]
    pub fn json(&self) -> Json<'a> {
        self.0
    }
}

impl<'a> Choice<'a> {
    /// What to choose it by.
    #[must_use]
    pub fn label(&self) -> Cow<'a, str> {
        words(self.read().label).unwrap_or_default()
    }

    /// What it means.
    #[must_use]
    pub fn description(&self) -> Option<Cow<'a, str>> {
        words(self.read().description)
    }

    /// What to show of it.
    #[must_use]
    pub fn preview(&self) -> Option<Cow<'a, str>> {
        words(self.read().preview)
    }

    fn read(&self) -> UserOption<'a> {
        UserOption::of(self.0).unwrap_or_default()
    }
}

/// What the user says to questions.
#[derive(Clone, Debug, PartialEq)]
pub struct Answers(Outcome);

#[derive(Clone, Debug, PartialEq)]
enum Outcome {
    Given(Given),
    Instead(Decision),
}

/// By questions.
#[derive(Clone, Debug, Default, PartialEq)]
struct Given {
    answers: Vec<(String, String)>,
    notes: BTreeMap<String, Vec<(&'static str, String)>>,
}

/// How a question came to have no answer.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub enum Unanswered {
    /// The user skipped it.
    Skipped,
    /// The user wrote something else instead.
    RepliedInChat,
    /// The user closed it.
    Dismissed,
}

impl Unanswered {
    fn name(self) -> &'static str {
        match self {
            Unanswered::Skipped => "skipped",
            Unanswered::RepliedInChat => "replied_in_chat",
            Unanswered::Dismissed => "dismissed",
        }
    }
}

impl Answers {
    /// No answer as yet; a question that gets none is left out.
    #[must_use]
    pub fn new() -> Self {
        Answers(Outcome::Given(Given::default()))
    }

    /// Answers the question with this text: the label of a choice, or words of the user's own.
    #[must_use]
    pub fn answer(self, question: impl Into<String>, words: impl Into<String>) -> Self {
        self.with(|given| given.answers.push((question.into(), words.into())))
    }

    /// What the user adds to an answer.
    #[must_use]
    pub fn notes(self, question: impl Into<String>, words: impl Into<String>) -> Self {
        self.note(question, "notes", words)
    }

    /// The [preview](Choice::preview) of what was chosen.
    #[must_use]
    pub fn preview(self, question: impl Into<String>, preview: impl Into<String>) -> Self {
        self.note(question, "preview", preview)
    }

    /// How the question came to have no answer. The model does not see it: what it should read is still an
    /// [answer](Self::answer). For a Claude Code with the capability `ask_user_question_unanswered_v1`.
    #[must_use]
    pub fn unanswered(self, question: impl Into<String>, how: Unanswered) -> Self {
        self.note(question, "unanswered", how.name())
    }

    /// Answers the question with several labels.
    #[must_use]
    pub fn choose<'l>(self, question: impl Into<String>, labels: impl IntoIterator<Item = &'l str>) -> Self {
        let labels: Vec<&str> = labels.into_iter().collect();
        self.answer(question, labels.join(", "))
    }

    /// The user does not answer; the model is told why.
    pub fn decline(why: impl Into<String>) -> Self {
        Answers(Outcome::Instead(Decision::deny(why)))
    }

    /// Another host of the session answers, and nothing is sent from here.
    #[must_use]
    pub fn elsewhere() -> Self {
        Answers(Outcome::Instead(Decision::elsewhere()))
    }

    /// The tool is given the questions as they were, and the answers.
    pub(super) fn decision(self, asked: Json<'_>) -> Decision {
        let given = match self.0 {
            Outcome::Instead(decision) => return decision,
            Outcome::Given(given) => given,
        };
        let write = |all: Draft, (name, words): (&str, &str)| all.with(name, words);
        let answers = given.answers.iter().map(|(question, words)| (&**question, &**words));
        let answers = answers.fold(Draft::new(), write);
        let has_notes = !given.notes.is_empty();
        let others =
            asked.fields().filter(|(name, _)| *name != "answers" && !(has_notes && *name == "annotations"));
        let input = others.fold(Draft::new(), |input, (name, value)| input.with(&name.decode(), value));
        let mut input = input.with("answers", answers);
        if has_notes {
            let notes = given.notes.iter().fold(Draft::new(), |all, (question, notes)| {
                all.with(
                    question,
                    notes.iter().map(|(name, words)| (*name, &**words)).fold(Draft::new(), write),
                )
            });
            input = input.with("annotations", notes);
        }
        Decision::allow_with(Payload::from(input.json()))
    }

    fn note(self, question: impl Into<String>, name: &'static str, words: impl Into<String>) -> Self {
        self.with(|given| {
            let notes = given.notes.entry(question.into()).or_default();
            notes.retain(|(other, _)| *other != name);
            notes.push((name, words.into()));
        })
    }

    fn with(mut self, change: impl FnOnce(&mut Given)) -> Self {
        if let Outcome::Given(given) = &mut self.0 {
            change(given);
        }
        self
    }
}

impl Default for Answers {
    fn default() -> Self {
        Answers::new()
    }
}

impl<E: fmt::Display> From<Result<Answers, E>> for Answers {
    fn from(result: Result<Answers, E>) -> Self {
        result.unwrap_or_else(|error| Answers(Outcome::Instead(Decision::from(Err(error)))))
    }
}
