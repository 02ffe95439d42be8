//! The real program takes every option, and the ones that could be misunderstood mean what we say.

use super::by_hand::Run;
use super::stage::{Stage, on_all};
use crate::cases::{Case, SESSION, cases, furnish};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::Semaphore;
use tokio::task::JoinSet;
use unspool_client::options::SystemPrompt;
use unspool_client::program::{Program, Support};
use unspool_client::{Claude, Options};

/// Whatever it is asked, the model says hello.
const HELLO: &str = "then = 'repeat'\nturn = [{ say = 'Hello!' }]";

/// The prompts of the session that is gone on with, and one more.
const PROMPTS: [&str; 2] = ["aaaaaaaa-0000-4000-8000-000000000001", "aaaaaaaa-0000-4000-8000-000000000002"];
const PROMPT: [&str; 1] = ["aaaaaaaa-0000-4000-8000-000000000003"];

#[tokio::test]
#[ignore = "needs versions of Claude Code: cargo xtask cli"]
async fn every_option_is_taken_by_the_newest() {
    let few_at_once = Arc::new(Semaphore::new(3));
    let mut runs = JoinSet::new();
    for group in groups(&cases("/".as_ref())) {
        let few_at_once = Arc::clone(&few_at_once);
        runs.spawn(async move {
            let _turn = few_at_once.acquire().await.unwrap();
            take(&group).await
        });
    }
    let wrong: Vec<String> = runs.join_all().await.into_iter().filter_map(Result::err).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

/// Options that change what others mean, or whether they are looked at.
const ALONE: [&str; 5] = ["bare", "safe_mode", "restricted", "no_session_persistence", "await_claim"];

/// The cases by their numbers, those together that one start can take: to start the program is what takes time. What a
/// case adds to the command line, `initialize` and the environment is the same in company.
fn groups(cases: &[Case]) -> Vec<Vec<usize>> {
    let mut groups: Vec<(BTreeSet<String>, Vec<usize>)> = Vec::new();
    for (index, case) in cases.iter().enumerate() {
        let adds = adds(case);
        let fits = |group: &&mut (BTreeSet<String>, Vec<usize>)| {
            group.1.len() < 8 && !group.0.is_empty() && group.0.is_disjoint(&adds)
        };
        match groups.iter_mut().find(fits).filter(|_| !adds.is_empty()) {
            Some((added, group)) => {
                added.extend(adds);
                group.push(index);
            }
            None => groups.push((adds, vec![index])),
        }
    }
    groups.into_iter().map(|(_, group)| group).collect()
}

/// What a case adds, by name; nothing if it has to be tried alone.
fn adds(case: &Case) -> BTreeSet<String> {
    // What goes through a file is tried as options, for the words do not say all.
    let is_plain = case.args.iter().all(|word| word.starts_with("--") && word != "--settings");
    if case.goes_on || !is_plain || ALONE.contains(&case.name) {
        return BTreeSet::new();
    }
    let words = case.args.iter().map(|word| word.split('=').next().unwrap());
    // All that is said of the prompt, and of who is asked, is one thing each.
    let words = words.map(|word| {
        ["prompt", "permission", "tool", "setting"].into_iter().find(|it| word.contains(it)).unwrap_or(word)
    });
    let fields = case.fields.as_object().unwrap().keys().map(String::as_str);
    words.chain(fields).chain(case.env.iter().map(|it| it.0)).map(str::to_owned).collect()
}

/// Tries the cases of these numbers in one start.
async fn take(group: &[usize]) -> Result<(), String> {
    let stage = Stage::newest(HELLO).await;
    furnish(&stage.folder);
    let mut all: Vec<Option<Case>> = cases(&stage.folder).into_iter().map(Some).collect();
    let mut cases: Vec<Case> = group.iter().map(|&index| all[index].take().unwrap()).collect();
    let names: Vec<&str> = cases.iter().map(|case| case.name).collect();
    let options = if cases.len() > 1 {
        cases.into_iter().fold(Options::new(), together)
    } else {
        let Case { options, goes_on, .. } = cases.swap_remove(0);
        if options.await_claim {
            // It takes no prompt before it is claimed, which has a test of its own.
            return Ok(());
        }
        if goes_on { go_on(&stage, options).await } else { options }
    };
    let run = Run::of(&stage.here(options), &PROMPT).await;
    if run.is_good() { Ok(()) } else { Err(format!("{names:?}: {run:?}")) }
}

/// Adds what the options of a case come to, which its own test has seen to.
fn together(options: Options, case: Case) -> Options {
    let options = options.extra_args(case.args);
    let options = case.env.into_iter().fold(options, |options, (name, value)| options.env(name, value));
    let fields = case.fields.as_object().unwrap().clone();
    fields.into_iter().fold(options, |options, (name, value)| options.extra_field(name, value))
}

/// Makes the session to go on with, and names its messages in the options.
async fn go_on(stage: &Stage, mut options: Options) -> Options {
    let first = Run::of(&stage.here(Options::new().session_id(SESSION)), &PROMPTS).await;
    assert!(first.is_good(), "{first:?}");
    if options.resume_session_at.is_some() {
        let said = first.lines.iter().find(|line| line["type"] == "assistant").unwrap();
        options = options.resume_session_at(said["uuid"].as_str().unwrap());
    }
    if options.resume_drops_turn.is_some() {
        options = options.resume_drops_turn(PROMPTS[1]);
    }
    options
}

#[tokio::test]
#[ignore = "needs versions of Claude Code: cargo xtask cli"]
async fn nothing_set_is_a_plain_session_in_all() {
    on_all(HELLO, async |stage| {
        let run = Run::of(&stage.options(), &PROMPTS).await;
        assert!(run.is_good(), "{} {run:?}", stage.version);
        // An empty prompt would not speak of it.
        assert!(system(&stage).contains("Claude Code"), "{}: {}", stage.version, system(&stage));
    })
    .await;
}

#[tokio::test]
#[ignore = "needs versions of Claude Code: cargo xtask cli"]
async fn versions_are_told() {
    on_all(HELLO, async |stage| {
        let version = Program::at(&stage.program).unwrap().version(Duration::from_secs(60)).await.unwrap();
        assert_eq!(version.to_string(), stage.version);
        assert_eq!(version.support(), Support::Tested, "{version}");
    })
    .await;
}

#[tokio::test]
#[ignore = "needs versions of Claude Code: cargo xtask cli"]
async fn the_system_prompt_is_what_was_said() {
    let own = "# Context management";
    let long = format!("Long {}", "x".repeat(110 << 10));
    let blocks = vec!["Block one.".to_owned(), "Block two.".to_owned()];
    for (options, has, has_not) in [
        (Options::new(), own, "Behind."),
        (Options::new().append_system_prompt("Behind."), own, "Block"),
        (Options::new().append_system_prompt("Behind."), "Behind.", "Block"),
        (Options::new().system_prompt("-- Another."), "-- Another.", own),
        (Options::new().system_prompt("One.").append_system_prompt("Behind."), "Behind.", own),
        (Options::new().system_prompt(""), "", own),
        (Options::new().system_prompt(blocks), "Block two.", own),
        (Options::new().system_prompt(long).append_system_prompt("Behind."), "Long xx", own),
        (Options::new().exclude_dynamic_sections(true), own, "Block"),
    ] {
        let stage = Stage::newest(HELLO).await;
        let told = format!("{options:?}").chars().take(300).collect::<String>();
        let run = Run::of(&stage.here(options), &PROMPT).await;
        assert!(run.is_good(), "{told} {run:?}");
        let system = system(&stage);
        assert!(system.contains(has) && !system.contains(has_not), "{told}: {system}");
    }
}

/// A client puts prompts into files.
#[tokio::test]
#[ignore = "needs versions of Claude Code: cargo xtask cli"]
async fn a_system_prompt_in_a_file_is_the_one_on_the_command_line() {
    on_all(HELLO, async |stage| {
        let behind = (stage.version != "1.0.128").then_some("\tBehind: \"ä\".\r\n\n");
        for prompt in [None, Some(""), Some("-- Another.\n\n One \u{1f980}\r\n ")] {
            let mut options = stage.options();
            options.system_prompt = prompt.map(SystemPrompt::from);
            options.append_system_prompt = behind.map(str::to_owned);
            let [hidden, shown] = [false, true].map(|shown| options.clone().config_on_command_line(shown));
            Claude::new(hidden).ask("hello").await.expect(&stage.version);
            let in_file = system(&stage);
            stage.model.reset();
            Claude::new(shown).ask("hello").await.expect(&stage.version);
            assert_eq!(in_file, system(&stage), "{} {prompt:?}", stage.version);
            assert!(in_file.contains(prompt.unwrap_or_default().trim()), "{} {in_file}", stage.version);
            assert!(in_file.contains(behind.unwrap_or_default().trim()), "{} {in_file}", stage.version);
            stage.model.reset();
        }
    })
    .await;
}

#[tokio::test]
#[ignore = "needs versions of Claude Code: cargo xtask cli"]
async fn tools_are_those_that_were_named() {
    let schema = json!({"type": "object", "properties": {"a": {"type": "string"}}});
    let long = json!({"type": "object", "properties": {"a": {"description": "x".repeat(110 << 10)}}});
    for (options, tools) in [
        (Options::new().tools([""; 0]), vec![""; 0]),
        (Options::new().tools(["Read", "Bash"]), vec!["Bash", "Read"]),
        (Options::new().tools([""; 0]).json_schema(schema.clone()), vec!["StructuredOutput"]),
        (Options::new().tools(["Read"]).json_schema(schema), vec!["Read", "StructuredOutput"]),
        // Too long for the command line.
        (Options::new().tools([""; 0]).json_schema(long), vec!["StructuredOutput"]),
    ] {
        let stage = Stage::newest(HELLO).await;
        let named = options.tools.clone();
        Run::of(&stage.here(options), &PROMPT).await;
        assert_eq!(tool_names(&stage), tools, "{named:?}");
    }
}

#[tokio::test]
#[ignore = "needs versions of Claude Code: cargo xtask cli"]
async fn sessions_are_gone_on_with_as_was_said() {
    let other = "11111111-2222-4333-8444-555555555555";
    for (options, session, prompts) in [
        (Options::new().resume(SESSION), SESSION, 3),
        (Options::new().continue_session(true), SESSION, 3),
        (Options::new().resume(SESSION).fork_session(true).session_id(other), other, 3),
        (Options::new().resume(SESSION).resume_session_at("at"), SESSION, 2),
        (Options::new(), "a new one", 1),
    ] {
        let stage = Stage::newest(HELLO).await;
        let options = go_on(&stage, options).await;
        stage.model.reset();
        let run = Run::of(&stage.here(options.clone()), &PROMPT).await;
        assert!(run.is_good(), "{options:?} {run:?}");
        let own = run.lines.iter().find(|line| line["type"] == "result").unwrap()["session_id"].clone();
        assert!(own == session || (session == "a new one" && own != SESSION), "{options:?} {own}");
        let request = body(&stage);
        let said = request["messages"].as_array().unwrap().iter().filter(|it| it["role"] == "user");
        assert_eq!(said.count(), prompts, "{options:?} {request}");
    }
}

#[tokio::test]
#[ignore = "needs versions of Claude Code: cargo xtask cli"]
async fn what_travels_in_initialize_arrives() {
    let stage = Stage::newest(HELLO).await;
    furnish(&stage.folder);
    let find = |name| cases(&stage.folder).into_iter().find(|case| case.name == name).unwrap().options;
    let run = Run::of(&stage.here(find("agents")), &PROMPT).await;
    let agents = run.reply()["agents"].as_array().unwrap();
    assert!(agents.iter().any(|agent| agent["name"] == "reviewer"), "{agents:?}");

    let run = Run::of(&stage.here(find("await_initialize")), &PROMPT).await;
    let init = run.lines.iter().find(|line| line["subtype"] == "init").unwrap();
    assert_eq!(init["plugins"][0]["name"], "ours", "{init}");
}

/// The first request of the main conversation.
fn body(stage: &Stage) -> Value {
    let requests = stage.model.requests();
    let request = requests.iter().find(|it| it.conversation.as_deref() == Some("main"));
    serde_json::from_str(&request.expect("a request").body).unwrap()
}

/// The tools that the model was told of.
fn tool_names(stage: &Stage) -> Vec<String> {
    let request = body(stage);
    let names = request["tools"].as_array().into_iter().flatten().map(|tool| tool["name"].as_str().unwrap());
    // Stands for tools that are found by search.
    let names = names.filter(|name| *name != "DeferredToolPlaceholder");
    let mut names: Vec<String> = names.map(str::to_owned).collect();
    names.sort_unstable();
    names
}

/// Its system prompt.
fn system(stage: &Stage) -> String {
    match &body(stage)["system"] {
        Value::Array(blocks) => blocks.iter().filter_map(|block| block["text"].as_str()).collect(),
        other => other.as_str().unwrap_or_default().to_owned(),
    }
}
