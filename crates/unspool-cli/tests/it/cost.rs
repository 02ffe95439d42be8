//! `unspool cost`.

use crate::program::{SESSION, run, run_with};
use serde_json::Value;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::{env, fs};

/// What a stream says it cost, read without unspool: what every result adds to the highest total of its session.
fn own_total(results: &[Value]) -> Option<f64> {
    let mut totals: HashMap<String, f64> = HashMap::new();
    let mut sum = None;
    for result in results {
        let highest = totals.entry(result["session_id"].to_string()).or_default();
        let total = result["total_cost_usd"].as_f64();
        let since = result["model_usage_since_last_result"].as_object();
        let since = since.map(|models| models.values().filter_map(|model| model["costUSD"].as_f64()).sum());
        let grown = total.map(|total| (total - *highest).max(0.0));
        if let Some(added) = since.or(grown).or(result["cost_usd"].as_f64()) {
            sum = Some(sum.unwrap_or(0.0) + added);
        }
        *highest = highest.max(total.unwrap_or(0.0));
    }
    sum
}

/// The lines of a stream that report a cost; none if serde_json cannot read one of its objects.
fn results(stream: &[u8]) -> Option<Vec<Value>> {
    // Halves of characters, which serde_json refuses, are taken as text.
    let text = String::from_utf8_lossy(stream).trim_start_matches('\u{feff}').replace("\\u", "\\\\u");
    let objects = text.split('\n').filter(|line| line.trim_end().ends_with('}') || line.starts_with('{'));
    let lines = || objects.map(|line| serde_json::from_str(line).ok()).collect::<Option<_>>();
    let lines: Vec<Value> = serde_json::from_str(&text).ok().or_else(lines)?;
    let reports = |line: &Value| {
        let result = line["type"] == "result" || line["type"] == "system" && line["subtype"] == "result";
        result || line["role"] == "system" && line["cost_usd"].is_number()
    };
    Some(lines.into_iter().filter(reports).collect())
}

fn collect(folder: &Path, extension: &str, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect(&path, extension, found);
        } else if path.extension().is_some_and(|it| it == extension) {
            found.push(path);
        }
    }
}

/// `UNSPOOL_STREAMS` names another folder of streams to try this with.
#[test]
fn the_bill_is_what_the_stream_itself_says() {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures");
    let folder = env::var_os("UNSPOOL_STREAMS").map_or(fixtures, PathBuf::from);
    let mut found = Vec::new();
    collect(&folder, "ndjson", &mut found);
    assert!(!found.is_empty());
    let (mut sum, mut known, mut skipped, mut wrong) = (0.0, 0, 0, Vec::new());
    for path in &found {
        let Some(results) = results(&fs::read(path).unwrap()) else {
            skipped += 1;
            continue;
        };
        let own = own_total(&results);
        for by in ["turn", "model", "session", "day,model,turn"] {
            let ran = run(&["cost", "--json", "--by", by, path.to_str().unwrap()], "");
            assert_eq!(ran.code, Some(0), "{}", ran.err);
            let bill: Value = serde_json::from_str(&ran.out).unwrap();
            let told = bill["total"]["cost_usd"].as_f64();
            if (own.unwrap_or(0.0) - told.unwrap_or(0.0)).abs() > 1e-6 {
                wrong.push(format!("{}: by {by}: {own:?} and {told:?}", path.display()));
            }
        }
        sum += own.unwrap_or(0.0);
        known += usize::from(own.is_some());
    }
    println!("{known} of {} streams tell their cost, {skipped} cannot be read: {sum:.7} USD", found.len());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(sum > 0.0 && skipped * 10 < found.len(), "{sum}, {skipped}");
}

