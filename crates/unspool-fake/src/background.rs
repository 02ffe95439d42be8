//! What the CLI asks for its own ends: titles, summaries, probes. No turn of a script is spent on them.
//!
//! They are told by words that recorded versions use. A script may answer them itself, by
//! `when.background`.

use crate::request::Request;
use crate::script::{Block, Found, Search, Step, Turn};
use serde::Deserialize;

/// What it is about.
#[derive(Clone, Copy, Debug, Deserialize, Eq, Hash, PartialEq)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Kind {
    /// A summary of the conversation, to go on with instead of it.
    Compact,
    /// A guess at the next prompt.
    Suggestion,
    /// The search behind the tool WebSearch.
    Search,
    /// Nothing: the CLI warms up a sub-agent.
    Warmup,
    /// Nothing: the CLI tries its key.
    Quota,
    /// A title for the session.
    Title,
    /// Whether a prompt begins a new topic.
    Topic,
    /// What a shell command does, to allow it or not.
    Prefix,
    /// Something else, of the small model.
    Other,
}

impl Kind {
    /// What a request is about, if it is one of these.
    pub(crate) fn of(request: &Request, cli: bool) -> Option<Kind> {
        // Others may ask whatever they like.
        if !cli {
            return None;
        }
        let last = request.last_prompt();
        let either = |words: &str| last.contains(words) || request.system.contains(words);
        if last.contains("detailed summary of") && last.contains("conversation") {
            return Some(Kind::Compact);
        }
        if last.contains("Reply with ONLY the suggestion") {
            return Some(Kind::Suggestion);
        }
        if request.tools.len() <= 2 && request.tools.iter().any(|tool| tool.kind.starts_with("web_search")) {
            return Some(Kind::Search);
        }
        if last == "Warmup" {
            return Some(Kind::Warmup);
        }
        if last == "quota" || request.max_tokens == 1 {
            return Some(Kind::Quota);
        }
        // The main agent may be without tools too, but it is never so small.
        if !request.tools.is_empty() || !(request.model.contains("haiku") || request.max_tokens <= 512) {
            return None;
        }
        Some(match () {
            () if either("policy_spec") || either("command_injection") => Kind::Prefix,
            () if either("isNewTopic") => Kind::Topic,
            () if either("title") => Kind::Title,
            () => Kind::Other,
        })
    }

    /// What is answered if the script does not say.
    pub(crate) fn answer(self, request: &Request) -> Turn {
        Turn::say(match self {
            Kind::Compact => {
                "<analysis>\nThe scripted model does not analyse.\n</analysis>\n\n<summary>\nA summary of the \
                 conversation so far, by the scripted model.\n</summary>"
            }
            Kind::Suggestion => "run the tests",
            Kind::Search => return search(request.last_prompt()),
            Kind::Title => "{\"title\": \"Scripted session\"}",
            Kind::Topic => "{\"isNewTopic\": false, \"title\": null}",
            Kind::Prefix => "none",
            Kind::Warmup | Kind::Quota | Kind::Other => "ok",
        })
    }

    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Kind::Compact => "compact",
            Kind::Suggestion => "suggestion",
            Kind::Search => "search",
            Kind::Warmup => "warmup",
            Kind::Quota => "quota",
            Kind::Title => "title",
            Kind::Topic => "topic",
            Kind::Prefix => "prefix",
            Kind::Other => "other",
        }
    }
}

/// One page that does not exist.
fn search(prompt: &str) -> Turn {
    let query = prompt.split_once("query: ").map_or(prompt, |(_, query)| query).to_owned();
    let results = vec![Found { title: "An example".into(), url: "https://example.com/".into() }];
    let search = Search { query, results, error: None };
    Turn::of(vec![
        Step::Block(Block::Search(search)),
        Step::Block(Block::text("The scripted model found an example.")),
    ])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind(body: &str) -> Option<Kind> {
        Kind::of(&Request::read(body).unwrap(), true)
    }

    #[test]
    fn the_main_agent_is_not_in_the_background() {
        let body =
            r#"{"model":"opus","max_tokens":32000,"messages":[{"role":"user","content":"write a title"}]"#;
        assert_eq!(kind(&format!("{body}}}")), None);
        assert_eq!(kind(&format!(r#"{body},"tools":[{{"name":"Bash"}}]}}"#)), None);
    }

    #[test]
    fn small_questions_are() {
        let ask = |system: &str| {
            let messages = r#"[{"role":"user","content":"x"}]"#;
            let body = format!(
                r#"{{"model":"claude-haiku-4-5","max_tokens":32000,"system":"{system}","messages":{messages}}}"#
            );
            kind(&body)
        };
        assert_eq!(ask("Write a title"), Some(Kind::Title));
        assert_eq!(ask("return isNewTopic and a title"), Some(Kind::Topic));
        assert_eq!(ask("policy_spec"), Some(Kind::Prefix));
        assert_eq!(ask("Extract any file paths"), Some(Kind::Other));
    }

    #[test]
    fn probes_and_warmups_are_told_by_their_words() {
        let said = |words: &str| {
            let tools = r#"[{"name":"Bash"}]"#;
            kind(&format!(
                r#"{{"model":"opus","max_tokens":32000,"tools":{tools},"messages":[{{"role":"user","content":"{words}"}}]}}"#
            ))
        };
        assert_eq!(said("Warmup"), Some(Kind::Warmup));
        assert_eq!(said("quota"), Some(Kind::Quota));
        assert_eq!(said("Write a detailed summary of the conversation so far"), Some(Kind::Compact));
    }
}
