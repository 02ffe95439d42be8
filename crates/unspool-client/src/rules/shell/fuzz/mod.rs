//! What rules allow is run by real shells, in a place where only stand-ins can be run: nothing else may happen than what
//! the grammar says, in any shell.
//!
//! The lines are the same every time. `UNSPOOL_SHELL_FUZZ=3600` goes on for so many seconds, with other lines;
//! `UNSPOOL_SHELL_SEED=N` begins with those of a failure.

mod arena;
mod generate;
mod parts;

use super::super::glob::wild;
use super::super::pattern::Pattern;
use super::super::plainly;
use super::command::HARMLESS;
use super::{Shell, stand_in, words, written};
use crate::rules::{Rules, Ruling};
use arena::{Arena, Kind, Ran};
use generate::Lines;
use std::collections::BTreeMap;
use std::fmt;
use std::time::{Duration, Instant};
use unspool::json::Json;

/// Rules about programs, then about commands that a shell does itself, as somebody might write them who does not know what
/// they can do; the last one is a command that alters the shell, and says so itself.
const ALLOWED: [&str; 31] = [
    "Bash(cargo *)",
    "Bash(git log:*)",
    "Bash(npm run test*)",
    "Bash(ls)",
    "Bash(. *)",
    "Bash(: *)",
    "Bash(alias *)",
    "Bash(cd *)",
    "Bash(command -v *)",
    "Bash(declare *)",
    "Bash(echo *)",
    "Bash(eval *)",
    "Bash(exit *)",
    "Bash(export *)",
    "Bash(hash *)",
    "Bash(let *)",
    "Bash(popd *)",
    "Bash(print *)",
    "Bash(printf *)",
    "Bash(pushd *)",
    "Bash(read *)",
    "Bash(set *)",
    "Bash(shift *)",
    "Bash(test *)",
    "Bash(trap *)",
    "Bash(true *)",
    "Bash(type *)",
    "Bash(unset *)",
    "Bash(wait *)",
    "Bash(which *)",
    "Bash(export A=1)",
];

/// How many lines are made with one seed.
const MADE: usize = 10_000;

#[test]
fn shells_run_nothing_but_what_the_grammar_says() {
    let long = number("UNSPOOL_SHELL_FUZZ").map(Duration::from_secs);
    let mut seed = number("UNSPOOL_SHELL_SEED").unwrap_or(1);
    let Some(arena) = Arena::new() else { return eprintln!("skipped: there is no shell here") };
    let (began, mut figures) = (Instant::now(), Figures::default());
    loop {
        let lines = figures.choose(seed, if long.is_some() { 500 } else { 100 });
        for shell in arena.shells() {
            let faults: Vec<String> = (lines.chunks(50))
                .flat_map(|lines| lines.iter().zip(arena.run(shell, lines)))
                .inspect(|(_, ran)| figures.hung += usize::from(ran.hangs))
                .filter_map(|(line, ran)| Some(format!("{line:?}: {}", fault(shell.kind, line, &ran)?)))
                .collect();
            assert!(faults.is_empty(), "seed {seed}, {}:\n{}", shell.name, faults.join("\n"));
            *figures.run.entry(shell.name.clone()).or_default() += lines.len();
        }
        seed += 1;
        if long.is_none_or(|long| began.elapsed() > long) {
            break;
        }
        if seed.is_multiple_of(50) {
            eprintln!("seed {seed}: {figures}");
        }
    }
    eprintln!("{figures}, in {} s", began.elapsed().as_secs());
    assert!(figures.allowed > 500, "too little is allowed for the test to mean anything: {figures}");
    let run: usize = figures.run.values().sum();
    assert!(figures.hung * 1000 <= run, "too many were ended before they had done all they do: {figures}");
}

/// What is understood well enough to be allowed is found when it is blocked.
#[test]
fn what_is_understood_can_be_blocked() {
    let mut understood = 0;
    for line in Lines::new(1).take(MADE) {
        for command in Shell::Posix.commands(&line).unwrap_or_default() {
            for reading in command.readings() {
                let program = written(reading.split(' ').next().unwrap_or_default());
                // Nobody can write a rule about a program whose name is no plain word.
                let is_word = words(&program).is_some_and(|it| super::line(&it) == program);
                if !is_word || program.contains('=') {
                    continue;
                }
                let pattern = Pattern::for_text(&format!("{program} *"), Shell::Posix);
                assert!(plainly::runs(&line, Shell::Posix, &pattern), "{line:?} runs {program}");
                understood += 1;
            }
        }
    }
    assert!(understood > 1000, "{understood}");
}

