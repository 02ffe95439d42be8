//! Tasks, as far as several folds want to know of them.

use std::borrow::Cow;
use unspool::event::What;
use unspool::json::Str;
use unspool::wire::Envelope;
use unspool::wire::system::System;

/// The call that a task belongs to.
pub(crate) fn call<'e>(what: &'e What<'_>) -> Option<Cow<'e, str>> {
    let call = match what.envelope()? {
        Envelope::System(System::TaskStarted(task)) => task.tool_use_id,
        Envelope::System(System::TaskProgress(task)) => task.tool_use_id,
        Envelope::System(System::TaskNotification(task)) => task.tool_use_id,
        Envelope::ToolProgress(tool) => tool.tool_use_id,
        _ => None,
    };
    call.map(Str::decode)
}
