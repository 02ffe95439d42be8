//! A stand-in for `claude` that plays a recording.
//!
//! Whatever starts Claude Code and talks to it, an official SDK among others, is given this instead, and gets the recorded session:
//! every line where it was, answers to its own requests, and an error that says what and where if it does otherwise than the host
//! that was recorded. `unspool fake-claude` is this as a program, and `docs/fake-claude.md` describes it.
//!
//! A test in Rust needs a program to start. [`install`] writes one that calls `unspool`; or the tests have a binary of their own,
//! which is this:
//!
//! ```no_run
//! use unspool_fake::claude::{FakeClaude, exit};
//!
//! fn main() -> std::io::Result<()> {
//!     let claude = FakeClaude::open("tests/recordings/two-turns.rec")?.args(std::env::args().skip(1));
//!     exit(claude.play(std::io::stdin(), std::io::stdout(), std::io::stderr()));
//! }
//! ```
//!
//! Where the host can be handed its pipes, no program is needed: [`FakeClaude::play`] takes anything that reads and writes.

mod exit;
mod folder;
mod install;
mod pipes;
mod state;
mod variations;

pub use exit::exit;
pub use folder::recordings;
pub use install::install;
pub use unspool::standin::{
    Act, Before, DEVIATED, Deviation, Ended, FREE, Free, Life, Names, Recorded, Speed, StandIn, Variation,
    is_session,
};
pub use variations::{VariationError, variation};

use pipes::Pipes;
use state::{Claim, State};
use std::fs;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// A recording, and how it is played.
#[derive(Clone, Debug)]
pub struct FakeClaude {
    recorded: Recorded,
    args: Vec<String>,
    state: Option<PathBuf>,
    patience: Duration,
    set: Settings,
}

/// How a life is played, whichever it is.
#[derive(Clone, Debug, Default)]
struct Settings {
    speed: Speed,
    variation: Variation,
    is_lenient: bool,
    is_strict: bool,
    ignored: Vec<String>,
}

/// So long nobody is told that it waits.
const PATIENCE: Duration = Duration::from_secs(10);

impl FakeClaude {
    /// Plays this.
    #[must_use]
    pub fn new(recorded: Recorded) -> Self {
        let (args, set) = (Vec::new(), Settings::default());
        FakeClaude { recorded, args, state: None, patience: PATIENCE, set }
    }

    /// Plays a file: the text of a recording, or a bare stream; or all [`recordings`] of a folder. Nothing is unpacked.
    pub fn open(path: impl AsRef<Path>) -> io::Result<Self> {
        let path = path.as_ref();
        let read = |file: PathBuf| Ok((file.display().to_string(), Recorded::read(&fs::read(&file)?)));
        let mut recorded = recordings(path)?.into_iter().map(read).collect::<io::Result<Vec<_>>>()?;
        Ok(FakeClaude::new(match recorded.pop() {
            Some((_, alone)) if recorded.is_empty() => alone,
            last => Recorded::together(recorded.into_iter().chain(last)),
        }))
    }

    /// What the host gives to `claude`, without the program.
    #[must_use]
    pub fn args(mut self, args: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.args = args.into_iter().map(Into::into).collect();
        self
    }

    /// How fast it is played; at once, if this is not said.
    #[must_use]
    pub fn speed(mut self, speed: Speed) -> Self {
        self.set.speed = speed;
        self
    }

    /// What is otherwise than in the recording.
    #[must_use]
    pub fn variation(mut self, variation: Variation) -> Self {
        self.set.variation = variation;
        self
    }

    /// Says what the host does otherwise, and goes on.
    #[must_use]
    pub fn lenient(mut self, is_lenient: bool) -> Self {
        self.set.is_lenient = is_lenient;
        self
    }

    /// Ends also where the arguments are others, or the host asks for what Claude Code does not know.
    #[must_use]
    pub fn strict(mut self, is_strict: bool) -> Self {
        self.set.is_strict = is_strict;
        self
    }

