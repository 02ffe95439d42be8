//! Tokens and money by model, read with their line.

use super::view::Model;
use crate::json::{Cursor, Fault, Str};
use crate::tally::Models;
use crate::wire::{Found, Map, Shape, Wire};

/// The models of a result. Nearly always there are one or two, which are read at once.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Bills<'l> {
    first: [Option<(Str<'l>, Model<'l>)>; 2],
    count: usize,
    /// All of them, where there are more.
    all: Option<Map<'l, Model<'l>>>,
}

impl Bills<'_> {
    /// Whether nothing stands there.
    pub(super) fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// The same as an event tells it.
    pub(super) fn models(&self) -> Models {
        let all = self.all.iter().flat_map(Map::iter);
        let models = self.first.into_iter().flatten().chain(all);
        models.map(|(name, model)| (name.to_string(), model.tokens())).collect()
    }
}

impl<'l> Wire<'l> for Bills<'l> {
    fn read(cursor: &mut Cursor<'l>) -> Result<Found<Self>, Fault> {
        let first = cursor.peek();
        let start = cursor.at();
        if first != b'{' {
            cursor.skip()?;
            return Ok(if first == b'n' { Found::Null } else { Found::Odd });
        }
        let mut it = Bills { first: [None; 2], count: 0, all: None };
        cursor.object(|name, cursor| {
            let model = Model::read(cursor)?;
            if let (Some(place), Found::Fits(model)) = (it.first.get_mut(it.count), model) {
                *place = Some((name, model));
            }
            it.count += 1;
            Ok(())
        })?;
        if it.count > it.first.len() {
            it = Bills { first: [None; 2], all: Some(cursor.since(start).into()), ..it };
        }
        Ok(Found::Fits(it))
    }

    /// Never called: a view is only read.
    fn write(&self, _: &mut String) {}

    fn shape() -> Shape {
        Shape::Any
    }
}
