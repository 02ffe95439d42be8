//! The translator must not become slower unnoticed: its instructions are counted.
//!
//! Seconds vary too much for a test. Instructions hardly do, and divided by those of
//! `serde_json::IgnoredAny` on the same bytes in the same run they say nearly the same on every machine.
//! `bench/instructions.toml` is the record that they are held against.

use crate::bench;
use crate::step::Done;
use crate::workspace::{Workspace, answers, run};
use anyhow::{Context, bail, ensure};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::process::Command;

/// How much a ratio may differ from its record.
const TOLERANCE: f64 = 0.10;

const RECORD: &str = "bench/instructions.toml";

/// By how much the translator takes more instructions than `IgnoredAny`, by the name of the input.
type Ratios = BTreeMap<String, f64>;

/// How many times as many instructions the careful reading must take of recorded sessions: short cuts that buy less are
/// not worth their code.
const EARNED: f64 = 1.5;

/// What callgrind has counted.
struct Counted {
    ratios: Ratios,
    /// How many times as many instructions the translator takes of recorded sessions without its short cuts.
    careful: f64,
}

#[derive(Deserialize)]
struct Record {
    compiler: String,
    ratio: Ratios,
}

/// Holds the instructions of today against the record.
pub(crate) fn check(workspace: &Workspace) -> anyhow::Result<Done> {
    if let Some(why) = missing() {
        return Ok(Done::Skipped(why));
    }
    let record: Record = toml::from_str(&fs::read_to_string(workspace.root.join(RECORD)).context(RECORD)?)?;
    let found = count(workspace)?;
    let (lines, grown) = compare(&record.ratio, &found.ratios);
    print!("{lines}");
    println!("{:<8}{:>8.3} x without short cuts", RECORDED, found.careful);
    ensure!(found.careful >= EARNED, "short cuts must be worth {EARNED} on recorded sessions, or they go");
    if grown {
        bail!(
            "the translator takes more than {:.0} % more instructions than {RECORD} says, which was written with {} (this is {}). \
             If that is the price of something worth having, say so in the commit and run `cargo xtask bench --accept`",
            TOLERANCE * 100.0,
            record.compiler,
            compiler()?
        );
    }
    Ok(Done::Passed)
}

/// Writes the record anew.
pub(crate) fn accept(workspace: &Workspace) -> anyhow::Result<()> {
    if let Some(why) = missing() {
        bail!(why);
    }
    let mut text = String::from(
        "# Instructions of the translator (events with owned text), divided by those of serde_json::IgnoredAny on\n\
         # the same bytes. `cargo xtask test instructions` holds against it; `cargo xtask bench --accept` writes it.\n",
    );
    let _ = writeln!(text, "compiler = \"{}\"\n\n[ratio]", compiler()?);
    for (input, ratio) in count(workspace)?.ratios {
        let _ = writeln!(text, "{input} = {ratio:.3}");
    }
    print!("{text}");
    Ok(fs::write(workspace.root.join(RECORD), text)?)
}

/// Why nothing can be counted here.
fn missing() -> Option<String> {
    let why = if !answers(Command::new("valgrind").arg("--version")) {
        "the program `valgrind` is not installed"
    } else if !is_wide() {
        "this machine lacks the wide instructions (AVX2) that the record was made with"
    } else {
        return None;
    };
    Some(format!("NOBODY COUNTED INSTRUCTIONS: {why}"))
}

/// Whether the translator runs here as it did for the record: its vector instructions are chosen as it runs.
fn is_wide() -> bool {
    #[cfg(target_arch = "x86_64")]
    {
        is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("pclmulqdq")
    }
    #[cfg(not(target_arch = "x86_64"))]
    false
}

fn compiler() -> anyhow::Result<String> {
    let output =
        Command::new(std::env::var_os("RUSTC").unwrap_or("rustc".into())).arg("--version").output()?;
    Ok(String::from_utf8(output.stdout)?.trim().to_owned())
}

