//! Becomes a program that ends when whoever started it does.

use super::signals;
use std::os::unix::process::CommandExt;
use std::process::{Command, ExitCode};

/// The word that says so on the command line. It is nobody else's.
pub(super) const NAME: &str = "__exec-for";

/// Becomes the program, if the command line says so: `__exec-for PARENT PROGRAM ARGUMENTS…`. Returns only if it does not, or with
/// the code that shells use where that cannot be done.
pub(crate) fn exec() -> Option<ExitCode> {
    let mut words = std::env::args_os().skip(1);
    if words.next().is_none_or(|word| word != NAME) {
        return None;
    }
    let (parent, program) = (words.next()?, words.next()?);
    signals::die_with(parent.to_str().and_then(|id| id.parse().ok()));
    let error = Command::new(&program).args(words).exec();
    eprintln!("unspool: cannot start {}: {error}", program.display());
    let is_there = error.kind() != std::io::ErrorKind::NotFound;
    Some(ExitCode::from(if is_there { 126 } else { 127 }))
}
