//! The control protocol's envelopes: the same three in both directions.

use super::declare::wire;

wire! {
    /// One side asks.
    pub struct ControlRequest: type "control_request" {
        /// Names the question; the asker's own.
        request_id: Str,
        /// The question; its `subtype` says which.
        request: Json,
    }

    /// The other side answers.
    pub struct ControlResponse: type "control_response" {
        /// The answer, and inside it the id of the question.
        response: ControlAnswer,
        /// Bridges only: not for the record.
        live_only: bool,
        /// Bridges only: the session.
        session_id: Str,
    }

    /// The asker no longer wants to know.
    pub struct ControlCancelRequest: type "control_cancel_request" {
        /// The question.
        request_id: Str,
    }

    /// The answer to a control request.
    pub struct ControlAnswer {
        /// `success` or `error`.
        subtype: Str,
        /// The question.
        request_id: Str,
        /// What was asked for; may be absent.
        response: Json,
        /// Why it was not done, in words.
        error: Str,
        /// Why it was not done, for programs.
        error_code: Str,
        /// Permission requests that still wait; on the answer to `initialize`.
        pending_permission_requests: [ControlRequest],
        /// Dialogs that still wait.
        pending_user_dialog_requests: [ControlRequest],
        /// Elicitations that still wait.
        pending_elicitation_requests: [ControlRequest],
    }
}
