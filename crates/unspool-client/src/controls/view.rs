//! What a user interface shows.

use super::declare::commands;
use unspool::json::Json;
use unspool::wire::command::*;

commands! {
    GetStatus -> GetStatusReply {
        /// What `/status` shows.
        fn get_status();
    }

    GetPlan -> GetPlanReply {
        /// The plan, if there is one.
        fn get_plan();
    }

    GetMemoryDialog -> GetMemoryDialogReply {
        /// What `/memory` shows.
        fn get_memory_dialog();
    }

    GetSkillsDialog -> GetSkillsDialogReply {
        /// What `/skills` shows.
        fn get_skills_dialog();
    }

    GetSandboxDialog -> GetSandboxDialogReply {
        /// What `/sandbox` shows.
        fn get_sandbox_dialog();
    }

    GetChromeDialog -> GetChromeDialogReply {
        /// What `/chrome` shows.
        fn get_chrome_dialog();
    }

    GetChromeBrowsers -> Json {}
    SelectChromeBrowser -> Json {}
    SetChromeBrowserHints -> Json {}
}
