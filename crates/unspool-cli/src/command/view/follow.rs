//! A session that still grows, shown as it does.

use super::ViewOptions;
use super::signals;
use crate::output::Output;
use crate::source::{Follow, Sources};
use crate::stage::{Screen, Stage, TICK};
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use unspool::{Event, Grain};

/// Shows it until somebody has seen enough.
pub(super) fn run(file: &Path, options: &ViewOptions, out: &mut impl Output) -> anyhow::Result<ExitCode> {
    let source = Sources::of(vec![file.to_owned()]).find()?.one()?.fail_on(options.fail_on()).quiet();
    let mut follow = Follow::new(&source, Grain::Deltas)?;
    let enough = Arc::new(AtomicBool::new(false));
    let heard = Arc::clone(&enough);
    signals::hear(move |_| {
        heard.store(true, Ordering::Relaxed);
        false
    });
    let is_terminal = out.is_terminal();
    let settings = options.settings(is_terminal);
    let mut stage = if is_terminal && !options.is_dumb() {
        let screen = Screen::open(settings.colors);
        Stage::on_screen(settings, options.is_fixed(), screen)
    } else {
        Stage::on_lines(settings, out)
    };
    while !enough.load(Ordering::Relaxed) && !stage.is_closed() {
        let now = stage.now();
        follow.look(Some(now), &mut |event: &Event<'_>| stage.step(event))?;
        stage.draw()?;
        thread::sleep(TICK);
    }
    let now = stage.now();
    follow.finish(Some(now), &mut |event: &Event<'_>| stage.step(event))?;
    stage.draw()?;
    Ok(options.conclude(&stage))
}
