//! Statistics for programs; `docs/stats.md` describes them.

use super::report::{Durations, Picture, Report};
use super::table::remark;
use super::watch::Row;
use crate::times::{Span, length};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// Statistics as one object.
pub fn json(report: &Report) -> Value {
    let (counts, time) = (&report.counts, &report.time);
    let timed = time.model + time.tools > 0;
    json!({
        "sessions": report.sessions,
        "counts": {
            "turns": counts.turns,
            "messages": counts.messages,
            "calls": counts.calls,
            "failures": counts.failures,
            "agents": counts.agents,
            "retries": counts.retries,
            "denials": counts.denials,
            "compactions": counts.compactions,
        },
        "time": timed.then(|| json!({
            "wall_ms": time.wall,
            "model_ms": time.model,
            "tools_ms": time.tools,
            "both_ms": time.both,
            "neither_ms": time.neither(),
            "model_sum_ms": time.model_sum,
            "tools_sum_ms": time.tools_sum,
        })),
        "tools": durations(&report.tools),
        "models": durations(&report.models),
        "agents": durations(&report.agents),
        "waits": report.waits.iter().map(|(wait, agent)| json!({
            "what": wait.what,
            "agent": wait.agent,
            "agent_name": agent,
            "at_ms": wait.span.0,
            "ms": length(&wait.span),
        })).collect::<Vec<_>>(),
        "timeline": report.picture.as_ref().map(timeline),
        "repeated": { "messages": report.repeated.messages, "calls": report.repeated.calls },
        "note": remark(report),
    })
}

fn durations(all: &BTreeMap<String, Durations>) -> Vec<Value> {
    let one = |(name, it): (&String, &Durations)| {
        json!({
            "name": name,
            "count": it.count,
            "failed": it.failed,
            "timed": it.known.len(),
            "p50_ms": it.percentile(50),
            "p95_ms": it.percentile(95),
            "max_ms": it.percentile(100),
            "sum_ms": it.sum(),
        })
    };
    all.iter().map(one).collect()
}

fn timeline(picture: &Picture) -> Value {
    let begin = picture.ends.0;
    let spans = |spans: &[Span]| -> Vec<[i64; 2]> {
        spans.iter().map(|(from, to)| [from - begin, to - begin]).collect()
    };
    let row = |row: &Row| {
        json!({
            "agent": row.id,
            "name": row.label,
            "parent": if row.id == "main" { Value::Null } else { row.parent.clone().into() },
            "model": spans(&row.model),
            "tools": spans(&row.tools),
            "agents": spans(&row.agents),
        })
    };
    json!({
        "session": picture.session,
        "wall_ms": length(&picture.ends),
        "rows": picture.rows.iter().map(row).collect::<Vec<_>>(),
    })
}
