//! Sessions that were recorded twice: as a stream, and as the transcript that Claude Code kept of it. Both must
//! tell the same.

use crate::fixtures::story;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use unspool::event::{Agent, Event, Tokens, What};
use unspool::transcript::{Form, Transcript, conversation};
use unspool::{Grain, Spool};

/// A session of `fixtures/transcripts`: its stream, and all files that were kept of it and of those before it.
struct Session {
    name: String,
    stream: Vec<u8>,
    main: Vec<u8>,
    agents: Vec<(String, Vec<u8>)>,
}

impl Session {
    fn all() -> Vec<Session> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/transcripts");
        let folders = fs::read_dir(root).unwrap().map(|entry| entry.unwrap().path());
        let mut sessions: Vec<_> = folders.map(|folder| Session::of(&folder)).collect();
        sessions.sort_by(|one, other| one.name.cmp(&other.name));
        assert!(sessions.len() > 5);
        sessions
    }

    fn of(folder: &Path) -> Session {
        let stream = fs::read(folder.join("session.stream")).unwrap();
        let told = Spool::read(Grain::Blocks, &stream);
        let id = told.last().unwrap().session.clone().unwrap();
        let files = files(&folder.join("projects"));
        let main = files.iter().find(|path| path.file_stem().unwrap() == &*id).unwrap();
        let agents = files.iter().filter_map(|path| {
            let name = path.file_stem()?.to_str()?.strip_prefix("agent-")?.to_owned();
            let text = fs::read(path).unwrap();
            let is_its_own = String::from_utf8_lossy(&text).contains(&format!("\"sessionId\":\"{id}\""));
            is_its_own.then_some((name, text))
        });
        Session {
            name: folder.file_name().unwrap().to_str().unwrap().to_owned(),
            main: fs::read(main).unwrap(),
            agents: agents.collect(),
            stream,
        }
    }

    fn read(&self, grain: Grain) -> Vec<Event<'static>> {
        let agents: Vec<_> = self.agents.iter().map(|(id, file)| (&**id, &**file)).collect();
        Transcript::read(grain, &self.main, &agents)
    }

    /// Whether the transcript has turns that the stream does not have.
    fn is_resumed(&self) -> bool {
        self.name.contains("fork")
    }
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() { found.extend(files(&path)) } else { found.push(path) }
    }
    found.sort();
    found
}

#[test]
fn what_holds_for_any_transcript_holds_for_these() {
    for session in Session::all() {
        let agent = session.agents.first().map_or(&[][..], |(_, file)| file);
        unspool::properties::holds_for_transcripts(&session.main, agent);
        unspool::properties::holds_for_transcripts(agent, &session.main);
        // Cut in the middle of whatever is there.
        unspool::properties::holds_for_transcripts(&session.main[..session.main.len() / 2], agent);
    }
}

