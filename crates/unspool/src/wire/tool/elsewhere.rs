//! Tools that work with what lies on claude.ai.

use super::super::declare::{choice, wire, writable};

writable! {
    /// What `Artifact` is given.
    pub struct ArtifactInput {
        /// What to do with it: `publish`, `list`, `read`, `watch` and others.
        action: Str,
        /// What it is made of.
        file_path: Str,
        /// The picture of its page.
        favicon: Str,
        /// Its picture.
        icon: Str,
        /// How many of a list.
        limit: u64,
        /// Where the list goes on.
        page_token: Str,
        /// Whose: `mine`, `shared` or `all`.
        scope: Str,
        /// What it is called.
        title: Str,
        /// What it is.
        description: Str,
        /// What this version is called.
        label: Str,
        /// Where it is.
        url: Str,
        /// What is wanted of it.
        prompt: Str,
        /// Even if others have changed it.
        force: bool,
        /// It is to be pinned.
        pin: bool,
        /// Where to put what is read.
        out_dir: Str,
        /// What to add to it.
        file_paths: [Str],
        /// What was added to it.
        asset_id: Str,
        /// Where the list goes on.
        after: Str,
        /// What it may do.
        capabilities: Json,
        /// What it is to follow.
        contract: Str,
    }

    /// What `ClaudeDesign` is given.
    pub struct ClaudeDesignInput {
        /// What to do.
        operation: Str,
        /// With what.
        arguments: Json,
    }

    /// What `Projects` is given.
    pub struct ProjectsInput {
        /// What to do.
        method: Str,
        /// With which document.
        path: Str,
        /// What is to be in it.
        content: Str,
        /// Which file is to be in it.
        local_path: Str,
        /// The user is to see it.
        present_to_user: bool,
        /// What is wanted.
        query: Str,
        /// How many.
        n: u64,
    }
}

wire! {
    /// What `Artifact` answers. Each action has fields of its own.
    pub struct ArtifactOutput {
        /// Where it is.
        url: Str,
        /// What it was made of.
        path: Str,
        /// Which one it is.
        artifact_id: Str,
        /// What it is called.
        title: Str,
        /// Its version.
        version: Str,
        /// What it may do.
        capabilities: Json,
        /// How it is kept.
        stored: Json,
        /// What may be wrong.
        warnings: [Str],
        /// How often it may be published again.
        publishes_remaining "publishesRemaining": u64,
        /// Until when, in milliseconds since 1970.
        publishes_reset_at "publishesResetAt": f64,
        /// What it follows.
        contract: Str,
        /// It was there before.
        updated: bool,
        /// It is the user's own.
        owned: bool,
        /// Its picture.
        icon: Str,
        /// The picture of its page was sent.
        favicon_sent "faviconSent": bool,
        /// Its picture was not taken.
        icon_dropped "iconDropped": bool,
        /// Who can see it.
        audience: Str,
        /// How often it has changed.
        seq: u64,
        /// It is as it was.
        unchanged: bool,
        /// How it is watched.
        live_subscription "liveSubscription": Str,
        /// It is pinned.
        pinned: bool,
        /// A list of them.
        artifacts: [Json],
        /// There are more.
        truncated: bool,
        /// How many there are.
        total: u64,
        /// There are more than that.
        total_at_least: bool,
        /// Where the list goes on.
        next_page_token: Str,
        /// They can be pinned.
        pins_enabled: bool,
        /// Whose: `shared` or `all`.
        scope: Str,
        /// Those of others are in the list.
        external_listed: bool,
        /// What was read.
        read: Json,
        /// The version that was read.
        artifact_read "artifactRead": Json,
        /// It is watched.
        watch: Json,
        /// It is not watched any more.
        unwatch: Json,
        /// All that are watched.
        watches: [Json],
        /// Of which one.
        filter_url: Str,
        /// How they are watched.
        arms: [Json],
        /// Where something was added.
        written: Json,
        /// What was added.
        asset_upload: Json,
        /// All that was added.
        asset_uploads: Json,
        /// A list of what was added.
        asset_list: Json,
        /// Something that was added was read.
        asset_read: Json,
        /// Something that was added is gone.
        asset_delete: Json,
        /// It was pinned, or is not any more.
        pin: Json,
    }

    /// What `ClaudeDesign` answers.
    pub struct ClaudeDesignOutput {
        /// What was done.
        operation: Str,
        /// What came of it.
        content: [Json],
        /// It went wrong.
        is_error "isError": bool,
    }
}