/// Whoever asks how many calls there were, and how many of them failed, gets one answer.
#[test]
fn the_bill_and_the_statistics_count_the_same_calls() {
    let mut found = Vec::new();
    collect(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures"), "ndjson", &mut found);
    let (mut calls, mut failed, mut denied) = (0, 0, 0);
    for path in &found {
        let path = path.to_str().unwrap();
        let ran = [&["cost", "--by", "tool", "--json", path][..], &["stats", "--json", path]];
        let [bill, stats] = ran.map(|args| serde_json::from_str::<Value>(&run(args, "").out).ok());
        let (Some(bill), Some(stats)) = (bill, stats) else { continue };
        let (total, counts) = (&bill["total"], &stats["counts"]);
        assert_eq!(total["calls"], counts["calls"], "{path}");
        assert_eq!(total["failed"], counts["failures"], "{path}");
        calls += counts["calls"].as_u64().unwrap();
        failed += counts["failures"].as_u64().unwrap();
        denied += counts["denials"].as_u64().unwrap();
    }
    assert!(calls > failed && failed > 0 && denied > 0, "{calls}, {failed}, {denied}");
}

fn bill(args: &[&str]) -> Value {
    let ran = run(&[&["cost", "--json", "--utc"], args].concat(), "");
    assert_eq!((ran.code, &*ran.err), (Some(0), ""), "{args:?}");
    serde_json::from_str(&ran.out).unwrap()
}

fn transcripts() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/transcripts");
    let mut found: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    found.sort();
    found
}

/// By turn all events are told; otherwise only the entries that are about costs are read.
#[test]
fn what_is_read_quickly_is_the_same() {
    for folder in transcripts() {
        for by in ["model", "session", "day", "day,model"] {
            let name = folder.to_str().unwrap();
            let [mut quick, mut slow] = [by, &format!("{by},turn")].map(|by| bill(&["--by", by, name]));
            let depth = by.split(',').count();
            for bill in [&mut quick, &mut slow] {
                cut(bill, depth);
            }
            assert_eq!((&quick["total"], &quick["groups"]), (&slow["total"], &slow["groups"]), "{name} {by}");
            assert_ne!(quick["total"]["tokens"]["input"], 0);
        }
    }
}

fn cut(node: &mut Value, depth: usize) {
    for group in node["groups"].as_array_mut().into_iter().flatten() {
        match depth {
            1 => drop(group.as_object_mut().unwrap().remove("groups")),
            _ => cut(group, depth - 1),
        }
    }
}

/// A fork has copies of the messages, and its totals include them.
#[test]
fn transcripts_cost_what_they_say_and_forks_only_what_they_add() {
    let mut told = 0;
    for folder in transcripts() {
        let mut files = Vec::new();
        collect(&folder, "jsonl", &mut files);
        let text: String = files.iter().map(|file| fs::read_to_string(file).unwrap()).collect();
        let totals = text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
        let highest = totals.filter_map(|entry| entry["totalCostUSD"].as_f64()).reduce(f64::max);
        for by in ["session", "turn", "model"] {
            let cost = bill(&["--by", by, folder.to_str().unwrap()])["total"]["cost_usd"].as_f64();
            let equal = match (cost, highest) {
                (Some(cost), Some(highest)) => (cost - highest).abs() < 1e-9,
                (cost, highest) => cost == highest,
            };
            assert!(equal, "{} by {by}: {cost:?} and {highest:?}", folder.display());
        }
        told += usize::from(highest.is_some());
    }
    assert!(told > 2);
}

/// Claude Code writes down what it spent when it ends, also in the middle of a turn.
#[test]
fn a_turn_that_was_left_has_its_cost() {
    let id = "11111111-1111-4111-8111-111111111111";
    let message = r#""message":{"id":"m","model":"x","content":[{"type":"tool_use","id":"t","name":"Bash","input":{}}],"stop_reason":"tool_use","usage":{"input_tokens":10,"output_tokens":5}}"#;
    let entries = [
        format!(
            r#"{{"type":"user","uuid":"1","sessionId":"{id}","timestamp":"2026-01-01T00:00:00.000Z","message":{{"role":"user","content":"go"}}}}"#
        ),
        format!(
            r#"{{"type":"assistant","uuid":"2","sessionId":"{id}","timestamp":"2026-01-01T00:00:01.000Z",{message}}}"#
        ),
        format!(
            r#"{{"type":"cost-state","sessionId":"{id}","totalCostUSD":0.5,"modelUsage":{{"x":{{"inputTokens":12,"outputTokens":5,"costUSD":0.5}}}}}}"#
        ),
    ];
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{id}.jsonl"));
    fs::write(&file, entries.join("\n")).unwrap();
    let [quick, slow] = ["model", "model,turn"].map(|by| bill(&["--by", by, file.to_str().unwrap()]));
    assert_eq!(quick["total"], slow["total"]);
    assert_eq!((&quick["total"]["cost_usd"], &quick["total"]["tokens"]["input"]), (&0.5.into(), &12.into()));
}

