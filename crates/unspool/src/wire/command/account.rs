//! Commands about signing in and remote control.

use super::super::declare::{wire, writable};

writable! {
    /// Sign in.
    pub struct ClaudeAuthenticate: subtype "claude_authenticate" {
        /// With a subscription.
        login_with_claude_ai "loginWithClaudeAi": bool,
        /// With this profile.
        console_profile "consoleProfile": Json,
    }

    /// What the page for signing in said.
    pub struct ClaudeOauthCallback: subtype "claude_oauth_callback" {
        /// The code.
        authorization_code "authorizationCode": Str,
        /// What we had sent along.
        state: Str,
    }

    /// Wait until signing in has ended.
    pub struct ClaudeOauthWaitForCompletion: subtype "claude_oauth_wait_for_completion" {}

    /// Let others take part over the network.
    pub struct RemoteControl: subtype "remote_control" {
        /// Whether they may.
        enabled: bool,
        /// What to call the session.
        name: Str,
        /// A session to go on with.
        reattach_session_id: Str,
        /// It stays when the process ends.
        keep_session_on_exit: bool,
        /// Its secret.
        work_secret: Str,
    }
}

wire! {
    /// The session they can join.
    pub struct RemoteControlReply {
        /// Its id.
        bridge_session_id: Str,
    }
}