/// What was said and done, by agent.
fn parts(events: &[Event<'_>]) -> BTreeMap<String, Vec<String>> {
    let mut parts = BTreeMap::<_, Vec<_>>::new();
    for event in events {
        let part = match &event.what {
            What::Text { content, .. } => format!("text {content}"),
            What::Thinking { content, .. } => format!("thinking {content}"),
            What::ToolUse { id, name, input, .. } => {
                format!("call {id:?} {name:?} {:?}", input.as_ref().unwrap().text())
            }
            What::ToolResult { id, output, is_error, .. } => format!("answer {id:?} {is_error} {output}"),
            What::Block { kind, raw, .. } => format!("block {kind:?} {raw:?}"),
            _ => continue,
        };
        let place = event.place.as_ref().unwrap();
        let message = place.message.as_deref().unwrap_or("-");
        parts
            .entry(event.agent.as_str().to_owned())
            .or_default()
            .push(format!("{message} {} {part}", place.part));
    }
    parts
}

#[test]
fn parts_are_those_of_the_stream() {
    for session in Session::all() {
        let (stream, kept) = (Spool::read(Grain::Blocks, &session.stream), session.read(Grain::Blocks));
        let (stream, kept) = (parts(&stream), parts(&kept));
        for (agent, stream) in &stream {
            let kept = &kept[agent];
            if agent != "main" {
                // Streams do not have all that sub-agents say.
                assert!(is_within(stream, kept), "{}: {stream:#?} {kept:#?}", session.name);
            } else if session.is_resumed() {
                assert!(kept.ends_with(stream) && kept.len() > stream.len(), "{}: {kept:#?}", session.name);
            } else {
                assert_eq!(kept, stream, "{}", session.name);
            }
        }
    }
}

/// Whether all of these are there, in the same order. Their ranks may differ.
fn is_within(some: &[String], all: &[String]) -> bool {
    let without_rank = |part: &String| {
        let mut words = part.splitn(3, ' ');
        (words.next().map(str::to_owned), words.nth(1).map(str::to_owned))
    };
    let mut all = all.iter().map(without_rank);
    some.iter().map(without_rank).all(|part| all.any(|other| other == part))
}

#[test]
fn agents_begin_and_end_as_in_the_stream() {
    type Agents = BTreeMap<String, (String, Option<String>, Option<String>, String)>;
    let agents = |events: &[Event<'_>]| {
        let mut agents = Agents::new();
        for event in events {
            let agent = event.agent.as_str().to_owned();
            match &event.what {
                What::AgentStart { parent, kind, description, .. } => {
                    let own = |text: &Option<_>| text.as_deref().map(str::to_owned);
                    let begun = (parent.to_string(), own(kind), own(description), "open".to_owned());
                    assert!(agents.insert(agent, begun).is_none());
                }
                What::AgentEnd { status, .. } => agents.get_mut(&agent).unwrap().3 = status.to_string(),
                _ => {}
            }
        }
        agents
    };
    for session in Session::all() {
        let mut kept = agents(&session.read(Grain::Blocks));
        kept.retain(|agent, _| agent.starts_with("toolu_"));
        assert_eq!(kept, agents(&Spool::read(Grain::Blocks, &session.stream)), "{}", session.name);
    }
}

#[test]
fn turns_end_as_in_the_stream() {
    for session in Session::all().iter().filter(|session| !session.is_resumed()) {
        let turns = |events: &[Event<'_>]| {
            let turn = |event: &Event<'_>| match &event.what {
                What::TurnComplete { ok, result, usage, merged, .. } => {
                    let Tokens { input, cache_read, .. } = usage.clone().unwrap();
                    Some((
                        event.turn,
                        *ok,
                        result.clone().unwrap().into_owned(),
                        input,
                        cache_read,
                        merged.clone(),
                    ))
                }
                _ => None,
            };
            events.iter().filter_map(turn).collect::<Vec<_>>()
        };
        let (stream, kept) = (Spool::read(Grain::Blocks, &session.stream), session.read(Grain::Blocks));
        let end = |events: &[Event<'_>]| match &events.last().unwrap().what {
            What::Finished { verdict, turns, agents_open, tools_open, malformed, unknown, .. } => {
                (*verdict, *turns, agents_open.len(), tools_open.len(), *malformed, *unknown)
            }
            _ => panic!("{}", session.name),
        };
        assert_eq!(end(&kept), end(&stream), "{}", session.name);
        // These versions gave one result for two turns.
        if !session.name.starts_with("2.1.112-bg") {
            assert_eq!(turns(&kept), turns(&stream), "{}", session.name);
        }
    }
}

#[test]
fn money_is_that_of_the_stream_where_it_was_written_down() {
    let figures = |events: &[Event<'_>]| match &events.last().unwrap().what {
        What::Finished { cost_usd, total_cost_usd, models, .. } => {
            (*cost_usd, *total_cost_usd, models.clone())
        }
        _ => panic!(),
    };
    let mut with_money = 0;
    for session in Session::all() {
        let (cost, total, models) = figures(&session.read(Grain::Blocks));
        let (stream_cost, stream_total, stream_models) =
            figures(&Spool::read(Grain::Blocks, &session.stream));
        if total.is_none() {
            assert_eq!((cost, models), (None, None), "{}", session.name);
            continue;
        }
        with_money += 1;
        assert_eq!(total, stream_total, "{}", session.name);
        if session.is_resumed() {
            // The totals include the session from which it was forked, and nothing says how much that was.
            assert_eq!(cost.unwrap(), (total.unwrap() * 1e12).round() / 1e12);
            assert!(notes(&session).contains(&"may_include_resumed".to_owned()), "{}", session.name);
        } else {
            assert_eq!(cost, stream_cost, "{}", session.name);
        }
        let tokens = |models: Option<Vec<(String, unspool::event::ModelTokens)>>| {
            models
                .unwrap()
                .into_iter()
                .map(|(name, it)| (name, it.total_input, it.output))
                .collect::<Vec<_>>()
        };
        assert_eq!(tokens(models), tokens(stream_models), "{}", session.name);
    }
    assert_eq!(with_money, 4);
}

