//! How fast streams become events, beside V, J and M on the same bytes.

use std::hint::black_box;
use unspool::Grain;
use unspool_bench::input::{self, Input, Text};
use unspool_bench::measure::{Speeds, Times};
use unspool_bench::reader::{ALL, BORROWED, CAREFUL, OWNED, Reader, SPLIT, VALID, VALUE, WRITTEN};
use unspool_bench::report::{Report, Table, Verdict};

/// How much is read in a pass.
const SIZE: usize = 32 << 20;
/// The longest line of a growing message.
const SNAPSHOT: usize = 1 << 20;
const HUGE: usize = 10_000_000;

fn main() -> anyhow::Result<()> {
    let folder = input::folder();
    let mut all = Measured::default();
    let mixed = [Goal::new(VALID, 1.0, Some(1.5)), Goal::new(VALUE, 6.0, None)];
    let mixed = all.add(input::mixed(&folder)?.repeated(SIZE), &mixed)?;
    all.short_cuts(&mixed);
    all.add(input::deltas(&folder, SIZE)?, &[Goal::new(VALID, 1.3, Some(2.5))])?;
    all.add(input::tools(SIZE), &[Goal::new(VALID, 0.8, Some(1.5))])?;
    all.add(input::snapshots(SNAPSHOT), &[])?;
    all.linear();
    let mut huge = Input::new("huge", Grain::Blocks);
    for text in Text::ALL {
        let one = input::huge(text, HUGE);
        huge.push(one.bytes());
        all.add(one, &[])?;
    }
    all.add(huge, &[Goal::new(VALID, 0.5, Some(1.0))])?;
    all.print()
}

/// What was found so far.
#[derive(Default)]
struct Measured {
    report: Report,
    figures: Vec<Vec<String>>,
}

impl Measured {
    /// Measures all readers on an input, and holds them against goals.
    fn add(&mut self, input: Input, goals: &[Goal]) -> anyhow::Result<Speeds> {
        let speeds = Speeds::of(&input, &ALL);
        speeds.ensure_same(&[BORROWED, OWNED, WRITTEN, CAREFUL])?;
        for goal in goals {
            let ratio = speeds.ratio(&OWNED, &goal.than);
            let work = format!("{} → events, owned text", input.name);
            let measured = format!("{ratio:.2} {}", goal.letter());
            self.report.row(&work, measured, &goal.words(), Some(goal.verdict(ratio)));
        }
        let megabytes = input.bytes().len() as f64 / 1e6;
        let mut line = vec![input.name.clone(), format!("{megabytes:.0}")];
        line.extend([SPLIT, OWNED].map(|it| speeds.count(&it).to_string()));
        line.extend(ALL.map(|it| format!("{:.0}", speeds.speed(&it))));
        self.figures.push(line);
        Ok(speeds)
    }

    /// What short cuts buy on recorded sessions.
    fn short_cuts(&mut self, mixed: &Speeds) {
        let faster = mixed.ratio(&OWNED, &CAREFUL);
        self.report.row(
            "mixed → events, owned text, beside the careful reading",
            format!("{faster:.2} times as fast"),
            "at least 1.5, or short cuts are not worth their code",
            Some(Verdict::of(faster >= 1.5)),
        );
    }

    /// A message that grows four times as long: each byte of its lines must not cost more for that.
    fn linear(&mut self) {
        let (long, short) = (input::snapshots(SNAPSHOT), input::snapshots(SNAPSHOT / 4).repeated(SIZE));
        let read = |input| {
            black_box((BORROWED.read)(input));
        };
        let times = Times::of(&mut [&mut || read(&long), &mut || read(&short)]);
        let growth = times.dearer(0, &[1]) * short.bytes().len() as f64 / long.bytes().len() as f64;
        self.report.row(
            "a byte of snapshots to 1 MB, beside a byte of those to 256 KB",
            format!("{growth:.2} times the CPU"),
            "1, at most 1.5: not quadratic",
            Some(Verdict::of(growth <= 1.5)),
        );
    }

    fn print(mut self) -> anyhow::Result<()> {
        let head = ["input", "MB", "lines", "events"].into_iter().chain(ALL.map(|it| it.name));
        self.report.table(Table {
            title: "Megabytes per second of CPU time".to_owned(),
            head: head.map(str::to_owned).collect(),
            rows: self.figures,
        });
        self.report.print()
    }
}

/// A ratio that is wanted of events whose words are kept, as most of them are: so many times as fast as that reader.
struct Goal {
    than: Reader,
    goal: f64,
    moonshot: Option<f64>,
}

impl Goal {
    fn new(than: Reader, goal: f64, moonshot: Option<f64>) -> Self {
        Goal { than, goal, moonshot }
    }

    /// What the other reader is called in ratios.
    fn letter(&self) -> &str {
        &self.than.name[..1]
    }

    fn words(&self) -> String {
        let goal = format!("{:.1} {}", self.goal, self.letter());
        let moonshot = self.moonshot.map(|moonshot| format!("moonshot {moonshot:.1} {}", self.letter()));
        [goal].into_iter().chain(moonshot).collect::<Vec<_>>().join(", ")
    }

    fn verdict(&self, ratio: f64) -> Verdict {
        match self.moonshot {
            Some(moonshot) if ratio >= moonshot => Verdict::Moonshot,
            _ => Verdict::of(ratio >= self.goal),
        }
    }
}
