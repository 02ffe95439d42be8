//! Commands about the conversation: titles, side questions, forks, feedback.

use super::super::declare::{wire, writable};

writable! {
    /// Find a title.
    pub struct GenerateSessionTitle: subtype "generate_session_title" {
        /// What the session is about.
        description: Str,
        /// Keep it.
        persist: bool,
    }
}

wire! {
    /// A title.
    pub struct GenerateSessionTitleReply {
        /// The title.
        title: Str,
    }
}

writable! {
    /// Ask something beside the conversation.
    pub struct SideQuestion: subtype "side_question" {
        /// The question.
        question: Str,
        /// What was asked before.
        history: Json,
    }
}

wire! {
    /// The answer.
    pub struct SideQuestionReply {
        /// The words.
        response: Str,
        /// They are not the model's.
        synthetic: bool,
        /// Another model answered.
        refusal_fallback: RefusalFallback,
    }

    /// Another model answered.
    pub struct RefusalFallback {
        /// The model that refused.
        original_model: Str,
        /// The model that answered.
        fallback_model: Str,
        /// What Claude Code tells people of it.
        content: Str,
    }
}

writable! {
    /// The conversation as text.
    pub struct ExportConversation: subtype "export_conversation" {}
}

wire! {
    /// The conversation as text.
    pub struct ExportConversationReply {
        /// The text.
        text: Str,
        /// What to call the file.
        default_filename: Str,
    }
}

writable! {
    /// Go on in another session.
    pub struct ForkConversation: subtype "fork_conversation" {}
}

wire! {
    /// Whether it does.
    pub struct ForkConversationReply {
        /// Whether it does.
        forked: bool,
        /// What went wrong.
        error: Str,
        /// Why not.
        reason: Str,
    }
}

writable! {
    /// Go back to a message.
    pub struct RewindConversation: subtype "rewind_conversation" {
        /// The message.
        target_message_uuid: Str,
    }

    /// The user likes a message, or does not.
    pub struct MessageRated: subtype "message_rated" {
        /// The message.
        message_uuid "messageUuid": Str,
        /// `positive` or `negative`.
        sentiment: Str,
        /// What was rated: `tool_use` or `assistant_text`.
        surface: Str,
        /// The rating is taken back.
        cleared: bool,
    }

    /// What the user thinks of Claude Code.
    pub struct SubmitFeedback: subtype "submit_feedback" {
        /// The words.
        description: Str,
        /// Where they were written.
        surface: Str,
        /// The draft they come from.
        draft_id: Str,
        /// What kind of feedback.
        kind "type": Str,
        /// Their title.
        title: Str,
        /// What they are about.
        area: Str,
        /// The transcript goes along.
        attach_transcript: bool,
        /// They are kept here.
        save_locally: bool,
    }

    /// The answer to a survey; its shape is not known.
    pub struct SubmitSurveyFeedback: subtype "submit_survey_feedback" {}

    /// Begin a thorough review.
    pub struct UltrareviewLaunch: subtype "ultrareview_launch" {
        /// What to review.
        args: Json,
        /// The user agrees.
        confirm: Json,
    }
}

wire! {
    /// Whether it begins.
    pub struct UltrareviewLaunchReply {
        /// Whether it does.
        status: Str,
        /// What Claude Code tells people of it.
        message: Str,
        /// What stands in the way.
        gate_blocker: Json,
    }
}

writable! {
    /// Suggest no prompts for now.
    pub struct SetPromptSuggestionsPaused: subtype "set_prompt_suggestions_paused" {
        /// Whether to pause.
        paused: bool,
    }

    /// Files that will be needed; remote sessions only.
    pub struct PrefetchAttachments: subtype "prefetch_attachments" {
        /// The files.
        files: Json,
        /// When the request was made.
        issued_at: Json,
        /// No others.
        only_these: Json,
    }

    /// A file for later; its shape is not known.
    pub struct StageFile: subtype "stage_file" {}

    /// Refused on stdio; its shape is not known.
    pub struct VoiceCallTalk: subtype "voice_call_talk" {}
}
