//! Tells a session that Claude Code keeps on disk: its main file, and those of its agents in between.

use super::agents::{Agent, agents_of};
use super::lines::Lines;
use super::open::{Opened, open};
use super::unpack::plain_name;
use super::{Came, Listener, Source, pause};
use std::path::Path;
use unspool::Grain;
use unspool::line::End;
use unspool::transcript::{Cast, Merge, Transcript};
use unspool_client::kept::KeptAgent;

/// Tells it.
pub(super) fn tell(
    source: &Source,
    opened: Opened,
    grain: Grain,
    listener: &mut dyn Listener,
) -> anyhow::Result<()> {
    let files = match &source.agents {
        Some(agents) => agents.clone(),
        None if source.is_stdin() => Vec::new(),
        None => agents_of(&source.path)?,
    };
    let main = Lines::new(opened.head, opened.rest);
    let mut agents: Vec<_> = files.iter().filter_map(|file| Agent::of(file)).collect();
    agents.sort_by_key(|agent| agent.begins);
    let mut cast = Cast::default();
    agents.iter().filter_map(Agent::meta).for_each(|(agent, meta)| cast.meta(agent, &meta));
    look_ahead(&mut cast, &main, &source.path, &agents)?;
    let mut transcript = Transcript::new(grain).fail_on(source.fail_on).cast(cast);
    if let Some(session) = session_of(&source.path) {
        transcript = transcript.session(session);
    }
    let mut reading = Reading { transcript, merge: Merge::new(), main, agents, begun: 0, number: 0 };
    if !reading.run(listener)? {
        return Ok(());
    }
    // The file of an agent may be all that there is.
    if let Some(agent) = KeptAgent::at(plain_name(&source.path)) {
        reading.transcript.end_agent(&agent.id, |event| listener.event(&event));
    }
    if reading.main.is_cut() {
        reading.transcript.cut_off();
    }
    reading.transcript.finish(|event| listener.event(&event));
    pause(listener)?;
    Ok(())
}

/// The files of a session, as far as they are read.
struct Reading {
    transcript: Transcript,
    merge: Merge,
    main: Lines,
    /// In the order in which they begin.
    agents: Vec<Agent>,
    /// How many of them have begun.
    begun: usize,
    /// The line of the main file that was told last.
    number: u64,
}

impl Reading {
    /// Returns whether all was told.
    fn run(&mut self, listener: &mut dyn Listener) -> anyhow::Result<bool> {
        if self.agents.is_empty() {
            return self.run_alone(listener);
        }
        if self.main.advance()? {
            self.merge.push(0, self.main.line().bytes);
        }
        while let Some(file) = self.next()? {
            self.step(file, listener);
            if file == 0 && !self.main.is_ready() && !pause(listener)? {
                return Ok(false);
            }
            self.refill(file, listener)?;
        }
        Ok(true)
    }

    /// Tells the main file where there is no other: its lines need no order. Returns whether all was told.
    fn run_alone(&mut self, listener: &mut dyn Listener) -> anyhow::Result<bool> {
        while self.main.advance()? {
            self.step(0, listener);
            if !self.main.is_ready() && !pause(listener)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The file whose line is next: 0 is the main one. Agents that begin before it are opened.
    fn next(&mut self) -> anyhow::Result<Option<usize>> {
        while let Some(agent) = self.agents.get_mut(self.begun) {
            if self.merge.next_time().is_some_and(|next| agent.begins.is_some_and(|begins| begins > next)) {
                break;
            }
            self.begun += 1;
            if agent.open()? {
                self.merge.push(self.begun, agent.line().bytes);
            }
        }
        Ok(self.merge.pop())
    }

    fn step(&mut self, file: usize, listener: &mut dyn Listener) {
        let agent = file.checked_sub(1).and_then(|at| self.agents.get(at));
        let line = agent.map_or_else(|| self.main.line(), Agent::line);
        listener.entry(agent.map(Agent::path), line.bytes);
        if listener.is_by_line() {
            let mut bytes = Vec::new();
            // The files of agents are no part of this one.
            if file == 0 {
                self.number = line.number;
                bytes.extend_from_slice(line.bytes);
                bytes.extend((line.end == End::Newline).then_some(b'\n'));
            }
            listener.came(&Came { number: self.number, at: None, bytes: &bytes });
        }
        self.transcript.step(line, |event| listener.event(&event));
    }

    /// Reads the next line of this file.
    fn refill(&mut self, file: usize, listener: &mut dyn Listener) -> anyhow::Result<()> {
        let Some(agent) = file.checked_sub(1).and_then(|at| self.agents.get_mut(at)) else {
            if self.main.advance()? {
                self.merge.push(0, self.main.line().bytes);
            }
            return Ok(());
        };
        if agent.advance()? {
            self.merge.push(file, agent.line().bytes);
        } else {
            agent.close();
            self.transcript.end_agent(&agent.id, |event| listener.event(&event));
        }
        Ok(())
    }
}

/// Looks for the model, and for calls that started agents which do not say so themselves.
fn look_ahead(cast: &mut Cast, main: &Lines, path: &Path, agents: &[Agent]) -> anyhow::Result<()> {
    for line in main.ahead().split(|&byte| byte == b'\n') {
        if cast.has_model() {
            break;
        }
        cast.look(line);
    }
    if agents.iter().all(|agent| cast.has_call(&agent.id)) {
        return Ok(());
    }
    let mut lines = Lines::new(Vec::new(), open(path)?);
    while lines.advance()? {
        cast.look(lines.line().bytes);
    }
    Ok(())
}

/// The session whose file has this name. Other names say nothing.
pub(super) fn session_of(path: &Path) -> Option<String> {
    let name = plain_name(path);
    let name = name.file_stem()?.to_str()?;
    super::find::is_session_id(name).then(|| name.to_owned())
}