choice! {
    /// What `Projects` answers.
    pub enum ProjectsOutput by "method" {
        "project_info" => Info(ProjectInfo),
        "project_read" => Read(ProjectRead),
        "project_search" => Search(ProjectSearch),
        "project_write" => Write(ProjectWrite),
        "project_delete" => Delete(ProjectDelete),
        "project_memory_list" => MemoryList(ProjectMemoryList),
        "project_memory_read" => MemoryRead(ProjectMemoryRead),
    }
}

wire! {
    /// What a project is.
    pub struct ProjectInfo: method "project_info" {
        /// Something to know.
        notice: Str,
        /// Where all of this is.
        local_file: Str,
        /// Its name.
        name: Str,
        /// What it is, in words.
        description: Str,
        /// What the model is told.
        instructions: Str,
        /// Its documents.
        docs: [ProjectDocument],
        /// Its files.
        files: [ProjectDocument],
        /// Where they come from.
        sync_sources: [Json],
        /// How much it is.
        knowledge: ProjectKnowledge,
    }

    /// A document or file of a project.
    pub struct ProjectDocument {
        /// Where it is.
        path: Str,
        /// What kind of file it is.
        file_kind: Str,
        /// Since when.
        created_at: Str,
    }

    /// How much a project is.
    pub struct ProjectKnowledge {
        /// How much it is.
        knowledge_size: u64,
        /// How much it may be.
        max_knowledge_size: u64,
    }

    /// A document of a project.
    pub struct ProjectRead: method "project_read" {
        /// Something to know.
        notice: Str,
        /// Where it is.
        path: Str,
        /// What kind of file it is.
        file_kind: Str,
        /// What is in it.
        content: Str,
        /// Where that is, if it is too much.
        local_file: Str,
        /// Since when.
        created_at: Str,
    }

    /// What a search in a project has found.
    pub struct ProjectSearch: method "project_search" {
        /// Something to know.
        notice: Str,
        /// It was searched by meaning.
        rag: bool,
        /// What was found.
        hits: [ProjectHit],
        /// The documents, if there is nothing to search.
        docs: [Str],
    }

    /// What was found in a project.
    pub struct ProjectHit {
        /// The document.
        name: Str,
        /// Which one it is.
        doc_uuid: Str,
        /// What is there.
        text: Str,
        /// It has a picture.
        image_attached: bool,
        /// The page.
        page: u64,
    }

    /// A document was written.
    pub struct ProjectWrite: method "project_write" {
        /// Something to know.
        notice: Str,
        /// Where it is.
        path: Str,
        /// Which one it is.
        doc_uuid: Str,
        /// It was there before.
        replaced: bool,
        /// The user is to see it.
        present_to_user: bool,
        /// The file that is in it.
        local_path: Str,
    }

    /// A document was deleted.
    pub struct ProjectDelete: method "project_delete" {
        /// Something to know.
        notice: Str,
        /// Where it was.
        path: Str,
        /// It is gone.
        deleted: bool,
    }

    /// What a project remembers.
    pub struct ProjectMemoryList: method "project_memory_list" {
        /// Something to know.
        notice: Str,
        /// The files.
        files: [ProjectMemory],
        /// There are more.
        truncated: bool,
    }

    /// Something that a project remembers.
    pub struct ProjectMemory {
        /// Where it is.
        path: Str,
        /// How large it is.
        size_bytes: u64,
        /// Since when.
        updated_at: Str,
        /// There is more of it.
        truncated: bool,
    }

    /// Something that a project remembers was read.
    pub struct ProjectMemoryRead: method "project_memory_read" {
        /// Something to know.
        notice: Str,
        /// Where it is.
        path: Str,
        /// What is in it.
        content: Str,
        /// Where that is, if it is too much.
        local_file: Str,
        /// How large it is.
        size_bytes: u64,
        /// Since when.
        updated_at: Str,
        /// There is more of it.
        truncated: bool,
    }
}
