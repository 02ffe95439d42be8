//! What `tracing` is told of a session.

use crate::peer::play;
use crate::script::in_virtual_time;
use std::fmt::{Debug, Write as _};
use std::sync::{Arc, Mutex};
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::subscriber::NoSubscriber;
use tracing::{Dispatch, Event, Metadata, Subscriber};
use unspool_client::handlers::Permission;
use unspool_client::{Claude, Decision, Handlers, Options};

#[test]
fn turns_tools_and_questions_are_spans_of_their_session() {
    let handlers = Handlers::new().permission(|_: Permission| async {
        tracing::info!("asked");
        Decision::allow()
    });
    let claude = Claude::new(Options::new()).handlers(handlers);
    let seen = Seen::default();
    let script = r#"! ask hello
! finish
< init
< bash ls
< {"type":"control_request","request_id":"q","request":{"subtype":"can_use_tool","tool_name":"Bash","input":{}}}
< {"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"t","content":"x","is_error":true}]},"session_id":"s"}
< {"type":"result","subtype":"success","is_error":false,"result":"done","total_cost_usd":0.5,"session_id":"s"}
x 0
"#;
    // While there is one dispatcher only, tracing asks that of the thread which first comes to a span, which may be the
    // thread of another test: nobody listens there, and the span would be off for all.
    let _another = Dispatch::new(NoSubscriber::new());
    tracing::subscriber::with_default(seen.clone(), || in_virtual_time(play(&claude, script)));
    let spans = seen.0.lock().unwrap().spans.iter().map(|span| span.words.clone()).collect::<Vec<_>>();
    assert_eq!(
        spans,
        [
            "claude session=\"s\"",
            "claude turn number=1 cause=\"user\" ok=true cost_usd=0.5",
            "claude turn tool id=\"t\" name=\"Bash\" agent=\"main\" is_error=true",
            "claude question id=q subtype=\"can_use_tool\" (asked)",
        ]
    );
}

/// Writes down spans, and the events in them.
#[derive(Clone, Default)]
struct Seen(Arc<Mutex<Notes>>);

#[derive(Default)]
struct Notes {
    spans: Vec<Span>,
    entered: Vec<usize>,
}

struct Span {
    path: String,
    words: String,
}

impl Subscriber for Seen {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.target().starts_with("unspool") || metadata.target().starts_with("it")
    }

    fn new_span(&self, span: &Attributes<'_>) -> Id {
        let mut notes = self.0.lock().unwrap();
        let parent = span.parent().map(at).or_else(|| notes.entered.last().copied());
        let path = parent.map_or_else(String::new, |parent| format!("{} ", notes.spans[parent].path));
        let path = format!("{path}{}", span.metadata().name());
        let mut words = path.clone();
        span.record(&mut Fields(&mut words));
        notes.spans.push(Span { path, words });
        Id::from_u64(notes.spans.len() as u64)
    }

    fn record(&self, span: &Id, values: &Record<'_>) {
        values.record(&mut Fields(&mut self.0.lock().unwrap().spans[at(span)].words));
    }

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn event(&self, event: &Event<'_>) {
        let mut notes = self.0.lock().unwrap();
        let mut words = String::new();
        event.record(&mut Fields(&mut words));
        if words == " message=asked"
            && let Some(&span) = notes.entered.last()
        {
            notes.spans[span].words.push_str(" (asked)");
        }
    }

    fn enter(&self, span: &Id) {
        self.0.lock().unwrap().entered.push(at(span));
    }

    fn exit(&self, _: &Id) {
        self.0.lock().unwrap().entered.pop();
    }
}

fn at(span: &Id) -> usize {
    span.into_u64() as usize - 1
}

struct Fields<'w>(&'w mut String);

impl Visit for Fields<'_> {
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        write!(self.0, " {field}={value:?}").unwrap();
    }
}
