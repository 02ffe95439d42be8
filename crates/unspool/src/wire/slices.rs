//! Lists, maps and objects that are read when somebody asks; until then they are the text that they stand in.

use super::{Found, Shape, Wire};
use crate::json::{Cursor, Fault, Json, Str, write_line};
use std::fmt;
use std::marker::PhantomData;

/// A list of the wire, read item by item when somebody asks.
pub struct List<'a, T> {
    json: Json<'a>,
    of: PhantomData<T>,
}

impl<'a, T: Wire<'a>> List<'a, T> {
    /// The items that have the shape of a `T`; the others are in [`List::json`].
    pub fn iter(&self) -> impl Iterator<Item = T> + use<'a, T> {
        Members::of(self.json, b'[').map(|(_, item)| item)
    }

    /// The list as it was written.
    #[must_use]
    pub fn json(&self) -> Json<'a> {
        self.json
    }

    /// Whether there is nothing in it.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.json.is_empty()
    }
}

/// An object of the wire whose keys are data, read entry by entry when somebody asks.
pub struct Map<'a, T> {
    json: Json<'a>,
    of: PhantomData<T>,
}

impl<'a, T: Wire<'a>> Map<'a, T> {
    /// The entries whose value has the shape of a `T`; the others are in [`Map::json`].
    pub fn iter(&self) -> impl Iterator<Item = (Str<'a>, T)> + use<'a, T> {
        Members::of(self.json, b'{')
    }

    /// The object as it was written.
    #[must_use]
    pub fn json(&self) -> Json<'a> {
        self.json
    }

    /// Whether there is nothing in it.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.json.is_empty()
    }
}

/// Reads the members of a checked list or object one by one, each once; those of another shape are left
/// out.
struct Members<'a, T> {
    cursor: Cursor<'a>,
    open: u8,
    begun: bool,
    of: PhantomData<T>,
}

impl<'a, T> Members<'a, T> {
    fn of(json: Json<'a>, open: u8) -> Self {
        Members { cursor: Cursor::checked(json.text()), open, begun: false, of: PhantomData }
    }
}

impl<'a, T: Wire<'a>> Iterator for Members<'a, T> {
    type Item = (Str<'a>, T);

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let key = self.cursor.next_key(self.open, &mut self.begun)?;
            if let Found::Fits(value) = T::read(&mut self.cursor).ok()? {
                return Some((key, value));
            }
        }
    }
}

/// An object of the wire, read when somebody asks.
pub struct Lazy<'a, T> {
    json: Json<'a>,
    of: PhantomData<T>,
}

impl<'a, T: Wire<'a> + Default> Lazy<'a, T> {
    /// Reads it.
    #[must_use]
    pub fn read(&self) -> T {
        T::of(self.json).unwrap_or_default()
    }

    /// The object as it was written.
    #[must_use]
    pub fn json(&self) -> Json<'a> {
        self.json
    }
}

macro_rules! sliced {
    ($name:ident, $first:literal, |$of:ident| $shape:expr, $($bound:tt)*) => {
        impl<'a, T: Wire<'a> $($bound)*> Wire<'a> for $name<'a, T> {
            fn read(cursor: &mut Cursor<'a>) -> Result<Found<Self>, Fault> {
                let first = cursor.peek();
                let json = cursor.skip()?;
                Ok(match first {
                    $first => Found::Fits($name { json, of: PhantomData }),
                    b'n' => Found::Null,
                    _ => Found::Odd,
                })
            }
            fn write(&self, out: &mut String) {
                write_line(self.json.text(), out);
            }
            fn shape() -> Shape {
                let $of = T::shape;
                $shape
            }
        }
        impl<T> Clone for $name<'_, T> {
            fn clone(&self) -> Self {
                *self
            }
        }
        impl<T> Copy for $name<'_, T> {}
        impl<T> PartialEq for $name<'_, T> {
            fn eq(&self, other: &Self) -> bool {
                self.json == other.json
            }
        }
        impl<T> fmt::Debug for $name<'_, T> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Debug::fmt(&self.json, f)
            }
        }
        impl<'a, T> From<Json<'a>> for $name<'a, T> {
            fn from(json: Json<'a>) -> Self {
                $name { json, of: PhantomData }
            }
        }
    };
}

sliced!(List, b'[', |of| Shape::List(of),);
sliced!(Map, b'{', |of| Shape::Map(of),);
sliced!(Lazy, b'{', |of| of(), + Default);
