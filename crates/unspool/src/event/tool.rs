//! Calls of Claude Code's own tools and their answers, as types.

use super::What;
use crate::wire::tool::{ToolInput, ToolOutput};

impl What<'_> {
    /// What the tool is given, if this is a whole call.
    #[must_use]
    pub fn tool_input(&self) -> Option<ToolInput<'_>> {
        match self {
            What::ToolUse { name: Some(name), input: Some(input), .. } => {
                Some(ToolInput::of(name, input.json()))
            }
            _ => None,
        }
    }

    /// What the tool has answered for programs, if it did: a call that failed has words only, which are `Unknown`, and calls of
    /// sub-agents and of old versions often have nothing.
    #[must_use]
    pub fn tool_output(&self) -> Option<ToolOutput<'_>> {
        match self {
            What::ToolResult { name: Some(name), detail: Some(detail), .. } => {
                Some(ToolOutput::of(name, detail.json()))
            }
            _ => None,
        }
    }
}
