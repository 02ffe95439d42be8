//! What was played of a recording by programs that have ended since: a folder with a file for each life.

use std::fs::{self, File};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use unspool::standin::{Names, Recorded};

/// The folder. Each life has a file of its own, so that of two programs that start at once only one gets it.
pub(super) struct State<'f> {
    folder: &'f Path,
}

/// A life that is ours.
pub(super) struct Claim {
    file: PathBuf,
    /// What the file has.
    kept: usize,
}

impl<'f> State<'f> {
    pub(super) fn new(folder: &'f PathBuf) -> Self {
        State { folder }
    }

    pub(super) fn folder(&self) -> &Path {
        self.folder
    }

    /// A life that nobody has played, and what is called otherwise since those before; nothing if there is none.
    pub(super) fn claim(
        &self,
        recorded: &Recorded,
        args: &[String],
    ) -> io::Result<Option<(usize, Names, Claim)>> {
        fs::create_dir_all(self.folder)?;
        let lives = recorded.lives().len();
        let mut names = Names::default();
        for life in 0..lives {
            read(&self.file(life), &mut names)?;
        }
        loop {
            let Some(life) = recorded.best(args, &names, |life| !self.file(life).exists()) else {
                return Ok(None);
            };
            let file = self.file(life);
            match File::create_new(&file) {
                Ok(_) => return Ok(Some((life, names, Claim { file, kept: 0 }))),
                // Another was faster.
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
    }

    /// That there is no life left, in words.
    pub(super) fn all_played(&self, lives: usize) -> String {
        let starts = if lives == 1 { "one start".to_owned() } else { format!("{lives} starts") };
        format!(
            "the recording has {starts}, and no more are played (remove {} to begin again)",
            self.folder.display()
        )
    }

    fn file(&self, life: usize) -> PathBuf {
        self.folder.join(format!("start-{}", life + 1))
    }
}

impl Claim {
    /// Keeps these names for lives to come. If that fails, they are called as they were.
    pub(super) fn keep(&mut self, names: &Names) {
        let count = names.noted().count();
        if count > self.kept {
            self.kept = count;
            let lines: String = names.noted().map(|(recorded, now)| format!("{recorded}\t{now}\n")).collect();
            let _ = fs::write(&self.file, lines);
        }
    }
}

/// The names that a life has left; none, if it was not played.
fn read(file: &Path, names: &mut Names) -> io::Result<()> {
    match fs::read_to_string(file) {
        Ok(text) => {
            let pairs = text.lines().filter_map(|line| line.split_once('\t'));
            pairs.for_each(|(recorded, now)| names.note(recorded, now));
            Ok(())
        }
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
        Err(error) => Err(error),
    }
}
