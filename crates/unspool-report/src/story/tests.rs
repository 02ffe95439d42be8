use super::*;
use serde_json::json;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use unspool::event::{Event, What};
use unspool::json::Json;
use unspool::transcript::Transcript;
use unspool::verdict::for_people;
use unspool::{Grain, Spool};

/// Every stream and every transcript that there is.
pub(crate) fn sessions() -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures")];
    while let Some(folder) = folders.pop() {
        for path in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
            let end = path.extension().and_then(|end| end.to_str());
            match end {
                _ if path.is_dir() && !path.ends_with("subagents") => folders.push(path),
                Some("ndjson" | "jsonl") => found.push(path),
                _ => {}
            }
        }
    }
    found.sort();
    assert!(found.len() > 150, "{}", found.len());
    found
}

/// The events of a session, owned.
pub(crate) fn events(path: &Path) -> Vec<Event<'static>> {
    if path.extension().is_some_and(|end| end == "ndjson") {
        return Spool::read(Grain::Blocks, &fs::read(path).unwrap());
    }
    let folder = path.with_extension("").join("subagents");
    let files = fs::read_dir(folder).into_iter().flatten().map(|entry| entry.unwrap().path());
    let mut agents: Vec<(String, Vec<u8>)> = files
        .filter(|file| file.extension().is_some_and(|end| end == "jsonl"))
        .map(|file| {
            let name = file.file_stem().unwrap().to_str().unwrap();
            (name.strip_prefix("agent-").unwrap_or(name).to_owned(), fs::read(&file).unwrap())
        })
        .collect();
    agents.sort();
    let agents: Vec<(&str, &[u8])> = agents.iter().map(|(id, file)| (&**id, &**file)).collect();
    Transcript::read(Grain::Blocks, &fs::read(path).unwrap(), &agents)
}

