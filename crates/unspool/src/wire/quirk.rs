//! interim
use crate::json::{Json, Kind};
use std::borrow::Cow;
/// x
pub fn flatten_content(content: Json<'_>) -> Cow<'_, str> {
    match content.kind() {
        Kind::String => content.as_str().map(|text| text.decode()).unwrap_or_default(),
        Kind::Array => {
            let mut texts = content.items().filter_map(|item| item.get("text")?.as_str());
            let Some(first) = texts.next() else { return Cow::Borrowed("") };
            let mut out = first.decode();
            for text in texts {
                let out = out.to_mut();
                out.push('\n');
                out.push_str(&text.decode());
            }
            out
        }
        _ => Cow::Borrowed(""),
    }
}
/// x
pub fn is_only_text(content: Json<'_>) -> bool {
    match content.kind() {
        Kind::String | Kind::Null => true,
        Kind::Array => content.items().all(|item| {
            item.get("type").and_then(|kind| kind.as_str()).is_some_and(|kind| kind == "text")
                && item.get("text").is_some_and(|text| text.kind() == Kind::String)
        }),
        _ => false,
    }
}
