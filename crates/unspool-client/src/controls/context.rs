//! What fills the context, and what was spent.

use super::declare::commands;
use super::reply::LONG;
use unspool::wire::command::*;

commands! {
    GetContextUsage -> GetContextUsageReply, within LONG {
        /// What fills the context. With the detail `full`, by [`request`](crate::controls::Controls::request), the API is asked to count.
        /// Since 2.1.112 or before; 2.0.77 does not answer.
        fn get_context_usage();
    }

    GetSessionCost -> GetSessionCostReply {
        /// What was spent, in words. 2.1.325 answers, 2.1.112 refuses.
        fn get_session_cost();
    }

    GetUsage -> GetUsageReply {
        /// What was spent, and what may still be. 2.1.325 answers, 2.1.112 refuses.
        fn get_usage();
    }

    ListModels -> ListModelsReply {
        /// The models there are. 2.1.325 answers, 2.1.112 refuses.
        fn list_models();
    }

    GetBinaryVersion -> GetBinaryVersionReply {
        /// The version of Claude Code. 2.1.325 answers, 2.1.112 refuses.
        fn get_binary_version();
    }
}
