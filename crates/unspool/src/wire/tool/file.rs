//! Tools that read, write and find files.

use super::super::declare::{choice, open, wire, writable};

writable! {
    /// What `Read` is given.
    pub struct ReadInput {
        /// The file.
        file_path: Str,
        /// From which line.
        offset: u64,
        /// How many lines.
        limit: u64,
        /// Which pages of a PDF.
        pages: Str,
        /// It may be more than usual.
        allow_large: bool,
    }

    /// What `Write` is given.
    pub struct WriteInput {
        /// The file.
        file_path: Str,
        /// All that is to be in it.
        content: Str,
    }

    /// What `Edit` is given.
    pub struct EditInput {
        /// The file.
        file_path: Str,
        /// What is there.
        old_string: Str,
        /// What is to be there instead.
        new_string: Str,
        /// Wherever it is, not only where it is once.
        replace_all: bool,
    }

    /// What `MultiEdit` of versions up to 1.0 is given.
    pub struct MultiEditInput {
        /// The file.
        file_path: Str,
        /// What is changed, one after the other.
        edits: [Replacement],
    }

    /// One change of a text.
    pub struct Replacement {
        /// What is there.
        old_string: Str,
        /// What is to be there instead.
        new_string: Str,
        /// Wherever it is, not only where it is once.
        replace_all: bool,
    }

    /// What `NotebookEdit` is given.
    pub struct NotebookEditInput {
        /// The notebook.
        notebook_path: Str,
        /// The cell.
        cell_id: Str,
        /// What is to be in it.
        new_source: Str,
        /// `code` or `markdown`.
        cell_type: Str,
        /// What is done to the cell; it is replaced if nothing is said.
        edit_mode: (EditMode),
    }

    /// What `NotebookRead` of versions up to 1.0 is given.
    pub struct NotebookReadInput {
        /// The notebook.
        notebook_path: Str,
        /// The cell, if not all of them.
        cell_id: Str,
    }

    /// What `LS` of versions up to 1.0 is given.
    pub struct LsInput {
        /// The folder.
        path: Str,
        /// Names that are left out.
        ignore: [Str],
    }

    /// What `Glob` is given.
    pub struct GlobInput {
        /// Which names are wanted.
        pattern: Str,
        /// The folder to look in.
        path: Str,
    }

    /// What `Grep` is given.
    pub struct GrepInput {
        /// What is wanted, as a regular expression.
        pattern: Str,
        /// The file or folder to look in.
        path: Str,
        /// In files with such names.
        glob: Str,
        /// `content`, `files_with_matches` or `count`.
        output_mode: Str,
        /// How many lines before it.
        before "-B": u64,
        /// How many lines after it.
        after "-A": u64,
        /// How many lines around it.
        around "-C": u64,
        /// How many lines around it.
        context: u64,
        /// With the numbers of the lines.
        line_numbers "-n": bool,
        /// Small and capital letters are the same.
        ignore_case "-i": bool,
        /// Only what fits, not the whole line.
        only_matching "-o": bool,
        /// In files of this kind.
        r#type "type": Str,
        /// How many lines or files of the answer.
        head_limit: u64,
        /// From which line or file of it.
        offset: u64,
        /// It may go over several lines.
        multiline: bool,
    }

    /// What `LSP` is given.
    pub struct LspInput {
        /// What is asked of the language server.
        operation: Str,
        /// The file.
        file_path "filePath": Str,
        /// The line, from 1.
        line: u64,
        /// The letter in it, from 1.
        character: u64,
        /// What to look for.
        query: Str,
    }
}

choice! {
    /// What `Read` answers.
    pub enum ReadOutput by "type" {
        "text" => Text(ReadText),
        "image" => Image(ReadImage),
        "notebook" => Notebook(ReadNotebook),
        "pdf" => Pdf(ReadPdf),
        "parts" => Parts(ReadParts),
        "file_unchanged" => FileUnchanged(ReadUnchanged),
    }
}

