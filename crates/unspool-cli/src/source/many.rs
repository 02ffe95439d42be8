//! Many sessions, on all cores.

use super::Source;
use super::progress::Progress;
use std::collections::BTreeMap;
use std::num::NonZero;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, mpsc};
use std::thread;

/// So many may be read before the first of them is taken: what was made of them has to be kept meanwhile.
const AHEAD: usize = 256;

/// Reads all sessions at once on all cores, and hands on what `read` makes of them in their order.
///
/// A session that cannot be read is named on standard error, unless it was only found and is none; returns how many
/// there were. If the only session cannot be read, that is the error.
pub(crate) fn each<T: Send>(
    sources: &[Source],
    read: impl Fn(&Source) -> anyhow::Result<T> + Sync,
    mut take: impl FnMut(&Source, T) -> anyhow::Result<()>,
) -> anyhow::Result<u64> {
    if let [source] = sources {
        take(source, read(source)?)?;
        return Ok(0);
    }
    let progress = Progress::new(sources.len());
    let mut failures = 0;
    in_order(sources, &read, |source, made| {
        progress.step();
        match made {
            Ok(made) => take(source, made),
            Err(error) if source.may_ignore(&error) => Ok(()),
            Err(error) => {
                progress.say(&format!("unspool: {error:#}"));
                failures += 1;
                Ok(())
            }
        }
    })?;
    progress.end();
    Ok(failures)
}

fn in_order<T: Send>(
    sources: &[Source],
    read: &(impl Fn(&Source) -> anyhow::Result<T> + Sync),
    mut take: impl FnMut(&Source, anyhow::Result<T>) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let next = AtomicUsize::new(0);
    let taken = (Mutex::new(0), Condvar::new());
    let cores = thread::available_parallelism().map_or(1, NonZero::get).min(sources.len());
    thread::scope(|scope| {
        let (sender, made) = mpsc::channel();
        for _ in 0..cores {
            let (sender, next, taken) = (sender.clone(), &next, &taken);
            scope.spawn(move || {
                loop {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    let Some(source) = sources.get(at) else { return };
                    let waits = |taken: &mut usize| at >= taken.saturating_add(AHEAD);
                    let Ok(lock) = taken.0.lock() else { return };
                    drop(taken.1.wait_while(lock, waits));
                    if sender.send((at, read(source))).is_err() {
                        return;
                    }
                }
            });
        }
        drop(sender);
        let mut early = BTreeMap::new();
        let mut due = 0;
        let mut result = Ok(());
        for (at, item) in made {
            early.insert(at, item);
            while let Some(item) = early.remove(&due) {
                if result.is_ok() {
                    result = take(&sources[due], item);
                }
                due += 1;
            }
            // Whoever waits must be let go, also when nobody wants more.
            let now = if result.is_ok() { due } else { usize::MAX };
            taken.0.lock().map(|mut taken| *taken = now).unwrap_or(());
            taken.1.notify_all();
            if result.is_err() {
                next.store(sources.len(), Ordering::Relaxed);
            }
        }
        result
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_come_in_order_and_only_so_far_ahead() {
        let sources: Vec<_> = (0..2000).map(|at| Source::of(at.to_string().into())).collect();
        let taken = AtomicUsize::new(0);
        let read = |source: &Source| {
            let at: usize = source.path().to_str().unwrap().parse().unwrap();
            assert!(at < taken.load(Ordering::SeqCst) + AHEAD + 1);
            if at.is_multiple_of(7) { anyhow::bail!("{at}") } else { Ok(at) }
        };
        let mut seen = Vec::new();
        in_order(&sources, &read, |_, made| {
            seen.push(made.unwrap_or_else(|error| error.to_string().parse().unwrap()));
            taken.store(seen.len(), Ordering::SeqCst);
            Ok(())
        })
        .unwrap();
        assert_eq!(seen, (0..2000).collect::<Vec<_>>());
    }

    #[test]
    fn whoever_has_enough_ends_it() {
        let sources: Vec<_> = (0..5000).map(|at| Source::of(at.to_string().into())).collect();
        let ended = in_order(&sources, &|_| Ok(()), |source, _| {
            if source.path().as_os_str() == "9" { anyhow::bail!("enough") } else { Ok(()) }
        });
        assert_eq!(ended.unwrap_err().to_string(), "enough");
    }
}