    /// A field of the host's lines that is not compared, such as `request.appendSystemPrompt`; `*` is any name.
    #[must_use]
    pub fn ignore(mut self, path: impl Into<String>) -> Self {
        self.set.ignored.push(path.into());
        self
    }

    /// A folder in which is noted what was played: each start of the program then gets a life that none had before.
    /// Without it each gets the life whose arguments fit best.
    #[must_use]
    pub fn state(mut self, folder: impl Into<PathBuf>) -> Self {
        self.state = Some(folder.into());
        self
    }

    /// After so long in which it waits for the host it says for what; ten seconds, if this is not said.
    #[must_use]
    pub fn patience(mut self, patience: Duration) -> Self {
        self.patience = patience;
        self
    }

    /// Plays it on these, until it would exit; the host may have its input open still. What there is to say to people goes to
    /// `errors`, as does what Claude Code wrote there.
    pub fn play(
        self,
        input: impl Read + Send + 'static,
        output: impl Write,
        mut errors: impl Write,
    ) -> Ended {
        match self.begin() {
            Begun::Life { stand_in, claim, hint } => {
                Pipes::new(output, errors, self.patience, hint).play(stand_in, claim, input)
            }
            Begun::Answer(text) => {
                let mut output = output;
                // If nobody reads it, nobody wants it.
                let _ = output.write_all(text.as_bytes()).and_then(|()| output.flush());
                Ended::with(0)
            }
            Begun::Refusal(why) => {
                let _ = writeln!(errors, "{NAME}: {why}");
                Ended::with(DEVIATED)
            }
        }
    }

    fn begin(&self) -> Begun {
        let Some(best) = self.recorded.best(&self.args, &Names::default(), |_| true) else {
            return self.answer();
        };
        match self.state.as_ref().map(State::new) {
            None => self.life(best, &Names::default(), None),
            Some(state) => match state.claim(&self.recorded, &self.args) {
                Ok(Some((life, names, claim))) => self.life(life, &names, Some(claim)),
                // What is no session is played again, as often as somebody wants it.
                Ok(None) if !is_session(&self.args) => self.life(best, &Names::default(), None),
                Ok(None) => Begun::Refusal(state.all_played(self.recorded.lives().len())),
                Err(error) => Begun::Refusal(format!("{}: {error}", state.folder().display())),
            },
        }
    }

    /// To what the recording does not have: which version it is, if that is asked.
    fn answer(&self) -> Begun {
        let asks = self.args.iter().any(|arg| ["--version", "-v"].contains(&arg.as_str()));
        match self.recorded.version().filter(|_| asks) {
            Some(version) => Begun::Answer(format!("{version} (Claude Code)\n")),
            None => Begun::Refusal(format!(
                "the recording has nothing that `claude {}` would be",
                self.args.join(" ")
            )),
        }
    }

    fn life(&self, life: usize, names: &Names, claim: Option<Claim>) -> Begun {
        let lives = self.recorded.lives().len();
        let Settings { speed, variation, is_lenient, is_strict, ignored } = &self.set;
        let stand_in = self.recorded.stand_in(life, &self.args).know(names).vary(variation);
        let stand_in = stand_in.speed(*speed).lenient(*is_lenient).strict(*is_strict);
        let stand_in = ignored.iter().fold(stand_in, |stand_in, path| stand_in.ignore(path));
        let hint = (lives > 1).then(|| {
            let of = self.recorded.lives()[life].recording();
            let of = of.map_or("in the recording".into(), |name| format!("in these recordings, {name}"));
            let why = match claim {
                Some(_) => "those before it were played",
                None => "whose arguments fit best; with a folder for what was played (--state) they come one after the other",
            };
            format!("this is start {} of {lives} {of}, {why}", life + 1)
        });
        Begun::Life { stand_in: Box::new(stand_in), claim, hint }
    }
}

/// What a call of the program comes to.
enum Begun {
    Life {
        stand_in: Box<StandIn>,
        claim: Option<Claim>,
        hint: Option<String>,
    },
    /// What is asked has one answer.
    Answer(String),
    /// It is nothing that can be played.
    Refusal(String),
}

/// Who speaks on standard error.
const NAME: &str = "fake-claude";
