//! Pictures that a stream brings along.

use super::Limit;
use crate::media::Media;
use crate::words::clean_line;
use unspool::json::{Json, Str};
use unspool::wire::{Block, Wire};

/// The longest picture that is kept where texts are cut, in bytes of base64.
const LARGEST: usize = 2 << 20;

/// The media types that a browser shows without running anything.
const SAFE: [&str; 4] = ["image/png", "image/jpeg", "image/gif", "image/webp"];

/// A picture of the stream.
#[derive(Clone, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub enum Image {
    /// One that can be shown: its media type is safe, and its data is base64.
    Shown {
        /// The media type.
        media: &'static str,
        /// The data.
        base64: String,
    },
    /// One that is not shown: why, as one line.
    Left(String),
}

impl Image {
    /// A picture among blocks; none for any other.
    pub(super) fn of(block: Json<'_>, limit: Limit) -> Option<Image> {
        let Some(Block::Image(image)) = Block::of(block) else { return None };
        let file = Media::of(image.source);
        let text = |text: Option<Str<'_>>| text.map(|text| text.to_string()).unwrap_or_default();
        let (media, data) = (text(file.media_type), text(file.data));
        let fits = matches!(limit, Limit::Whole) || data.len() <= LARGEST;
        Some(match SAFE.into_iter().find(|safe| *safe == media) {
            Some(media) if fits && is_base64(&data) => Image::Shown { media, base64: data },
            Some(media) if !fits => Image::Left(format!("{media}, {} bytes of base64", data.len())),
            Some(media) => Image::Left(format!("{media}, which has no data")),
            None => {
                let what = [media, text(file.url)].join(" ");
                Image::Left(clean_line(what.trim()).chars().take(200).collect())
            }
        })
    }
}

fn is_base64(data: &str) -> bool {
    !data.is_empty() && data.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+/=".contains(&byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(source: &str, expected: Image) {
        let block = format!(r#"{{"type":"image","source":{source}}}"#);
        assert_eq!(Image::of(Json::new(&block).unwrap(), Limit::Bytes(9)), Some(expected));
    }

    #[test]
    fn only_safe_pictures_are_shown() {
        let shown = Image::Shown { media: "image/png", base64: "iVBORw==".to_owned() };
        check(r#"{"type":"base64","media_type":"image/png","data":"iVBORw=="}"#, shown);
        let left = |why: &str| Image::Left(why.to_owned());
        check(r#"{"media_type":"image/svg+xml","data":"PHN2Zz4="}"#, left("image/svg+xml"));
        check(r#"{"media_type":"image/png","data":"\"><script>"}"#, left("image/png, which has no data"));
        check(r#"{"type":"url","url":"https://example.com/x.png"}"#, left("https://example.com/x.png"));
        assert_eq!(Image::of(Json::new(r#"{"type":"text"}"#).unwrap(), Limit::Whole), None);
    }
}
