//! A headless Chromium, driven by its DevTools protocol over a pair of pipes.

use anyhow::{Context, anyhow, bail, ensure};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::{Duration, Instant};

/// Longer than any answer takes on a machine that is busy.
const PATIENCE: Duration = Duration::from_secs(60);

/// Chromium reads the protocol from its third descriptor and writes it to the fourth.
const PIPES: &str = r#"exec "$0" "$@" 3<&0 4>&1 >/dev/null 2>&1"#;

/// A browser with one empty tab.
pub(super) struct Browser {
    child: Child,
    input: ChildStdin,
    output: Receiver<Value>,
    session: Option<String>,
    last: u64,
    /// What the tab has told of itself since it was last asked.
    told: Vec<Value>,
}

impl Browser {
    pub(super) fn start(program: &str, profile: &Path) -> anyhow::Result<Self> {
        let mut command = Command::new("sh");
        command.args(["-c", PIPES, program, "--headless=new", "--remote-debugging-pipe", "--disable-gpu"]);
        command.args([
            "--no-first-run",
            "--disable-extensions",
            "--hide-scrollbars",
            "--window-size=1280,1400",
        ]);
        // Nobody is served by a sandbox in a container that has none to give.
        command.args(is_root().then_some("--no-sandbox"));
        command.arg(format!("--user-data-dir={}", profile.display()));
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        let input = child.stdin.take().context("no pipe")?;
        let messages = BufReader::new(child.stdout.take().context("no pipe")?).split(0);
        let (sender, output) = mpsc::channel();
        thread::spawn(move || {
            let read = |message: Vec<u8>| serde_json::from_slice(&message).ok();
            messages.map_while(Result::ok).filter_map(read).try_for_each(|message| sender.send(message))
        });
        let mut browser = Browser { child, input, output, session: None, last: 0, told: Vec::new() };
        let target = browser.call("Target.createTarget", json!({ "url": "about:blank" }))?;
        let whom = json!({ "targetId": target["targetId"], "flatten": true });
        let session = browser.call("Target.attachToTarget", whom)?;
        browser.session = session["sessionId"].as_str().map(str::to_owned);
        for domain in ["Page", "Runtime", "Log", "Network"] {
            browser.call(&format!("{domain}.enable"), json!({}))?;
        }
        Ok(browser)
    }

    /// Goes to a page and waits until all of it is there. What the last page told is forgotten.
    pub(super) fn open(&mut self, address: &str) -> anyhow::Result<()> {
        self.told.clear();
        self.call("Page.navigate", json!({ "url": address }))?;
        self.wait("Page.loadEventFired")
    }

    /// The value of an expression, of a promise that of its end.
    pub(super) fn evaluate(&mut self, expression: &str) -> anyhow::Result<Value> {
        let what = json!({ "expression": expression, "returnByValue": true, "awaitPromise": true });
        let mut answer = self.call("Runtime.evaluate", what)?;
        if let Some(fault) = answer.get("exceptionDetails") {
            bail!("the script failed: {fault}");
        }
        Ok(answer["result"]["value"].take())
    }

    /// How wide the window is, and whether the system is dark.
    pub(super) fn look(&mut self, width: u32, dark: bool) -> anyhow::Result<()> {
        let size = json!({ "width": width, "height": 1200, "deviceScaleFactor": 1, "mobile": width < 600 });
        self.call("Emulation.setDeviceMetricsOverride", size)?;
        let scheme = if dark { "dark" } else { "light" };
        let media = json!({ "features": [{ "name": "prefers-color-scheme", "value": scheme }] });
        self.call("Emulation.setEmulatedMedia", media).map(drop)
    }

    /// A picture of what is seen, as PNG in base64.
    pub(super) fn picture(&mut self) -> anyhow::Result<String> {
        let picture = self.call("Page.captureScreenshot", json!({ "format": "png" }))?;
        picture["data"].as_str().map(str::to_owned).context("no picture")
    }

    /// What the page did that a page must not do: dialogs, requests, violations, exceptions, words on the console.
    pub(super) fn misdeeds(&mut self, address: &str) -> Vec<String> {
        let mut misdeeds = Vec::new();
        for told in &self.told {
            let params = &told["params"];
            match told["method"].as_str().unwrap_or_default() {
                "Network.requestWillBeSent" => {
                    let wanted = params["request"]["url"].as_str().unwrap_or_default();
                    let to = wanted.split('#').next().unwrap_or_default();
                    if to != address && !to.starts_with("data:image/") {
                        misdeeds.push(format!("a request to {wanted}"));
                    }
                }
                method @ ("Page.javascriptDialogOpening"
                | "Runtime.exceptionThrown"
                | "Runtime.consoleAPICalled") => {
                    misdeeds.push(format!("{method}: {params}"));
                }
                "Log.entryAdded" => misdeeds.push(params["entry"]["text"].to_string()),
                _ => {}
            }
        }
        misdeeds
    }

    fn call(&mut self, method: &str, params: Value) -> anyhow::Result<Value> {
        self.last += 1;
        let id = self.last;
        let mut message = json!({ "id": id, "method": method, "params": params });
        if let Some(session) = &self.session {
            message["sessionId"] = json!(session);
        }
        self.input.write_all(format!("{message}\0").as_bytes()).context("the browser has gone away")?;
        loop {
            let mut message = self.next(method)?;
            if message["id"] == json!(id) {
                ensure!(message.get("error").is_none(), "{method}: {}", message["error"]);
                return Ok(message["result"].take());
            }
        }
    }

    fn wait(&mut self, method: &str) -> anyhow::Result<()> {
        let is_there = |told: &[Value]| told.iter().any(|told| told["method"] == method);
        let begun = Instant::now();
        while !is_there(&self.told) {
            ensure!(begun.elapsed() < PATIENCE, "{method} did not happen");
            self.next(method)?;
        }
        Ok(())
    }

    /// The next message. A dialog would stop everything, so it is answered here.
    fn next(&mut self, waited_for: &str) -> anyhow::Result<Value> {
        let message = self.output.recv_timeout(PATIENCE);
        let message = message.map_err(|_| anyhow!("the browser does not answer {waited_for}"))?;
        if message.get("method").is_some() {
            self.told.push(message.clone());
        }
        if message["method"] == "Page.javascriptDialogOpening" {
            let answer = json!({ "id": 0, "sessionId": self.session, "method": "Page.handleJavaScriptDialog", "params": { "accept": false } });
            self.input.write_all(format!("{answer}\0").as_bytes())?;
        }
        Ok(message)
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        self.session = None;
        // It ends its own helpers when it is asked to end.
        let asked = self.input.write_all(b"{\"id\":0,\"method\":\"Browser.close\"}\0").is_ok();
        let begun = Instant::now();
        while asked && begun.elapsed() < Duration::from_secs(5) {
            if matches!(self.child.try_wait(), Ok(Some(_))) {
                return;
            }
            thread::sleep(Duration::from_millis(20));
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Whether this is somebody who may install programs.
pub(super) fn is_root() -> bool {
    let answer = Command::new("id").arg("-u").output();
    answer.is_ok_and(|answer| answer.stdout.trim_ascii() == b"0")
}
