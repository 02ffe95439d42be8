//! How a recording is played, as flags; and back, for the program that is installed.

use anyhow::Context;
use std::fmt::Display;
use std::fs;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use unspool_fake::claude::{Before, Ended, FakeClaude, Speed, Variation, variation};

/// How a recording is played.
#[derive(clap::Args, Clone, Debug, Default, PartialEq)]
pub(super) struct Flags {
    /// How fast: `max`, or as many times as fast as it was.
    #[arg(long, default_value = "max", value_parser = speed)]
    speed: Text<Speed>,
    /// Say what the host does otherwise, and go on.
    #[arg(long, conflicts_with = "strict")]
    lenient: bool,
    /// End also where the arguments are others, or the host asks for what Claude Code does not know.
    #[arg(long)]
    strict: bool,
    /// A field of the host's lines that is not compared, such as `request.appendSystemPrompt`; `*` is any name.
    #[arg(long, value_name = "PATH")]
    ignore: Vec<String>,
    /// A folder in which is noted what was played, so that each start in the recording is played once.
    #[arg(long, value_name = "FOLDER")]
    pub(super) state: Option<PathBuf>,
    /// What is otherwise than in the recording, as a TOML file.
    #[arg(long, value_name = "FILE", help_heading = VARIATIONS)]
    variation: Option<PathBuf>,
    /// There are no results.
    #[arg(long, help_heading = VARIATIONS)]
    no_result: bool,
    /// Standard output ends behind so many lines.
    #[arg(long, value_name = "LINES", help_heading = VARIATIONS)]
    cut_lines: Option<usize>,
    /// Standard output ends behind so many bytes.
    #[arg(long, value_name = "BYTES", help_heading = VARIATIONS)]
    cut_bytes: Option<usize>,
    /// A pause, before each line or before one: `50`, `7=2000`, in milliseconds.
    #[arg(long, value_name = "[LINE=]MS", value_parser = delay, help_heading = VARIATIONS)]
    delay: Vec<Text<(Option<usize>, u64)>>,
    /// Before this line, one that is no JSON: `4`, `4=[debug] hello`.
    #[arg(long, value_name = "LINE[=TEXT]", value_parser = garbage, help_heading = VARIATIONS)]
    garbage: Vec<Text<(usize, String)>>,
    /// Before this line, one of a type that nobody knows.
    #[arg(long, value_name = "LINE", help_heading = VARIATIONS)]
    unknown_line: Vec<usize>,
    /// Each line has a field that nobody knows.
    #[arg(long, help_heading = VARIATIONS)]
    unknown_fields: bool,
    /// This question for permission (1 is the first) is withdrawn as soon as it is asked.
    #[arg(long, value_name = "NUMBER", help_heading = VARIATIONS)]
    cancel_permission: Vec<usize>,
    /// The program ends behind so many lines: `12`, `12=137`, `12=SIGKILL`.
    #[arg(long, value_name = "LINES[=CODE]", value_parser = crash, help_heading = VARIATIONS)]
    crash: Option<Text<(usize, Ended)>>,
    /// So many bytes on standard error before a line: `2=1000000`.
    #[arg(long, value_name = "LINE=BYTES", value_parser = flood, help_heading = VARIATIONS)]
    flood: Vec<Text<(usize, usize)>>,
}

const VARIATIONS: &str = "Variations (lines are those of standard output, counted from 1)";

/// A value, and how it was written.
#[derive(Clone, Debug, Default, PartialEq)]
struct Text<T> {
    value: T,
    text: String,
}

impl Flags {
    /// Sets all that these flags say, but for the state.
    pub(super) fn set(&self, claude: FakeClaude) -> anyhow::Result<FakeClaude> {
        let claude = claude.speed(self.speed.value).lenient(self.lenient).strict(self.strict);
        let claude = self.ignore.iter().fold(claude, FakeClaude::ignore);
        Ok(claude.variation(self.variation()?))
    }

    /// What the file says, and what flags say beside it.
    fn variation(&self) -> anyhow::Result<Variation> {
        let mut it = self.variation.as_deref().map(read).transpose()?.unwrap_or_default();
        it.no_result |= self.no_result;
        it.unknown_fields |= self.unknown_fields;
        it.cut_lines = self.cut_lines.or(it.cut_lines);
        it.cut_bytes = self.cut_bytes.or(it.cut_bytes);
        it.crash = self.crash.as_ref().map(|crash| crash.value).or(it.crash);
        it.unknown_lines.extend(&self.unknown_line);
        it.cancelled.extend(&self.cancel_permission);
        for Text { value, .. } in &self.delay {
            match *value {
                (Some(line), what) => it.delays.push(Before::new(line, what)),
                (None, each) => it.delay_each = each,
            }
        }
        let garbage = self.garbage.iter().map(|it| it.value.clone());
        it.garbage.extend(garbage.map(|(line, what)| Before::new(line, what)));
        it.floods.extend(self.flood.iter().map(|it| Before::new(it.value.0, it.value.1)));
        Ok(it)
    }

