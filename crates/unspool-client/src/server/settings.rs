//! What Claude Code should know about an MCP server that runs with us.

use crate::options::ToolPolicy;
use std::time::Duration;
use unspool::wire::command::SdkMcpServerConfig;
use unspool::wire::input::Owned;

/// What Claude Code should know about an MCP server that runs with us.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ServerSettings {
    timeout: Option<Duration>,
    policies: Vec<ToolPolicy>,
    foreground: bool,
}

impl ServerSettings {
    /// Nothing in particular.
    #[must_use]
    pub fn new() -> Self {
        ServerSettings::default()
    }

    /// How long a call may take, whatever progress it makes. Less than a second is ignored by Claude Code.
    #[must_use]
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = Some(timeout);
        self
    }

    /// What may be done with one of its tools. To 2.1.325, a tool that is always denied is not there; one that is
    /// always to be asked about is, even where permissions are skipped; one that is always allowed is asked about as
    /// any other.
    #[must_use]
    pub fn tool(mut self, policy: ToolPolicy) -> Self {
        self.policies.push(policy);
        self
    }

    /// Long calls are waited for and do not go on in the background.
    #[must_use]
    pub fn foreground(mut self) -> Self {
        self.foreground = true;
        self
    }

    /// The settings as they are on the wire, if there are any.
    pub(crate) fn write(&self) -> Option<Owned> {
        if *self == ServerSettings::default() {
            return None;
        }
        // Nothing in a policy can fail to be written.
        let policies = Owned::of(serde_json::to_value(&self.policies).unwrap_or_default());
        let mut config = SdkMcpServerConfig::default();
        config.timeout = self.timeout.map(|timeout| timeout.as_millis() as f64);
        config.tools = (!self.policies.is_empty()).then(|| (&policies).into());
        config.disable_auto_background = self.foreground.then_some(true);
        Some(Owned::of(config))
    }
}
