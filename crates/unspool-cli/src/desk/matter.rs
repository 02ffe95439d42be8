//! One thing that somebody has to say something to.

use crate::words::{clean, clean_line};
use serde_json::Value;
use std::fmt::Write;

/// What waits for an answer.
#[derive(Clone, Debug)]
pub(crate) enum Matter {
    /// May this call be made? And what it would be to allow it always, if that can be.
    Call { tool: String, input: String, by_agent: bool, always: Option<String> },
    /// Questions of the model, and the answers to the first of them.
    Questions { queries: Vec<Query>, answers: Vec<String> },
    /// A plan of the model.
    Plan(String),
}

/// A question of the model.
#[derive(Clone, Debug)]
pub(crate) struct Query {
    pub(crate) text: String,
    pub(crate) choices: Vec<Pick>,
    pub(crate) several: bool,
}

/// Something to choose.
#[derive(Clone, Debug)]
pub(crate) struct Pick {
    pub(crate) label: String,
    /// What it means.
    pub(crate) meaning: Option<String>,
}

/// What was said.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Said {
    Yes,
    /// Yes, and so from now on.
    Always,
    /// Yes, with another input.
    With(Value),
    /// No, and why.
    No(String),
    /// The answers to the questions, in order.
    Answers(Vec<String>),
}

/// What a line came to.
pub(super) enum Taken {
    Said(Said),
    /// The next line belongs to it, whole.
    More(String),
    /// It says nothing; a hint.
    Odd(String),
}

const YES_NO: &str = "y yes, n no (and why)";

const EDIT: &str = "the new command, or the whole input as a JSON object; an empty line leaves it as it is";

impl Matter {
    pub(crate) fn questions(queries: Vec<Query>) -> Self {
        Matter::Questions { queries, answers: Vec::new() }
    }

    /// What it is about, over several lines if need be. All of it: nobody can agree to what they have not seen.
    pub(super) fn show(&self) -> String {
        let text = match self {
            Matter::Call { tool, input, by_agent, .. } => {
                let agent = if *by_agent { " (a sub-agent)" } else { "" };
                format!("{tool}{agent}: {}", shown_input(input))
            }
            Matter::Questions { queries, answers } => {
                queries.get(answers.len()).map(Query::show).unwrap_or_default()
            }
            Matter::Plan(plan) if plan.trim().is_empty() => {
                "the model wants to begin, with a plan that it has not written down".to_owned()
            }
            Matter::Plan(plan) => format!("the plan:\n{plan}"),
        };
        clean(&text).trim_end().replace('\n', "\n      ")
    }

    /// What `a` stands for, in one line.
    pub(super) fn always(&self) -> Option<String> {
        match self {
            Matter::Call { always, .. } => always.as_deref().map(clean_line),
            Matter::Questions { .. } | Matter::Plan(_) => None,
        }
    }

    /// What can be said to it.
    pub(super) fn hint(&self) -> String {
        match self {
            Matter::Call { always: Some(_), .. } => format!("{YES_NO}, a always (in this session), e edit"),
            Matter::Call { always: None, .. } => format!("{YES_NO}, e edit"),
            Matter::Questions { queries, answers } => match queries.get(answers.len()) {
                Some(query) if query.several => "numbers with commas, or your own words".to_owned(),
                _ => "a number, or your own words".to_owned(),
            },
            Matter::Plan(_) => YES_NO.to_owned(),
        }
    }

    /// Takes a line; a `whole` one is what this matter has asked for.
    pub(super) fn take(&mut self, line: &str, whole: bool) -> Taken {
        match self {
            Matter::Call { input, .. } if whole => take_input(input, line),
            Matter::Questions { queries, answers } => take_answer(queries, answers, line),
            Matter::Call { always, .. } => take_word(line, true, always.is_some()),
            Matter::Plan(_) => take_word(line, false, false),
        }
    }
}

impl Query {
    fn show(&self) -> String {
        let mut shown = self.text.clone();
        for (number, choice) in (1..).zip(&self.choices) {
            // A line each, or one could show itself as another.
            let _ = write!(shown, "\n{number} {}", clean_line(&choice.label));
            if let Some(meaning) = &choice.meaning {
                let _ = write!(shown, " ({})", clean_line(meaning));
            }
        }
        shown
    }

    /// Numbers of choices stand for them; all else for itself.
    fn answer(&self, line: &str) -> String {
        let label = |word: &str| {
            let number: usize = word.trim().parse().ok()?;
            self.choices.get(number.checked_sub(1)?).map(|choice| &*choice.label)
        };
        let words: Vec<&str> = if self.several { line.split(',').collect() } else { vec![line] };
        let labels: Option<Vec<&str>> = words.into_iter().map(label).collect();
        labels.map_or_else(|| line.to_owned(), |labels| labels.join(", "))
    }
}

fn take_word(line: &str, is_call: bool, has_always: bool) -> Taken {
    let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
    match (word.to_lowercase().as_str(), rest.trim()) {
        ("y" | "yes", "") => Taken::Said(Said::Yes),
        ("n" | "no", "") => Taken::Said(Said::No("The user said no.".to_owned())),
        ("n" | "no", why) => Taken::Said(Said::No(why.to_owned())),
        ("a" | "always", "") if has_always => Taken::Said(Said::Always),
        ("e" | "edit", "") if is_call => Taken::More(EDIT.to_owned()),
        _ => Taken::Odd(format!("`{}` is no answer", clean(line))),
    }
}

/// A command as it is, and behind it whatever else is in the input; of other inputs the JSON.
fn shown_input(input: &str) -> String {
    let Ok(Value::Object(mut fields)) = serde_json::from_str(input) else { return input.to_owned() };
    match fields.remove("command") {
        Some(Value::String(command)) if fields.is_empty() => command,
        Some(Value::String(command)) => format!("{command}\n{}", Value::Object(fields)),
        _ => input.to_owned(),
    }
}

fn take_input(input: &str, line: &str) -> Taken {
    if line.is_empty() {
        return Taken::Odd("left as it is".to_owned());
    }
    let mut whole = serde_json::from_str(input).unwrap_or(Value::Null);
    match serde_json::from_str(line) {
        Ok(Value::Object(fields)) => Taken::Said(Said::With(Value::Object(fields))),
        _ if whole.get("command").is_some_and(Value::is_string) && !line.starts_with('{') => {
            whole["command"] = line.into();
            Taken::Said(Said::With(whole))
        }
        _ => Taken::Odd("that is no JSON object".to_owned()),
    }
}

fn take_answer(queries: &[Query], answers: &mut Vec<String>, line: &str) -> Taken {
    if line.is_empty() {
        return Taken::Odd("an answer is needed".to_owned());
    }
    answers.extend(queries.get(answers.len()).map(|query| query.answer(line)));
    if answers.len() < queries.len() {
        return Taken::Odd("and:".to_owned());
    }
    Taken::Said(Said::Answers(std::mem::take(answers)))
}
