//! Files: what they say, what has changed, and how they were before.

use super::declare::commands;
use unspool::wire::command::*;

commands! {
    RewindFiles -> RewindFilesReply {
        /// Puts files back as they were at this message, or only says what would be done. Checkpoints must be
        /// switched on. Since 2.0.77 or before; 1.0.128 does not answer.
        fn rewind_files(user_message_id: &str, dry_run: bool);
    }

    ReadFile -> ReadFileReply {
        /// What a file says, if it may be read. 2.1.325 answers, 2.1.112 refuses.
        fn read_file(path: &str);
    }

    SeedReadState -> () {
        /// We have read this file already, as it was at this time, in epoch milliseconds. Since 2.1.112 or before;
        /// 2.0.77 does not answer.
        fn seed_read_state(path: &str, mtime: f64);
    }

    RegisterRepoRoot -> () {
        /// A repository below the working directory is part of the work.
        fn register_repo_root(directory: &str);
    }

    FileSuggestions -> FileSuggestionsReply {
        /// Files whose names are like this. 2.1.325 answers, 2.1.112 refuses.
        fn file_suggestions(query: &str);
    }

    GetWorkspaceDiff -> GetWorkspaceDiffReply {
        /// What has changed in the working directory.
        fn get_workspace_diff();
    }
}
