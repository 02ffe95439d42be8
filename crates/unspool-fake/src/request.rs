//! A request to the model, as far as a script looks at it.

use std::collections::HashSet;
use unspool::json::{Json, Kind};

/// A request for a message.
#[derive(Clone, Debug, Default)]
pub(crate) struct Request {
    pub(crate) model: String,
    /// The system prompt, those that stand among the messages too.
    pub(crate) system: String,
    /// What people, or agents, have asked for.
    pub(crate) prompts: Vec<Prompt>,
    /// The messages at which each answer begins.
    answers: Vec<usize>,
    /// How many messages there are.
    pub(crate) length: usize,
    pub(crate) tools: Vec<Tool>,
    pub(crate) max_tokens: u64,
    pub(crate) stream: bool,
    /// The session of the CLI; empty for other clients.
    pub(crate) session: String,
    /// Whether it begins with a summary of what was said before.
    pub(crate) continued: bool,
}

/// What a client has asked for.
#[derive(Clone, Debug)]
pub(crate) struct Prompt {
    /// The number of the message.
    pub(crate) message: usize,
    /// Without what the CLI has added.
    pub(crate) text: String,
}

/// A tool on offer.
#[derive(Clone, Debug)]
pub(crate) struct Tool {
    pub(crate) name: String,
    /// The type, which the API's own tools have.
    pub(crate) kind: String,
    /// The names of its parameters.
    pub(crate) parameters: Vec<String>,
}

impl Request {
    /// Reads a body; an error says what the API would not take.
    pub(crate) fn read(body: &str) -> Result<Self, &'static str> {
        let body = Json::new(body).map_err(|_| "the request body is not valid JSON")?;
        let messages = body.get("messages").filter(|it| it.kind() == Kind::Array);
        let messages: Vec<_> = messages.ok_or("messages: Field required")?.items().collect();
        let mut request = Request {
            model: string(body, "model"),
            system: body.get("system").map(text).unwrap_or_default(),
            length: messages.len(),
            tools: body.get("tools").into_iter().flat_map(Json::items).map(Tool::read).collect(),
            max_tokens: body.get("max_tokens").and_then(Json::as_u64).unwrap_or_default(),
            stream: body.get("stream").and_then(Json::as_bool).unwrap_or_default(),
            session: session(body).unwrap_or_default(),
            ..Request::default()
        };
        request.read_messages(&messages);
        Ok(request)
    }

    fn read_messages(&mut self, messages: &[Json<'_>]) {
        let mut calls = HashSet::new();
        let mut answering = false;
        for (number, message) in messages.iter().enumerate() {
            let content = message.get("content").unwrap_or(Json::NULL);
            match &*string(*message, "role") {
                "assistant" => {
                    let made: Vec<String> = content.items().filter_map(call).collect();
                    // Some versions say a message in several pieces, and 1.0.0 says it twice.
                    let repeated = !made.is_empty() && made.iter().all(|id| calls.contains(id));
                    if !answering && !repeated {
                        self.answers.push(number);
                    }
                    calls.extend(made);
                    answering = true;
                }
                "user" => {
                    answering = false;
                    let (told, own): (Vec<_>, Vec<_>) =
                        texts(content).into_iter().partition(|it| it.starts_with(SUMMARY));
                    self.continued |= !told.is_empty();
                    // What was interrupted stands in one message with what was said instead.
                    let said = own.iter().map(|it| without_additions(it)).filter(|it| !it.is_empty());
                    self.prompts.extend(said.map(|text| Prompt { message: number, text }));
                }
                _ => {
                    self.system.push('\n');
                    self.system.push_str(&text(content));
                }
            }
        }
        // An answer that stands last is one to go on with, not one that was given.
        if answering {
            self.answers.pop();
        }
    }

    /// How many answers follow a message, or stand in the request at all.
    pub(crate) fn answers_after(&self, message: Option<usize>) -> usize {
        self.answers.iter().filter(|&&it| message.is_none_or(|message| it > message)).count()
    }

    /// The newest prompt.
    pub(crate) fn last_prompt(&self) -> &str {
        self.prompts.last().map_or("", |prompt| &prompt.text)
    }

    /// A tool by its name.
    pub(crate) fn tool(&self, name: &str) -> Option<&Tool> {
        self.tools.iter().find(|tool| tool.name == name)
    }

    /// The folder that the CLI works in, if it says so.
    pub(crate) fn folder(&self) -> Option<&str> {
        let (_, after) = self.system.split_once("orking directory: ")?;
        after.lines().next().map(str::trim).filter(|folder| !folder.is_empty())
    }
}

