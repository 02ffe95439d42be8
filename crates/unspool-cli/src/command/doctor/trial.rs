//! A turn with a scripted model, to see what this Claude Code sends that we do not know.

use super::Finding;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use std::{env, fs, io};
use unspool::event::{Agent, Raw, What};
use unspool::json::Json;
use unspool::line::{DEFAULT_LIMIT, Splitter};
use unspool::wire::audit;
use unspool::{Event, Grain, Verdict};
use unspool_client::limits::Patience;
use unspool_client::program::Program;
use unspool_client::tap::Traffic;
use unspool_client::{Claude, Options};
use unspool_fake::{FakeModel, Script};

/// Words, a thought, a tool, a sub-agent that uses one too.
const SCRIPT: &str = r#"
    [[turn]]
    think = "I should look first."
    say = "I look."
    call.Bash.command = "echo hello-from-bash"

    [[turn]]
    say = "An agent looks, too."
    agent = { description = "Look around", prompt = "Look around in the kitchen" }

    [[turn]]
    say = "Done."

    [[conversation]]
    when.prompt = "kitchen"
    [[conversation.turn]]
    call.Bash.command = "echo hello-from-agent"
    [[conversation.turn]]
    say = "It is clean."
"#;

/// Such a turn takes seconds.
const LIMIT: Duration = Duration::from_secs(120);

/// What the turn came to.
#[derive(Default)]
pub(super) struct Trial {
    verdict: Option<Verdict>,
    reason: String,
    /// Kinds of lines and blocks that nobody has described, and how many there were.
    unknown: BTreeMap<String, u64>,
    /// Fields that nobody has described, by where they stand.
    fields: BTreeSet<String>,
    malformed: u64,
    /// What should have been told, and was not.
    missing: Vec<&'static str>,
    seen: Seen,
}

#[derive(Default)]
struct Seen {
    text: bool,
    thought: bool,
    tool: bool,
    agent: bool,
    agent_tool: bool,
}

/// Lets the program take the turn.
pub(super) async fn play(program: &Program) -> anyhow::Result<Trial> {
    let model = FakeModel::start(SCRIPT.parse::<Script>()?).await?;
    let home = Home::new()?;
    let patience = Patience::new().total(LIMIT);
    let fields = Arc::new(Mutex::new((Splitter::new(DEFAULT_LIMIT), BTreeSet::new())));
    let found = Arc::clone(&fields);
    let claude = Claude::new(options(program, &model, &home)).grain(Grain::Deltas).patience(patience).tap(
        move |traffic, _| {
            let (lines, fields) = &mut *found.lock().unwrap_or_else(PoisonError::into_inner);
            if let Traffic::Read(bytes) = traffic {
                lines.feed(bytes, |line| fields.extend(strangers(&line.text())));
            }
        },
    );
    let mut run = claude.run("Look around, please.").await?;
    let mut trial = Trial::default();
    while let Some(event) = run.next().await {
        trial.step(&event);
    }
    if let Some(ending) = run.ending().filter(|ending| ending.verdict != Verdict::Ok) {
        trial.reason = format!("{} ({}) {}", ending.reason, ending.exit, ending.stderr).trim_end().to_owned();
    }
    trial.missing = trial.seen.missing();
    trial.fields = std::mem::take(&mut fields.lock().unwrap_or_else(PoisonError::into_inner).1);
    Ok(trial)
}

