//! What is around the things that were said.

use super::super::declare::{named, writable};
use super::super::{Kind, Message, Origin};
use super::EntryKind;
use crate::wire::system::SYSTEM;

named! {
    /// What entries bear, whatever else they say: enough to find the place of one in its conversation.
    pub struct EntryHead {
        /// What the entry is: `user`, `assistant`, `system`, or that of an [`Entry`](super::Entry).
        kind "type": Str,
        /// What a `system` entry is.
        subtype: Str,
        /// Id of this entry.
        uuid: Str,
        /// The entry that it follows.
        parent_uuid "parentUuid": Str,
        /// When the entry was written.
        timestamp: Str,
        /// The session it belongs to.
        session_id "sessionId": Str,
        /// The agent that it is of; none for the main agent.
        agent_id "agentId": Str,
        /// It is of an agent.
        is_sidechain "isSidechain": bool,
        /// It is for the model, and not for people.
        is_meta "isMeta": bool,
        /// It is the summary of what was said before.
        is_compact_summary "isCompactSummary": bool,
        /// It is for people, and not for the model.
        is_visible_in_transcript_only "isVisibleInTranscriptOnly": bool,
        /// What was said.
        message: Message,
        /// What Claude Code itself says; of a `system` entry.
        content: Json,
        /// What a tool answered, for programs.
        tool_use_result "toolUseResult": Json,
        /// Why a call was not allowed.
        tool_denial_kind "toolDenialKind": Str,
        /// What went wrong, in one word.
        error: Str,
        /// HTTP status of the failure.
        api_error_status "apiErrorStatus": u64,
        /// It stands for an answer of the API that failed.
        is_api_error_message "isApiErrorMessage": bool,
        /// The request to the API.
        request_id "requestId": Str,
        /// Where a prompt comes from.
        origin: Origin,
        /// The entry that it is a copy of, in another session.
        forked_from "forkedFrom": (Json as ForkedFrom),
        /// The folder.
        cwd: Str,
        /// The branch in version control.
        git_branch "gitBranch": Str,
        /// The version of Claude Code.
        version: Str,
        /// What is asked before it is done.
        permission_mode "permissionMode": Str,
        /// The team whose member it is of.
        team_name "teamName": Str,
        /// What its agent is called.
        agent_name "agentName": Str,
        /// What kind of session it is of.
        session_kind "sessionKind": Str,
        /// A name of the session for people.
        slug: Str,
        /// The message that made the call which it answers.
        source_tool_assistant_uuid "sourceToolAssistantUUID": Str,
        /// Prompts that were left out.
        dropped_prompt_uuids "droppedPromptUuids": Json,
        /// Prompts whose turns are summarised.
        summarized_turn_prompt_uuids "summarizedTurnPromptUuids": Json,
        /// Which turn it belongs to.
        turn_attribution_key "turnAttributionKey": Str,
        /// Money that it cost; old versions.
        cost_usd "costUSD": f64,
    }
}

writable! {
    /// The entry that another one is a copy of.
    pub struct ForkedFrom {
        /// The session that it is in.
        session_id "sessionId": Str,
        /// Its id.
        message_uuid "messageUuid": Str,
    }
}

impl EntryHead<'_> {
    /// Whether it is a message of the user, or of a tool.
    #[must_use]
    pub fn is_user(&self) -> bool {
        self.kind.is_some_and(|kind| kind == Kind::User.name())
    }

    /// Whether it is a message of the model.
    #[must_use]
    pub fn is_assistant(&self) -> bool {
        self.kind.is_some_and(|kind| kind == Kind::Assistant.name())
    }

    /// Whether it is Claude Code's own, and says something of the session.
    #[must_use]
    pub fn is_system(&self) -> bool {
        self.kind.is_some_and(|kind| kind == SYSTEM)
    }

    /// What it is, if that is beside the conversation.
    #[must_use]
    pub fn noted(&self) -> Option<EntryKind> {
        EntryKind::of(&self.kind?.decode())
    }

    /// Whether entries name one of this type as the one before them: what was said, and what went with it.
    #[must_use]
    pub fn is_chained(&self) -> bool {
        let goes_with = matches!(self.noted(), Some(EntryKind::Attachment | EntryKind::Progress));
        goes_with || self.is_user() || self.is_assistant() || self.is_system()
    }
}
