//! The running session: the turn, its model and mode, its tasks.

use super::declare::commands;
use super::reply::Reply;
use crate::controls::Controls;
use unspool::control::Refusal;
use unspool::json::Json;
use unspool::wire::command::*;
use unspool::wire::input::Draft;
use unspool::wire::{Extra, PermissionMode};

commands! {
    Initialize -> InitializeReply {}

    Interrupt -> InterruptReply {
        /// Stops the running turn; messages that wait are still answered. The receipt says which. Every version
        /// stops; the receipt came between 2.1.112 and 2.1.325. Between turns nothing happens.
        fn interrupt();
    }

    SetPermissionMode -> SetPermissionModeReply {
        /// What may be done without asking, from now on. Every version answers; older ones take words that are no
        /// mode.
        fn set_permission_mode(mode: PermissionMode<'_>);
    }

    SetModel -> SetModelReply {
        /// The model from the next request on; `default` for the usual one. The reply has its full name. Every version
        /// answers, older ones without the name.
        fn set_model(model: &str);
    }

    SetMaxThinkingTokens -> () {}

    RenameSession -> () {
        /// Another title. 2.1.325 does it, 2.1.112 refuses.
        fn rename_session(title: &str);
    }

    SetColor -> () {
        /// Another colour. Even 2.1.325 refuses it on stdio.
        fn set_color(color: &str);
    }

    CancelAsyncMessage -> CancelAsyncMessageReply {
        /// Drops a message that waits for its turn. Since 2.1.112 or before; 2.0.77 does not answer.
        fn cancel_async_message(message_uuid: &str);
    }

    SetHasSubscribers -> () {
        /// Whether anybody looks on. 2.1.325 answers, 2.1.112 refuses.
        fn set_has_subscribers(has_subscribers: bool);
    }

    SetCwd -> SetCwdReply {
        /// Another working directory. Where the status of the reply is `needs_trust`, nothing was done: the request has to say
        /// that the directory is trusted.
        fn set_cwd(path: &str);
    }

    ClaimSession -> ClaimSessionReply {
        /// Takes a process that was started in advance, with `--await-claim`; any other refuses.
        fn claim_session(cwd: &str);
    }

    EndSession -> () {
        /// Ends the process, with exit code 0. Messages that wait are dropped.
        fn end_session();
    }

    StopTask -> () {
        /// Stops a task. Since 2.1.112 or before, which refuses for a task that it does not know; 2.1.325 does not, and
        /// 2.0.77 does not answer.
        fn stop_task(task_id: &str);
    }

    BackgroundTasks -> BackgroundTasksReply {
        /// Lets all that runs go on in the background. 2.1.325 does, 2.1.112 refuses.
        fn background_tasks();
        /// Lets one call go on in the background.
        fn background_task(tool_use_id: &str);
    }

    GetTaskOutput -> GetTaskOutputReply {
        /// The end of what a command in the background has printed. 2.1.325 answers, 2.1.112 refuses.
        fn get_task_output(task_id: &str);
    }
}

impl Controls {
    /// Stops the running turn, and drops the messages that wait. The receipt says which. Older versions than
    /// 2.1.219 stop the turn only.
    pub async fn interrupt_all(&self) -> Result<Reply<InterruptReply<'static>>, Refusal> {
        self.request(Interrupt::default().cancel_queued(true)).await
    }

    /// How many tokens the model may think; none takes the limit back. Since 2.0.77 or before; 1.0.128 does not
    /// answer.
    pub async fn set_max_thinking_tokens(&self, limit: Option<u64>) -> Result<(), Refusal> {
        // A field that is left out would leave the limit as it is.
        let none = Draft::new().with("max_thinking_tokens", Json::NULL);
        let mut request = SetMaxThinkingTokens::default();
        match limit {
            Some(_) => request.max_thinking_tokens = limit,
            None => request.extra = Extra::more(none.json()),
        }
        self.request(request).await
    }
}
