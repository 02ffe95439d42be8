//! A clock that is fair to all readers.
//!
//! All readers take their turns in every round, so a machine that is busy for a while slows all of them
//! alike. Time is CPU time of this thread. A ratio is taken within a round, and the median over the rounds
//! is what counts.

use crate::input::Input;
use crate::reader::Reader;
use anyhow::ensure;
use cpu_time::ThreadTime;
use std::hint::black_box;

/// Odd, so that there is one in the middle.
pub const ROUNDS: usize = 7;

/// CPU seconds of some pieces of work, round by round.
pub struct Times(Vec<Vec<f64>>);

impl Times {
    /// Does each piece of work once in every round, after one round that does not count.
    pub fn of(work: &mut [&mut dyn FnMut()]) -> Self {
        Times::in_rounds(ROUNDS, work)
    }

    /// The same, for work that is short and easily disturbed, in more rounds.
    pub fn in_rounds(rounds: usize, work: &mut [&mut dyn FnMut()]) -> Self {
        let mut times = vec![Vec::with_capacity(rounds); work.len()];
        work.iter_mut().for_each(|work| work());
        for _ in 0..rounds {
            for (work, times) in work.iter_mut().zip(&mut times) {
                let begun = ThreadTime::now();
                work();
                times.push(begun.elapsed().as_secs_f64());
            }
        }
        Times(times)
    }

    /// The CPU seconds of a piece of work.
    pub fn seconds(&self, work: usize) -> f64 {
        median(&self.0[work])
    }

    /// How many times as fast a piece of work is as another.
    pub fn faster(&self, work: usize, than: usize) -> f64 {
        self.dearer(than, &[work])
    }

    /// How many times as much CPU a piece of work takes as others together.
    pub fn dearer(&self, work: usize, than: &[usize]) -> f64 {
        let together = |round: usize| than.iter().map(|&other| self.0[other][round]).sum::<f64>();
        let ratios = self.0[work].iter().enumerate().map(|(round, time)| time / together(round));
        median(&ratios.collect::<Vec<_>>())
    }
}

/// How fast each reader reads an input.
pub struct Speeds {
    readers: Vec<Reader>,
    times: Times,
    bytes: usize,
    /// What each reader counted.
    counts: Vec<usize>,
}

impl Speeds {
    pub fn of(input: &Input, readers: &[Reader]) -> Self {
        let mut counts = vec![0; readers.len()];
        let mut work: Vec<_> = readers
            .iter()
            .zip(&mut counts)
            .map(|(reader, count)| move || *count = black_box((reader.read)(black_box(input))))
            .collect();
        let mut work: Vec<&mut dyn FnMut()> = work.iter_mut().map(|it| it as &mut dyn FnMut()).collect();
        let times = Times::of(&mut work);
        Speeds { readers: readers.to_vec(), times, bytes: input.bytes().len(), counts }
    }

    /// How many times as fast one reader is as another.
    pub fn ratio(&self, reader: &Reader, than: &Reader) -> f64 {
        self.times.faster(self.at(reader), self.at(than))
    }

    /// Megabytes per second.
    pub fn speed(&self, reader: &Reader) -> f64 {
        self.bytes as f64 / 1e6 / self.times.seconds(self.at(reader))
    }

    /// How many things a reader has read.
    pub fn count(&self, reader: &Reader) -> usize {
        self.counts[self.at(reader)]
    }

    /// Readers that differ only in what they do with an event must be told the same events.
    pub fn ensure_same(&self, readers: &[Reader]) -> anyhow::Result<()> {
        let counts: Vec<_> = readers.iter().map(|it| (it.name, self.count(it))).collect();
        ensure!(counts.iter().all(|it| it.1 == counts[0].1 && it.1 > 0), "not the same events: {counts:?}");
        Ok(())
    }

    fn at(&self, reader: &Reader) -> usize {
        let found = self.readers.iter().position(|it| it.name == reader.name);
        found.expect("only readers that were measured are asked for")
    }
}

/// The one in the middle.
pub fn median(values: &[f64]) -> f64 {
    let mut values = values.to_vec();
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