/// Its messages and its money are the same, also those of agents that the stream does not print.
#[test]
fn a_stream_beside_its_transcript_adds_nothing() {
    for folder in transcripts() {
        let name = folder.to_str().unwrap();
        let (projects, stream) = (folder.join("projects"), folder.join("session.stream"));
        let [projects, stream] = [&projects, &stream].map(|path| path.to_str().unwrap());
        let [alone, both, turned] = [&[stream][..], &[stream, projects], &[projects, stream]].map(|files| {
            let bill = bill(&[&["--by", "model"], files].concat());
            assert_eq!(bill["total"], bill_of(&["--by", "turn"], files)["total"], "{name}");
            bill
        });
        assert_eq!(both, turned, "{name}");
        // A transcript also has what came before the stream, and what was not yet spent when it ended.
        if !name.contains("fork") && !name.contains("think") {
            assert_eq!(both["total"], alone["total"], "{name}");
        }
    }
}

fn bill_of(args: &[&str], files: &[&str]) -> Value {
    bill(&[args, files].concat())
}

/// A session of one file, and the files of its agents.
fn session(name: &str, main: &str, agents: &[&str]) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    let id = "s1111111-1111-4111-8111-111111111111";
    let of_agents = folder.join("-p").join(id).join("subagents");
    fs::create_dir_all(&of_agents).unwrap();
    fs::write(folder.join(format!("-p/{id}.jsonl")), main.replace("ID", id)).unwrap();
    for (at, agent) in agents.iter().enumerate() {
        fs::write(of_agents.join(format!("agent-a{at}.jsonl")), agent.replace("ID", id)).unwrap();
    }
    folder
}

const COST_STATE: &str = r#"{"type":"cost-state","sessionId":"ID","totalCostUSD":0.06,"modelUsage":{"x":{"inputTokens":800,"outputTokens":36,"costUSD":0.06}}}"#;

/// The first prompt was interrupted, and what was paid for by then was written down.
#[test]
fn totals_without_a_message_count() {
    let prompt = r#"{"type":"user","uuid":"u","sessionId":"ID","timestamp":"2026-11-15T06:48:22.917Z","message":{"role":"user","content":"Hello"}}"#;
    let agent = r#"{"type":"assistant","sessionId":"ID","agentId":"a0","isSidechain":true,"uuid":"v1","timestamp":"2026-11-15T06:48:22.917Z","message":{"id":"m1","role":"assistant","model":"x","content":[{"type":"text","text":"hi"}],"usage":{"input_tokens":1,"output_tokens":2}}}"#;
    let main = format!("{prompt}\n{COST_STATE}\n");
    for (name, main, agents) in [
        ("totals-alone", COST_STATE, &[][..]),
        ("totals-of-agents", COST_STATE, &[agent]),
        ("totals-behind-a-prompt", &main, &[]),
        ("totals-of-agents-behind-a-prompt", &main, &[agent]),
    ] {
        let folder = session(name, main, agents);
        for by in ["day", "model", "session", "turn", "project", "week,model"] {
            let bill = bill(&["--by", by, folder.to_str().unwrap()]);
            let (total, tokens) = (&bill["total"], &bill["total"]["tokens"]);
            assert_eq!(total["cost_usd"], 0.06, "{name} {by}");
            assert_eq!((&tokens["input"], &tokens["output"]), (&800.into(), &36.into()), "{name} {by}");
        }
    }
    let day = bill(&["--by", "day", session("totals-on-a-day", &main, &[]).to_str().unwrap()]);
    assert_eq!(day["groups"][0]["day"], "2026-11-15");
}

