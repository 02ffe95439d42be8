//! Harms sessions at random for some minutes, and says what came of it.

use clap::Parser;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};
use unspool_client_bench::chaos::{Life, be_host};
use unspool_client_bench::processes::{guards, zombies};

#[derive(Parser)]
struct Args {
    /// Claude Code.
    cli: PathBuf,
    #[arg(long, default_value_t = 10.0)]
    minutes: f32,
    /// So many at once.
    #[arg(long, default_value_t = 20)]
    sessions: usize,
    /// For the same plans and harms again.
    #[arg(long)]
    seed: Option<u64>,
}

#[tokio::main]
async fn main() -> anyhow::Result<ExitCode> {
    if let Some(done) = be_host().await {
        return done.map(|()| ExitCode::SUCCESS);
    }
    let args = Args::parse();
    let seed = args.seed.unwrap_or_else(|| fastrand::u64(..1_000_000));
    let mut random = fastrand::Rng::with_seed(seed);
    println!("{} sessions at once for {} minutes, --seed {seed}", args.sessions, args.minutes);
    let copying = std::env::current_exe()?.with_file_name("copying");
    let until = Instant::now() + Duration::from_secs_f32(args.minutes * 60.0);
    let number = Arc::new(AtomicU64::new(0));
    let mut workers = tokio::task::JoinSet::new();
    for _ in 0..args.sessions {
        let (cli, copying, number) = (args.cli.clone(), copying.clone(), number.clone());
        let mut random = random.fork();
        workers.spawn(async move {
            let mut faults = 0;
            while Instant::now() < until {
                let id = format!("{}-{}", std::process::id(), number.fetch_add(1, Ordering::Relaxed));
                let life = Life::new(id, random.fork());
                let id = life.id.clone();
                let outcome = life.live(&cli, &copying).await?;
                println!("{id} {}", outcome.told);
                for fault in &outcome.faults {
                    println!("{id} FAULT: {fault}");
                }
                faults += outcome.faults.len();
            }
            anyhow::Ok(faults)
        });
    }
    let mut faults = 0;
    while let Some(worker) = workers.join_next().await {
        faults += worker??;
    }
    // The guard of a host that was killed ends a moment after all that it has ended.
    let since = Instant::now();
    while !guards().is_empty() && since.elapsed() < Duration::from_secs(10) {
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    let (zombies, guards) = (zombies().len(), guards().len());
    let lived = number.load(Ordering::Relaxed);
    println!("{lived} sessions were lived: {faults} faults, {zombies} zombies, {guards} guards left");
    Ok(if faults + zombies + guards == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
