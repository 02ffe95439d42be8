//! What a program says of itself.

use super::version::{excerpt, told};
use super::{Program, Version, VersionError};
use std::process::Stdio;
use std::time::Duration;
use tokio::process::Command;
use tokio::time::timeout;

impl Program {
    /// Asks it for its version, which takes it some hundred milliseconds; `limit` is the most.
    pub async fn version(&self, limit: Duration) -> Result<Version, VersionError> {
        let program = self.path().display().to_string();
        let mut command = Command::new(self.command());
        command.args(self.args()).arg("--version");
        // As in a launch: flags for other programs of node do not concern it.
        command.env_remove("NODE_OPTIONS").env_remove("CLAUDECODE");
        command.stdin(Stdio::null()).kill_on_drop(true);
        let output = match timeout(limit, command.output()).await {
            Ok(Ok(output)) => output,
            Ok(Err(source)) => return Err(VersionError::Start { program, source }),
            Err(_) => return Err(VersionError::Late { program, limit }),
        };
        if output.status.success() {
            return told(&String::from_utf8_lossy(&output.stdout));
        }
        let said = [&output.stderr, &output.stdout].map(|said| String::from_utf8_lossy(said));
        let said = said.iter().map(|said| said.trim()).find(|said| !said.is_empty()).unwrap_or_default();
        Err(VersionError::Failed { program, status: output.status, said: excerpt(said) })
    }
}
