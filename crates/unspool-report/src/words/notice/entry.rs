//! Entries of transcripts in words.

use super::line::another_model;
use super::{Shown, Told, Weight, excerpt, first, plain, text};
use unspool::json::Json;
use unspool::wire::Entry;
use unspool::wire::entry::{AttachedKind, Attachment, SystemEntry};

pub(super) fn told(entry: &Entry<'_>, shown: &Shown<'_>) -> Told {
    match entry {
        Entry::System(entry) => system(entry, shown),
        Entry::Attachment(entry) => attachment(entry, shown),
        Entry::PrLink(link) => {
            let number = link.pr_number.map(|number| format!("#{number} ")).unwrap_or_default();
            (Weight::Plain, "pull request".into(), number + &first([link.pr_url, link.pr_repository]))
        }
        Entry::WorktreeState(state) => {
            let worktree = state.worktree_session.map(|worktree| worktree.read()).unwrap_or_default();
            let words = first([worktree.worktree_name, worktree.worktree_path]);
            (Weight::Faint, "worktree".into(), if words.is_empty() { "none".into() } else { words })
        }
        Entry::ContinuedIn(entry) => {
            (Weight::Faint, "goes on in session".into(), text(entry.continued_in_session_id))
        }
        Entry::EndedByModel(_) => (Weight::Faint, "the model ended the session".into(), String::new()),
        Entry::FrameLink(link) => {
            (Weight::Faint, "artifact".into(), first([link.title, link.frame_url, link.path]))
        }
        Entry::Summary(entry) => shown.says(entry.summary),
        Entry::AgentMetadata(_)
        | Entry::AgentName(_)
        | Entry::AiTitle(_)
        | Entry::CustomTitle(_)
        | Entry::Progress(_) => shown.told(Weight::Faint),
        // Claude Code keeps all others for itself.
        _ => shown.told(Weight::Program),
    }
}

fn system(entry: &SystemEntry<'_>, shown: &Shown<'_>) -> Told {
    match entry {
        SystemEntry::AgentsKilled(_) => (Weight::Warning, "all agents were stopped".into(), String::new()),
        SystemEntry::AwaySummary(entry) => (Weight::Plain, "meanwhile".into(), text(entry.content)),
        SystemEntry::ApiError(_) => (Weight::Warning, "retry".into(), String::new()),
        SystemEntry::MemorySaved(entry) => {
            let paths = entry.written_paths.iter().flat_map(|paths| paths.iter());
            let paths: Vec<String> = paths.map(|path| path.to_string()).collect();
            (Weight::Plain, "memory saved".into(), paths.join(", "))
        }
        SystemEntry::ModelConsentFallback(entry) => another_model(entry.content, None, None),
        SystemEntry::FileSnapshot(_) | SystemEntry::RewindStandIn(_) | SystemEntry::TurnDuration(_) => {
            shown.told(Weight::Program)
        }
        SystemEntry::BridgeStatus(entry) => shown.says(entry.content),
        SystemEntry::CloudSessionStatus(entry) => shown.says(entry.content),
        SystemEntry::LocalCommand(entry) => shown.says(entry.content),
        SystemEntry::PermissionRetry(entry) => shown.says(entry.content),
        SystemEntry::PostToolHookFeedback(entry) => shown.says(entry.content),
        SystemEntry::ScheduledTaskFire(entry) => shown.says(entry.content),
        SystemEntry::StopHookSummary(entry) => shown.says(entry.content),
        _ => shown.told(Weight::Faint),
    }
}

/// What stands beside a prompt in a transcript: what the model is told of the surroundings, or what has happened.
fn attachment(entry: &Attachment<'_>, shown: &Shown<'_>) -> Told {
    let attached = entry.attachment.map(|attached| attached.read()).unwrap_or_default();
    let weight = match attached.kind {
        Some(AttachedKind::MaxTurnsReached) => Weight::Warning,
        Some(
            AttachedKind::QueuedCommand
            | AttachedKind::PlanMode
            | AttachedKind::PlanModeExit
            | AttachedKind::HookSuccess
            | AttachedKind::HookDeferredTool
            | AttachedKind::UnknownCommandFallback,
        )
        | None => Weight::Faint,
        Some(_) => Weight::Program,
    };
    let said = [attached.prompt, attached.content, attached.message].map(|said| said.and_then(Json::as_str));
    let words = first([said[0], said[1], attached.text, said[2]]);
    let words = if words.is_empty() { shown.excerpt() } else { excerpt(&words) };
    let kind = attached.kind.map(|kind| plain(&kind.as_str())).unwrap_or_default();
    (weight, kind, words)
}
