//! What is done to the processes of a session.

use crate::processes::{marked, signal};
use rustix::process::Signal;
use std::time::Duration;
use tokio::time::sleep;

/// A thing that goes wrong with processes.
#[derive(Clone, Copy, Debug)]
pub enum Harm {
    None,
    /// One of them is killed, whichever it is.
    Kill,
    /// All of them are killed.
    KillAll,
    /// One of them is asked to end.
    Terminate,
    /// One of them stops for good.
    Stop,
    /// All of them run for a tenth of the time.
    Starve,
}

const ALL: [Harm; 6] = [Harm::None, Harm::Kill, Harm::KillAll, Harm::Terminate, Harm::Stop, Harm::Starve];

impl Harm {
    pub fn any(random: &mut fastrand::Rng) -> Self {
        ALL[random.usize(..ALL.len())]
    }

    /// Waits for a moment and does it to the processes with this mark.
    pub async fn befall(self, variable: &str, mark: &str, mut random: fastrand::Rng) {
        sleep(Duration::from_millis(random.u64(..6000))).await;
        let all = marked(variable, mark);
        if all.is_empty() {
            return;
        }
        let one = all[random.usize(..all.len())];
        match self {
            Harm::None => {}
            Harm::Kill => signal(one, Signal::KILL),
            Harm::KillAll => all.iter().for_each(|pid| signal(*pid, Signal::KILL)),
            Harm::Terminate => signal(one, Signal::TERM),
            Harm::Stop => signal(one, Signal::STOP),
            Harm::Starve => {
                for _ in 0..50 {
                    let all = marked(variable, mark);
                    all.iter().for_each(|pid| signal(*pid, Signal::STOP));
                    sleep(Duration::from_millis(90)).await;
                    all.iter().for_each(|pid| signal(*pid, Signal::CONT));
                    sleep(Duration::from_millis(10)).await;
                }
            }
        }
    }
}