    /// The words that say all this, from any folder.
    pub(super) fn words(&self) -> anyhow::Result<Vec<String>> {
        let mut words = Vec::new();
        let mut say = |flag: &str, value: &dyn Display| words.push(format!("{flag}={value}"));
        say("--speed", &self.speed.text);
        self.ignore.iter().for_each(|path| say("--ignore", path));
        if let Some(folder) = &self.state {
            say("--state", &std::path::absolute(folder)?.display());
        }
        if let Some(file) = &self.variation {
            say("--variation", &std::path::absolute(file)?.display());
        }
        self.cut_lines.iter().for_each(|lines| say("--cut-lines", lines));
        self.cut_bytes.iter().for_each(|bytes| say("--cut-bytes", bytes));
        self.delay.iter().for_each(|it| say("--delay", &it.text));
        self.garbage.iter().for_each(|it| say("--garbage", &it.text));
        self.unknown_line.iter().for_each(|line| say("--unknown-line", line));
        self.cancel_permission.iter().for_each(|number| say("--cancel-permission", number));
        self.crash.iter().for_each(|it| say("--crash", &it.text));
        self.flood.iter().for_each(|it| say("--flood", &it.text));
        let switches = [
            ("--lenient", self.lenient),
            ("--strict", self.strict),
            ("--no-result", self.no_result),
            ("--unknown-fields", self.unknown_fields),
        ];
        words.extend(switches.into_iter().filter(|(_, is_set)| *is_set).map(|(flag, _)| flag.to_owned()));
        Ok(words)
    }
}

fn read(file: &Path) -> anyhow::Result<Variation> {
    let text = fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))?;
    variation(&text).with_context(|| file.display().to_string())
}

fn speed(text: &str) -> Result<Text<Speed>, String> {
    Ok(Text { value: text.parse()?, text: text.to_owned() })
}

fn delay(text: &str) -> Result<Text<(Option<usize>, u64)>, String> {
    let value = match text.split_once('=') {
        Some((line, pause)) => (Some(number(line)?), number(pause)?),
        None => (None, number(text)?),
    };
    Ok(Text { value, text: text.to_owned() })
}

fn garbage(text: &str) -> Result<Text<(usize, String)>, String> {
    let (line, garbage) = text.split_once('=').unwrap_or((text, ""));
    Ok(Text { value: (number(line)?, garbage.to_owned()), text: text.to_owned() })
}

fn crash(text: &str) -> Result<Text<(usize, Ended)>, String> {
    let (lines, ended) = text.split_once('=').unwrap_or((text, "1"));
    Ok(Text { value: (number(lines)?, ended.parse()?), text: text.to_owned() })
}

fn flood(text: &str) -> Result<Text<(usize, usize)>, String> {
    let (line, bytes) =
        text.split_once('=').ok_or("it takes a line and a number of bytes, such as 2=1000000")?;
    Ok(Text { value: (number(line)?, number(bytes)?), text: text.to_owned() })
}

fn number<T: FromStr>(text: &str) -> Result<T, String> {
    text.parse().map_err(|_| format!("`{text}` is no number"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    #[derive(Parser)]
    struct Program {
        #[command(flatten)]
        flags: Flags,
    }

    fn parse<W: AsRef<str>>(words: &[W]) -> Flags {
        let words = ["x"].into_iter().chain(words.iter().map(W::as_ref));
        Program::try_parse_from(words).unwrap_or_else(|error| panic!("{error}")).flags
    }

    #[test]
    fn what_is_installed_is_played_as_it_was_said() {
        let flags = parse(&[
            "--speed=10x",
            "--strict",
            "--ignore=request.*",
            "--state=/state",
            "--variation=/a b/v.toml",
            "--no-result",
            "--cut-lines=3",
            "--cut-bytes=30",
            "--delay=50",
            "--delay=7=2000",
            "--garbage=4",
            "--garbage=4=a=b",
            "--unknown-line=1",
            "--unknown-fields",
            "--cancel-permission=2",
            "--crash=12=SIGKILL",
            "--flood=2=1000",
        ]);
        assert_eq!(parse(&flags.words().unwrap()), flags);
        assert_eq!(parse(&["--lenient"]).words().unwrap(), ["--speed=max", "--lenient"]);
    }

    #[test]
    fn flags_stand_beside_the_file() {
        let file = std::env::temp_dir().join(format!("fake-claude-variation-{}.toml", std::process::id()));
        fs::write(&file, "no_result = true\ncut_lines = 9\nunknown_lines = [1]").unwrap();
        let mut flags =
            parse(&["--cut-lines=3", "--unknown-line=2", "--delay=5", "--delay=1=6", "--crash=4"]);
        flags.variation = Some(file);
        let it = flags.variation().unwrap();
        assert!(it.no_result && it.cut_lines == Some(3) && it.unknown_lines == [1, 2]);
        assert_eq!((it.delay_each, it.delays), (5, vec![Before::new(1, 6)]));
        assert_eq!(it.crash, Some((4, Ended::with(1))));
    }
}
