//! The player of `unspool html --play`, used as a person would, on hostile streams and on very many events.

use super::browser::Browser;
use super::{AUDIT, LAYOUT, address, base64, list, program};
use crate::workspace::Workspace;
use anyhow::{Context, ensure};
use serde_json::{Value, json};
use std::fs;
use std::path::Path;

const PLAY: &str = include_str!("../../page/play.js");
const MANY: &str = include_str!("../../page/many.js");

/// What is played, and how many moments lie between two that are looked at closely.
const PLAYED: [(&str, u32); 8] = [
    ("page/fix_the_parser.ndjson", 1),
    ("agents/subnest_fwd-2.1.325.ndjson", 4),
    ("agents/bgagent-2.1.325.ndjson", 4),
    ("odd/structured_output.ndjson", 4),
    ("recordings/client-2.1.325.rec", 4),
    ("recordings/permissions-2.1.325.rec", 1),
    ("hostile/markup.ndjson", 4),
    ("hostile/summary.ndjson", 4),
];

/// How wide the window is and whether it is dark, by name.
const LOOKS: [(&str, u32, bool); 2] = [("light", 1280, false), ("phone-dark", 390, true)];

/// Many events, and a few to compare them with.
const MOMENTS: [usize; 2] = [500, 10_000];

/// What an event changes in the page, at the most, whatever the size of the page: what came and went, what is newest, and
/// what the player says.
const TOUCHED: f64 = 30.0;

/// An event's step may take this long on a machine that is busy, in milliseconds. By itself it takes some ten.
const STEP: f64 = 250.0;

/// All that can be read on a page.
const READ: &str = "['header', 'nav', 'main'].map((it) => document.querySelector(it).innerText).join('\\n')";

/// Tries them all, and returns what is wrong.
pub(super) fn check(
    workspace: &Workspace,
    browser: &mut Browser,
    folder: &Path,
) -> anyhow::Result<Vec<String>> {
    let mut faults = Vec::new();
    for (stream, every) in PLAYED {
        let found = try_player(workspace, browser, folder, stream, every)?;
        println!("{stream}, played: {}", if found.is_empty() { "as it should be" } else { "FAULTS" });
        faults.extend(found.into_iter().map(|fault| format!("{stream}, played: {fault}")));
    }
    faults.extend(try_many(workspace, browser, folder)?);
    Ok(faults)
}

fn try_player(
    workspace: &Workspace,
    browser: &mut Browser,
    folder: &Path,
    stream: &str,
    every: u32,
) -> anyhow::Result<Vec<String>> {
    let recorded = workspace.root.join("fixtures").join(stream);
    let html = program(workspace, &["html", "--play"], &recorded)?;
    let name = Path::new(stream).file_stem().context("a stream has a name")?.to_string_lossy().into_owned();
    let file = folder.join(format!("{name}-played.html"));
    fs::write(&file, html)?;
    let address = address(&file);
    let mut faults = Vec::new();
    let plain = folder.join(format!("{name}-plain.html"));
    fs::write(&plain, program(workspace, &["html"], &recorded)?)?;
    for (look, width, dark) in LOOKS {
        browser.look(width, dark)?;
        browser.open(&super::address(&plain))?;
        let text = browser.evaluate(READ)?;
        browser.open(&address)?;
        if browser.evaluate(READ)? != text {
            faults.push(format!("{look}: before it is played, it is not the page without a player"));
        }
        faults.extend(list(browser.evaluate(AUDIT)?, look));
        faults.extend(list(browser.evaluate(&format!("({})({every})", PLAY.trim()))?, look));
        faults.extend(list(browser.evaluate(AUDIT)?, &format!("{look}, after playing")));
        let last = browser.evaluate("Number(document.getElementById('player').dataset.last)")?;
        let last = last.as_u64().context("a player knows how many moments there are")?;
        for (at, moment) in [("begin", 2), ("middle", last / 2), ("end", last)] {
            browser.evaluate(&format!(
                "location.hash = '#e={moment}'; new Promise((done) => setTimeout(done, 60))"
            ))?;
            let when = format!("{look}, at its {at}");
            faults.extend(list(browser.evaluate(AUDIT)?, &when));
            faults.extend(list(browser.evaluate(LAYOUT)?, &when));
            fs::write(
                folder.join(format!("{name}-played-{look}-{at}.png")),
                base64::decode(&browser.picture()?)?,
            )?;
        }
        faults.extend(browser.misdeeds(&address));
    }
    Ok(faults)
}

/// A step touches as much of a long page as of a short one.
fn try_many(workspace: &Workspace, browser: &mut Browser, folder: &Path) -> anyhow::Result<Vec<String>> {
    let mut faults = Vec::new();
    browser.look(1280, false)?;
    for moments in MOMENTS {
        let stream = folder.join(format!("{moments}-events.ndjson"));
        fs::write(&stream, many(moments))?;
        let file = stream.with_extension("html");
        fs::write(&file, program(workspace, &["html", "--play"], &stream)?)?;
        browser.open(&address(&file))?;
        let seen = browser.evaluate(MANY)?;
        let figure = |what: &str, name: &str| seen[what][name].as_f64().context("a figure is missing");
        let last = seen["last"].as_u64().context("a figure is missing")?;
        let (ms, touched) = (figure("event", "ms")?, figure("event", "records")?);
        ensure!(last >= moments as u64, "{last} events instead of {moments}");
        println!(
            "{last} events: a step takes {ms:.1} ms and touches {touched} places, a drag takes {:.1} ms, a jump {:.1} ms",
            figure("drag", "ms")?,
            figure("jump", "ms")?
        );
        if ms > STEP {
            faults.push(format!("{last} events: a step takes {ms} ms"));
        }
        if !(1.0..=TOUCHED).contains(&touched) {
            faults.push(format!("{last} events: a step touches {touched} places of the page"));
        }
    }
    Ok(faults)
}

/// A stream of so many moments: turns of forty calls, the last of which fails.
fn many(moments: usize) -> String {
    const CALLS: usize = 40;
    let mut out = String::new();
    let mut line = |value: Value| out.push_str(&format!("{value}\n"));
    for turn in 0..moments.div_ceil(3 * CALLS) {
        line(json!({"type": "system", "subtype": "init", "session_id": "s"}));
        for call in 0..CALLS {
            let id = format!("{turn}-{call}");
            let part = |kind: &str, content: Value| {
                json!({"type": "assistant", "session_id": "s", "uuid": format!("{kind}{id}"),
                    "message": {"id": format!("m{id}"), "content": [content]}})
            };
            line(part("t", json!({"type": "text", "text": format!("Step **{call}** of part {turn}.")})));
            line(part(
                "c",
                json!({"type": "tool_use", "id": id, "name": "Bash", "input": {"command": format!("make part{turn} step{call}")}}),
            ));
            let answer = json!({"type": "tool_result", "tool_use_id": id, "is_error": call + 1 == CALLS, "content": "made\n".repeat(6)});
            line(
                json!({"type": "user", "session_id": "s", "uuid": format!("r{id}"), "message": {"content": [answer]}}),
            );
        }
        line(json!({"type": "result", "subtype": "success", "result": "Done.", "session_id": "s"}));
    }
    out
}
