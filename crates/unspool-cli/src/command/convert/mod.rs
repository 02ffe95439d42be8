//! `unspool convert`: one form of a session from another.

mod encode;
mod file;
mod form;

use crate::choice::GrainArg;
use crate::redact::RedactArgs;
use crate::source::{Held, Listener, Source, Sources};
use crate::wrong_call::WrongCall;
use anyhow::bail;
use encode::encode;
pub(super) use file::{Made, Outlet};
use form::To;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use unspool::convert::{Inventory, Loss, Transcriber};
use unspool::journal::Fault;
use unspool::{Event, Grain};

/// Make a recording, a bare stream, events or a transcript of a session that is there in another form, and say what is lost.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Convert {
    /// A recording, a stream, a transcript, a file of events, or the id of a session; `-` for standard input.
    #[arg(value_name = "IN")]
    input: PathBuf,
    /// The new file; `-` or nothing for standard output.
    #[arg(value_name = "OUT")]
    output: Option<PathBuf>,
    /// What to make; otherwise the name of OUT says it: `.rec`, `.rec.zst` (compressed), `.ndjson`, `.events.ndjson`, or the id of the session and `.jsonl`.
    #[arg(long, value_enum, value_name = "FORM")]
    to: Option<To>,
    /// How finely events tell parts.
    #[arg(long, value_enum, default_value_t = GrainArg::Blocks)]
    grain: GrainArg,
    /// Make nothing if anything would be lost.
    #[arg(long)]
    strict: bool,
    #[command(flatten)]
    redact: RedactArgs,
}

const EXAMPLES: &str = "\
Examples:
  unspool convert run.rec run.ndjson            # what Claude Code wrote, and run.ndjson.times beside it
  unspool convert run.rec --to stream | wc -c   # the same bytes, and nothing else
  unspool convert run.ndjson run.rec            # with run.ndjson.times, if it is there
  unspool convert run.rec run.rec.zst           # the same, compressed; and back
  unspool convert run.rec run.events.ndjson --grain deltas
  unspool convert run.rec ~/.claude/projects/-src/0d0c9a3e-….jsonl   # `claude --resume 0d0c9a3e-…`

From a recording or a stream anything can be made, from a transcript or from events only events:
they do not have the lines that Claude Code wrote. What of IN is not in OUT is said on standard
error, a line for each thing. A stream that is made of a recording is byte for byte what
Claude Code wrote. A transcript is made only if all that was said is there; Claude Code goes on
from it as from its own. docs/recording.md has the details.

Exit code: 0; 1 if IN cannot be read or OUT not be written, if IN does not have what OUT needs, or
with --strict if anything would be lost; 2 wrong call.";

impl Convert {
    pub(crate) fn run(self, out: &mut impl Write) -> anyhow::Result<ExitCode> {
        self.redact.apply()?;
        let to = To::of(self.to, self.output.as_deref())?;
        let source = Sources::of(vec![self.input]).find()?.one()?.hold()?;
        let place = Outlet::of(self.output.filter(|file| file.as_os_str() != "-"), source.path())?;
        let held = source.form()?;
        // What is compressed is another form of a recording.
        let is_repacked = source.is_packed() != place.is_packed();
        let survey = Survey::of(&source, held, to, is_repacked)?;
        let target = to.target(self.grain.into(), place.is_file() && survey.inventory.is_timed());
        let lost: Vec<Loss> = survey.inventory.losses(target).into_iter().chain(survey.prompts).collect();
        lost.iter().for_each(|loss| eprintln!("unspool: lost: {loss}"));
        if self.strict && !lost.is_empty() {
            bail!("nothing is made of {}, because something would be lost", source.name());
        }
        place.write(target, out, |made| encode(&source, target, made))?;
        Ok(ExitCode::SUCCESS)
    }
}

/// Why nothing but events can be made of something.
const LACKS: &str = "does not have the lines that Claude Code wrote";

/// What there is, before anything is made of it.
struct Survey {
    inventory: Inventory,
    /// Prompts that a transcript would not have.
    prompts: Option<Loss>,
}

impl Survey {
    fn of(source: &Source, held: Held, to: To, is_repacked: bool) -> anyhow::Result<Self> {
        match (held, to) {
            (Held::Recording, To::Recording) if is_repacked => of_entries(source, to),
            (Held::Recording, To::Recording)
            | (Held::Stream, To::Stream)
            | (Held::Transcript, To::Transcript) => {
                let name = source.name();
                Err(WrongCall::new(format!("{name} is {} already", to.words())).into())
            }
            (Held::Transcript | Held::Events, To::Events) => told(source, held),
            (Held::Transcript, _) => {
                bail!("{} cannot be made of {}: a transcript {LACKS}", to.words(), source.name())
            }
            (Held::Events, _) => {
                bail!("{} cannot be made of {}: a file of events {LACKS}", to.words(), source.name())
            }
            (Held::Recording | Held::Stream, _) => of_entries(source, to),
        }
    }
}

/// Counts the entries of a recording or a stream, and tries whether they make a transcript.
fn of_entries(source: &Source, to: To) -> anyhow::Result<Survey> {
    let mut inventory = Inventory::new();
    let mut trial = (to == To::Transcript).then(|| (Transcriber::new(), encode::Clock::default()));
    let (mut entries, mut made) = (0, Vec::new());
    let faults = source.entries(|entry| {
        entries += 1;
        inventory.entry(entry);
        if let Some((transcriber, clock)) = &mut trial {
            clock.transcribe(entry, transcriber, &mut made);
            made.clear();
        }
        Ok(())
    })?;
    inventory.finish();
    // Whoever tells events says it.
    if to != To::Events {
        source.say_faults(&faults, entries);
    }
    faults.iter().for_each(|fault| inventory.fault(fault));
    let name = source.name();
    let left = match trial {
        None => 0,
        Some((transcriber, _)) => {
            if let Some(hole) = faults.iter().find(|fault| is_hole(fault)) {
                bail!(
                    "no transcript can be made of {name}: {hole}, so Claude Code might go on from another conversation"
                );
            }
            let left = transcriber.finish(&mut made);
            left.map_err(|why| anyhow::anyhow!("no transcript can be made of {name}: {why}"))?
        }
    };
    Ok(Survey { inventory, prompts: (left > 0).then_some(Loss::Prompts(left)) })
}

/// Whether something is missing before what stands behind it. What is only cut is the beginning of the same conversation.
fn is_hole(fault: &Fault) -> bool {
    matches!(fault, Fault::Missing { .. } | Fault::Unreadable { .. } | Fault::Late { .. })
}

/// Counts what stands in a transcript or in events.
fn told(source: &Source, held: Held) -> anyhow::Result<Survey> {
    struct Count(Inventory, bool);
    impl Listener for Count {
        fn event(&mut self, event: &Event<'_>) {
            if self.1 {
                self.0.event(event);
            }
        }
        fn entry(&mut self, _agent: Option<&Path>, line: &[u8]) {
            self.0.transcript(line);
        }
    }
    let mut count = Count(Inventory::new(), held == Held::Events);
    source.tell_to(Grain::Deltas, &mut count)?;
    count.0.finish();
    Ok(Survey { inventory: count.0, prompts: None })
}
