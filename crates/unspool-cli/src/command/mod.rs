//! The subcommands, a file each.

#[cfg(unix)]
mod ask_json;
mod check;
mod completions;
mod convert;
mod cost;
mod demo;
mod diff;
#[cfg(unix)]
mod doctor;
mod events;
mod fake_claude;
mod fake_model;
mod html;
mod man;
#[cfg(test)]
mod properties;
#[cfg(unix)]
mod record;
mod redact;
mod replay;
#[cfg(unix)]
mod run;
mod schema;
mod sessions;
mod stats;
mod summary;
mod view;
mod watch;

pub(crate) use fake_claude::as_claude;
pub(crate) use view::{View, ViewOptions};

use std::process::ExitCode;

/// What the program can do.
#[derive(clap::Subcommand)]
pub(crate) enum Command {
    View(view::View),
    Events(events::Events),
    Check(check::Check),
    Sessions(sessions::Sessions),
    Watch(watch::Watch),
    Cost(cost::Cost),
    Stats(stats::Stats),
    Schema(schema::Schema),
    Html(html::HtmlArgs),
    Convert(convert::Convert),
    Diff(diff::DiffArgs),
    Summary(summary::Summary),
    Replay(replay::Replay),
    Redact(redact::Redact),
    Demo(demo::Demo),
    FakeModel(fake_model::FakeModelArgs),
    FakeClaude(fake_claude::FakeClaudeArgs),
    Completions(completions::Completions),
    Man(man::ManArgs),
    #[cfg(unix)]
    Record(record::Record),
    #[cfg(unix)]
    Run(run::RunArgs),
    #[cfg(unix)]
    AskJson(ask_json::AskJson),
    #[cfg(unix)]
    Doctor(doctor::Doctor),
}

impl Command {
    pub(crate) fn run(self) -> anyhow::Result<ExitCode> {
        match self {
            Command::View(view) => view.run(&mut crate::output::stdout()),
            Command::Events(events) => events.run(&mut crate::output::stdout()),
            Command::Check(check) => check.run(&mut crate::output::stdout()),
            Command::Sessions(sessions) => sessions.run(&mut crate::output::stdout()),
            Command::Watch(watch) => watch.run(&mut crate::output::stdout()),
            Command::Cost(cost) => cost.run(&mut crate::output::stdout()),
            Command::Stats(stats) => stats.run(&mut crate::output::stdout()),
            Command::Schema(schema) => schema.run(&mut crate::output::stdout()),
            Command::Convert(convert) => convert.run(&mut crate::output::stdout()),
            Command::Html(html) => html.run(&mut crate::output::stdout()),
            Command::Diff(diff) => diff.run(&mut crate::output::stdout()),
            Command::Summary(summary) => summary.run(&mut crate::output::stdout()),
            Command::Replay(replay) => replay.run(&mut crate::output::stdout()),
            Command::Redact(redact) => redact.run(&mut crate::output::stdout()),
            Command::Demo(demo) => demo.run(&mut crate::output::stdout()),
            Command::FakeModel(model) => model.run(&mut crate::output::stdout()),
            Command::FakeClaude(claude) => claude.run(&mut crate::output::stdout()),
            Command::Completions(completions) => completions.run(&mut crate::output::stdout()),
            Command::Man(man) => man.run(&mut crate::output::stdout()),
            #[cfg(unix)]
            Command::Record(record) => record.run(),
            #[cfg(unix)]
            Command::Run(run) => run.run(&mut crate::output::stdout()),
            #[cfg(unix)]
            Command::AskJson(ask) => ask.run(&mut crate::output::stdout()),
            #[cfg(unix)]
            Command::Doctor(doctor) => doctor.run(&mut crate::output::stdout()),
        }
    }
}
