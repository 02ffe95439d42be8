//! Partial messages: `stream_event` lines and the deltas in them.

use super::declare::{choice, wire};
use super::{Block, Citation, Container, ContextManagement, Kind, Message, StopDetails, StopReason, Usage};

wire! {
    /// A piece of a message that is still being said. Only with `--include-partial-messages`.
    pub struct StreamEvent: type (Kind::StreamEvent.name()) {
        /// The piece.
        event: (Piece),
        /// The call that started the sub-agent who speaks; null for the main agent.
        parent_tool_use_id: Str,
        /// Id of this line.
        uuid: Str,
        /// The session it belongs to.
        session_id: Str,
        /// When the line was written.
        timestamp: Str,
        /// Time to the first token.
        ttft_ms: f64,
        /// The user message that is being answered.
        user_message_uuid: Str,
        /// All user messages that this turn has taken so far.
        user_message_uuids: [Str],
        /// Why a turn that was cut off goes on.
        resume_reason: Str,
        /// How thinking is shown.
        thinking_display: Str,
        /// The message it belongs to.
        api_message_id: Str,
        /// Lines that are still owed.
        owed_rows: [Json],
        /// The blocks that will not be finished.
        abandoned_blocks: AbandonedBlocks,
    }

    /// The blocks of a message that will not be finished.
    pub struct AbandonedBlocks {
        /// The message.
        api_message_id: Str,
        /// The first of them.
        from_block_index: u64,
    }

    /// A message begins.
    pub struct MessageStart: type "message_start" {
        /// The message, still empty.
        message: Message,
    }

    /// A part begins.
    pub struct ContentBlockStart: type "content_block_start" {
        /// Its place in the message.
        index: u64,
        /// The part, still empty.
        content_block: (Json as Block),
    }

    /// A part grows.
    pub struct ContentBlockDelta: type "content_block_delta" {
        /// Its place in the message.
        index: u64,
        /// What is added.
        delta: (Delta),
    }

    /// A part ends.
    pub struct ContentBlockStop: type "content_block_stop" {
        /// Its place in the message.
        index: u64,
    }

    /// The message as a whole changes: why it stopped, what it cost.
    pub struct MessageDelta: type "message_delta" {
        /// Why it stopped.
        delta: MessageChange,
        /// Tokens of the whole message, final.
        usage: Usage,
        /// What the API removed from the context.
        context_management: ContextManagement,
        /// What the API changed in the input.
        input_transformations: Json,
    }

    /// Why a message stopped.
    pub struct MessageChange {
        /// In one word.
        stop_reason: (StopReason),
        /// The sequence it stopped at.
        stop_sequence: Str,
        /// More on it.
        stop_details: StopDetails,
        /// The container of code execution.
        container: Container,
    }

    /// A message ends.
    pub struct MessageStop: type "message_stop" {}

    /// Nothing happened.
    pub struct Ping: type "ping" {}

    /// The API failed in mid-stream.
    pub struct StreamError: type "error" {
        /// What it said; normally an [`ApiFailure`].
        error: Json,
    }

    /// What the API says of a failure.
    pub struct ApiFailure {
        /// What kind of failure.
        kind "type": Str,
        /// What went wrong, in words.
        message: Str,
    }

    /// Words.
    pub struct TextDelta: type "text_delta" {
        /// The words.
        text: Str,
    }

    /// A piece of a call's input, as JSON text.
    pub struct InputJsonDelta: type "input_json_delta" {
        /// The piece.
        partial_json: Str,
    }

    /// A piece of a thought.
    pub struct ThinkingDelta: type "thinking_delta" {
        /// The piece.
        thinking: Str,
        /// How many tokens it may be.
        estimated_tokens: u64,
    }

    /// The proof that the model thought it.
    pub struct SignatureDelta: type "signature_delta" {
        /// The proof.
        signature: Str,
    }

    /// Where words come from.
    pub struct CitationsDelta: type "citations_delta" {
        /// One source.
        citation: (Citation),
    }

    /// A summary of what was compacted.
    pub struct CompactionDelta: type "compaction_delta" {
        /// The summary.
        content: Str,
        /// The summary, encrypted.
        encrypted_content: Str,
    }
}

choice! {
    /// A piece of a message.
    pub enum Piece as PieceKind by "type" {
        "content_block_delta" => ContentBlockDelta,
        "content_block_start" => ContentBlockStart,
        "content_block_stop" => ContentBlockStop,
        "message_start" => MessageStart,
        "message_delta" => MessageDelta,
        "message_stop" => MessageStop,
        "ping" => Ping,
        "error" => StreamError,
    }

    /// What a part grows by.
    pub enum Delta as DeltaKind by "type" {
        "text_delta" => TextDelta,
        "input_json_delta" => InputJsonDelta,
        "thinking_delta" => ThinkingDelta,
        "signature_delta" => SignatureDelta,
        "citations_delta" => CitationsDelta,
        "compaction_delta" => CompactionDelta,
    }
}
