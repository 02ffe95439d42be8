//! Pictures, documents, search results, and where words come from.

use super::super::declare::{choice, wire};
use super::{CacheControl, Content, Text};

wire! {
    /// A picture.
    pub struct Image: type "image" {
        /// The picture itself, or where it is.
        source: (Source),
        /// What was done to it.
        transformations: Json,
        /// Where the cache may end.
        cache_control: CacheControl,
    }

    /// A document.
    pub struct Document: type "document" {
        /// The document itself, or where it is.
        source: (Source),
        /// Its title.
        title: Str,
        /// What to know about it.
        context: Str,
        /// Whether the model is to quote from it.
        citations: CitationsConfig,
        /// Where the cache may end.
        cache_control: CacheControl,
    }

    /// Something a search found.
    pub struct SearchResult: type "search_result" {
        /// Where it is.
        source: Str,
        /// Its title.
        title: Str,
        /// What it says.
        content: [Text],
        /// Whether the model is to quote from it.
        citations: CitationsConfig,
        /// Where the cache may end.
        cache_control: CacheControl,
    }

    /// Whether the model is to quote.
    pub struct CitationsConfig {
        /// Whether it is.
        enabled: bool,
    }
}

choice! {
    /// Where a picture or document is.
    pub enum Source as SourceKind by "type" {
        "base64" => Base64Source,
        "text" => TextSource,
        "content" => ContentSource,
        "url" => UrlSource,
        "file" => FileSource,
    }
}

wire! {
    /// A file, in the message itself.
    pub struct Base64Source: type "base64" {
        /// What kind of file.
        media_type: Str,
        /// The file, in base 64.
        data: Str,
    }

    /// A text, in the message itself.
    pub struct TextSource: type "text" {
        /// `text/plain`.
        media_type: Str,
        /// The text.
        data: Str,
    }

    /// A document made of blocks.
    pub struct ContentSource: type "content" {
        /// The blocks.
        content: (Json as Content),
    }

    /// A file on the web.
    pub struct UrlSource: type "url" {
        /// Where the file is.
        url: Str,
    }

    /// A file that was uploaded before.
    pub struct FileSource: type "file" {
        /// The id of the file.
        file_id: Str,
    }
}

choice! {
    /// Where words come from.
    pub enum Citation by "type" {
        "char_location" => CharLocation,
        "page_location" => PageLocation,
        "content_block_location" => ContentBlockLocation,
        "web_search_result_location" => WebSearchResultLocation,
        "search_result_location" => SearchResultLocation,
    }
}

wire! {
    /// A passage of a text.
    pub struct CharLocation: type "char_location" {
        /// The passage.
        cited_text: Str,
        /// Place of the document among those of the request.
        document_index: u64,
        /// The document's title.
        document_title: Str,
        /// Where it begins.
        start_char_index: u64,
        /// Where it ends.
        end_char_index: u64,
        /// The document's file.
        file_id: Str,
    }

    /// Pages of a document.
    pub struct PageLocation: type "page_location" {
        /// The passage.
        cited_text: Str,
        /// Place of the document among those of the request.
        document_index: u64,
        /// The document's title.
        document_title: Str,
        /// Where it begins.
        start_page_number: u64,
        /// Where it ends.
        end_page_number: u64,
        /// The document's file.
        file_id: Str,
    }

    /// Blocks of a document.
    pub struct ContentBlockLocation: type "content_block_location" {
        /// The passage.
        cited_text: Str,
        /// Place of the document among those of the request.
        document_index: u64,
        /// The document's title.
        document_title: Str,
        /// Where it begins.
        start_block_index: u64,
        /// Where it ends.
        end_block_index: u64,
        /// The document's file.
        file_id: Str,
    }

    /// A page on the web.
    pub struct WebSearchResultLocation: type "web_search_result_location" {
        /// The passage.
        cited_text: Str,
        /// Where it is.
        url: Str,
        /// The page's title.
        title: Str,
        /// Where in the page, encrypted.
        encrypted_index: Str,
    }

    /// Blocks of a search result.
    pub struct SearchResultLocation: type "search_result_location" {
        /// The passage.
        cited_text: Str,
        /// Where the result is.
        source: Str,
        /// Its title.
        title: Str,
        /// Place of the result among those of the request.
        search_result_index: u64,
        /// Where it begins.
        start_block_index: u64,
        /// Where it ends.
        end_block_index: u64,
    }
}