wire! {
    /// A text was read.
    pub struct ReadText: type "text" {
        /// The text.
        file: TextFile,
        /// The artifact that it is.
        artifact_read "artifactRead": ArtifactRead,
    }

    /// A text that was read.
    pub struct TextFile {
        /// The file.
        file_path "filePath": Str,
        /// What was read of it.
        content: Str,
        /// How many lines that is.
        num_lines "numLines": u64,
        /// Which of them is the first.
        start_line "startLine": u64,
        /// How many lines there are.
        total_lines "totalLines": u64,
        /// There is more than may be read at once.
        truncated_by_token_cap "truncatedByTokenCap": bool,
    }

    /// An artifact that was read.
    pub struct ArtifactRead {
        /// Its name.
        slug: Str,
        /// Its version.
        ver: Str,
        /// It was made of something.
        seeded: bool,
    }

    /// A picture was read.
    pub struct ReadImage: type "image" {
        /// The picture.
        file: ImageFile,
    }

    /// A picture that was read.
    pub struct ImageFile {
        /// The picture itself.
        base64: Str,
        /// What kind of picture.
        r#type "type": Str,
        /// How large the file is, in bytes.
        original_size "originalSize": u64,
        /// How large the picture is.
        dimensions: ImageDimensions,
    }

    /// How large a picture is, and how large the model sees it.
    pub struct ImageDimensions {
        /// How wide it is.
        original_width "originalWidth": u64,
        /// How high it is.
        original_height "originalHeight": u64,
        /// How wide it is seen.
        display_width "displayWidth": u64,
        /// How high it is seen.
        display_height "displayHeight": u64,
    }

    /// A notebook was read.
    pub struct ReadNotebook: type "notebook" {
        /// The notebook.
        file: NotebookFile,
    }

    /// A notebook that was read.
    pub struct NotebookFile {
        /// The file.
        file_path "filePath": Str,
        /// Its cells.
        cells: [Json],
    }

    /// A PDF was read.
    pub struct ReadPdf: type "pdf" {
        /// The PDF.
        file: PdfFile,
    }

    /// A PDF that was read.
    pub struct PdfFile {
        /// The file.
        file_path "filePath": Str,
        /// The PDF itself.
        base64: Str,
        /// How large it is, in bytes.
        original_size "originalSize": u64,
    }

    /// Pages of a PDF were read, as pictures.
    pub struct ReadParts: type "parts" {
        /// The pages.
        file: PdfPages,
        /// Which of them is the first.
        first_page "firstPage": u64,
        /// Their pictures.
        pages: [Json],
    }

    /// Pages of a PDF that were read.
    pub struct PdfPages {
        /// The file.
        file_path "filePath": Str,
        /// How large it is, in bytes.
        original_size "originalSize": u64,
        /// How many pages were read.
        count: u64,
        /// Where their pictures are.
        output_dir "outputDir": Str,
    }

    /// The model has read it before, and it is as it was.
    pub struct ReadUnchanged: type "file_unchanged" {
        /// The file.
        file: UnchangedFile,
    }

    /// A file that is as it was.
    pub struct UnchangedFile {
        /// Where it is.
        file_path "filePath": Str,
    }

    /// What `Write` answers.
    pub struct WriteOutput {
        /// Whether the file is new.
        r#type "type": (WriteKind),
        /// The file.
        file_path "filePath": Str,
        /// What is in it.
        content: Str,
        /// What has changed.
        structured_patch "structuredPatch": [Hunk],
        /// What was in it.
        original_file "originalFile": Str,
        /// What git says of it.
        git_diff "gitDiff": GitDiff,
        /// The user has changed what was to be written.
        user_modified "userModified": bool,
        /// It is not written yet.
        staged: bool,
    }

    /// What `Edit` answers.
    pub struct EditOutput {
        /// The file.
        file_path "filePath": Str,
        /// What was there.
        old_string "oldString": Str,
        /// What is there instead.
        new_string "newString": Str,
        /// What was in the file.
        original_file "originalFile": Str,
        /// What has changed.
        structured_patch "structuredPatch": [Hunk],
        /// The user has changed what was to be written.
        user_modified "userModified": bool,
        /// It was changed wherever it was.
        replace_all "replaceAll": bool,
        /// What git says of it.
        git_diff "gitDiff": GitDiff,
        /// It is not written yet.
        staged: bool,
    }

    /// Lines that have changed, and some around them.
    pub struct Hunk {
        /// Where they were.
        old_start "oldStart": u64,
        /// How many they were.
        old_lines "oldLines": u64,
        /// Where they are.
        new_start "newStart": u64,
        /// How many they are.
        new_lines "newLines": u64,
        /// The lines, with `-`, `+` or a space before each.
        lines: [Str],
    }

    /// What git says of a change.
    pub struct GitDiff {
        /// The file.
        filename: Str,
        /// `modified` or `added`.
        status: Str,
        /// How many lines are new.
        additions: u64,
        /// How many are gone.
        deletions: u64,
        /// How many have changed.
        changes: u64,
        /// The change.
        patch: Str,
        /// The repository.
        repository: Str,
    }

    /// What `NotebookEdit` answers.
    pub struct NotebookEditOutput {
        /// What is in the cell.
        new_source: Str,
        /// What was in it.
        old_source: Str,
        /// The cell.
        cell_id: Str,
        /// `code` or `markdown`.
        cell_type: Str,
        /// The language of the notebook.
        language: Str,
        /// What was done.
        edit_mode: (EditMode),
        /// What went wrong.
        error: Str,
        /// The notebook.
        notebook_path: Str,
        /// What was in it.
        original_file: Str,
        /// What is in it.
        updated_file: Str,
    }

    /// What `Glob` answers.
    pub struct GlobOutput {
        /// How long it took.
        duration_ms "durationMs": u64,
        /// How many files it found.
        num_files "numFiles": u64,
        /// The files.
        filenames: [Str],
        /// There are more.
        truncated: bool,
        /// How many there are.
        total_matches "totalMatches": u64,
        /// That is all of them.
        count_is_complete "countIsComplete": bool,
        /// It took too long.
        timed_out "timedOut": bool,
    }

    /// What `Grep` answers.
    pub struct GrepOutput {
        /// `content`, `files_with_matches` or `count`.
        mode: Str,
        /// How many files it found.
        num_files "numFiles": u64,
        /// The files.
        filenames: [Str],
        /// The lines.
        content: Str,
        /// How many lines.
        num_lines "numLines": u64,
        /// How often it was found.
        num_matches "numMatches": u64,
        /// How many files there are.
        total_files "totalFiles": u64,
        /// How many lines there are.
        total_lines "totalLines": u64,
        /// How many of them were wanted.
        applied_limit "appliedLimit": u64,
        /// From which one.
        applied_offset "appliedOffset": u64,
        /// It took too long.
        timed_out "timedOut": bool,
    }
}

open! {
    /// What writing a file does.
    pub enum WriteKind {
        /// There was none.
        Create = "create",
        /// There was one.
        Update = "update",
    }

    /// What is done to a cell of a notebook.
    pub enum EditMode {
        Replace = "replace",
        Insert = "insert",
        Delete = "delete",
    }
}
