//! The bill beside that of `ccusage`, which knows transcripts too, where both can know: tokens by day and model, and blocks.

use crate::program::run;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

/// Tokens by kind: fresh input, output, what was read from the cache, and what was written to it.
type Figures = [u64; 4];

/// `UNSPOOL_CCUSAGE` names the program; `cargo xtask test real-cli` does, where npm can install it.
#[test]
#[ignore = "needs ccusage"]
fn days_models_and_blocks_are_those_of_ccusage() {
    let Some(program) = env::var_os("UNSPOOL_CCUSAGE") else {
        println!("there is no ccusage to compare with");
        return;
    };
    for seed in 0..12 {
        let config = folder(seed);
        let config_name = config.to_str().unwrap();
        let projects = format!("{config_name}/projects");
        let ccusage = |report: &str| -> Value {
            let mut command = Command::new(&program);
            command.args(["claude", report, "--json", "--offline"]).env_clear();
            command.envs([("HOME", config_name), ("CLAUDE_CONFIG_DIR", config_name), ("TZ", "UTC")]);
            let said = command.output().unwrap();
            serde_json::from_slice(&said.stdout).unwrap_or_else(|_| panic!("{said:?}"))
        };
        let bill = |by: &str| -> Value {
            serde_json::from_str(&run(&["cost", "--json", "--utc", "--by", by, &projects], "").out).unwrap()
        };
        let theirs: BTreeMap<(String, String), Figures> = list(&ccusage("daily")["daily"])
            .flat_map(|day| list(&day["modelBreakdowns"]).map(move |model| (day, model)))
            .map(|(day, model)| {
                let names = ["inputTokens", "outputTokens", "cacheReadTokens", "cacheCreationTokens"];
                (
                    (text(&day["date"]), text(&model["modelName"])),
                    names.map(|name| model[name].as_u64().unwrap()),
                )
            })
            .collect();
        let ours: BTreeMap<(String, String), Figures> = list(&bill("day,model")["groups"])
            .flat_map(|day| list(&day["groups"]).map(move |model| (day, model)))
            .map(|(day, model)| ((text(&day["day"]), text(&model["model"])), figures(model)))
            .collect();
        assert_eq!(ours, theirs, "{seed}");
        let theirs = ccusage("blocks");
        let theirs = list(&theirs["blocks"]).filter(|block| block["isGap"] != true);
        let theirs: Vec<String> =
            theirs.map(|block| text(&block["startTime"]).replace(".000Z", "Z")).collect();
        let ours: Vec<String> = list(&bill("block")["groups"]).map(|block| text(&block["block"])).collect();
        assert_eq!(ours, theirs, "{seed}");
    }
}

fn list(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

fn text(value: &Value) -> String {
    value.as_str().unwrap().to_owned()
}

fn figures(group: &Value) -> Figures {
    ["input", "output", "cache_read", "cache_creation"].map(|name| group["tokens"][name].as_u64().unwrap())
}

/// Sessions that nobody had: several days and models, agents, messages in several entries and in several files.
fn folder(seed: u64) -> PathBuf {
    let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("ccusage-{seed}"));
    let _ = fs::remove_dir_all(&root);
    let mut random = Random(seed);
    let mut written: Vec<String> = Vec::new();
    for session in 0..random.below(4) + 1 {
        let id = format!("{session}{seed:07}-1111-4111-8111-111111111111");
        let folder = root.join(format!("projects/-p{}", session % 2));
        let agents = folder.join(&id).join("subagents");
        fs::create_dir_all(&agents).unwrap();
        let mut minute = random.below(3000);
        let (mut main, mut agent) = (String::new(), String::new());
        for message in 0..random.below(20) + 1 {
            minute += random.below(200);
            let name = format!("{seed}-{session}-{message}");
            let is_agent = random.below(4) == 0;
            let entry = entry(&mut random, &id, &name, minute, is_agent);
            let file = if is_agent { &mut agent } else { &mut main };
            for _ in 0..random.below(3) + 1 {
                file.push_str(&entry);
            }
            written.push(entry);
        }
        // A session that goes on from another one has copies of what was said there.
        for _ in 0..random.below(3) {
            main.push_str(&written[random.below(written.len() as u64) as usize]);
        }
        fs::write(folder.join(format!("{id}.jsonl")), main).unwrap();
        if !agent.is_empty() {
            fs::write(agents.join("agent-a1.jsonl"), agent).unwrap();
        }
    }
    root
}

/// Numbers that are the same every time.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % limit
    }
}

fn entry(random: &mut Random, session: &str, name: &str, minute: u64, is_agent: bool) -> String {
    let time = format!("2026-03-{:02}T{:02}:{:02}:00.000Z", 1 + minute / 1440, minute / 60 % 24, minute % 60);
    let model = ["claude-sonnet-4-5", "claude-opus-4-6", "claude-haiku-4-5"][random.below(3) as usize];
    let mut usage = json!({"input_tokens": random.below(5000), "output_tokens": random.below(900) + 1,
        "cache_read_input_tokens": random.below(90_000), "cache_creation_input_tokens": random.below(7000)});
    if random.below(5) == 0 {
        usage["iterations"] = json!([{"type": "message", "input_tokens": 1, "output_tokens": 1},
            {"type": "advisor_message", "model": "claude-opus-4-6", "input_tokens": random.below(900) + 1,
             "output_tokens": random.below(90), "cache_read_input_tokens": 0, "cache_creation_input_tokens": 0}]);
    }
    let entry = json!({"type": "assistant", "sessionId": session, "requestId": format!("r-{name}"), "uuid": format!("u-{name}"),
        "timestamp": time, "version": "2.1.0", "cwd": "/home/user", "isSidechain": is_agent, "message": {
        "id": format!("m-{name}"), "role": "assistant", "model": model, "content": [], "stop_reason": "end_turn", "usage": usage}});
    format!("{entry}\n")
}