pub(crate) fn story(events: &[Event<'_>]) -> Story {
    let mut story = Story::new(Limit::Whole);
    events.iter().for_each(|event| story.step(event));
    story
}

fn told(lines: &[&str]) -> Story {
    story(&Spool::read(Grain::Blocks, lines.join("\n").as_bytes()))
}

/// What was said, by turn: parts of messages, and answers and errors that were not said before.
fn said_by_events(events: &[Event<'_>]) -> Vec<String> {
    let mut said: Vec<(Option<u64>, String, String)> = Vec::new();
    let mut late = Vec::new();
    for event in events {
        let agent = event.agent.as_str().to_owned();
        let repeats = |turns: &[Option<u64>], words: &str| {
            let is_it = |(turn, who, text): &&(Option<u64>, String, String)| {
                turns.contains(turn) && who == "main" && text.trim().ends_with(words.trim())
            };
            said.iter().any(|it| is_it(&it))
        };
        match &event.what {
            What::Text { content, more, .. } => {
                let before = said.iter_mut().rev().find(|(_, who, _)| *who == agent);
                match before.filter(|_| *more == Some(true)) {
                    Some((_, _, text)) => text.push_str(content),
                    None => said.push((event.turn, agent, content.to_string())),
                }
            }
            What::TurnComplete { ok: true, result: Some(answer), merged, .. }
                if !answer.trim().is_empty() =>
            {
                let mut turns = vec![event.turn];
                turns.extend(merged.iter().flatten().map(|turn| Some(*turn)));
                if !repeats(&turns, answer) {
                    late.push(answer.to_string());
                }
            }
            What::Error { text, .. } if !repeats(&[event.turn], &for_people(text)) => {
                late.push(for_people(text).into_owned());
            }
            _ => {}
        }
    }
    said.into_iter().map(|(_, _, text)| text).chain(late).collect()
}

fn said_by_story(story: &Story) -> Vec<String> {
    let items = story.agents.iter().flat_map(|agent| &agent.items);
    let said = items.filter_map(|item| match item {
        Item::Text(said) => Some(&said.text),
        Item::Error { text, .. } => Some(text),
        Item::TurnEnd(end) => end.answer.as_ref(),
        _ => None,
    });
    said.cloned().collect()
}

fn counted(texts: Vec<String>) -> BTreeMap<String, usize> {
    let mut counted = BTreeMap::new();
    // Notes for those who write Claude Code are not for people.
    let is_told = |text: &&str| !text.is_empty() && !text.starts_with("[ede_diagnostic]");
    for text in texts.iter().map(|text| text.trim()).filter(is_told) {
        *counted.entry(text.to_owned()).or_default() += 1;
    }
    counted
}

#[test]
fn what_is_told_once_stands_once() {
    for path in sessions() {
        let events = events(&path);
        let (mut told, story) = (said_by_events(&events), story(&events));
        // The answer of a turn is not repeated behind its structured answer.
        let shown = said_by_story(&story);
        let has_structured = events.iter().any(|event| matches!(event.what, What::StructuredOutput { .. }));
        told.retain(|text| !has_structured || !text.starts_with('{') || shown.contains(text));
        assert_eq!(counted(shown), counted(told), "{}", path.display());
    }
}

#[test]
fn an_error_without_words_takes_none_from_others() {
    let init = r#"{"type":"system","subtype":"init","session_id":"s"}"#;
    let said = r#"{"type":"assistant","uuid":"1","message":{"id":"m","model":"<synthetic>","content":[{"type":"text","text":"Not this."}]}}"#;
    let end = r#"{"type":"result","subtype":"error_during_execution","is_error":true,"result":""}"#;
    let mut told = story(&[]);
    for event in Spool::read(Grain::Blocks, [init, said].join("\n").as_bytes()) {
        told.step(&event);
    }
    for mut event in Spool::read(Grain::Blocks, [init, end].join("\n").as_bytes()) {
        if let What::Error { text, .. } = &mut event.what {
            *text = "".into();
            told.step(&event);
        }
    }
    let items = &told.agents[0].items;
    assert!(items.iter().any(|item| matches!(item, Item::Text(said) if said.text == "Not this.")));
    assert!(items.iter().any(|item| matches!(item, Item::Error { .. })));
}

#[test]
fn every_item_stands_in_one_turn_and_results_in_theirs() {
    for path in sessions() {
        let events = events(&path);
        let story = story(&events);
        let mut ranks: Vec<usize> = story.turns.iter().flat_map(|turn| turn.items.iter().copied()).collect();
        ranks.sort();
        assert!(ranks.iter().copied().eq(0..story.agents[0].items.len()), "{}", path.display());
        let began = events.iter().filter(|event| matches!(event.what, What::TurnStart { .. })).count();
        assert_eq!(story.turns.len(), 1 + began, "{}", path.display());
        for turn in &story.turns {
            for rank in &turn.items {
                if let Item::TurnEnd(end) = &story.agents[0].items[*rank] {
                    assert_eq!(end.number, turn.number, "{}", path.display());
                }
            }
        }
    }
}

#[test]
fn a_prompt_stands_once_however_it_comes() {
    let any = Spool::read(Grain::Blocks, b"").remove(0).into_owned();
    let event = |turn: Option<u64>, what: What<'static>| {
        let mut event = any.clone();
        (event.turn, event.what) = (turn, what);
        event
    };
    let begin = |turn, prompt: Option<&str>| {
        let said = match prompt {
            Some(prompt) => json!({"cause": "user", "prompt": prompt}),
            None => json!({"cause": "user"}),
        };
        event(Some(turn), What::of("turn_start", Json::new(&said.to_string()).unwrap()))
    };
    let user = |turn, text: &str| {
        let said = json!({"content": text, "synthetic": false, "replay": true}).to_string();
        event(turn, What::of("user_text", Json::new(&said).unwrap()))
    };
    let ways: [Vec<Event<'static>>; 6] = [
        vec![begin(1, Some("do it")), begin(2, Some("and this"))],
        vec![begin(1, None), user(Some(1), "do it"), begin(2, None), user(Some(2), "and this")],
        vec![user(None, "do it"), begin(1, None), user(None, "and this"), begin(2, None)],
        vec![
            begin(1, Some("do it")),
            user(Some(1), "do it"),
            begin(2, Some("and this\n")),
            user(Some(2), "and this"),
        ],
        vec![
            user(None, "do it"),
            begin(1, Some("do it")),
            user(None, "and this"),
            begin(2, Some("and this")),
        ],
        vec![begin(1, Some("do it")), user(Some(1), "do"), user(Some(1), "it"), begin(2, Some("and this"))],
    ];
    for (at, way) in ways.into_iter().enumerate() {
        let story = story(&way);
        let prompts: Vec<Vec<&str>> = story.turns.iter().map(|turn| prompts(&story, turn)).collect();
        assert_eq!(prompts, [vec![], vec!["do it"], vec!["and this"]], "way {at}");
    }
}

#[test]
fn what_nobody_typed_is_no_prompt() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures");
    let interrupted = story(&events(&folder.join("agents/interrupt_subagents-2.1.325.ndjson")));
    assert!(interrupted.turns.iter().all(|turn| prompts(&interrupted, turn).is_empty()));
    let begun_by_a_task = sessions().into_iter().find(|path| {
        path.extension().is_some_and(|end| end == "jsonl")
            && path.to_string_lossy().contains("2.1.325-bgagent")
    });
    let kept = story(&events(&begun_by_a_task.unwrap()));
    let numbers: Vec<_> = kept.turns.iter().map(|turn| prompts(&kept, turn).len()).collect();
    assert_eq!(numbers, [0, 1, 0]);
}

