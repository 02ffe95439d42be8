//! Signing in, and remote control.

use super::declare::commands;
use super::reply::{ANY, LONG};
use unspool::json::Json;
use unspool::wire::command::*;

commands! {
    ClaudeAuthenticate -> Json {
        /// Begins to sign in, with a subscription or with an account of the console; the reply has the page to open.
        fn claude_authenticate(login_with_claude_ai: bool);
    }

    ClaudeOauthCallback -> Json, within LONG {
        /// What the page for signing in said.
        fn claude_oauth_callback(authorization_code: &str, state: &str);
    }

    ClaudeOauthWaitForCompletion -> Json, within ANY {
        /// Waits until signing in has ended, without a limit: a person takes part.
        fn claude_oauth_wait_for_completion();
    }

    RemoteControl -> RemoteControlReply, within LONG {
        /// Lets others take part over the network, or no longer.
        fn remote_control(enabled: bool);
    }
}
