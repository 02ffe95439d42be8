//! What a developer and CI run: `cargo xtask test`, and the longer runs beside it.

mod arm;
mod bench;
mod beside;
mod ccusage;
mod chaos;
mod cli;
mod compute;
mod corpus;
mod deps;
mod fuzz;
mod instructions;
mod memory;
mod miri;
mod package;
mod page;
mod platforms;
mod prices;
mod sdk;
mod step;
mod terminal;
mod test;
mod typescript;
mod workspace;

use clap::Parser;
use std::process::ExitCode;
use workspace::Workspace;

/// The project's own commands.
#[derive(Parser)]
#[command(name = "cargo xtask")]
enum Task {
    Test(test::Test),
    Corpus(corpus::Corpus),
    Bench(bench::Bench),
    Chaos(chaos::Chaos),
    Fuzz(fuzz::Fuzz),
    Cli(cli::Cli),
    Prices(prices::Prices),
}

fn main() -> ExitCode {
    run(Task::parse()).unwrap_or_else(|error| {
        eprintln!("error: {error:#}");
        ExitCode::FAILURE
    })
}

fn run(task: Task) -> anyhow::Result<ExitCode> {
    let workspace = Workspace::find()?;
    match task {
        Task::Test(test) => Ok(test.run(&workspace)),
        Task::Corpus(corpus) => corpus.run(&workspace),
        Task::Bench(bench) => bench.run(&workspace),
        Task::Chaos(chaos) => chaos.run(&workspace),
        Task::Fuzz(fuzz) => fuzz.run(&workspace),
        Task::Cli(cli) => cli.run(),
        Task::Prices(prices) => prices.run(&workspace),
    }
}
