//! How fast streams become events, beside V, J and M on the same bytes.

use unspool_bench::input::{self, Input, Text};
use unspool_bench::measure::Speeds;
use unspool_bench::reader::{ALL, BORROWED, OWNED, Reader, SPLIT, VALID, VALUE, WRITTEN};
use unspool_bench::report::{Report, Table, Verdict};

/// How much is read in a pass.
const SIZE: usize = 32 << 20;
/// The longest line of a growing message.
const SNAPSHOT: usize = 1 << 20;
const HUGE: usize = 10_000_000;

/// A ratio that is wanted: so many times as fast as that reader.
struct Goal {
    reader: Reader,
    than: Reader,
    goal: Option<f64>,
    moonshot: Option<f64>,
}

fn main() -> anyhow::Result<()> {
    let folder = input::folder();
    let owned = |than, goal, moonshot| Goal { reader: OWNED, than, goal: Some(goal), moonshot };
    let mut report = Report::default();
    let mut figures = Vec::new();
    let mut speeds = |input: Input, goals: &[Goal]| {
        let speeds = measure(&input, goals, &mut report);
        figures.push(line(&input, &speeds));
        speeds.ensure_same(&[BORROWED, OWNED, WRITTEN])?;
        anyhow::Ok(speeds)
    };
    speeds(input::mixed(&folder)?.repeated(SIZE), &[owned(VALID, 1.0, Some(1.5)), owned(VALUE, 6.0, None)])?;
    speeds(input::deltas(&folder, SIZE)?, &[owned(VALID, 1.3, Some(2.5))])?;
    speeds(input::tools(SIZE), &[owned(VALID, 0.8, Some(1.5))])?;
    let snapshots = [
        Goal { reader: BORROWED, than: VALID, goal: Some(3.0), moonshot: None },
        Goal { reader: BORROWED, than: SPLIT, goal: None, moonshot: Some(0.2) },
    ];
    let long = speeds(input::snapshots(SNAPSHOT), &snapshots)?;
    let short = speeds(input::snapshots(SNAPSHOT / 4).repeated(SIZE), &[])?;
    let mut all = Input::new("huge", unspool::Grain::Blocks);
    for text in Text::ALL {
        let huge = input::huge(text, HUGE);
        all.push(huge.bytes());
        speeds(huge, &[])?;
    }
    speeds(all, &[owned(VALID, 0.5, Some(1.0))])?;
    linear(short.speed(&BORROWED) / long.speed(&BORROWED), &mut report);
    report.table(Table {
        title: "Megabytes per second of CPU time".to_owned(),
        head: ["input", "MB", "lines", "events"]
            .into_iter()
            .chain(ALL.map(|it| it.name))
            .map(str::to_owned)
            .collect(),
        rows: figures,
    });
    report.print()
}

/// A message that grows four times as long: each byte of its lines must not cost more for that.
fn linear(growth: f64, report: &mut Report) {
    report.row(
        "a byte of snapshots that grow to 1 MB, beside those that grow to 256 KB",
        format!("{growth:.2} times the CPU"),
        "1, at most 1.5: not quadratic",
        Some(Verdict::of(growth <= 1.5)),
    );
}

fn measure(input: &Input, goals: &[Goal], report: &mut Report) -> Speeds {
    let speeds = Speeds::of(input, &ALL);
    for goal in goals {
        let ratio = speeds.ratio(&goal.reader, &goal.than);
        let kind = goal.reader.name.trim_start_matches("unspool, ");
        let work = format!("{} → events, {kind}", input.name);
        let measured = format!("{ratio:.2} {}", goal.letter());
        report.row(&work, measured, &goal.words(), goal.verdict(ratio));
    }
    speeds
}

impl Goal {
    /// What the other reader is called in ratios.
    fn letter(&self) -> &str {
        &self.than.name[..1]
    }

    fn words(&self) -> String {
        let goal = self.goal.map(|goal| format!("{goal} {}", self.letter()));
        let moonshot = self.moonshot.map(|moonshot| format!("moonshot {moonshot} {}", self.letter()));
        goal.into_iter().chain(moonshot).collect::<Vec<_>>().join(", ")
    }

    fn verdict(&self, ratio: f64) -> Option<Verdict> {
        if self.moonshot.is_some_and(|moonshot| ratio >= moonshot) {
            return Some(Verdict::Moonshot);
        }
        self.goal.map(|goal| Verdict::of(ratio >= goal))
    }
}

fn line(input: &Input, speeds: &Speeds) -> Vec<String> {
    let megabytes = input.bytes().len() as f64 / 1e6;
    let mut line = vec![input.name.clone(), format!("{megabytes:.0}")];
    line.extend([SPLIT, OWNED].map(|it| speeds.count(&it).to_string()));
    line.extend(ALL.map(|it| format!("{:.0}", speeds.speed(&it))));
    line
}
