//! One session, from its start to its end.

use super::harm::Harm;
use super::host::Host;
use super::story::Story;
use crate::processes::{marked, name, named_in};
use crate::stage::Stage;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use tokio::time::{sleep, timeout};
use unspool_client::lasting::Retry;
use unspool_client::limits::Patience;
use unspool_client::{Claude, Lasting};

/// By which the processes of a session are known.
const MARK: &str = "UNSPOOL_CHAOS";

/// No session may take longer: its own limits end it before.
const LONGEST: Duration = Duration::from_secs(240);

/// How long processes may take to vanish after their session was dropped: it is interrupted, its input is closed, it is
/// told to end, each with a limit of five seconds, and killed.
const SWEEP: Duration = Duration::from_secs(20);

const SCRIPT: &str = r#"
    then = "repeat"
    [[turn]]
    say = "There is nothing to do."

    [[conversation]]
    when.prompt = "count"
    [[conversation.turn]]
    think = "This will take a while."
    say = "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen"
    chunk = 4
    pace = 0.05

    [[conversation]]
    when.prompt = "work"
    [[conversation.turn]]
    say = "I begin."
    call.Bash.command = "sleep 600 > /dev/null 2>&1 & sleep 1; echo begun"
    [[conversation.turn]]
    say = "And now out of sight."
    call.Bash.command = "setsid sleep 600 > /dev/null 2>&1 & (env -i setsid sh -c 'echo $$ >> daemons.txt; exec sleep 600' > /dev/null 2>&1 &); sleep 1; seq 2000"
    [[conversation.turn]]
    say = "Done."

    [[conversation]]
    when.prompt = "delegate"
    [[conversation.turn]]
    agent.prompt = "Look around in the kitchen"
    agent.description = "Look around"
    [[conversation.turn]]
    say = "It is clean."

    [[conversation]]
    when.prompt = "kitchen"
    [[conversation.turn]]
    call.Bash.command = "sleep 2; echo clean"
    [[conversation.turn]]
    say = "Clean."
"#;

const PROMPTS: [&str; 4] = ["count", "work", "delegate", "nothing"];

/// What is to be done.
#[derive(Clone, Copy, Debug)]
enum Plan {
    /// One run to its end.
    Run,
    /// Three turns in one process.
    Talk,
    /// A session that is dropped in the middle.
    Drop,
    /// Turns that are interrupted.
    Interrupt,
    /// A session that goes on in another process when one dies.
    Last,
    /// A run in a host of its own, which is killed.
    Host,
}

const PLANS: [Plan; 7] =
    [Plan::Run, Plan::Talk, Plan::Drop, Plan::Interrupt, Plan::Last, Plan::Host, Plan::Host];

/// A session that is about to be lived.
pub struct Life {
    pub id: String,
    plan: Plan,
    harm: Harm,
    /// How long is waited between two events.
    slow: Option<Duration>,
    random: fastrand::Rng,
}

/// How it went.
pub struct Outcome {
    /// What was done, what befell it, and how it ended.
    pub told: String,
    /// What must not be.
    pub faults: Vec<String>,
}

impl Life {
    pub fn new(id: String, mut random: fastrand::Rng) -> Self {
        let plan = PLANS[random.usize(..PLANS.len())];
        let harm = Harm::any(&mut random);
        let slow = (random.u8(..4) == 0).then(|| Duration::from_millis(random.u64(50..500)));
        Life { id, plan, harm, slow, random }
    }