/// Names of time zones, as `date` takes them, and their summer times.
#[test]
fn days_are_those_of_tz() {
    let said = |id: &str, time: &str| {
        format!(
            r#"{{"type":"assistant","sessionId":"ID","uuid":"{id}","timestamp":"{time}","message":{{"id":"{id}","role":"assistant","model":"x","content":[],"usage":{{"input_tokens":1,"output_tokens":2}}}}}}"#
        )
    };
    let main = [said("a", "2026-01-15T15:30:00.000Z"), said("b", "2026-07-16T03:30:00.000Z")].join("\n");
    let folder = session("zones", &main, &[]);
    if !Path::new("/usr/share/zoneinfo/Asia/Tokyo").exists() {
        println!("there are no time zones on this machine");
        return;
    }
    for (zone, days) in [
        ("Asia/Tokyo", ["2026-01-16", "2026-07-16"]),
        ("America/New_York", ["2026-01-15", "2026-07-15"]),
        ("JST-9", ["2026-01-16", "2026-07-16"]),
        ("UTC", ["2026-01-15", "2026-07-16"]),
        ("Nowhere/Land", ["2026-01-15", "2026-07-16"]),
    ] {
        let ran = run_with(&["cost", "--json", "--by", "day", folder.to_str().unwrap()], "", &[("TZ", zone)]);
        let bill: Value = serde_json::from_str(&ran.out).unwrap();
        let told: Vec<&Value> =
            bill["groups"].as_array().unwrap().iter().map(|group| &group["day"]).collect();
        assert_eq!(told, days, "{zone}");
        assert_eq!(
            ran.err.contains("there is no time zone Nowhere/Land"),
            zone == "Nowhere/Land",
            "{}",
            ran.err
        );
    }
}

/// `CLAUDE_CONFIG_DIR` may name several folders; without it there are two.
#[test]
fn all_sessions_are_those_of_every_folder() {
    let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join("configs");
    let _ = fs::remove_dir_all(&root);
    let said = |id: &str| {
        format!(
            r#"{{"type":"assistant","sessionId":"{id}","cwd":"/home/user/{id}","uuid":"{id}","timestamp":"2026-01-15T15:30:00.000+02:00","message":{{"id":"{id}","role":"assistant","model":"x","content":[],"usage":{{"input_tokens":1,"output_tokens":2}}}}}}"#
        )
    };
    let folders = [".claude", ".config/claude", "elsewhere"];
    for (at, folder) in folders.iter().enumerate() {
        let id = format!("{at}1111111-1111-4111-8111-111111111111");
        let projects = root.join(folder).join("projects/-p");
        fs::create_dir_all(&projects).unwrap();
        fs::write(projects.join(format!("{id}.jsonl")), said(&id)).unwrap();
    }
    let root = root.to_str().unwrap();
    let both = format!("{root}/.claude, {root}/elsewhere");
    for (variables, ids) in [
        (&[("CLAUDE_CONFIG_DIR", &*both)][..], [0, 2]),
        (&[("CLAUDE_CONFIG_DIR", ""), ("HOME", root), ("XDG_CONFIG_HOME", "")], [0, 1]),
    ] {
        let run = |args: &[&str]| {
            let ran = run_with(args, "", variables);
            assert_eq!((ran.code, &*ran.err), (Some(0), ""), "{args:?}");
            ran.out
        };
        let bill: Value =
            serde_json::from_str(&run(&["cost", "--all", "--utc", "--json", "--by", "session,day"])).unwrap();
        let told: Vec<_> = bill["groups"].as_array().unwrap().iter().collect();
        assert_eq!(told.len(), 2);
        assert_eq!(told[0]["groups"][0]["day"], "2026-01-15");
        assert_eq!(run(&["sessions", "--json"]).lines().count(), 2);
        for (at, group) in ids.iter().zip(told) {
            let id = format!("{at}1111111-1111-4111-8111-111111111111");
            assert_eq!(
                (&group["session"], &group["project"]),
                (&id.clone().into(), &format!("/home/user/{id}").into())
            );
            run(&["cost", &id[..8]]);
        }
    }
}

