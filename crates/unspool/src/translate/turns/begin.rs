//! The beginning of a turn: `system/init` lines, or the first sign of one.

use crate::digest;
use crate::event::{Raw, What};
use crate::json::Str;
use crate::translate::Translator;
use crate::translate::read::result::Beginning;
use crate::translate::tell::Cx;
use std::borrow::Cow;

/// What the last `session_meta` said, as a hash.
#[derive(Debug, Default)]
pub(crate) struct Introduced(Option<u64>);

impl Introduced {
    /// Returns whether it says something new.
    fn is_new(&mut self, hash: u64) -> bool {
        self.0.replace(hash) != Some(hash)
    }
}

impl Translator {
    pub(crate) fn on_init(&mut self, cx: &mut Cx<'_, '_>, init: &Beginning<'_>) {
        let Beginning { tools, mcp_servers: servers, .. } = *init;
        let mode = init.permission_mode.map(Str::decode);
        let texts = [init.model, init.cwd, init.claude_code_version].map(|text| text.map(Str::decode));
        let lists = [tools, servers].map(|list| list.map(|list| list.clean()));
        let said = texts.iter().chain(&lists).chain([&mode]);
        let hashes = said.map(|text| text.as_deref().map_or(0, digest::hash_of));
        let session = digest::hash_of(self.teller.session().unwrap_or_default());
        let hash = hashes.fold(session, digest::join);
        if self.introduced.is_new(hash) {
            let what = What::SessionMeta {
                model: init.model.map(Str::decode),
                cwd: init.cwd.map(Str::decode),
                tools: tools.and_then(Raw::unless_null),
                mcp_servers: servers.and_then(Raw::unless_null),
                permission_mode: mode,
                version: init.claude_code_version.map(Str::decode),
            };
            self.teller.tell(cx, None, what);
        }
        if init.prompted {
            self.turns.prompted();
        }
        self.begin_turn(cx);
        self.evidence.turn_began();
    }

    pub(crate) fn begin_turn(&mut self, cx: &mut Cx<'_, '_>) {
        let (cause, prompt) = self.turns.begin();
        self.teller.set_turn(self.turns.current());
        self.teller.tell(cx, None, What::TurnStart { cause, prompt: prompt.map(Cow::Owned) });
    }

    /// A line of the main agent is a sign of a turn.
    pub(crate) fn in_turn(&mut self, cx: &mut Cx<'_, '_>) {
        if self.turns.current().is_none() {
            self.begin_turn(cx);
        }
        self.evidence.turn_began();
    }
}