fn prompts<'s>(story: &'s Story, turn: &Turn) -> Vec<&'s str> {
    let items = turn.items.iter().map(|rank| &story.agents[0].items[*rank]);
    let typed = items.filter_map(|item| match item {
        Item::Prompt(said) if !said.synthetic => Some(said.text.trim()),
        _ => None,
    });
    typed.collect()
}

#[test]
fn a_question_stands_with_the_call_that_it_is_about() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/control");
    for name in ["perm_allow-2.1.325", "perm_deny-1.0.60"] {
        let story = story(&events(&folder.join(format!("{name}.ndjson"))));
        let asked = story.agents[0].items.iter().filter(
            |item| matches!(item, Item::Call(call) if matches!(call.permission, Some(Permission::Asked))),
        );
        assert_eq!(asked.count(), 1, "{name}");
        let is_asked =
            |item: &&Item| matches!(item, Item::Notice { notice, .. } if notice.about == "permission asked");
        assert_eq!(story.agents[0].items.iter().filter(is_asked).count(), 0, "{name}");
    }
}

/// What is shown as done is what was done.
#[test]
fn an_answer_may_change_the_call() {
    let call = r#"{"type":"assistant","uuid":"1","message":{"id":"m","content":[{"type":"tool_use","id":"c","name":"Bash","input":{"command":"touch one"}}]}}"#;
    let ask = r#"{"type":"control_request","request_id":"r","request":{"subtype":"can_use_tool","tool_name":"Bash","tool_use_id":"c","input":{"command":"touch one"}}}"#;
    let answer = r#"{"type":"control_response","response":{"subtype":"success","request_id":"r","response":{"behavior":"allow","updatedInput":{"command":"touch three"}}}}"#;
    let mut spool = Spool::new(Grain::Blocks);
    let mut story = Story::new(Limit::Whole);
    for line in [call, ask] {
        spool.feed(format!("{line}\n").as_bytes(), |event| story.step(&event));
    }
    spool.wrote(answer, |event| story.step(&event));
    let Some(Item::Call(called)) = story.agents[0].items.iter().find(|item| matches!(item, Item::Call(_)))
    else {
        panic!("there is no call");
    };
    assert_eq!(called.words.line(), "Bash touch three");
    let Some(Permission::Decided { asked, .. }) = &called.permission else { panic!("it was not decided") };
    assert_eq!(asked.as_deref(), Some("Bash touch one"));
}

#[test]
fn an_agent_belongs_to_the_turn_of_its_call() {
    let init = r#"{"type":"system","subtype":"init","session_id":"s"}"#;
    let call = r#"{"type":"assistant","uuid":"1","message":{"id":"m","content":[{"type":"tool_use","id":"a","name":"Agent","input":{}}]}}"#;
    let end = r#"{"type":"result","subtype":"success","result":"x"}"#;
    let late = r#"{"type":"assistant","uuid":"2","parent_tool_use_id":"a","message":{"id":"n","content":[{"type":"text","text":"late"}]}}"#;
    let story = told(&[init, call, end, init, late]);
    assert_eq!(story.turns.iter().map(|turn| turn.agents.len()).collect::<Vec<_>>(), [0, 1, 0]);
}