    /// Lives it, with Claude Code at `cli`, behind the program that copies.
    pub async fn live(mut self, cli: &Path, copying: &Path) -> anyhow::Result<Outcome> {
        let stage = Stage::new(&self.id, SCRIPT).await?;
        let copy = stage.file("copy.ndjson");
        let options =
            stage.options(copying).env("CHAOS_CLI", cli).env("CHAOS_COPY", &copy).env(MARK, &self.id);
        let [short, moment] = [20, 5].map(Duration::from_secs);
        let patience = Patience::new().silence(short).background(short).interrupt(moment).exit(moment);
        let patience = patience.total(Duration::from_secs(120));
        let host = Host::new(&options, copying)?;
        let claude = Claude::new(options).patience(patience);
        let harm = tokio::spawn({
            let (harm, id, random) = (self.harm, self.id.clone(), self.random.fork());
            async move { harm.befall(MARK, &id, random).await }
        });
        let begun = Instant::now();
        let lived = timeout(LONGEST, self.follow(&claude, host, copy)).await;
        harm.abort();
        let seconds = begun.elapsed().as_secs_f32();
        let (end, mut faults) = match lived {
            Ok((end, fault)) => (end, Vec::from_iter(fault)),
            Err(_) => ("hung".to_owned(), vec!["hangs".to_owned()]),
        };
        faults.extend(self.orphans(&stage.file("work/daemons.txt")).await);
        let slow = if self.slow.is_some() { ", read slowly" } else { "" };
        Ok(Outcome { told: format!("{:?} {:?}{slow}: {end} ({seconds:.1} s)", self.plan, self.harm), faults })
    }

    /// How it ended, and what was wrong with it.
    async fn follow(&mut self, claude: &Claude, host: Host, copy: PathBuf) -> (String, Option<String>) {
        let prompt = PROMPTS[self.random.usize(..PROMPTS.len())];
        let mut story = Story::default();
        let end = match self.plan {
            Plan::Run => match claude.run(prompt).await {
                Ok(mut run) => {
                    while let Some(event) = run.next().await {
                        story.add(&event);
                        self.linger().await;
                    }
                    run.ending().map(|ending| ending.reason.clone())
                }
                Err(error) => return (error.to_string(), None),
            },
            Plan::Host => {
                let after = Duration::from_millis(self.random.u64(..8000));
                return (host.live(prompt, after, self.random.u8(..)).await, None);
            }
            Plan::Last => {
                let retry = Retry::new().attempts(3).first(Duration::from_millis(200));
                let lasting = Lasting::new(claude.clone()).retry(retry);
                let mut answers = Vec::new();
                for _ in 0..2 {
                    let answer = lasting.ask(prompt).await;
                    answers.push(answer.map_or_else(|error| error.to_string(), |_| "answered".to_owned()));
                }
                lasting.close().await;
                // Each process has written over the copy of the one before.
                return (answers.join(", "), None);
            }
            Plan::Talk | Plan::Interrupt | Plan::Drop => {
                let mut session = match claude.session().await {
                    Ok(session) => session,
                    Err(error) => return (error.to_string(), None),
                };
                for _ in 0..3 {
                    let patience = self.random.u32(1..20);
                    let controls = session.controls();
                    let Ok(mut turn) = session.turn(prompt).await else { break };
                    let mut count = 0;
                    while let Some(event) = turn.next().await {
                        story.add(&event);
                        self.linger().await;
                        count += 1;
                        match self.plan {
                            Plan::Drop if count == patience => return ("dropped".to_owned(), None),
                            // Whether it is heard is for the program to say, if it still can.
                            Plan::Interrupt if count == patience => drop(tokio::spawn({
                                let controls = controls.clone();
                                async move { controls.interrupt().await.is_ok() }
                            })),
                            _ => {}
                        }
                    }
                }
                session.controls().finish();
                while let Some(event) = session.next().await {
                    story.add(&event);
                    self.linger().await;
                }
                session.ending().map(|ending| ending.reason.clone())
            }
        };
        (end.unwrap_or_else(|| "no end".to_owned()), story.fault(&copy))
    }

    async fn linger(&self) {
        if let Some(slow) = self.slow {
            sleep(slow).await;
        }
    }

    /// Processes that are left.
    async fn orphans(&self, daemons: &Path) -> Vec<String> {
        let since = Instant::now();
        loop {
            let mut left = marked(MARK, &self.id);
            left.extend(named_in(daemons));
            // A session that was dropped is ended beside its owner, that of a host by its guard; all others have ended by now.
            let waits = matches!(self.plan, Plan::Drop | Plan::Host) && since.elapsed() < SWEEP;
            if left.is_empty() || !waits {
                return left.into_iter().map(|pid| format!("left alive: {pid} {}", name(pid))).collect();
            }
            sleep(Duration::from_millis(100)).await;
        }
    }
}
