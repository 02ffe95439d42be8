//! The builtin prices, as Claude Code itself reports what so many tokens cost.
//!
//! A scripted model says how many tokens of one kind a turn took; what Claude Code then says it cost is the price.

use super::stage::{Stage, version_of};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::io::{self, BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::{env, fs};

/// The list that ships with the program.
const LIST: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../unspool-report/src/bill/builtin.toml");

/// Kinds of tokens in the words of the list, and what a turn of a hundred thousand of them takes.
const KINDS: [(&str, &str); 5] = [
    ("input", "input = 100000"),
    ("output", "output = 100000"),
    ("cache_read", "cache_read = 100000"),
    ("cache_write_5m", "cache_write = 100000"),
    ("cache_write_1h", "cache_write = 100000, cache_write_1h = 100000"),
];

/// Where dearer prices for long prompts may begin.
const TIERS: [u64; 6] = [100_000, 128_000, 200_000, 256_000, 272_000, 500_000];

const NOISE: f64 = 1e-9;

/// Two models of the list, measured again; with `UNSPOOL_PRICES` all that Claude Code knows, and the list is written.
#[test]
#[ignore = "needs Claude Code"]
fn the_builtin_prices_are_those_of_claude_code() {
    let program = newest();
    if env::var_os("UNSPOOL_PRICES").is_some() {
        return write_list(&program);
    }
    let list = fs::read_to_string(LIST).unwrap();
    let first = list.lines().next().unwrap();
    if !first.contains(&version_of(&program)) {
        println!("the list is of another version than {}: {first}", version_of(&program));
        return;
    }
    for model in ["claude-haiku-5-5", "claude-opus-5-5"] {
        let measured = measure(&program, model).expect("a model that Claude Code knows");
        assert!(list.contains(&measured), "the list says otherwise than\n{measured}");
    }
}

/// From messages alone, as for money by agent.
#[test]
#[ignore = "needs Claude Code"]
fn computed_money_is_what_claude_code_reports() {
    let program = newest();
    let turns = [
        "input = 1234, output = 567, cache_read = 89012, cache_write = 3456, cache_write_1h = 456, searches = 2",
        "input = 150000, output = 77, cache_read = 90000, cache_write = 0",
        "input = 3, output = 5, cache_read = 0, cache_write = 7, fast = true",
    ];
    for model in ["claude-haiku-5-5", "claude-opus-5-5", "claude-sonnet-4-5"] {
        let stage = Stage::new(&program, &script(&turns));
        let reported: f64 = costs(&stage, model, turns.len()).unwrap().iter().sum();
        let projects = stage.home.join(".claude/projects");
        let args = ["cost", "--prices", "builtin", "--by", "agent", "--json", projects.to_str().unwrap()];
        let bill: Value = serde_json::from_str(&crate::program::run(&args, "").out).unwrap();
        let computed = bill["total"]["computed_usd"].as_f64().unwrap();
        assert!((computed - reported).abs() < NOISE, "{model}: {computed} and {reported}");
        assert_eq!(bill["total"]["complete"], true);
    }
}

fn newest() -> PathBuf {
    let named = env::var_os("UNSPOOL_CLI").expect("UNSPOOL_CLI, with the programs to try");
    let number = |program: &PathBuf| {
        let version = version_of(program);
        version.split('.').map(|part| part.parse::<u32>().unwrap_or(0)).collect::<Vec<_>>()
    };
    env::split_paths(&named).max_by_key(number).expect("a program")
}

fn write_list(program: &Path) {
    let mut list = format!(
        "# {}, by what Claude Code {} reports\n#\n\
         # Dollars for a million tokens, and for a search of the web. `cargo xtask prices` writes this file.\n",
        day(),
        version_of(program),
    );
    let mut known = 0;
    for model in models_in(program) {
        if let Some(measured) = measure(program, &model) {
            println!("{measured}");
            list.push('\n');
            list.push_str(&measured);
            known += 1;
        }
    }
    assert!(known > 5, "Claude Code knows only {known} models");
    fs::write(LIST, list).unwrap();
}

fn day() -> String {
    let time = std::process::Command::new("date").args(["-u", "+%Y-%m-%d"]).output().unwrap();
    String::from_utf8(time.stdout).unwrap().trim().to_owned()
}

/// Everything in the program that looks like a model. Which of them are, it says when it is asked. A name with a date behind it costs
/// what it costs without.
fn models_in(program: &Path) -> BTreeSet<String> {
    let bytes = fs::read(program).unwrap();
    let mut models = BTreeSet::new();
    for part in
        bytes.split(|byte| *byte == b'"').filter(|part| part.starts_with(b"claude-") && part.len() < 40)
    {
        let Ok(name) = str::from_utf8(part) else { continue };
        let is_name =
            name.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-');
        let families = ["opus", "sonnet", "haiku", "fable", "mythos"];
        let has_family = families.iter().any(|family| name.contains(family));
        let last = name.rsplit('-').next().unwrap_or_default();
        let has_date = last.len() == 8 && last.parse::<u32>().is_ok() || last == "latest";
        if is_name
            && has_family
            && name.contains(|letter: char| letter.is_ascii_digit())
            && !has_date
            && !last.is_empty()
        {
            models.insert(name.to_owned());
        }
    }
    models
}

/// The table of a model; none if Claude Code does not have it in its own list.
fn measure(program: &Path, model: &str) -> Option<String> {
    let price = |added: f64, tokens: f64| added / tokens * 1e6;
    let usual: Vec<String> = KINDS.iter().map(|(_, usage)| only(usage)).collect();
    let fast = KINDS.iter().map(|(_, usage)| only(&format!("{usage}, fast = true")));
    let turns: Vec<String> = usual.into_iter().chain(fast).chain([only("searches = 1000")]).collect();
    let costs = costs(&Stage::new(program, &script(&turns)), model, turns.len())?;
    let rate = |cost: &f64| price(*cost, 1e5);
    let (usual, rest) = costs.split_at(KINDS.len());
    let (fast, searches) = rest.split_at(KINDS.len());
    let rates: Vec<f64> = usual.iter().map(rate).collect();
    let fast: Vec<f64> = fast.iter().map(rate).collect();
    let mut table = format!("[\"{model}\"]\n");
    for ((kind, _), rate) in KINDS.iter().zip(&rates) {
        writeln!(table, "{kind} = {}", tidy(*rate)).unwrap();
    }
    writeln!(table, "web_search = {}", tidy(searches[0] / 1000.0)).unwrap();
    if differ(&rates, &fast) {
        writeln!(table, "fast = {{ {} }}", row(&fast)).unwrap();
    }
    // A prompt that is longer than the context ends the session, so each has one of its own.
    let long = |usage: &str| {
        self::costs(&Stage::new(program, &script(&[only(usage)])), model, 1).map(|costs| costs[0])
    };
    let million = KINDS.map(|(_, usage)| usage.replace("100000", "1000000"));
    let input = long(&million[0])?;
    let mut dear = vec![price(input, 1e6)];
    if (dear[0] - rates[0]).abs() > NOISE {
        dear.push(price(long(&format!("{}, {}", million[0], million[1]))? - input, 1e6));
        for usage in &million[2..] {
            dear.push(price(long(usage)?, 1e6));
        }
        let above = tier(program, model, rates[0]).expect("where its long prompts begin");
        writeln!(table, "long = {{ above = {above}, {} }}", row(&dear)).unwrap();
    }
    Some(table)
}

/// The longest prompt at the usual price.
fn tier(program: &Path, model: &str, usual: f64) -> Option<u64> {
    let turns: Vec<String> = TIERS
        .iter()
        .flat_map(|above| [*above, above + 1])
        .map(|tokens| only(&format!("input = {tokens}")))
        .collect();
    let costs = costs(&Stage::new(program, &script(&turns)), model, turns.len())?;
    let is_usual = |tokens: u64, cost: f64| (cost / tokens as f64 * 1e6 - usual).abs() < NOISE;
    let pairs = TIERS.iter().zip(costs.chunks(2));
    let begins = |(above, pair): (&u64, &[f64])| {
        (is_usual(*above, pair[0]) && !is_usual(above + 1, pair[1])).then_some(*above)
    };
    pairs.map(begins).find_map(|above| above)
}

fn differ(one: &[f64], other: &[f64]) -> bool {
    one.iter().zip(other).any(|(one, other)| (one - other).abs() > NOISE)
}

fn row(rates: &[f64]) -> String {
    let cells = KINDS.iter().zip(rates).map(|((kind, _), rate)| format!("{kind} = {}", tidy(*rate)));
    cells.collect::<Vec<_>>().join(", ")
}

fn tidy(rate: f64) -> f64 {
    (rate * 1e9).round() / 1e9
}

/// A turn that takes nothing else.
fn only(usage: &str) -> String {
    let kinds = ["input", "output", "cache_read", "cache_write"];
    let has = |kind: &str| usage.split(", ").any(|part| part.split(' ').next() == Some(kind));
    let none = kinds.iter().filter(|kind| !has(kind)).map(|kind| format!("{kind} = 0"));
    none.chain([usage.to_owned()]).collect::<Vec<_>>().join(", ")
}

fn script(turns: &[impl AsRef<str>]) -> String {
    let turn = |usage: &str| format!("[[turn]]\nsay = \"Yes.\"\nusage = {{ {usage} }}\n");
    turns.iter().map(|usage| turn(usage.as_ref())).collect()
}

/// What each of so many turns cost; none if the prices are not those of Claude Code's own list.
fn costs(stage: &Stage, model: &str, turns: usize) -> Option<Vec<f64>> {
    let mut command = std::process::Command::new(&stage.program);
    stage.clean(&mut command);
    command.args([
        "-p",
        "--model",
        model,
        "--input-format",
        "stream-json",
        "--output-format",
        "stream-json",
        "--verbose",
    ]);
    command.envs([("DISABLE_AUTO_COMPACT", "1"), ("DISABLE_COMPACT", "1")]);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).current_dir(&stage.folder);
    let mut claude = command.spawn().unwrap();
    let (input, output) = (claude.stdin.take().unwrap(), claude.stdout.take().unwrap());
    let costs = each_cost(input, BufReader::new(output).lines(), model, turns);
    claude.wait().unwrap();
    costs
}

fn each_cost(
    mut input: impl Write,
    mut lines: impl Iterator<Item = io::Result<String>>,
    model: &str,
    turns: usize,
) -> Option<Vec<f64>> {
    let (mut costs, mut total) = (Vec::new(), 0.0);
    let mut listed = true;
    for _ in 0..turns {
        let prompt = json!({"type": "user", "message": {"role": "user", "content": "Go on."}});
        writeln!(input, "{prompt}").unwrap();
        let mut results =
            lines.by_ref().map_while(Result::ok).filter_map(|line| serde_json::from_str(&line).ok());
        let result: Value = results.find(|line: &Value| line["type"] == "result")?;
        let now = result["total_cost_usd"].as_f64()?;
        costs.push(now - total);
        total = now;
        // One that is no longer there is another one now.
        let models = result["modelUsage"].as_object()?;
        listed &= models.iter().all(|(name, spent)| name == model && spent["costBasis"] == "list");
    }
    listed.then_some(costs)
}
