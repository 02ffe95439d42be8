//! Settings, plugins, hooks and rules.

use super::declare::commands;
use super::reply::LONG;
use crate::controls::Controls;
use unspool::control::Refusal;
use unspool::wire::command::*;
use unspool::wire::input::{Owned, Say};

commands! {
    ApplyFlagSettings -> () {}

    GetSettings -> GetSettingsReply {
        /// The settings in force, and where they come from. Since 2.1.112 or before; 2.0.77 does not answer.
        fn get_settings();
    }

    UpdateSettings -> () {}

    GetHooksListing -> GetHooksListingReply {
        /// The hooks in force, and the events there are. 2.1.325 answers, 2.1.112 refuses.
        fn get_hooks_listing();
    }

    ListPermissionRules -> ListPermissionRulesReply {
        /// The rules in force. 2.1.325 answers, 2.1.112 refuses.
        fn list_permission_rules();
    }

    ReloadPlugins -> ReloadPluginsReply, within LONG {
        /// Loads the plugins again. Since 2.1.112 or before; 2.0.77 does not answer.
        fn reload_plugins();
    }

    ReloadSkills -> ReloadSkillsReply {
        /// Loads the skills again. 2.1.325 does, 2.1.112 refuses.
        fn reload_skills();
    }

    ReloadOutputStyles -> ReloadOutputStylesReply {
        /// Loads the output styles again. 2.1.325 does, 2.1.112 refuses.
        fn reload_output_styles();
    }
}

impl Controls {
    /// Settings for this process; null takes one back. Since 2.1.112 or before; 2.0.77 does not answer.
    pub async fn apply_flag_settings(&self, settings: impl Say) -> Result<(), Refusal> {
        let settings = Owned::of(settings);
        self.request(ApplyFlagSettings::default().settings(&settings)).await
    }

    /// Settings for good, kept in `localSettings` or `userSettings`. Only few may be changed so, among them
    /// `outputStyle`.
    pub async fn update_settings(&self, source: &str, settings: impl Say) -> Result<(), Refusal> {
        let settings = Owned::of(settings);
        self.request(UpdateSettings::default().source(source).settings(&settings)).await
    }
}
