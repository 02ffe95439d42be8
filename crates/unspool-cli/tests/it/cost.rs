//! `unspool cost`.

use crate::program::{SESSION, run};
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
    let lines: Vec<Value> = objects.map(|line| serde_json::from_str(line).ok()).collect::<Option<_>>()?;
    let reports = |line: &Value| {
        let result = line["type"] == "result" || line["type"] == "system" && line["subtype"] == "result";
        result || line["role"] == "system" && line["cost_usd"].is_number()
    };
    Some(lines.into_iter().filter(reports).collect())
}

fn streams(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            streams(&path, found);
        } else if path.extension().is_some_and(|it| it == "ndjson") {
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
    streams(&folder, &mut found);
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
    assert!(ran.err.contains("is no list of prices") && ran.err.contains("imput"), "{}", ran.err);
}

#[test]
fn colours_are_only_where_they_are_wanted() {
    let plain = run(&["cost"], SESSION).out;
    assert!(!plain.contains('\u{1b}'), "{plain}");
    assert!(run(&["cost", "--color", "always"], SESSION).out.contains('\u{1b}'));
}
