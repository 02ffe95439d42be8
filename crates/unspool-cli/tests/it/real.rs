//! The program, the real Claude Code, and a scripted model: what the real program does is the last word.
//!
//! Ignored unless asked for, because it needs versions of Claude Code. `cargo xtask cli` installs some, and
//! UNSPOOL_CLI names them.

mod ccusage;
mod prices;

use crate::program::{Ran, ended, types};
use crate::terminal::Terminal;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::{env, fs, thread};

/// A version of Claude Code, a model for it, a fresh home and a fresh folder.
struct Stage {
    program: PathBuf,
    version: String,
    folder: PathBuf,
    home: PathBuf,
    model: Child,
    url: String,
}

/// Plays a script with each version that this is true of, all at once.
fn on(fits: impl Fn(&str) -> bool, script: &str, test: impl Fn(&Stage) + Sync) {
    let named = env::var_os("UNSPOOL_CLI").expect("UNSPOOL_CLI, with the programs to try");
    let stages: Vec<Stage> = (env::split_paths(&named))
        .filter(|program| fits(&version_of(program)))
        .map(|program| Stage::new(&program, script))
        .collect();
    assert!(!stages.is_empty(), "no version fits");
    thread::scope(|scope| {
        for stage in &stages {
            scope.spawn(|| test(stage));
        }
    });
}

fn all(_: &str) -> bool {
    true
}

/// Programs are installed in folders that are named after their version.
fn version_of(program: &Path) -> String {
    let mut names = program.components().filter_map(|part| part.as_os_str().to_str());
    let is_version =
        |name: &&str| name.split('.').count() == 3 && name.starts_with(|first: char| first.is_ascii_digit());
    names.rfind(is_version).unwrap_or("unknown").to_owned()
}

