//! What hosts make up, and what means nothing: where two lines may differ and still say one thing.

use super::same::Segment;
use crate::wire::Kind;

/// A field of the host's lines that is not compared.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Free {
    /// The `type` of the lines.
    pub line: &'static str,
    /// Where it stands: names behind each other, `*` for any.
    pub path: &'static str,
    /// Why it is not compared.
    pub why: &'static str,
}

/// All of them, for people and for the comparison.
pub const FREE: &[Free] = &[
    free("user", "uuid", "the host's name for its message; played lines that name it get the new one"),
    free(
        "user",
        "session_id",
        "Claude Code does not look at it; hosts write \"\", \"default\" or the real one",
    ),
    free("user", "parent_tool_use_id", "Claude Code does not look at it; null, or not there"),
    free("user", "timestamp", "when the host wrote it"),
    free("control_request", "request_id", "the host's name for its request; its answer gets the new one"),
    free(
        "control_request",
        "request.hooks.*.*.hookCallbackIds.*",
        "the host's names for its hooks; calls of hooks get the new ones",
    ),
    free(
        "update_environment_variables",
        "variables.*",
        "values change, and may be secret; which ones there are is compared",
    ),
];

const fn free(line: &'static str, path: &'static str, why: &'static str) -> Free {
    Free { line, path, why }
}

/// Objects of the host's own in which a field that is null is one that is not there: some hosts write all they have, others what
/// is set. What stands deeper is somebody's data.
const ENVELOPES: [&str; 5] = ["", "message", "request", "response", "response.response"];

/// What counts in lines of a kind.
#[derive(Clone, Debug)]
pub(super) struct Rules<'r> {
    free: Vec<&'r str>,
    is_prompt: bool,
}

impl<'r> Rules<'r> {
    /// Beside the fields that nobody compares those of these paths are not compared.
    pub(super) fn of(line: &str, ignored: &'r [String]) -> Self {
        let free = FREE.iter().filter(|free| free.line == line).map(|free| free.path);
        let is_prompt = line == Kind::User.name();
        Rules { free: free.chain(ignored.iter().map(String::as_str)).collect(), is_prompt }
    }

    /// Beside these neither.
    pub(super) fn and(mut self, paths: &'r [String]) -> Self {
        self.free.extend(paths.iter().map(String::as_str));
        self
    }

    /// All counts.
    pub(super) fn none() -> Self {
        Rules { free: Vec::new(), is_prompt: false }
    }

    pub(super) fn is_free(&self, path: &[Segment<'_>]) -> bool {
        self.free.iter().any(|pattern| fits(pattern, path))
    }

    /// Whether null and nothing are one in the object that stands here.
    pub(super) fn is_envelope(&self, path: &[Segment<'_>]) -> bool {
        ENVELOPES.iter().any(|pattern| fits(pattern, path))
    }

    /// Whether what stands here may be a text, or a list with one block of text: both are one prompt.
    pub(super) fn is_content(&self, path: &[Segment<'_>]) -> bool {
        self.is_prompt && fits("message.content", path)
    }
}

fn fits(pattern: &str, path: &[Segment<'_>]) -> bool {
    let mut names = pattern.split('.').filter(|name| !name.is_empty());
    path.iter().all(|segment| names.next().is_some_and(|name| name == "*" || segment.is(name)))
        && names.next().is_none()
}
