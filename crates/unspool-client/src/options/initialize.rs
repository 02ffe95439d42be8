//! The fields of `initialize` that options need. Handlers add theirs.

use super::Options;
use super::extension::Skills;
use super::prompt::is_long;
use unspool::wire::CommandKind;
use unspool::wire::input::Draft;

impl Options {
    /// The `initialize` request that these options need, with its `subtype`; nothing if they need none. What
    /// others need of it is added by [`Draft::with`].
    #[must_use]
    pub fn initialize(&self) -> Option<Draft> {
        let bare = Draft::new().with("subtype", CommandKind::Initialize.name());
        let draft = self.prompt_fields(self.fields(bare.clone()));
        let draft = self.fields_of_others(draft);
        (draft != bare).then_some(draft)
    }

    /// Fields that depend on more than one option.
    fn fields_of_others(&self, mut draft: Draft) -> Draft {
        if let Some(Skills::Only(skills)) = &self.skills {
            draft = draft.with("skills", skills.clone());
        }
        if let Some(schema) = self.schema().filter(|schema| is_long(&schema.to_string())) {
            draft = draft.with("jsonSchema", schema);
        }
        if let Some(plugins) = self.plugin_fields() {
            draft = draft.with("plugins", plugins);
        }
        if let Some(settings) = self.managed_settings.clone().filter(|_| self.await_initialize) {
            draft = draft.with("managedSettings", settings);
        }
        self.extra_fields.iter().fold(draft, |draft, (name, value)| draft.with(name, value.clone()))
    }
}