fn number(variable: &str) -> Option<u64> {
    std::env::var(variable).ok()?.parse().ok()
}

#[derive(Default)]
struct Figures {
    made: usize,
    allowed: usize,
    run: BTreeMap<String, usize>,
    /// Lines that had to be ended. zsh 5.9 may wait for itself where a command with a variable before it writes to a file and to a
    /// pipe, as `>/dev/null A=b cd x | cargo`; no program is at work then.
    hung: usize,
}

impl Figures {
    /// Lines that the rules allow; rather those that have something odd in them.
    fn choose(&mut self, seed: u64, most: usize) -> Vec<String> {
        let rules = Rules::new().allow(ALLOWED).unwrap();
        let mut allowed: Vec<String> =
            Lines::new(seed).take(MADE).filter(|line| allows(&rules, line)).collect();
        self.made += MADE;
        self.allowed += allowed.len();
        allowed.sort_unstable();
        allowed.dedup();
        allowed.sort_by_key(|line| std::cmp::Reverse(oddity(line)));
        allowed.truncate(most);
        allowed
    }
}

impl fmt::Display for Figures {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} lines, {} allowed", self.made, self.allowed)?;
        self.run.iter().try_for_each(|(shell, lines)| write!(f, ", {lines} run by {shell}"))?;
        write!(f, ", {} did not end", self.hung)
    }
}

fn allows(rules: &Rules, line: &str) -> bool {
    let input = serde_json::json!({ "command": line }).to_string();
    rules.judge("Bash", Json::new(&input).unwrap()) == Ruling::Allowed
}

/// What makes it more than usually likely that a shell does something odd.
const ODD: [&str; 9] = ["pwn", "out", "044", "x24", " -v", "PATH", "[_]", "[x]", "=cargo"];

/// How likely it is that a shell does something odd: by how many different marks there are beside a thing to be run, or to be
/// changed.
fn oddity(line: &str) -> usize {
    let mut marks: Vec<char> = line.chars().filter(|c| !c.is_ascii_alphanumeric()).collect();
    marks.sort_unstable();
    marks.dedup();
    marks.len() + 8 * ODD.iter().filter(|odd| line.contains(**odd)).count()
}

/// What should not have happened.
fn fault(kind: Kind, line: &str, ran: &Ran) -> Option<String> {
    if !ran.strays.is_empty() {
        return Some(format!("made {:?}", ran.strays));
    }
    let commands = Shell::Posix.commands(line).unwrap_or_default();
    let readings: Vec<String> = commands.iter().flat_map(super::Command::readings).collect();
    let may_change = |name: &&String| {
        let by_set = ["-", "SHELLOPTS", "options"].contains(&&***name);
        [&HARMLESS[..], &["A", "export A", "declare -x A"]].concat().contains(&&***name)
            || by_set && readings.iter().any(|it| it.starts_with("set -"))
    };
    if let Some(name) = ran.changed.iter().find(|name| !may_change(name)) {
        return Some(format!("changed {name:?}"));
    }
    let said: Vec<String> = readings.iter().map(|it| any_text(it)).collect();
    for words in &ran.programs {
        if words[0].starts_with("pwn") {
            return Some(format!("ran {words:?}"));
        }
        let text = words.iter().map(|word| word.replace(' ', &stand_in(b' ').to_string()));
        let text = text.collect::<Vec<_>>().join(" ");
        if kind == Kind::Usual && !said.iter().any(|said| wild(said, &text)) {
            return Some(format!("ran {words:?}, and not {said:?}"));
        }
    }
    let is_one =
        commands.len() == 1 && said.iter().all(|said| said.starts_with("cargo") && !said.contains('*'));
    if ran.is_lost && !ran.hangs {
        return Some("left the shell without its programs".to_owned());
    }
    // Whoever is to write to what is closed is not run, nor what stands behind a deadlock.
    let may_miss = line.contains(">&-") || ran.hangs;
    let is_missing = is_one && !may_miss && kind == Kind::Usual && ran.programs.len() != 1;
    is_missing.then(|| format!("ran {:?}, and not {said:?}", ran.programs))
}

/// What a shell replaces may be anything.
fn any_text(reading: &str) -> String {
    let mut text = reading.to_owned();
    for name in ["?", "HOME", "PWD"] {
        text = text.replace(&format!("{}{name}", stand_in(b'$')), "*");
    }
    for c in *b"~*?^#" {
        text = text.replace(stand_in(c), "*");
    }
    text
}
