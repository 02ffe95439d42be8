//! The page that `unspool html` makes, in a real browser: nothing of a stream runs in it, and it can be used.

mod base64;
mod browser;
mod play;

use crate::step::Done;
use crate::workspace::{Workspace, answers, run};
use anyhow::{Context, ensure};
use browser::Browser;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const AUDIT: &str = include_str!("../../page/audit.js");
const LAYOUT: &str = include_str!("../../page/layout.js");
const COUNTS: &str = include_str!("../../page/counts.js");
const USE: &str = include_str!("../../page/use.js");

/// Streams, and a word that is in each.
const STREAMS: [(&str, &str); 15] = [
    ("page/fix_the_parser", "parser"),
    ("agents/bgagent-2.1.325", "background"),
    ("agents/interrupt_subagents-2.1.325", "sleep"),
    ("control/perm_allow-2.1.325", "permission"),
    ("errors/budget-2.1.325", "turn"),
    ("turns/state_events-2.1.325", "hello"),
    ("view/markdown", "bold"),
    ("view/checklist", "done"),
    ("hostile/markup", "pwned"),
    ("hostile/summary", "evil"),
    ("agents/sub2-2.1.325", "echo"),
    ("agents/subnest_fwd-2.1.325", "agent"),
    ("errors/denied_noprompt-2.1.325", "touch"),
    ("errors/e529ever-2.1.112", "overloaded"),
    ("odd/control_characters", "a"),
];

/// How wide the window is and whether it is dark, by name.
const LOOKS: [(&str, u32, bool); 5] = [
    ("light", 1280, false),
    ("dark", 1280, true),
    ("large-phone", 430, false),
    ("phone-dark", 390, true),
    ("phone", 390, false),
];

/// How many lines of changes take more than one line.
const FOLDED: &str = "[...document.querySelectorAll('.diff .line')].filter((it) => {\
    const text = document.createRange();\
    text.selectNodeContents(it);\
    return text.getBoundingClientRect().height > 1.8 * parseFloat(getComputedStyle(it).lineHeight);\
}).length";

/// Opens whatever is closed.
const OPEN: &str = "document.querySelectorAll('details').forEach((it) => { it.open = true; })";

/// A page without our care: each of these must be noticed, or the rest of this proves nothing.
const CONTROL: &str = "<!doctype html><title>x</title><img src=x onerror=\"window.pwned=1\"><p style=\"color:red\">\
    <a href=\"javascript:void 0\">y</a><p style=\"width:9px;overflow-wrap:anywhere\">one by one\
    <p style=\"width:9999px\">far away<div class=diff><div style=\"width:90px\"><span class=sign>+ </span>\
    <span class=line>a line that is changed</span></div></div><p style=\"color:#999\">faint<table><tbody></tbody></table>\
    <script>console.log(1);alert(1)</script>";

pub(crate) fn check(workspace: &Workspace) -> anyhow::Result<Done> {
    let Some(chromium) = chromium()? else {
        return Ok(Done::Skipped(
            "there is no Chromium, and apt-get cannot install one: NO PAGE WAS TRIED".into(),
        ));
    };
    // As the step `test` has built it: by itself, the program's dependencies would be built again.
    run(&mut workspace.cargo(["test", "--workspace", "--no-run", "--locked"]))?;
    let folder = workspace.target.join("page");
    fs::create_dir_all(&folder)?;
    let mut browser = Browser::start(chromium, &folder.join("profile"))?;
    control(&mut browser, &folder)?;
    let (mut faults, mut folded) = (Vec::new(), 0);
    for (stream, word) in STREAMS {
        let file = workspace.root.join(format!("fixtures/{stream}.ndjson"));
        let found = try_page(workspace, &mut browser, &folder, &file, word)?;
        // It is as narrow as a phone now.
        folded += browser.evaluate(FOLDED)?.as_u64().unwrap_or_default();
        println!("{stream}: {}", if found.is_empty() { "as it should be" } else { "FAULTS" });
        faults.extend(found.into_iter().map(|fault| format!("{stream}: {fault}")));
    }
    faults.extend(play::check(workspace, &mut browser, &folder)?);
    ensure!(faults.is_empty(), "{} faults\n{}", faults.len(), faults.join("\n"));
    ensure!(folded > 0, "no line of a change was so long that it had to go on");
    println!("pictures of the pages are in {}", folder.display());
    Ok(Done::Passed)
}

/// The program, installed if that is possible.
fn chromium() -> anyhow::Result<Option<&'static str>> {
    const NAMES: [&str; 3] = ["chromium", "chromium-browser", "google-chrome"];
    let find = || NAMES.into_iter().find(|name| answers(Command::new(name).arg("--version")));
    if let Some(name) = find() {
        return Ok(Some(name));
    }
    if browser::is_root() && answers(Command::new("apt-get").arg("--version")) {
        let apt = |words: &[&str]| {
            run(Command::new("apt-get").args(words).env("DEBIAN_FRONTEND", "noninteractive"))
        };
        let installed = apt(&["update", "--quiet"])
            .and_then(|()| apt(&["install", "--quiet", "--yes", "--no-install-recommends", "chromium"]));
        if let Err(error) = installed {
            println!("apt-get did not install chromium: {error:#}");
        }
    }
    Ok(find())
}