impl Tool {
    fn read(tool: Json<'_>) -> Self {
        let properties = tool.get("input_schema").and_then(|it| it.get("properties"));
        let parameters = properties.into_iter().flat_map(Json::fields);
        Tool {
            name: string(tool, "name"),
            kind: string(tool, "type"),
            parameters: parameters.map(|(name, _)| name.decode().into_owned()).collect(),
        }
    }
}

/// A string among the fields of an object; empty if there is none.
fn string(object: Json<'_>, key: &str) -> String {
    object.get(key).and_then(Json::as_str).map(|it| it.decode().into_owned()).unwrap_or_default()
}

/// How the CLI begins a summary of what was said before.
const SUMMARY: &str = "This session is being continued from a previous conversation";

/// The words of a content.
fn text(content: Json<'_>) -> String {
    texts(content).join("\n")
}

/// The texts of a content, which is a string or a list of blocks.
fn texts(content: Json<'_>) -> Vec<String> {
    if let Some(words) = content.as_str() {
        return vec![words.decode().into_owned()];
    }
    let texts = content.items().filter(|block| string(*block, "type") == "text");
    texts.map(|block| string(block, "text")).collect()
}

/// The id of a block that is a call.
fn call(block: Json<'_>) -> Option<String> {
    (string(block, "type") == "tool_use").then(|| string(block, "id"))
}

/// What the CLI adds to a prompt for the model's eyes: rules of the project, the state of its repository,
/// what its own commands have printed.
const ADDED: [&str; 3] = ["system-reminder", "local-command-caveat", "local-command-stdout"];

/// A prompt without what was added to it: words of a script that happen to stand there are not meant.
fn without_additions(text: &str) -> String {
    let mut text = text.to_owned();
    for tag in ADDED {
        let (open, close) = (format!("<{tag}>"), format!("</{tag}>"));
        while let Some((before, after)) = text.split_once(&open) {
            let after = after.split_once(&close).map_or("", |(_, after)| after);
            text = format!("{before}{after}");
        }
    }
    text.trim().to_owned()
}

/// The session that the CLI names in its metadata: as JSON, or in older versions after a word.
fn session(body: Json<'_>) -> Option<String> {
    let user = string(body.get("metadata")?, "user_id");
    match Json::new(&user) {
        Ok(object) if object.kind() == Kind::Object => Some(string(object, "session_id")),
        _ => user.split_once("_session_").map(|(_, session)| session.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(messages: &str) -> Request {
        Request::read(&format!(r#"{{"model":"m","messages":[{messages}]}}"#)).unwrap()
    }

    #[test]
    fn prompts_are_what_users_say_without_additions_and_results() {
        let request = read(
            r#"{"role":"user","content":[{"type":"text","text":"<system-reminder>the repository says fix</system-reminder>"},{"type":"text","text":"do <local-command-caveat>fix</local-command-caveat>it"}]},
            {"role":"system","content":"Working directory: /home/user"},
            {"role":"assistant","content":[{"type":"tool_use","id":"a","name":"Bash","input":{}}]},
            {"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"fix"}]},
            {"role":"assistant","content":"done"},
            {"role":"user","content":"more"}"#,
        );
        let prompts: Vec<_> = request.prompts.iter().map(|it| (it.message, &*it.text)).collect();
        assert_eq!(prompts, [(0, "do it"), (5, "more")]);
        assert_eq!((request.answers_after(None), request.answers_after(Some(5))), (2, 0));
        assert_eq!(request.folder(), Some("/home/user"));
    }

    #[test]
    fn a_message_in_pieces_or_said_twice_is_one_answer() {
        let call =
            r#"{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"Bash","input":{}}]}"#;
        let said = r#"{"role":"assistant","content":"well"}"#;
        let user = r#"{"role":"user","content":"x"}"#;
        assert_eq!(read(&[said, call, user].join(",")).answers_after(None), 1);
        assert_eq!(read(&[call, user, call, user].join(",")).answers_after(None), 1);
        assert_eq!(read(&[user, said].join(",")).answers_after(None), 0);
    }

    #[test]
    fn half_a_character_in_a_request_is_no_fault() {
        assert_eq!(read(r#"{"role":"user","content":"a \ud83d b"}"#).last_prompt(), "a \u{fffd} b");
    }

    #[test]
    fn a_session_is_found_in_both_forms() {
        for user in [r#"user_1_account__session_5-5"#, r#"{\"device_id\":\"d\",\"session_id\":\"5-5\"}"#] {
            let body = format!(r#"{{"messages":[],"metadata":{{"user_id":"{user}"}}}}"#);
            assert_eq!(Request::read(&body).unwrap().session, "5-5");
        }
    }

    #[test]
    fn a_body_that_the_api_would_refuse_is_refused() {
        for body in ["", "{", "[]", "{}", r#"{"messages":1}"#] {
            assert!(Request::read(body).is_err(), "{body}");
        }
    }
}