#[test]
fn only_what_was_spent_in_a_time_is_shown() {
    let said = |id: &str, time: &str| {
        format!(
            r#"{{"type":"assistant","sessionId":"ID","uuid":"{id}","timestamp":"{time}","message":{{"id":"{id}","role":"assistant","model":"x","content":[],"usage":{{"input_tokens":1,"output_tokens":2}}}}}}"#
        )
    };
    let times = [
        "2026-01-30T10:00:00.000Z",
        "2026-01-31T23:59:59.000Z",
        "2026-02-01T00:00:00.000Z",
        "2026-02-09T10:00:00.000Z",
        "never",
    ];
    let main: Vec<String> = times.iter().enumerate().map(|(at, time)| said(&at.to_string(), time)).collect();
    let folder = session("in-a-time", &main.join("\n"), &[]);
    let folder = folder.to_str().unwrap();
    let input = |args: &[&str]| bill(&[args, &[folder]].concat())["total"]["tokens"]["input"].clone();
    assert_eq!(input(&["--by", "model"]), 5);
    assert_eq!(input(&["--by", "model", "--since", "2026-02-01"]), 2);
    assert_eq!(input(&["--by", "model", "--until", "2026-01-31"]), 2);
    assert_eq!(input(&["--by", "turn", "--since", "20260131", "--until", "20260201"]), 2);
    let names = |by: &str, key: &str| {
        let bill = bill(&["--by", by, folder]);
        let groups = bill["groups"].as_array().unwrap().iter();
        groups.map(|group| (group[key].clone(), group["tokens"]["input"].clone())).collect::<Vec<_>>()
    };
    let row = |name: &str, input: u64| (Value::from(name), Value::from(input));
    let none = (Value::Null, Value::from(1));
    assert_eq!(names("month", "month"), [none.clone(), row("2026-01", 2), row("2026-02", 2)]);
    assert_eq!(names("week", "week"), [none.clone(), row("2026-01-26", 3), row("2026-02-09", 1)]);
    let blocks = ["2026-01-30T10:00:00Z", "2026-01-31T23:00:00Z", "2026-02-09T10:00:00Z"];
    assert_eq!(names("block", "block"), [none, row(blocks[0], 1), row(blocks[1], 2), row(blocks[2], 1)]);
    let left_out = bill(&["--by", "model", "--since", "2020-01-01", folder]);
    assert!(left_out["notes"].as_array().unwrap().iter().any(|note| note["reason"] == "undated"));
    assert_eq!(run(&["cost", "--since", "soon", folder], "").code, Some(2));
    let notes = |args: &[&str]| bill(&[args, &[folder]].concat())["notes"].clone();
    let unreported = notes(&["--since", "2026-02-01"])[0]["text"].as_str().unwrap().to_owned();
    assert!(unreported.ends_with("(in all that was read, not in this time alone)"), "{unreported}");
    let nothing = ["--since", "2026-03-01"];
    assert_eq!(notes(&nothing).as_array().unwrap().len(), 1, "what has no time: {}", notes(&nothing));
    let ran = run(&[&["cost"], &nothing[..], &[folder]].concat(), "");
    assert!(ran.out.starts_with("nothing was spent in this time\n"), "{ran:?}");
}

/// The beginning of an id, the folder, and the title for people; all of it for programs.
#[test]
fn sessions_have_titles_and_folders() {
    let folder =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/transcripts/2.1.325-rwe/projects");
    let ran = run(&["cost", "--by", "session", "--width", "100", folder.to_str().unwrap()], "");
    assert!(ran.out.contains("\naff214ca project · "), "{}", ran.out);
    let bill = bill(&["--by", "session", folder.to_str().unwrap()]);
    let session = &bill["groups"][0];
    assert_eq!(
        (&session["session"], &session["project"]),
        (&"aff214ca-b098-4cbe-873b-1e81fcfba479".into(), &"/home/user/project".into())
    );
    assert!(session["title"].is_string());
}