/// A page that does what none may do is caught.
fn control(browser: &mut Browser, folder: &Path) -> anyhow::Result<()> {
    browser.look(390, false)?;
    let file = folder.join("control.html");
    fs::write(&file, CONTROL)?;
    let address = address(&file);
    browser.open(&address)?;
    let audit = browser.evaluate(AUDIT)?.to_string();
    let layout = browser.evaluate(LAYOUT)?.to_string();
    let misdeeds = browser.misdeeds(&address).join("\n");
    for (what, where_, sign) in [
        ("script that ran", &audit, "script of the stream ran"),
        ("a handler", &audit, "a handler"),
        ("a style", &audit, "a style"),
        ("a source", &audit, "a source"),
        ("an address", &audit, "an address"),
        ("a narrow column", &layout, "9 wide"),
        ("what is off the screen", &layout, "off the screen"),
        ("faint words", &layout, "contrast 2.8"),
        ("an empty table", &layout, "an empty table"),
        ("a change that goes on anywhere", &layout, "below its number"),
        ("a request", &misdeeds, "a request to"),
        ("a dialog", &misdeeds, "javascriptDialogOpening"),
        ("words on the console", &misdeeds, "consoleAPICalled"),
    ] {
        ensure!(where_.contains(sign), "this test does not notice {what}: {audit} {layout} {misdeeds}");
    }
    Ok(())
}

fn try_page(
    workspace: &Workspace,
    browser: &mut Browser,
    folder: &Path,
    stream: &Path,
    word: &str,
) -> anyhow::Result<Vec<String>> {
    let html = program(workspace, &["html"], stream)?;
    let name = stream.file_stem().context("a stream has a name")?.to_string_lossy().into_owned();
    let file = folder.join(format!("{name}.html"));
    fs::write(&file, &html)?;
    let address = address(&file);
    let mut faults = Vec::new();
    for (look, width, dark) in LOOKS {
        browser.look(width, dark)?;
        browser.open(&address)?;
        faults.extend(list(browser.evaluate(AUDIT)?, look));
        fs::write(folder.join(format!("{name}-{look}.png")), base64::decode(&browser.picture()?)?)?;
        faults.extend(list(browser.evaluate(LAYOUT)?, look));
        browser.evaluate(OPEN)?;
        faults.extend(list(browser.evaluate(LAYOUT)?, &format!("{look}, all open")));
        faults.extend(browser.misdeeds(&address));
    }
    browser.open(&address)?;
    let shown = browser.evaluate(COUNTS)?;
    for (kind, number) in events(workspace, stream)? {
        if shown.get(&kind).is_some_and(|shown| *shown != json!(number)) {
            faults.push(format!("{kind}: {} are shown, {number} were told", shown[&kind]));
        }
    }
    faults.extend(list(browser.evaluate(&format!("({})({})", USE.trim(), json!(word)))?, "in use"));
    faults.extend(list(browser.evaluate(AUDIT)?, "after use"));
    faults.extend(browser.misdeeds(&address));
    Ok(faults)
}

fn list(faults: Value, when: &str) -> Vec<String> {
    faults.as_array().into_iter().flatten().map(|fault| format!("{when}: {fault}")).collect()
}

/// How many events of each type the program tells.
fn events(workspace: &Workspace, stream: &Path) -> anyhow::Result<BTreeMap<String, u64>> {
    let mut numbers = ["tool_use", "thinking", "agent_start", "turn_start", "error", "unknown", "malformed"]
        .map(|kind| (kind.to_owned(), 0))
        .into_iter()
        .collect::<BTreeMap<_, _>>();
    for line in String::from_utf8(program(workspace, &["events"], stream)?)?.lines() {
        let event: Value = serde_json::from_str(line)?;
        *numbers.entry(event["type"].as_str().unwrap_or_default().to_owned()).or_default() += 1;
    }
    Ok(numbers)
}

fn program(workspace: &Workspace, command: &[&str], stream: &Path) -> anyhow::Result<Vec<u8>> {
    let program = workspace.target.join("debug").join(format!("unspool{}", std::env::consts::EXE_SUFFIX));
    let output = Command::new(&program).args(command).arg(stream).output();
    let output = output.with_context(|| format!("{} does not start", program.display()))?;
    ensure!(output.status.success(), "unspool {} {}: {}", command.join(" "), stream.display(), output.status);
    Ok(output.stdout)
}

fn address(file: &Path) -> String {
    let file: PathBuf = fs::canonicalize(file).unwrap_or_else(|_| file.to_owned());
    format!("file://{}", file.display())
}