impl Stage {
    fn new(program: &Path, script: &str) -> Self {
        static NEXT: AtomicUsize = AtomicUsize::new(0);
        let name = format!("{}-{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
        let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join("real").join(name);
        let (home, folder) = (root.join("home"), root.join("work"));
        fs::create_dir_all(&home).unwrap();
        fs::create_dir_all(&folder).unwrap();
        let file = root.join("script.toml");
        fs::write(&file, script).unwrap();
        let mut model = Command::new(env!("CARGO_BIN_EXE_unspool"));
        let mut model = model.arg("fake-model").arg(file).stdout(Stdio::piped()).spawn().unwrap();
        let mut out = BufReader::new(model.stdout.take().unwrap());
        let mut url = String::new();
        out.read_line(&mut url).unwrap();
        assert!(url.starts_with("http://"), "the model did not start: {url}");
        // Somebody has to read the rest of it.
        thread::spawn(move || out.read_to_string(&mut String::new()));
        let (program, version) = (program.to_owned(), version_of(program));
        Stage { program, version, folder, home, model, url: url.trim().to_owned() }
    }

    /// Nothing of whoever runs this gets in, no login least of all.
    fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_unspool"));
        command.arg(args[0]).arg("--claude").arg(&self.program).args(&args[1..]).current_dir(&self.folder);
        self.clean(&mut command);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    /// Gives it an environment of its own.
    fn clean(&self, command: &mut Command) {
        command.env_clear().env("PATH", env::var_os("PATH").unwrap_or_default()).env("HOME", &self.home);
        command.env("ANTHROPIC_BASE_URL", &self.url).env("ANTHROPIC_API_KEY", "sk-ant-fake");
        // Without this Claude Code refuses to skip permissions where tests run as root.
        command.env("IS_SANDBOX", "1");
        for switch in ["CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "DISABLE_TELEMETRY", "DISABLE_AUTOUPDATER"]
        {
            command.env(switch, "1");
        }
    }

    fn start(&self, args: &[&str]) -> Child {
        self.command(args).spawn().unwrap()
    }

    fn run(&self, args: &[&str]) -> Ran {
        ended(self.start(args))
    }

    fn has(&self, file: &str) -> bool {
        self.folder.join(file).exists()
    }

    /// Whether the process with the id in a file is there and has not ended.
    fn lives(&self, file: &str) -> bool {
        let id = fs::read_to_string(self.folder.join(file)).unwrap();
        let status = fs::read_to_string(format!("/proc/{}/stat", id.trim())).unwrap_or_default();
        !status.is_empty() && !status.contains(") Z ")
    }
}

impl Drop for Stage {
    fn drop(&mut self) {
        self.model.kill().unwrap();
        self.model.wait().unwrap();
    }
}

const TWO_CALLS: &str = r#"
    [[turn]]
    say = "One."
    call.Bash.command = "mkdir one.dir"
    [[turn]]
    say = "Two."
    call.Bash.command = "mkdir two.dir"
    [[turn]]
    say = "Done."
"#;

#[test]
#[ignore = "needs versions of Claude Code: cargo xtask cli"]
fn a_denied_tool_does_not_run_and_an_allowed_one_does() {
    on(all, TWO_CALLS, |stage| {
        let ran = stage.run(&["run", "go", "--allow", "Bash(mkdir one*)", "--fail-on", "denied"]);
        assert_eq!(ran.code, Some(12), "{} {ran:?}", stage.version);
        assert_eq!(ran.out, "One.\nTwo.\nDone.\n", "{}", stage.version);
        let denied = "! denied: Bash mkdir two.dir: No rule allows this call of Bash.\ndenied: ";
        let told = format!("> Bash mkdir one.dir\n> Bash mkdir two.dir\n{denied}");
        assert!(ran.err.starts_with(&told), "{} {ran:?}", stage.version);
        assert!(stage.has("one.dir") && !stage.has("two.dir"), "{} {ran:?}", stage.version);
    });
}

#[test]
#[ignore = "needs versions of Claude Code: cargo xtask cli"]
fn what_is_denied_is_denied_whatever_allows_it() {
    on(all, TWO_CALLS, |stage| {
        let deny = ["run", "go", "--allow", "Bash", "--deny", "Bash(mkdir two*)", "--fail-on", "denied"];
        let ran = stage.run(&[&deny[..], &["--", "--dangerously-skip-permissions"]].concat());
        assert_eq!(ran.code, Some(12), "{} {ran:?}", stage.version);
        assert!(stage.has("one.dir") && !stage.has("two.dir"), "{} {ran:?}", stage.version);
    });
}

/// The line of a call says it, with the rule, and nothing is said of how it is held. The recording ends as the run did.
#[test]
#[ignore = "needs versions of Claude Code: cargo xtask cli"]
fn a_call_that_is_denied_is_told_once() {
    let calls = TWO_CALLS.replace("mkdir one.dir", "mkdir -p one.dir");
    on(all, &calls, |stage| {
        for rule in ["Bash(mkdir two*)", "Bash"] {
            let args = |format| {
                let run = [
                    "run",
                    "go",
                    "--deny",
                    rule,
                    "--fail-on",
                    "denied",
                    "--record",
                    "run.ndjson",
                    "--format",
                    format,
                ];
                [&run[..], &FREELY].concat()
            };
            let ran = stage.run(&args("text"));
            assert_eq!(ran.code, Some(12), "{} {ran:?}", stage.version);
            let denied: Vec<&str> = ran.err.lines().filter(|line| line.contains("mkdir two.dir: ")).collect();
            assert_eq!(denied.len(), 1, "{} {ran:?}", stage.version);
            assert!(denied[0].starts_with("! denied: Bash mkdir two.dir: "), "{} {ran:?}", stage.version);
            // A tool that was taken away is denied in Claude Code's own words.
            let by_rule = format!("This call of Bash is not allowed: it is blocked by the rule {rule}.");
            let taken_away = rule == "Bash" && stage.version.starts_with("2.1");
            assert!(denied[0].ends_with(&by_rule) || taken_away, "{} {ran:?}", stage.version);
            assert!(!ran.err.contains("hook"), "{} {ran:?}", stage.version);
            let mut check = Command::new(env!("CARGO_BIN_EXE_unspool"));
            check.args(["check", "run.ndjson", "--fail-on", "denied"]).current_dir(&stage.folder);
            assert_eq!(check.status().unwrap().code(), Some(12), "{} {rule}", stage.version);
            let ran = stage.run(&args("view"));
            let of_calls = ran.out.lines().filter(|line| line.starts_with("  ✗"));
            let of_calls: Vec<&str> = of_calls.map(|line| line.split(" · ").next().unwrap()).collect();
            let denied = if rule == "Bash" { 2 } else { 1 };
            assert_eq!(of_calls, vec!["  ✗ denied"; denied], "{} {ran:?}", stage.version);
            assert!(!ran.out.contains("hook"), "{} {ran:?}", stage.version);
        }
        assert!(!stage.has("two.dir"), "{}", stage.version);
    });
}

#[test]
#[ignore = "needs versions of Claude Code: cargo xtask cli"]
fn people_are_asked_at_the_terminal() {
    on(all, TWO_CALLS, |stage| {
        let mut terminal = Terminal::start(&stage.command(&["run", "go", "--ask", "--timeout", "100s"]));
        terminal.answers("Bash: mkdir one.dir", "n not that one");
        terminal.answers("Bash: mkdir two.dir", "e");
        terminal.answers("new command", "mkdir three.dir");
        terminal.answers("mkdir three.dir", "y");
        let (code, shown) = terminal.ended();
        assert_eq!(code, Some(0), "{} {shown}", stage.version);
        let there = ["one.dir", "two.dir", "three.dir"].map(|file| stage.has(file));
        assert_eq!(there, [false, false, true], "{} {shown}", stage.version);
    });
}

const CONSULTS: &str = r#"
    [[turn]]
    call.Bash.command = "mkdir -p one.dir"
    [[turn]]
    call.Bash.command = "mkdir -p one.dir"
    [[turn]]
    call.AskUserQuestion.questions = [{ question = "Which colour?", header = "Colour", multiSelect = false, options = [{ label = "Red", description = "like fire" }, { label = "Blue", description = "like water" }] }]
    [[turn]]
    say = "Done."
"#;

/// 1.0.128 has no such questions.
#[test]
#[ignore = "needs versions of Claude Code: cargo xtask cli"]
fn people_allow_for_good_and_answer_questions() {
    on(
        |version| !version.starts_with("1."),
        CONSULTS,
        |stage| {
            let mut terminal = Terminal::start(&stage.command(&["run", "go", "--ask", "--timeout", "60s"]));
            terminal.until("Bash: mkdir -p one.dir");
            terminal.answers("a always: allow ", "a");
            // Nothing is asked when it is called again.
            terminal.until("Which colour?");
            terminal.answers("2 Blue (like water)", "2");
            let (code, shown) = terminal.ended();
            assert_eq!(code, Some(0), "{} {shown}", stage.version);
            assert!(shown.contains("\"Which colour?\"=\"Blue\""), "{} {shown}", stage.version);
        },
    );
}

const PLANS: &str = r#"
    [[turn]]
    call.ExitPlanMode.plan = "1. Make one.dir"
    [[turn]]
    call.ExitPlanMode.plan = "1. Make two.dir"
    [[turn]]
    call.Bash.command = "mkdir two.dir"
    [[turn]]
    say = "Done."
"#;

#[test]
#[ignore = "needs versions of Claude Code: cargo xtask cli"]
fn people_send_plans_back_and_approve_them() {
    on(all, PLANS, |stage| {
        let args = ["run", "go", "--ask", "--timeout", "100s", "--", "--permission-mode", "plan"];
        let mut terminal = Terminal::start(&stage.command(&args));
        terminal.answers("? 1 ", "n make another one");
        terminal.answers("? 2 ", "y");
        terminal.answers("Bash: mkdir two.dir", "y");
        let (code, shown) = terminal.ended();
        assert_eq!(code, Some(0), "{} {shown}", stage.version);
        assert!(stage.has("two.dir"), "{} {shown}", stage.version);
    });
}

const HANGS: &str = r#"
    [[turn]]
    call.Bash = { command = "echo $$ > shell.txt; sleep 300 & echo $! > sleep.txt; wait", timeout = 600000 }
    [[turn]]
    say = "Done."
"#;

const FREELY: [&str; 2] = ["--", "--dangerously-skip-permissions"];

#[test]
#[ignore = "needs versions of Claude Code: cargo xtask cli"]
fn a_time_limit_ends_everything() {
    on(all, HANGS, |stage| {
        let ran = stage.run(&[&["run", "go", "--idle-timeout", "12s"][..], &FREELY].concat());
        assert_eq!(ran.code, Some(20), "{} {ran:?}", stage.version);
        assert!(ran.err.contains("hung: no line for 12 s; last: Bash `echo $$"), "{} {ran:?}", stage.version);
        assert!(!stage.lives("shell.txt") && !stage.lives("sleep.txt"), "{}", stage.version);
    });
}

/// Starts a run that hangs in a tool, and sends it a signal there; what it told.
fn signalled(stage: &Stage, signal: &str) -> (Ran, String) {
    let args = [&["run", "go", "--format", "events", "--timeout", "100s"][..], &FREELY].concat();
    let mut child = stage.start(&args);
    let mut out = BufReader::new(child.stdout.take().unwrap());
    let mut told = String::new();
    while !told.contains(r#""type":"tool_use""#) {
        assert!(out.read_line(&mut told).unwrap() > 0, "{} {told}", stage.version);
    }
    while !stage.has("sleep.txt") {
        thread::yield_now();
    }
    assert!(Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap().success());
    out.read_to_string(&mut told).unwrap();
    (ended(child), told)
}

#[test]
#[ignore = "needs versions of Claude Code: cargo xtask cli"]
fn ctrl_c_gives_an_interrupted_result() {
    on(all, HANGS, |stage| {
        let (ran, told) = signalled(stage, "-INT");
        assert_eq!(ran.code, Some(10), "{} {ran:?}", stage.version);
        assert!(ran.err.contains("failed: interrupted"), "{} {ran:?}", stage.version);
        assert!(types(&told).contains(&"turn_complete".to_owned()), "{} {told}", stage.version);
        assert!(!stage.lives("shell.txt") && !stage.lives("sleep.txt"), "{}", stage.version);
    });
}

#[test]
#[ignore = "needs versions of Claude Code: cargo xtask cli"]
fn sigterm_leaves_no_process() {
    on(all, HANGS, |stage| {
        let (ran, told) = signalled(stage, "-TERM");
        assert_eq!(ran.code, Some(10), "{} {ran:?}", stage.version);
        assert!(ran.err.contains("failed: interrupted: ended by SIGTERM"), "{} {ran:?}", stage.version);
        assert_eq!(types(&told).last().map(String::as_str), Some("finished"), "{}", stage.version);
        assert!(!stage.lives("shell.txt") && !stage.lives("sleep.txt"), "{}", stage.version);
    });
}

#[test]
#[ignore = "needs versions of Claude Code: cargo xtask cli"]
fn money_is_limited() {
    // 1.0.128 has no such flag.
    on(
        |version| !version.starts_with("1."),
        TWO_CALLS,
        |stage| {
            let ran = stage.run(&[&["run", "go", "--max-cost", "0.0001"][..], &FREELY].concat());
            assert_eq!(ran.code, Some(22), "{} {ran:?}", stage.version);
            assert!(!stage.has("two.dir"), "{} {ran:?}", stage.version);
        },
    );
}

#[test]
#[ignore = "needs versions of Claude Code: cargo xtask cli"]
fn round_trips_are_limited() {
    on(all, TWO_CALLS, |stage| {
        let ran = stage.run(&[&["run", "go", "--max-turns", "1"][..], &FREELY].concat());
        assert_eq!(ran.code, Some(10), "{} {ran:?}", stage.version);
        assert!(ran.err.contains("failed: max_turns") && !stage.has("two.dir"), "{} {ran:?}", stage.version);
    });
}

#[test]
#[ignore = "needs versions of Claude Code: cargo xtask cli"]
fn each_error_of_the_api_has_its_exit_code() {
    let statuses = [400, 401, 403, 404, 413, 429, 500, 529];
    let conversation = |status: u32| {
        format!(
            "[[conversation]]\nwhen.prompt = \"error {status}\"\nthen = \"repeat\"\n\
             turn = [{{ fail = {{ status = {status}, headers = {{ x-should-retry = \"false\" }} }} }}]\n"
        )
    };
    let script: String = statuses.into_iter().map(conversation).collect();
    on(all, &script, |stage| {
        let run = |status: u32| {
            let prompt = format!("error {status}");
            let mut command = stage.command(&["run", &prompt, "--timeout", "100s"]);
            // Some are tried again all the same.
            ended(command.env("CLAUDE_CODE_MAX_RETRIES", "0").spawn().unwrap())
        };
        // 1.0.128 gives nothing but words, and those do not say that it was the API.
        let code = |status| if status == 401 && stage.version.starts_with("1.") { 10 } else { 11 };
        let ran = statuses.map(|status| (status, run(status)));
        let wrong: Vec<_> = ran.iter().filter(|(status, ran)| ran.code != Some(code(*status))).collect();
        assert!(wrong.is_empty(), "{} {wrong:#?}", stage.version);
    });
}

#[test]
#[ignore = "needs versions of Claude Code: cargo xtask cli"]
fn an_unknown_flag_is_not_started() {
    on(all, "turn = [{ say = \"hello\" }]", |stage| {
        let ran = stage.run(&["run", "go", "--", "--no-such-flag"]);
        assert_eq!(ran.code, Some(30), "{} {ran:?}", stage.version);
        assert!(ran.err.contains("--no-such-flag"), "{} {ran:?}", stage.version);
    });
}

#[test]
#[ignore = "needs versions of Claude Code: cargo xtask cli"]
fn a_structured_answer_is_printed() {
    let script = r#"
        [[turn]]
        call.StructuredOutput.sum = 4
        [[turn]]
        say = "There it is."
    "#;
    on(
        |version| !version.starts_with("1."),
        script,
        |stage| {
            let schema = r#"{"type":"object","properties":{"sum":{"type":"integer"}},"required":["sum"]}"#;
            fs::write(stage.folder.join("schema.json"), schema).unwrap();
            let ran = stage.run(&["ask-json", "--schema", "schema.json", "add"]);
            assert_eq!((ran.code, &*ran.out), (Some(0), "{\"sum\":4}\n"), "{} {ran:?}", stage.version);
            let ran = stage.run(&["run", "add", "--json-schema", "schema.json", "--format", "json"]);
            let told: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
            assert_eq!(
                (ran.code, &told["structured"]["sum"]),
                (Some(0), &4.into()),
                "{} {ran:?}",
                stage.version
            );
        },
    );
}

#[test]
#[ignore = "needs versions of Claude Code: cargo xtask cli"]
fn words_in_place_of_a_structured_answer_are_a_failure() {
    let script = "then = \"repeat\"\nturn = [{ say = \"I would rather not.\" }]";
    // 2.0.77 asks for it again and again, for ever.
    on(
        |version| version.starts_with("2.1."),
        script,
        |stage| {
            fs::write(stage.folder.join("schema.json"), r#"{"type":"object","required":["sum"]}"#).unwrap();
            let ran = stage.run(&["run", "add", "--json-schema", "schema.json", "--timeout", "100s"]);
            assert_eq!(ran.code, Some(10), "{} {ran:?}", stage.version);
            assert!(ran.err.contains("structured_output"), "{} {ran:?}", stage.version);
        },
    );
}

#[test]
#[ignore = "needs versions of Claude Code: cargo xtask cli"]
fn the_doctor_knows_every_line() {
    on(all, "turn = [{ say = \"hello\" }]", |stage| {
        let ran = stage.run(&["doctor", "--json"]);
        assert_eq!(ran.code, Some(0), "{} {ran:?}", stage.version);
        let told: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
        assert_eq!(told["version"], *stage.version);
        assert_eq!(told["turn"]["unknown"], serde_json::json!({}), "{told}");
        for list in ["unknown_fields", "missing"] {
            assert_eq!(told["turn"][list], serde_json::json!([]), "{told}");
        }
    });
}

/// Reads the recording.
fn again(stage: &Stage, args: &[&str]) -> Ran {
    let mut program = Command::new(env!("CARGO_BIN_EXE_unspool"));
    program.args(args).arg("run.ndjson").current_dir(&stage.folder);
    ended(program.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap())
}

/// Records a run; what is told of the recording, and its verdict, must be what was told live.
fn recorded(stage: &Stage, args: &[&str]) -> Ran {
    let live = stage.run(&[&["run", "--format", "events", "--record", "run.ndjson"][..], args].concat());
    assert_eq!(again(stage, &["events"]).out, live.out, "{}", stage.version);
    let check = again(stage, &["check"]);
    assert_eq!(check.code, live.code, "{} {check:?} {live:?}", stage.version);
    live
}

#[test]
#[ignore = "needs versions of Claude Code: cargo xtask cli"]
fn a_recording_tells_what_was_told_live() {
    on(all, TWO_CALLS, |stage| {
        let live = recorded(stage, &["go and make them", "--allow", "Bash(mkdir one*)"]);
        assert_eq!(live.code, Some(0), "{} {live:?}", stage.version);
        assert!(live.out.contains(r#""prompt":"go and make them""#), "{} {live:?}", stage.version);
        assert!(live.out.contains(r#""type":"permission_resolved""#), "{} {live:?}", stage.version);
        let denied = again(stage, &["check", "--fail-on=denied"]);
        assert_eq!(denied.code, Some(12), "{} {denied:?}", stage.version);
        // Too much is spent in the middle of a turn.
        let live = recorded(stage, &["again", "--max-tokens", "5"]);
        assert_eq!(live.code, Some(22), "{} {live:?}", stage.version);
    });
}

/// 2.0.77 and 1.0.128 try again for minutes too, but say nothing of it.
#[test]
#[ignore = "needs versions of Claude Code: cargo xtask cli"]
fn a_refused_login_is_not_tried_again_for_minutes() {
    let refuses = "[[turn]]\nfail = 401\ntimes = 100\n";
    on(
        |version| version == "2.1.325",
        refuses,
        |stage| {
            let began = std::time::Instant::now();
            let live = recorded(stage, &["go"]);
            assert_eq!(live.code, Some(11), "{live:?}");
            assert!(live.err.contains("api_error: auth: the login is refused (401"), "{live:?}");
            let schema = r#"{"type":"object","properties":{"a":{"type":"integer"}}}"#;
            fs::write(stage.folder.join("schema.json"), schema).unwrap();
            let ran = stage.run(&["ask-json", "--schema", "schema.json", "go"]);
            assert_eq!(ran.code, Some(11), "{ran:?}");
            assert!(began.elapsed().as_secs() < 40, "{:?}", began.elapsed());
            let patient = recorded(stage, &["go", "--retry-login", "--timeout", "25s"]);
            assert_eq!(patient.code, Some(20), "{patient:?}");
            let retries = patient.out.matches(r#""type":"api_retry""#).count();
            assert!(retries > 1, "{patient:?}");
        },
    );
}

#[test]
#[ignore = "needs versions of Claude Code: cargo xtask cli"]
fn a_session_that_does_not_exist_is_no_interruption() {
    on(all, TWO_CALLS, |stage| {
        let live = recorded(stage, &["go", "--resume", "00000000-0000-4000-8000-000000000000"]);
        // Older versions say it on standard error alone.
        let (code, words) = match &*stage.version {
            "2.1.325" => (10, "failed: startup: No conversation found with session ID: 00000000-"),
            _ => (30, "not_started: "),
        };
        assert_eq!(live.code, Some(code), "{} {live:?}", stage.version);
        assert!(live.err.starts_with(words), "{} {live:?}", stage.version);
        assert!(live.err.contains("No conversation found"), "{} {live:?}", stage.version);
    });
}
