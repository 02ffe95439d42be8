//! What a host begins with: it says how it wants Claude Code to be, and Claude Code says what it has.

use super::deviation::Deviation;
use super::free::Rules;
use super::hear::Came;
use super::names::Names;
use super::part::Part;
use super::same::{Difference, difference};
use super::step::{Lane, Meaning, Say, Step};
use crate::json::Json;
use crate::wire::{CommandKind, Kind, input};

/// What of it decides which questions the host is asked: hooks, and servers in its own process. All else changes what Claude Code does,
/// as its arguments do, and not how its host has to answer.
const ASKED: [&str; 2] = ["hooks", "sdkMcpServers"];

/// Where in two introductions something stands that need not be the same.
pub(super) fn settings(recorded: Json<'_>, now: Json<'_>) -> Vec<String> {
    let mut paths = Vec::new();
    for (name, _) in [recorded, now].into_iter().filter_map(|line| line.get("request")).flat_map(Json::fields)
    {
        let path = format!("request.{}", name.decode());
        if name != "subtype" && !ASKED.iter().any(|asked| name == *asked) && !paths.contains(&path) {
            paths.push(path);
        }
    }
    paths
}

/// What of this is not the same, each told for itself.
pub(super) fn other_settings(recorded: &str, now: &str, ignored: &[String]) -> Vec<Deviation> {
    let (Ok(recorded), Ok(now)) = (Json::new(recorded), Json::new(now)) else { return Vec::new() };
    let all = settings(recorded, now);
    let differs = |path: &String| {
        let others: Vec<_> = all.iter().filter(|other| *other != path).cloned().collect();
        let asked = ASKED.map(|name| format!("request.{name}"));
        let rules = Rules::of(Kind::ControlRequest.name(), ignored).and(&others).and(&asked);
        difference(recorded, now, &rules, &Names::default())
    };
    let told = |Difference { path, expected, came }| {
        let name = format!("{}: {path}", CommandKind::Initialize.name());
        Deviation::Argument { name, expected, came }
    };
    all.iter().filter_map(differs).map(told).collect()
}

impl Part {
    /// Only what Claude Code wrote is known. Its requests are answered as they mostly are, and a prompt starts it all.
    pub(super) fn answer_unheard(&mut self, came: &Came<'_>) {
        match &came.lane {
            Lane::Request { id, subtype } => {
                let reply = match CommandKind::of(subtype) {
                    Some(CommandKind::Initialize) => self.introduction(id),
                    Some(_) => input::answer(id, Json::EMPTY).to_line(),
                    None => input::unsupported(id, subtype).to_line(),
                };
                self.replies.push_back(reply.into_bytes());
            }
            Lane::Answer { .. } => {}
            _ => self.is_prompted = true,
        }
    }

    /// What Claude Code says of itself when a host begins: what it said when it was recorded, where it did.
    fn introduction(&self, id: &str) -> String {
        let recorded = self.life.steps.iter().find_map(|step| {
            let Step::Say(Say { is: Meaning::Answer { id: recorded }, bytes, .. }) = step else {
                return None;
            };
            let text = str::from_utf8(bytes).ok()?;
            let answer = Json::new(text.trim_end()).ok()?.get("response")?.get("response")?;
            answer.get("commands")?;
            Some((recorded, text))
        });
        let Some((recorded, text)) = recorded else {
            return input::answer(id, Json::trusted(INTRODUCTION)).to_line();
        };
        let mut names = Names::default();
        names.note_request(recorded, id);
        String::from_utf8_lossy(&names.rename(text.as_bytes())).into_owned()
    }
}

/// What every host can live with.
const INTRODUCTION: &str = r#"{"commands":[],"agents":[],"models":[],"account":{},"output_style":"default","available_output_styles":["default"]}"#;
