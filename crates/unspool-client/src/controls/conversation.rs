//! The conversation: titles, side questions, forks, feedback.

use super::declare::commands;
use super::reply::LONG;
use unspool::json::Json;
use unspool::wire::command::*;

commands! {
    GenerateSessionTitle -> GenerateSessionTitleReply, within LONG {
        /// Finds a title for what the session is about; there may be none. A model is asked. Since 2.1.112 or before;
        /// 2.0.77 does not answer.
        fn generate_session_title(description: &str);
    }

    SideQuestion -> SideQuestionReply, within LONG {
        /// Asks the model something beside the conversation, also in mid-turn. Since 2.1.112 or before; 2.0.77
        /// does not answer.
        fn side_question(question: &str);
    }

    ExportConversation -> ExportConversationReply {
        /// The conversation as text.
        fn export_conversation();
    }

    ForkConversation -> ForkConversationReply {
        /// Goes on in another session. On stdio the reply says that it cannot.
        fn fork_conversation();
    }

    RewindConversation -> Json {
        /// Goes back to a message.
        fn rewind_conversation(target_message_uuid: &str);
    }

    SetPromptSuggestionsPaused -> () {
        /// Suggests no prompts for now, or does again.
        fn set_prompt_suggestions_paused(paused: bool);
    }

    MessageRated -> () {
        /// The user likes a message, or does not: `positive` or `negative`.
        fn message_rated(message_uuid: &str, sentiment: &str);
    }

    SubmitFeedback -> Json, within LONG {
        /// Tells the makers of Claude Code what the user thinks.
        fn submit_feedback(description: &str);
    }

    UltrareviewLaunch -> UltrareviewLaunchReply, within LONG {}

    SubmitSurveyFeedback -> Json {}
    PrefetchAttachments -> Json {}
    StageFile -> Json {}
    VoiceCallTalk -> Json {}
}