/// Counts, in one run of the benchmark's program under callgrind.
fn count(workspace: &Workspace) -> anyhow::Result<Counted> {
    bench::build(workspace, &["instructions"])?;
    let program = bench::program(workspace, "instructions");
    let counts = workspace.target.join("instructions.callgrind");
    let mut valgrind = Command::new("valgrind");
    valgrind.current_dir(&workspace.root).args(["--tool=callgrind", "--quiet", "--combine-dumps=yes"]);
    // Counts inside these functions only, and tells the sum of each call apart.
    valgrind.arg("--toggle-collect=*counted_*");
    valgrind.args(["v", "t", "c"].map(|name| format!("--dump-after=*counted_{name}*")));
    run(valgrind.arg(format!("--callgrind-out-file={}", counts.display())).arg(program.get_program()))?;
    ratios(&fs::read_to_string(&counts)?)
}

/// The inputs, in the order in which the program reads them.
const INPUTS: [&str; 3] = [RECORDED, "deltas", "tools"];

/// The input of recorded sessions.
const RECORDED: &str = "mixed";

/// What callgrind has counted: for each input V, then the translator, then the careful one.
fn ratios(text: &str) -> anyhow::Result<Counted> {
    let (mut counts, mut counted) = (Vec::new(), false);
    for line in text.lines() {
        if let Some(trigger) = line.strip_prefix("desc: Trigger: ") {
            counted = trigger.contains("counted_");
        } else if let (true, Some(total)) = (counted, line.strip_prefix("totals: ")) {
            counts.push(total.trim().parse::<f64>()?);
        }
    }
    ensure!(counts.len() == 3 * INPUTS.len() && counts.iter().all(|it| *it > 0.0), "callgrind: {counts:?}");
    let ratios = INPUTS.iter().zip(counts.chunks(3)).map(|(name, it)| ((*name).to_owned(), it[1] / it[0]));
    Ok(Counted { ratios: ratios.collect(), careful: counts[2] / counts[1] })
}

/// How each ratio stands to its record, and whether one has grown too much.
fn compare(record: &Ratios, found: &Ratios) -> (String, bool) {
    let (mut lines, mut grown) = (String::new(), false);
    for (input, &now) in found {
        // An input without a record has nothing to be held against, which must not pass for good.
        let was = record.get(input).copied().unwrap_or(0.0);
        let word = if now > was * (1.0 + TOLERANCE) {
            grown = true;
            "MORE THAN ALLOWED"
        } else if now < was * (1.0 - TOLERANCE) {
            "less: let `cargo xtask bench --accept` record it"
        } else {
            "as recorded"
        };
        let _ = writeln!(lines, "{input:<8}{now:>8.3} x IgnoredAny, was {was:.3}: {word}");
    }
    (lines, grown)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ratios_of(mixed: f64) -> Ratios {
        [("mixed".to_owned(), mixed)].into()
    }

    #[test]
    fn more_than_a_tenth_more_is_too_much() {
        let record = ratios_of(2.0);
        assert!(!compare(&record, &ratios_of(2.19)).1);
        assert!(compare(&record, &ratios_of(2.21)).1);
        assert!(compare(&Ratios::new(), &ratios_of(0.1)).1);
    }

    #[test]
    fn much_less_is_worth_a_word() {
        let (words, grown) = compare(&ratios_of(2.0), &ratios_of(1.7));
        assert!(!grown && words.contains("--accept"), "{words}");
    }

    #[test]
    fn callgrinds_parts_are_read_in_order() {
        let part = |name: &str, total: u32| format!("desc: Trigger: {name}\ntotals: {total}\n");
        let mut text = String::new();
        for (validation, translation, careful) in [(10, 20, 80), (10, 25, 50), (10, 30, 60)] {
            text += &part("--dump-after=x::counted_validation", validation);
            text += &part("--dump-after=x::counted_translation", translation);
            text += &part("--dump-after=x::counted_careful", careful);
        }
        text += &part("Program termination", 0);
        let found = ratios(&text).unwrap();
        assert_eq!(found.ratios.into_values().collect::<Vec<_>>(), [2.5, 2.0, 3.0], "deltas, mixed, tools");
        assert_eq!(found.careful, 4.0);
        assert!(ratios("desc: Trigger: Program termination\ntotals: 7\n").is_err());
    }
}
