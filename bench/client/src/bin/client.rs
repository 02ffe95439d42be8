//! Our client beside the official ones, on the same scripted model and the same Claude Code.
//!
//! `client CLI SDK PYTHON`: Claude Code, the entry of the npm package, and a Python that has the PyPI package.

use anyhow::{Context, ensure};
use serde::Deserialize;
use std::env;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;
use tokio::process::Command;
use unspool_bench::measure::median;
use unspool_bench::report::{Report, Table, Verdict};
use unspool_client_bench::stage::Stage;

/// So many runs of each, in turns.
const ROUNDS: usize = 15;
/// Of a session whose turns are measured.
const TURNS: u32 = 20;
const IDLE: [u32; 3] = [1, 20, 100];
const DELTAS: usize = 100_000;

/// A host that takes longer hangs.
const LIMIT: Duration = Duration::from_secs(300);

/// What is compared, in the order of the columns.
const HOSTS: [&str; 4] = ["raw pipe", "unspool-client", "npm SDK", "PyPI SDK"];
const RAW: usize = 0;
const OURS: usize = 1;
const OFFICIAL: [usize; 2] = [2, 3];

/// What a host says of itself; milliseconds and megabytes.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Told {
    first: f64,
    end: f64,
    events: usize,
    turns: Vec<f64>,
    cpu_per_turn: f64,
    memory: f64,
    cpu: f64,
}

/// The hosts and where they play.
struct Hosts {
    commands: Vec<Vec<PathBuf>>,
    cli: PathBuf,
    stage: Stage,
}

impl Hosts {
    async fn tell(&self, host: usize, work: &str, count: u32) -> anyhow::Result<Told> {
        let mut words = self.commands[host].iter();
        let mut command = Command::new(words.next().context("no program")?);
        command.args(words).args([work, &count.to_string()]).current_dir(self.stage.file("work"));
        command.env_clear().envs(self.stage.env()).env("BENCH_CLI", &self.cli);
        command.stdin(Stdio::null()).stderr(Stdio::inherit()).kill_on_drop(true);
        let output = tokio::time::timeout(LIMIT, command.output()).await;
        let output = output.with_context(|| format!("{} {work} hangs", HOSTS[host]))??;
        ensure!(output.status.success(), "{} {work}: {}", HOSTS[host], output.status);
        serde_json::from_slice(&output.stdout).with_context(|| format!("{} {work}", HOSTS[host]))
    }

    /// Every host in turns, so that what disturbs one disturbs all.
    async fn rounds(&self, rounds: usize, work: &str, count: u32) -> anyhow::Result<Vec<Vec<Told>>> {
        let mut told: Vec<Vec<Told>> = HOSTS.iter().map(|_| Vec::new()).collect();
        for round in 0..rounds {
            for (host, told) in told.iter_mut().enumerate() {
                told.push(self.tell(host, work, count).await?);
            }
            eprintln!("{work} {count}: round {} of {rounds}", round + 1);
        }
        Ok(told)
    }
}

/// One figure of every host.
struct Figures {
    work: String,
    unit: &'static str,
    values: Vec<f64>,
}

impl Figures {
    fn of(work: &str, unit: &'static str, told: &[Vec<Told>], figure: impl Fn(&Told) -> f64) -> Self {
        let values = told.iter().map(|told| median(&told.iter().map(&figure).collect::<Vec<_>>())).collect();
        Figures { work: work.to_owned(), unit, values }
    }

    /// Ahead means ahead of both.
    fn report(&self, report: &mut Report) {
        let best = OFFICIAL.map(|host| self.values[host]).into_iter().fold(f64::INFINITY, f64::min);
        let ratio = self.values[OURS] / best;
        let measured = format!(
            "{:.1} {}, {ratio:.2} times the better official client's {best:.1} {}",
            self.values[OURS], self.unit, self.unit
        );
        report.row(&self.work, measured, "less than both", Some(Verdict::of(ratio < 1.0)));
    }

    fn row(&self) -> Vec<String> {
        let values = self.values.iter().map(|value| format!("{value:.1}"));
        [format!("{}, {}", self.work, self.unit)].into_iter().chain(values).collect()
    }
}

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let args: Vec<PathBuf> = env::args_os().skip(1).map(PathBuf::from).collect();
    let [cli, sdk, python] = args.as_slice() else { anyhow::bail!("client CLI SDK PYTHON") };
    let host = env::current_exe()?.with_file_name("host");
    let scripts = Path::new(env!("CARGO_MANIFEST_DIR")).join("sdk");
    let hosts = Hosts {
        commands: vec![
            vec![host.clone(), "raw".into()],
            vec![host, "client".into()],
            vec!["node".into(), scripts.join("host.mjs"), sdk.clone()],
            vec![python.clone(), scripts.join("host.py")],
        ],
        cli: cli.clone(),
        stage: Stage::new("client", &script()).await?,
    };
    measure(&hosts).await
}

/// The same answer as often as it is asked for, and one that comes in very small pieces.
fn script() -> String {
    let long = "word ".repeat(DELTAS);
    format!(
        "then = 'repeat'\nturn = [{{ say = 'Hello!' }}]\n[[conversation]]\nwhen.prompt = 'deltas'\n\
         turn = [{{ say = '{long}', chunk = 5 }}]\n"
    )
}

async fn measure(hosts: &Hosts) -> anyhow::Result<()> {
    let hello = hosts.rounds(ROUNDS, "hello", 1).await?;
    let turns = hosts.rounds(9, "turns", TURNS).await?;
    let deltas = hosts.rounds(3, "deltas", 1).await?;
    for (name, told) in HOSTS.iter().zip(&deltas) {
        ensure!(told.iter().all(|told| told.events >= DELTAS), "{name} does not tell all deltas");
    }
    let mut all = vec![
        Figures::of("from the call to the first event", "ms", &hello, |told| told.first),
        Figures::of("from the call to the end of a hello turn", "ms", &hello, |told| told.end),
        Figures::of("CPU of the host for a hello turn, its start included", "ms", &hello, |told| told.cpu),
        Figures::of("a turn of a running session", "ms", &turns, |told| median(&told.turns)),
        Figures::of("CPU of the host for a turn of a running session", "ms", &turns, |told| {
            told.cpu_per_turn
        }),
        Figures::of("CPU of the host for 100,000 deltas", "ms", &deltas, |told| told.cpu),
    ];
    for count in IDLE {
        let idle = hosts.rounds(1, "idle", count).await?;
        let work = format!("memory of a host with {count} idle session{}", if count == 1 { "" } else { "s" });
        all.push(Figures::of(&work, "MB", &idle, |told| told.memory));
    }
    let mut report = Report::default();
    all.iter().for_each(|figures| figures.report(&mut report));
    let overhead = all[3].values[OURS] - all[3].values[RAW];
    report.note("a turn of a running session, above that of a raw pipe", format!("{overhead:+.1} ms"));
    report.table(Table {
        title: "Clients, beside a raw pipe to the same Claude Code and the same scripted model".to_owned(),
        head: [""].iter().chain(&HOSTS).map(|name| (*name).to_owned()).collect(),
        rows: all.iter().map(Figures::row).collect(),
    });
    report.print()
}
