//! A run without the driver, so that options are tried by what they are and by nothing else.

use serde_json::Value;
use std::process::Stdio;
use std::time::Duration;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::process::{Child, Command};
use tokio::time::timeout;
use unspool::wire::input;
use unspool_client::Options;

/// What a run printed and how it ended.
#[derive(Debug)]
pub(super) struct Run {
    /// Whether there was an `initialize`.
    initialize: bool,
    /// How many prompts there were.
    prompts: usize,
    pub(super) lines: Vec<Value>,
    stderr: String,
    code: Option<i32>,
}

impl Run {
    /// Sends `initialize`, if the options need it, and prompts with these uuids, and ends stdin when there is a
    /// result for each.
    pub(super) async fn of(options: &Options, prompts: &[&str]) -> Self {
        options.check().unwrap();
        let program = options.find_program().unwrap_or_else(|error| panic!("{error}"));
        let mut command: Command = options.launch(&program).command().into();
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).kill_on_drop(true);
        let initialize = options.initialize();
        let mut run = Run {
            initialize: initialize.is_some(),
            prompts: prompts.len(),
            lines: Vec::new(),
            stderr: String::new(),
            code: None,
        };
        let mut text = initialize.map_or(String::new(), |it| input::request("i", it).to_line());
        for uuid in prompts {
            text += &input::user("hello").uuid(uuid).to_line();
        }
        let all = run.play(command.spawn().unwrap(), &text);
        timeout(Duration::from_secs(90), all).await.unwrap_or_else(|_| panic!("{options:?} hangs"));
        run
    }

    async fn play(&mut self, mut child: Child, text: &str) {
        let mut stdin = child.stdin.take();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let mut stderr = child.stderr.take().unwrap();
        let stderr = tokio::spawn(async move {
            let mut text = String::new();
            stderr.read_to_string(&mut text).await.ok();
            text
        });
        // One that ends at once takes nothing; how it ended says why.
        stdin.as_mut().unwrap().write_all(text.as_bytes()).await.ok();
        while let Ok(Some(line)) = lines.next_line().await {
            self.lines.push(serde_json::from_str(&line).unwrap_or(Value::String(line)));
            if self.results().count() == self.prompts {
                drop(stdin.take());
            }
        }
        self.code = child.wait().await.unwrap().code();
        self.stderr = stderr.await.unwrap();
    }

    fn results(&self) -> impl Iterator<Item = &Value> {
        self.lines.iter().filter(|line| line["type"] == "result")
    }

    /// The reply to `initialize`, or nothing if it was refused or not sent.
    pub(super) fn reply(&self) -> &Value {
        let reply = self.lines.iter().find(|line| line["response"]["request_id"] == "i");
        reply.map_or(&Value::Null, |line| &line["response"]["response"])
    }

    /// Every prompt was answered, `initialize` too if it was sent, and it ended well.
    pub(super) fn is_good(&self) -> bool {
        let answered = self.results().count() == self.prompts;
        let well = self.results().all(|line| line["is_error"] == false) && self.code == Some(0);
        answered && well && self.initialize != self.reply().is_null()
    }
}
