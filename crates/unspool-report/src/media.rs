//! What is known of a picture or document without looking at it.

use unspool::json::{Json, Str};
use unspool::wire::{Source, SourceKind};

/// A picture or document that a message brings along.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Media<'a> {
    /// What kind of file.
    pub(crate) media_type: Option<Str<'a>>,
    /// The file itself.
    pub(crate) data: Option<Str<'a>>,
    /// Where it is.
    pub(crate) url: Option<Str<'a>>,
}

impl<'a> Media<'a> {
    pub(crate) fn of(source: Option<Source<'a>>) -> Self {
        match source {
            Some(Source::Base64Source(it)) => {
                Media { media_type: it.media_type, data: it.data, ..Media::default() }
            }
            Some(Source::TextSource(it)) => {
                Media { media_type: it.media_type, data: it.data, ..Media::default() }
            }
            Some(Source::UrlSource(it)) => Media { url: it.url, ..Media::default() },
            Some(Source::Unknown(json)) => Media::likely(json),
            Some(_) | None => Media::default(),
        }
    }

    /// A source that does not say what it is, by the fields that it has.
    fn likely(json: Json<'a>) -> Self {
        let file = match Source::of_kind(SourceKind::Base64Source, json) {
            Source::Base64Source(it) => Media::of(Some(it.into())),
            _ => Media::default(),
        };
        match Source::of_kind(SourceKind::UrlSource, json) {
            Source::UrlSource(it) => Media { url: it.url, ..file },
            _ => file,
        }
    }
}