/// Nothing of the user's gets in, and nothing gets out but to the model: no login, no settings, no proxy.
fn options(program: &Program, model: &FakeModel, home: &Home) -> Options {
    let options = Options::new()
        .program(program.path())
        .cwd(home.0.join("work"))
        .clear_env(true)
        .env("PATH", env::var_os("PATH").unwrap_or_default())
        .env("HOME", home.0.join("home"))
        .env("ANTHROPIC_BASE_URL", model.url())
        .env("ANTHROPIC_API_KEY", "sk-ant-fake")
        // Without it the program refuses to skip permissions where it runs as root.
        .env("IS_SANDBOX", "1")
        .skip_permissions(true);
    let switches = ["CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "DISABLE_TELEMETRY", "DISABLE_AUTOUPDATER"];
    switches.into_iter().fold(options, |options, switch| options.env(switch, "1"))
}

/// A home and a place to work in, which vanish.
struct Home(PathBuf);

impl Home {
    fn new() -> io::Result<Self> {
        // One of an earlier process with this number may be left, if that was killed.
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_nanos();
        let name = format!("unspool-doctor-{}-{now}", std::process::id());
        let home = Home(env::temp_dir().join(name));
        // Nobody else may have put something there.
        fs::create_dir(&home.0)?;
        fs::create_dir(home.0.join("home"))?;
        fs::create_dir(home.0.join("work"))?;
        Ok(home)
    }
}

impl Drop for Home {
    fn drop(&mut self) {
        // What cannot be removed is left to the system.
        let _ = fs::remove_dir_all(&self.0);
    }
}

impl Trial {
    fn step(&mut self, event: &Event<'_>) {
        let main = event.agent == Agent::Main;
        match &event.what {
            What::TextDelta { .. } => self.seen.text |= main,
            What::ThinkingDelta { .. } => self.seen.thought |= main,
            What::ToolResult { output, .. } if main => self.seen.tool |= output.contains("hello-from-bash"),
            What::ToolResult { output, .. } => self.seen.agent_tool |= output.contains("hello-from-agent"),
            What::AgentStart { .. } => self.seen.agent = true,
            What::Unknown { raw, .. } => {
                *self.unknown.entry(kind(raw.as_ref().map(Raw::json))).or_default() += 1
            }
            What::Block { kind, .. } => {
                let name = format!("block {}", kind.as_deref().unwrap_or("without a type"));
                *self.unknown.entry(name).or_default() += 1;
            }
            What::Finished { verdict, reason, malformed, .. } => {
                (self.verdict, self.reason) = (Some(*verdict), reason.to_string());
                self.malformed = *malformed;
            }
            _ => {}
        }
    }

    pub(super) fn findings(&self) -> Vec<Finding> {
        let mut findings = vec![match self.verdict {
            Some(Verdict::Ok) => {
                Finding::fine("turn", "words, a thought, a tool and a sub-agent, with a scripted model")
            }
            verdict => Finding::wrong(
                "turn",
                format!("{}: {}", verdict.map_or("lost", Verdict::as_str), self.reason),
            ),
        }];
        if self.verdict == Some(Verdict::Ok) && !self.missing.is_empty() {
            findings.push(Finding::wrong("turn", format!("not told: {}", self.missing.join(", "))));
        }
        if self.malformed > 0 {
            findings.push(Finding::wrong("turn", format!("{} lines were not JSON", self.malformed)));
        }
        if !self.unknown.is_empty() {
            let kinds: Vec<String> =
                self.unknown.iter().map(|(kind, count)| format!("{kind} ({count})")).collect();
            let words = format!("this build does not know, and hands on as it is: {}", kinds.join(", "));
            findings.push(Finding::note("turn", words));
        }
        if !self.fields.is_empty() {
            let fields: Vec<&str> = self.fields.iter().map(String::as_str).collect();
            let words = format!("fields that this build does not know, and hands on: {}", fields.join(", "));
            findings.push(Finding::note("turn", words));
        }
        findings
    }

    pub(super) fn json(&self) -> Value {
        json!({
            "verdict": self.verdict.map(Verdict::as_str),
            "reason": self.reason,
            "unknown": self.unknown,
            "unknown_fields": self.fields,
            "malformed": self.malformed,
            "missing": self.missing,
        })
    }
}

impl Seen {
    fn missing(&self) -> Vec<&'static str> {
        let wanted = [
            (self.text, "words"),
            (self.thought, "a thought"),
            (self.tool, "a tool's answer"),
            (self.agent, "a sub-agent"),
            (self.agent_tool, "the answer of its tool"),
        ];
        wanted.into_iter().filter(|(seen, _)| !seen).map(|(_, what)| what).collect()
    }
}

/// What nobody knows in a line whose type is known; the others are counted as a whole.
fn strangers(line: &str) -> Vec<String> {
    let kind = kind(Json::new(line).ok());
    // A path is `$(type)(subtype).field`; without a field it is the line itself.
    let fields =
        audit(line).into_iter().filter_map(|path| path.split_once(").").map(|(_, field)| field.to_owned()));
    fields.map(|field| format!("{kind} {field}")).collect()
}

/// `type` or `type/subtype`.
fn kind(line: Option<Json<'_>>) -> String {
    let text = |name: &str| line?.get(name).and_then(Json::as_str).map(|word| word.to_string());
    match (text("type"), text("subtype")) {
        (Some(kind), Some(subtype)) => format!("{kind}/{subtype}"),
        (Some(kind), None) => kind,
        (None, _) => "a line without a type".to_owned(),
    }
}
