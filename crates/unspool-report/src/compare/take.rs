//! One of the two runs.

use super::files::Files;
use super::noise::{Noise, Origin, hash};
use crate::stats::{Report, Watch};
use crate::story::{Item, Limit, Story};
use crate::words::CallWords;
use std::collections::{BTreeSet, HashMap};
use unspool::event::{Event, Raw, What};
use unspool::wire::tool::ToolInput;

/// So much of an output is kept to be shown; whether it differs is known of all of it.
const SHOWN: usize = 16 << 10;

/// All that is compared of one run, from its events in the grain `blocks`. Memory grows with what was said and done; of long outputs
/// the beginning and the end are kept.
pub struct Take {
    /// What people call it.
    pub(super) name: String,
    pub(super) story: Story,
    /// Where the time went; once it is over.
    pub(super) report: Report,
    pub(super) files: Files,
    pub(super) noise: Noise,
    /// What is asked before it is done.
    pub(super) mode: Option<String>,
    /// The tools that the model is offered, if they are told.
    pub(super) offered: Option<BTreeSet<String>>,
    /// Its figures are sums of what its messages say: nobody has reported any.
    pub(super) is_summed: bool,
    /// Its turns say what was not allowed.
    pub(super) tells_denials: bool,
    watch: Watch<'static>,
    calls: HashMap<String, Given>,
}

/// What a call was given and what came of it, in numbers that only say whether it is the same.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Given {
    pub(super) input: u64,
    /// What it is about: the tool and its subject.
    pub(super) subject: u64,
    /// Which calls may be another form of it: those of the same tool, of the same file where it is about one.
    pub(super) kind: u64,
    pub(super) output: Option<u64>,
}

impl Take {
    /// Nothing yet of the run that people call so.
    #[must_use]
    pub fn new(name: &str) -> Self {
        Take {
            name: name.to_owned(),
            story: Story::new(Limit::Bytes(SHOWN)),
            report: Report::default(),
            files: Files::default(),
            noise: Noise::default(),
            mode: None,
            offered: None,
            is_summed: false,
            tells_denials: false,
            watch: Watch::default(),
            calls: HashMap::new(),
        }
    }

    /// Takes nothing for random: ids, times and temporary paths count as well.
    #[must_use]
    pub fn exact(mut self) -> Self {
        self.noise.exact = true;
        self
    }

    /// Takes the next event, in the grain `blocks`.
    pub fn step(&mut self, event: &Event<'_>) {
        self.watch.step(event);
        self.story.step(event);
        match &event.what {
            What::SessionMeta { cwd, permission_mode, tools, .. } => {
                if let Some(folder) = cwd.as_deref() {
                    self.noise.set_folder(folder);
                }
                self.mode = permission_mode.as_deref().map(str::to_owned).or(self.mode.take());
                if let Some(tools) = tools {
                    let names = tools.json().items().filter_map(|tool| Some(tool.as_str()?.to_string()));
                    self.offered = Some(names.collect());
                }
            }
            What::ToolUse { id: Some(id), name, input, abandoned, .. } if *abandoned != Some(true) => {
                let name = name.as_deref().unwrap_or("?");
                self.calls.insert(id.to_string(), Given::of(name, input.as_ref(), &self.noise));
                self.files.called(id, name, input.as_ref(), &self.noise);
            }
            What::ToolResult { id: Some(id), output, content, is_error, detail, .. } => {
                self.noise.learn(output);
                if let Some(given) = self.calls.get_mut(&**id) {
                    let others = content.as_ref().map(|content| self.noise.value(content.json()));
                    given.output = Some(hash(&(self.noise.key(output, Origin::Output), others)));
                }
                self.files.answered(id, *is_error, detail.as_ref());
            }
            What::TurnComplete { denials, notes, .. } => {
                self.tells_denials |= denials.is_some();
                self.is_summed |= notes.iter().flatten().any(|note| note.reason == SUMMED);
            }
            What::Finished { .. } => self.report.add(std::mem::take(&mut self.watch).finish()),
            _ => {}
        }
    }

    pub(super) fn given(&self, call: &str) -> Option<&Given> {
        self.calls.get(call)
    }

    /// Whether any of its sub-agents is told to have done such a thing.
    pub(super) fn agents_have(&self, is_it: impl Fn(&Item) -> bool) -> bool {
        self.story.agents.iter().skip(1).flat_map(|agent| &agent.items).any(is_it)
    }

    /// Whether its main agent has called others.
    pub(super) fn calls_agents(&self) -> bool {
        let is_agent = |item: &Item| matches!(item, Item::Call(call) if matches!(ToolInput::named(&call.name), ToolInput::Agent(_)));
        self.story.agents[0].items.iter().any(is_agent)
    }

    /// Whether it is known what was asked of it.
    pub(super) fn has_prompts(&self) -> bool {
        let is_prompt = |item: &Item| matches!(item, Item::Prompt(said) if !said.synthetic);
        self.story.agents[0].items.iter().any(is_prompt)
    }
}

/// The reason that events give where nobody has reported a figure.
const SUMMED: &str = "summed_from_messages";

impl Given {
    fn of(name: &str, input: Option<&Raw<'_>>, noise: &Noise) -> Self {
        let words = CallWords::of(Some(name), input);
        let subject = hash(&(name, noise.key(&words.subject, Origin::Said)));
        let file = input.and_then(|input| file_of(name, input));
        let kind = hash(&(name, file.map(|file| noise.key(&file, Origin::Said))));
        let input = hash(&(name, input.map(|input| noise.value(input.json()))));
        Given { input, subject, kind, output: None }
    }
}

/// The file that a call is about.
pub(super) fn file_of(name: &str, input: &Raw<'_>) -> Option<String> {
    let file = match ToolInput::of(name, input.json()) {
        ToolInput::Read(it) => it.file_path,
        ToolInput::Edit(it) => it.file_path,
        ToolInput::Write(it) => it.file_path,
        ToolInput::MultiEdit(it) => it.file_path,
        ToolInput::NotebookEdit(it) => it.notebook_path,
        ToolInput::NotebookRead(it) => it.notebook_path,
        _ => None,
    };
    file.map(|file| file.to_string())
}
