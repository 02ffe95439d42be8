//! Whatever speaks of a call of a tool: what the tool was given, and what it answered, by its name.

use super::super::ToolUse;
use super::super::hook::{
    BatchedCall, PermissionDenied, PermissionRequest, PostToolUse, PostToolUseFailure, PreToolUse,
};
use super::{ToolInput, ToolOutput};
use crate::json::{Json, Str};

fn input<'a>(tool: Option<Str<'a>>, input: Option<Json<'a>>) -> ToolInput<'a> {
    ToolInput::of(&tool.map(|tool| tool.decode()).unwrap_or_default(), input.unwrap_or(Json::NULL))
}

fn output<'a>(tool: Option<Str<'a>>, output: Option<Json<'a>>) -> ToolOutput<'a> {
    ToolOutput::of(&tool.map(|tool| tool.decode()).unwrap_or_default(), output.unwrap_or(Json::NULL))
}

impl<'a> ToolUse<'a> {
    /// The input as what this tool takes.
    #[must_use]
    pub fn typed(&self) -> ToolInput<'a> {
        input(self.name, self.input)
    }
}

macro_rules! typed_input {
    ($($name:ident),*) => { $(
        impl<'a> $name<'a> {
            /// The input as what this tool takes.
            #[must_use]
            pub fn typed(&self) -> ToolInput<'a> {
                input(self.tool_name, self.tool_input)
            }
        }
    )* };
}

macro_rules! typed_response {
    ($($name:ident),*) => { $(
        impl<'a> $name<'a> {
            /// The response as what this tool answers.
            #[must_use]
            pub fn typed_response(&self) -> ToolOutput<'a> {
                output(self.tool_name, self.tool_response)
            }
        }
    )* };
}

typed_input!(PreToolUse, PostToolUse, PostToolUseFailure, PermissionRequest, PermissionDenied, BatchedCall);
typed_response!(PostToolUse, BatchedCall);