/// They stand beside the tokens of the message on which they were spent, and are of another model.
#[test]
fn what_advisors_spend_counts_with_their_own_model() {
    let said = r#"{"type":"assistant","sessionId":"ID","uuid":"u","timestamp":"2026-01-15T15:30:00.000Z","message":{"id":"m","role":"assistant","model":"x","content":[],"stop_reason":"end_turn","usage":{"input_tokens":100,"output_tokens":50,"iterations":[{"type":"message","input_tokens":100,"output_tokens":50},{"type":"advisor_message","model":"y","input_tokens":300,"output_tokens":30}]}}}"#;
    let folder = session("advisors", &format!("{said}\n{said}\n"), &[]);
    for by in ["model", "model,turn", "model,agent"] {
        let bill = bill(&["--by", by, folder.to_str().unwrap()]);
        let mut rows: Vec<_> = bill["groups"]
            .as_array()
            .unwrap()
            .iter()
            .map(|row| {
                let figure = |name: &str| row["tokens"][name].as_u64().unwrap();
                (row["model"].as_str().unwrap(), figure("input"), figure("output"))
            })
            .collect();
        rows.sort_unstable();
        assert_eq!(rows, [("x", 100, 50), ("y", 300, 30)], "{by}");
        // What an advisor spent is no message.
        let note = &bill["notes"].as_array().unwrap()[0]["text"];
        assert!(by != "model" || note.as_str().unwrap().starts_with("1 message is in no report"), "{note}");
    }
}

/// The list of the program is only used when asked for; then agents and tools have money too, marked as computed.
#[test]
fn builtin_prices_give_money_to_agents_and_tools() {
    let folder =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/transcripts/2.1.325-bgagent/projects");
    let folder = folder.to_str().unwrap();
    let reported = bill(&["--by", "model", folder])["total"]["cost_usd"].as_f64().unwrap();
    for by in ["agent", "tool", "agent,tool"] {
        assert!(bill(&["--by", by, folder])["total"]["computed_usd"].is_null());
        let total = bill(&["--by", by, "--prices", "builtin", folder])["total"].clone();
        assert!(
            (total["computed_usd"].as_f64().unwrap() - reported).abs() < 1e-9,
            "{by}: {total} and {reported}"
        );
        assert_eq!((&total["cost_usd"], &total["complete"]), (&Value::Null, &true.into()));
    }
    let shown = run(&["cost", "--by", "agent", "--prices", "builtin", "--width", "100", folder], "").out;
    assert!(shown.contains("~$") && shown.contains("the builtin prices (2"), "{shown}");
}

#[test]
fn nothing_gets_a_sentence() {
    for command in ["cost", "sessions"] {
        let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("nothing.jsonl");
        fs::write(&file, "{\"type\":\"summary\",\"summary\":\"A title\",\"leafUuid\":\"u\"}\n").unwrap();
        let ran = run(&[command, file.to_str().unwrap()], "");
        assert_eq!((ran.code, ran.out.lines().count()), (Some(0), 1), "{}{}", ran.out, ran.err);
    }
}

#[test]
fn what_can_be_read_is_shown() {
    let ran = run(&["cost", "-", "there/is/no/such.ndjson", "--width", "60"], SESSION);
    assert_eq!(ran.code, Some(1));
    assert!(ran.err.contains("cannot read there/is/no/such.ndjson"), "{}", ran.err);
    assert!(ran.out.lines().any(|line| line.starts_with("total")), "{}", ran.out);
    let ran = run(&["cost", "there/is/no/such.ndjson"], "");
    assert_eq!((ran.code, &*ran.out), (Some(1), ""));
}

#[test]
fn prices_that_are_none_are_refused() {
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("prices.toml");
    fs::write(&file, "[m]\nimput = 1\n").unwrap();
    let ran = run(&["cost", "--prices", file.to_str().unwrap()], SESSION);
    assert_eq!((ran.code, &*ran.out), (Some(1), ""));
    assert!(ran.err.contains("is no list of prices: imput (of m) is no kind of tokens\n"), "{}", ran.err);
    assert!(ran.err.contains("  input = 5.0 "), "it says how one looks: {}", ran.err);
}

#[test]
fn colours_are_only_where_they_are_wanted() {
    let plain = run(&["cost"], SESSION).out;
    assert!(!plain.contains('\u{1b}'), "{plain}");
    assert!(run(&["cost", "--color", "always"], SESSION).out.contains('\u{1b}'));
}
