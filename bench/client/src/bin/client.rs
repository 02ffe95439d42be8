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
use unspool_bench::report::{Report, Table};
use unspool_client_bench::spread::Spread;
use unspool_client_bench::stage::Stage;

/// So many runs of each, in turns: one turn each, and sessions of some.
const ROUNDS: usize = 41;
const SESSIONS: usize = 15;
/// Of a session whose turns are measured: with Claude Code, and with what answers at once.
const TURNS: u32 = 20;
const QUICK_TURNS: u32 = 200;
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
    result: f64,
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
    /// What answers at once.
    stand_in: PathBuf,
    stage: Stage,
}

impl Hosts {
    async fn tell(&self, host: usize, cli: &Path, work: &str, count: u32) -> anyhow::Result<Told> {
        let mut words = self.commands[host].iter();
        let mut command = Command::new(words.next().context("no program")?);
        command.args(words).args([work, &count.to_string()]).current_dir(self.stage.file("work"));
        command.env_clear().envs(self.stage.env()).env("BENCH_CLI", cli);
        command.stdin(Stdio::null()).stderr(Stdio::inherit()).kill_on_drop(true);
        let output = tokio::time::timeout(LIMIT, command.output()).await;
        let output = output.with_context(|| format!("{} {work} hangs", HOSTS[host]))??;
        ensure!(output.status.success(), "{} {work}: {}", HOSTS[host], output.status);
        serde_json::from_slice(&output.stdout).with_context(|| format!("{} {work}", HOSTS[host]))
    }

    /// Every host in turns, so that what disturbs one disturbs all; another one begins each time.
    async fn rounds(&self, rounds: usize, cli: &Path, work: &str, count: u32) -> anyhow::Result<Vec<Round>> {
        let mut all = Vec::new();
        for round in 0..rounds {
            let mut told = Round::default();
            for host in (0..HOSTS.len()).map(|host| (host + round) % HOSTS.len()) {
                told[host] = self.tell(host, cli, work, count).await?;
            }
            all.push(told);
            eprintln!("{work} {count}: round {} of {rounds}", round + 1);
        }
        Ok(all)
    }
}

/// What every host told in one round.
type Round = [Told; HOSTS.len()];

/// One figure of every host, round by round.
struct Figures {
    work: String,
    unit: &'static str,
    rounds: Vec<[f64; HOSTS.len()]>,
}

impl Figures {
    fn of(work: &str, unit: &'static str, rounds: &[Round], figure: impl Fn(&Told) -> f64) -> Self {
        let rounds = rounds.iter().map(|round| round.each_ref().map(&figure)).collect();
        Figures { work: work.to_owned(), unit, rounds }
    }

    fn value(&self, host: usize) -> f64 {
        median(&self.rounds.iter().map(|round| round[host]).collect::<Vec<_>>())
    }

    /// Ahead means ahead of both, and of each by more than noise.
    fn report(&self, report: &mut Report) {
        let beside = |host: usize| Spread::of(self.rounds.iter().map(|round| round[OURS] / round[host]));
        let [one, other] = OFFICIAL.map(|host| (host, beside(host)));
        let (host, spread) = if one.1.middle > other.1.middle { one } else { other };
        let measured = format!(
            "{} {}, {spread} times the {}'s {}",
            figure(self.value(OURS)),
            self.unit,
            HOSTS[host],
            figure(self.value(host))
        );
        report.row(&self.work, measured, "less than both", Some(spread.verdict()));
    }

    fn row(&self) -> Vec<String> {
        let values = (0..HOSTS.len()).map(|host| figure(self.value(host)));
        [format!("{}, {}", self.work, self.unit)].into_iter().chain(values).collect()
    }
}

/// As many digits as mean something.
fn figure(value: f64) -> String {
    if value < 1.0 { format!("{value:.3}") } else { format!("{value:.1}") }
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
        stand_in: env::current_exe()?.with_file_name("stand_in"),
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
    let cli = hosts.cli.as_path();
    let hello = hosts.rounds(ROUNDS, cli, "hello", 1).await?;
    let at_once = hosts.rounds(SESSIONS, &hosts.stand_in, "hello", 1).await?;
    let turns = hosts.rounds(SESSIONS, cli, "turns", TURNS).await?;
    let quick = hosts.rounds(SESSIONS, &hosts.stand_in, "turns", QUICK_TURNS).await?;
    let deltas = hosts.rounds(5, cli, "deltas", 1).await?;
    for round in &deltas {
        for (name, told) in HOSTS.iter().zip(round) {
            ensure!(told.events >= DELTAS, "{name} does not tell all deltas");
        }
    }
    let of_turns = |told: &Told| median(&told.turns);
    let mut all = vec![
        Figures::of("from the call to the first event", "ms", &hello, |told| told.first),
        Figures::of("the same with a program that answers at once", "ms", &at_once, |told| told.first),
        Figures::of("from the call to the result of a hello turn", "ms", &hello, |told| told.result),
        Figures::of("from the call to the end of it all", "ms", &hello, |told| told.end),
        Figures::of("CPU of the host for a hello turn, its start included", "ms", &hello, |told| told.cpu),
        Figures::of("a turn of a running session", "ms", &turns, of_turns),
        Figures::of("CPU of the host for a turn of a running session", "ms", &turns, |told| {
            told.cpu_per_turn
        }),
        Figures::of("a turn with a program that answers at once", "ms", &quick, of_turns),
        Figures::of("CPU of the host for 100,000 deltas", "ms", &deltas, |told| told.cpu),
    ];
    for count in IDLE {
        let idle = hosts.rounds(1, cli, "idle", count).await?;
        let work = format!("memory of a host with {count} idle session{}", if count == 1 { "" } else { "s" });
        all.push(Figures::of(&work, "MB", &idle, |told| told.memory));
    }
    let mut report = Report::default();
    all.iter().for_each(|figures| figures.report(&mut report));
    let above = Figures::of("", "ms", &quick, of_turns);
    let above = median(&above.rounds.iter().map(|round| round[OURS] - round[RAW]).collect::<Vec<_>>());
    report.note("the same, above a raw pipe to it", format!("{above:+.3} ms"));
    report.table(Table {
        title: "Clients, beside a raw pipe to the same Claude Code and the same scripted model".to_owned(),
        head: [""].iter().chain(&HOSTS).map(|name| (*name).to_owned()).collect(),
        rows: all.iter().map(Figures::row).collect(),
    });
    report.print()
}
