//! Types of the wire over a text that somebody owns.

use unspool::json::Json;

/// A type that a question or a reply is read as. `SetModelReply<'static>` stands for that type with any lifetime.
pub trait Readable: 'static {
    /// This type, over a text.
    type At<'a>;
    /// Reads it. What has another shape is read as if nothing had come.
    fn read(json: Json<'_>) -> Self::At<'_>;
}

impl Readable for Json<'static> {
    type At<'a> = Json<'a>;
    fn read(json: Json<'_>) -> Json<'_> {
        json
    }
}

/// Makes types of the wire [`Readable`].
macro_rules! readable {
    ($($name:ty as $at:ty),* $(,)?) => { $(
        impl $crate::controls::Readable for $name {
            type At<'a> = $at;
            fn read(json: unspool::json::Json<'_>) -> Self::At<'_> {
                unspool::wire::Wire::of(json).unwrap_or_default()
            }
        }
    )* };
}

pub(crate) use readable;