/// The notes of the last turn.
fn notes(session: &Session) -> Vec<String> {
    let events = session.read(Grain::Blocks);
    let notes = events.iter().rev().find_map(|event| match &event.what {
        What::TurnComplete { notes, .. } => notes.clone(),
        _ => None,
    });
    notes.unwrap().into_iter().map(|note| note.reason.into_owned()).collect()
}

#[test]
fn tokens_of_turns_add_up_to_those_of_the_session() {
    for session in Session::all().iter().filter(|session| session.name.starts_with("2.1.325")) {
        let events = session.read(Grain::Blocks);
        let mut sums = BTreeMap::<String, (u64, u64)>::new();
        for event in &events {
            let What::TurnComplete { models, .. } = &event.what else { continue };
            for (name, model) in models.iter().flatten() {
                let sum = sums.entry(name.clone()).or_default();
                sum.0 += model.total_input.unwrap();
                sum.1 += model.output.unwrap();
            }
        }
        let What::Finished { models, .. } = &events.last().unwrap().what else { panic!() };
        let total = models
            .iter()
            .flatten()
            .map(|(name, it)| (name.clone(), (it.total_input.unwrap(), it.output.unwrap())));
        assert_eq!(sums, total.collect(), "{}", session.name);
    }
}

#[test]
fn nothing_is_lost_and_grains_agree() {
    for session in Session::all() {
        let (blocks, deltas) = (session.read(Grain::Blocks), session.read(Grain::Deltas));
        let lines = |events: &[Event<'_>]| -> BTreeSet<_> { events.iter().map(|event| event.line).collect() };
        let count = session.main.iter().filter(|&&byte| byte == b'\n').count() as u64;
        for number in 1..=count {
            assert!(lines(&blocks).contains(&Some(number)), "{}: line {number}", session.name);
        }
        assert_eq!(lines(&blocks), lines(&deltas));
        for event in blocks.iter().chain(&deltas) {
            serde_json::from_str::<serde_json::Value>(&event.to_json()).unwrap();
        }
    }
}

#[test]
fn a_line_tells_what_it_belongs_to() {
    for session in Session::all() {
        let first = |file: &[u8]| Form::of(file.split(|&byte| byte == b'\n').next().unwrap());
        assert_eq!(first(&session.stream), Form::Stream, "{}", session.name);
        assert_eq!(first(&session.main), Form::Transcript, "{}", session.name);
        for (id, file) in &session.agents {
            assert_eq!(first(file), Form::Transcript, "{} {id}", session.name);
        }
    }
}

#[test]
fn stories() {
    let mut settings = insta::Settings::clone_current();
    settings.set_omit_expression(true);
    settings.set_prepend_module_to_snapshot(false);
    settings.bind(|| {
        for session in Session::all() {
            let told = story(&session.read(Grain::Blocks)).join("\n");
            insta::assert_snapshot!(format!("transcript@{}", session.name), told);
        }
    });
}

/// None of these sessions was rewound or compacted.
#[test]
fn what_was_never_taken_back_is_the_conversation() {
    for session in Session::all() {
        let text = String::from_utf8_lossy(&session.main);
        let said = conversation(text.lines());
        let blocks = said.iter().filter(|it| it.by_model).flat_map(|it| it.content.items());
        let said: Vec<String> =
            blocks.filter_map(|block| Some(block.get("text")?.as_str()?.to_string())).collect();
        let told = session.read(Grain::Blocks).into_iter().filter(|event| event.agent == Agent::Main);
        let told: Vec<String> = told
            .filter_map(|event| match event.what {
                What::Text { content, .. } => Some(content.into_owned()),
                _ => None,
            })
            .collect();
        assert!(!said.is_empty(), "{}", session.name);
        assert_eq!(said, told, "{}", session.name);
    }
}
