//! What is made, by its name.

use crate::source::is_session_id;
use crate::wrong_call::WrongCall;
use std::path::Path;
use unspool::Grain;
use unspool::convert::Target;

/// What to make.
#[derive(Clone, Copy, Debug, Eq, PartialEq, clap::ValueEnum)]
pub(super) enum To {
    /// All of it, both ways, with times.
    Recording,
    /// What Claude Code wrote; in a file with its times beside it.
    Stream,
    /// What happened, as `unspool events` prints it.
    Events,
    /// What Claude Code keeps on disk, and goes on from.
    Transcript,
}

impl To {
    /// What somebody said, else what the name of the file says.
    pub(super) fn of(said: Option<To>, file: Option<&Path>) -> Result<To, WrongCall> {
        let name = file.and_then(Path::file_name).map(|name| name.to_string_lossy().into_owned());
        let name = name.unwrap_or_default();
        let is_recording = said == Some(To::Recording) || said.is_none() && name.ends_with(".rec.zst");
        let is_packed = [".gz", ".zst", ".zstd"].iter().any(|ending| name.ends_with(ending));
        if is_packed && !(is_recording && name.ends_with(".zst")) {
            return Err(WrongCall::new(format!(
                "{name} is the name of something compressed, which is not made here but of a recording, by zstd (.rec.zst): compress what goes to standard output"
            )));
        }
        let by_name = || {
            let id = name.strip_suffix(".jsonl").filter(|id| is_session_id(id));
            match name.rsplit_once('.')?.1 {
                _ if name.ends_with(".events.ndjson") || name.ends_with(".events.jsonl") => Some(To::Events),
                "rec" => Some(To::Recording),
                _ if name.ends_with(".rec.zst") => Some(To::Recording),
                "ndjson" => Some(To::Stream),
                "jsonl" if id.is_some() => Some(To::Transcript),
                _ => None,
            }
        };
        said.or_else(by_name).ok_or_else(|| {
            let words = "say what to make: --to recording, stream, events or transcript";
            WrongCall::new(if name.is_empty() {
                words.to_owned()
            } else {
                format!("the name {name} does not tell: {words}")
            })
        })
    }

    pub(super) fn words(self) -> &'static str {
        match self {
            To::Recording => "a recording",
            To::Stream => "a stream",
            To::Events => "events",
            To::Transcript => "a transcript",
        }
    }

    /// The form that is made. Times of a stream can only stand in a file beside it.
    pub(super) fn target(self, grain: Grain, with_times: bool) -> Target {
        match self {
            To::Recording => Target::Recording,
            To::Stream if with_times => Target::TimedStream,
            To::Stream => Target::Stream,
            To::Events => Target::Events(grain),
            To::Transcript => Target::Transcript,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_says_what_to_make_and_a_flag_counts_more() {
        let of = |name: &str| To::of(None, Some(Path::new(name))).ok();
        assert_eq!(of("a/run.rec"), Some(To::Recording));
        assert_eq!(of("a/run.rec.zst"), Some(To::Recording));
        assert_eq!(of("run.ndjson"), Some(To::Stream));
        assert_eq!(of("run.events.ndjson"), Some(To::Events));
        assert_eq!(of("b837353a-cbb2-42ae-8e45-3716e025b6d3.jsonl"), Some(To::Transcript));
        for name in ["run.jsonl", "rec", "run.zst", "run.ndjson.zst", "rec.zst", "run.rec.gz", "-", "run.txt"]
        {
            assert_eq!(of(name), None, "{name}");
        }
        assert_eq!(To::of(Some(To::Events), Some(Path::new("run.rec"))).ok(), Some(To::Events));
        assert!(To::of(Some(To::Recording), Some(Path::new("run.rec.gz"))).is_err());
        assert!(To::of(Some(To::Recording), Some(Path::new("run.zst"))).is_ok());
        assert!(To::of(Some(To::Stream), Some(Path::new("run.rec.zst"))).is_err());
        assert!(To::of(None, None).is_err());
    }
}
