//! A text, whole or in pieces, with things that happen between them.

use super::act::{Act, RawAct};
use serde::Deserialize;
use serde::de::{self, MapAccess, SeqAccess, Visitor, value::MapAccessDeserializer};
use serde_json::value::RawValue;
use std::fmt;
use unspool::json::{Half, Json};

/// A text.
#[derive(Clone, Debug)]
pub(crate) enum Pieces {
    /// Cut as the turn says.
    Whole(String),
    /// Cut as it is written.
    Cut(Vec<Piece>),
}

/// A piece of a text.
#[derive(Clone, Debug)]
pub(crate) enum Piece {
    Words(String),
    /// Words as a JSON string, which may hold half a character.
    Json(Box<RawValue>),
    Act(Act),
}

impl Pieces {
    /// Whether the stream ends inside.
    pub(crate) fn breaks(&self) -> bool {
        self.acts().any(Act::breaks)
    }

    /// What happens inside.
    pub(crate) fn acts(&self) -> impl Iterator<Item = &Act> {
        let pieces = match self {
            Pieces::Whole(_) => &[],
            Pieces::Cut(pieces) => &pieces[..],
        };
        pieces.iter().filter_map(|piece| match piece {
            Piece::Act(act) => Some(act),
            Piece::Words(_) | Piece::Json(_) => None,
        })
    }

    /// All the words, joined as JavaScript would: halves of a character find each other.
    pub(crate) fn words(&self) -> String {
        let pieces = match self {
            Pieces::Whole(words) => return words.clone(),
            Pieces::Cut(pieces) => pieces,
        };
        let (mut words, mut half) = (String::new(), Half::default());
        for piece in pieces {
            match piece {
                Piece::Words(more) => {
                    half.give_up(&mut words);
                    words.push_str(more);
                }
                Piece::Json(more) => {
                    let more = Json::new(more.get()).ok().and_then(Json::as_str).unwrap_or_default();
                    more.decode_into(&mut words, &mut half);
                }
                Piece::Act(_) => {}
            }
        }
        half.give_up(&mut words);
        words
    }
}

impl<'de> Deserialize<'de> for Pieces {
    fn deserialize<D: de::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(PiecesVisitor)
    }
}

struct PiecesVisitor;

impl<'de> Visitor<'de> for PiecesVisitor {
    type Value = Pieces;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("words in quotes, or a list of pieces such as [\"Wait\", { pause = 2 }, \" for it.\"]")
    }

    fn visit_str<E: de::Error>(self, words: &str) -> Result<Pieces, E> {
        Ok(Pieces::Whole(words.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Pieces, A::Error> {
        let mut pieces = Vec::new();
        while let Some(piece) = list.next_element()? {
            pieces.push(piece);
        }
        Ok(Pieces::Cut(pieces))
    }
}

impl<'de> Deserialize<'de> for Piece {
    fn deserialize<D: de::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(PieceVisitor)
    }
}

struct PieceVisitor;

const ONE: &str =
    "a piece is words in quotes, or a table with one of `pause`, `cut`, `error`, `ping`, `event`, `json`";

impl<'de> Visitor<'de> for PieceVisitor {
    type Value = Piece;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("words in quotes, or a table such as { pause = 2 }")
    }

    fn visit_str<E: de::Error>(self, words: &str) -> Result<Piece, E> {
        Ok(Piece::Words(words.to_owned()))
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Piece, A::Error> {
        let mut raw = RawAct::deserialize(MapAccessDeserializer::new(map))?;
        let json = raw.json.take();
        let mut acts = raw.acts();
        match (json, acts.pop()) {
            (None, Some(act)) if acts.is_empty() => Ok(Piece::Act(act)),
            (Some(inside), None) => {
                let read = RawValue::from_string(format!("\"{inside}\""));
                let wrong = |error| de::Error::custom(format!("not the inside of a JSON string: {error}"));
                read.map(Piece::Json).map_err(wrong)
            }
            _ => Err(de::Error::custom(ONE)),
        }
    }
}
