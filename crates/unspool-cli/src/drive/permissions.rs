//! Who decides about calls: rules, then somebody at the terminal, or nobody.

use super::ClaudeArgs;
use super::always::{always, sentence};
use crate::desk::{AskedCall, Clerk, Matter, Pick, Query, UserAnswer};
use std::borrow::Cow;
use std::path::{Path, PathBuf};
use unspool_client::handlers::{Answers, Choice, Permission, Plan, PlanDecision, Questions};
use unspool_client::rules::{NoRule, Rules};
use unspool_client::{Decision, Handlers};

/// Who decides about calls.
pub(crate) struct Judges(Option<Clerk>);

impl Judges {
    /// Rules alone.
    pub(crate) fn rules_only() -> Self {
        Judges(None)
    }

    /// Rules, then whoever sits at the terminal.
    pub(crate) fn with_terminal(clerk: Clerk) -> Self {
        Judges(Some(clerk))
    }

    /// Handlers for what the rules of these flags, and people, decide. Where there are neither, Claude Code decides by
    /// its own settings.
    pub(crate) fn handlers(self, args: &ClaudeArgs) -> Result<Handlers, NoRule> {
        let (allow, deny) = args.rules();
        if allow.is_empty() && deny.is_empty() && self.0.is_none() {
            return Ok(Handlers::new());
        }
        let text = ToString::to_string;
        let rules = Rules::new().allow(allow.iter().map(text))?.block(deny.iter().map(text))?;
        let folder =
            args.cwd().map(Path::to_owned).or_else(|| std::env::current_dir().ok()).unwrap_or_default();
        let handlers = Handlers::new().rules(rules);
        Ok(match self.0 {
            // All but what is blocked is as it would be without rules.
            None if allow.is_empty() => handlers,
            None => handlers.permission(|asked: Permission| async move {
                Decision::deny(format!("No rule allows this call of {}.", asked.tool()))
            }),
            Some(clerk) => ask_people(handlers, clerk, folder),
        })
    }
}

/// Names of files begin in that folder.
fn ask_people(handlers: Handlers, clerk: Clerk, folder: PathBuf) -> Handlers {
    let (first, second, third) = (clerk.clone(), clerk.clone(), clerk);
    handlers
        .permission(move |asked| decide(first.clone(), asked, folder.clone()))
        .questions(move |asked| answer(second.clone(), asked))
        .plan(move |plan| approve(third.clone(), plan))
}

async fn decide(clerk: Clerk, asked: Permission, folder: PathBuf) -> Decision {
    let always = always(&asked);
    let call = AskedCall::new(asked.tool().into_owned(), &asked.input().clean(), folder)
        .by_agent(asked.agent().is_some())
        .always(sentence(&always));
    match clerk.ask(Matter::Call(Box::new(call))).await {
        UserAnswer::Yes | UserAnswer::Answers(_) => Decision::allow(),
        // For this session alone: a file that changes what is allowed for good is not to be had by one letter.
        UserAnswer::Always => always.into_iter().fold(Decision::allow(), Decision::remember),
        UserAnswer::With(input) => Decision::allow_with(input),
        UserAnswer::No(why) => Decision::deny(why),
    }
}

fn pick(choice: Choice<'_>) -> Pick {
    let meaning = choice.description().filter(|meaning| !meaning.is_empty());
    Pick { label: choice.label().into_owned(), meaning: meaning.map(Cow::into_owned) }
}

async fn answer(clerk: Clerk, asked: Questions) -> Answers {
    let queries: Vec<Query> = (asked.iter())
        .map(|question| Query {
            text: question.text().into_owned(),
            choices: question.choices().map(pick).collect(),
            several: question.takes_several(),
        })
        .collect();
    match clerk.ask(Matter::questions(queries.clone())).await {
        UserAnswer::Answers(words) => (queries.into_iter().zip(words))
            .fold(Answers::new(), |answers, (query, words)| answers.answer(query.text, words)),
        UserAnswer::No(why) => Answers::decline(why),
        UserAnswer::Yes | UserAnswer::Always | UserAnswer::With(_) => Answers::new(),
    }
}

async fn approve(clerk: Clerk, plan: Plan) -> PlanDecision {
    let text = plan.text().unwrap_or_default().into_owned();
    match clerk.ask(Matter::Plan(text)).await {
        UserAnswer::No(why) => PlanDecision::reject(why),
        _ => PlanDecision::approve(),
    }
}
