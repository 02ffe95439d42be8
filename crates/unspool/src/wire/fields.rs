//! How an object of the wire is read and written: field by field, by what its declaration says.
//!
//! There are hundreds of types. What is the same for all of them is here, once, and takes the type as `dyn`, so that it
//! is compiled once as well.

use super::{Extra, Field, Found, Type, Wire};
use crate::json::{Cursor, Fault, Json, Str, write_line, write_string};

/// The fields of an object of the wire, as their declaration lists them.
pub(crate) trait Fields<'a> {
    /// The declaration.
    fn declared(&self) -> &'static Type;
    /// Takes the value of a field from the cursor and lays it into its place. Returns whether it is one for
    /// [`Extra`]: not declared, or of another shape.
    fn take(&mut self, key: &str, cursor: &mut Cursor<'a>) -> Result<bool, Fault>;
    /// Hands over each field, in the order of the declaration.
    fn tell(&self, object: &mut Object<'_>);
    /// Where fields are kept that are not declared.
    fn extra_mut(&mut self) -> &mut Extra<'a>;
}

/// A declaration whose tags and fields have a bit each, or it does not compile.
pub(crate) const fn checked(declared: &'static Type) -> &'static Type {
    assert!(declared.tags.len() < u8::BITS as usize && declared.fields.len() <= u128::BITS as usize);
    declared
}

/// Takes one value from the cursor. If it is an object its fields are set, whatever type it says it is; returned are
/// then the tags that are not this type's as bits, 0 for none.
pub(crate) fn fill<'a>(it: &mut dyn Fields<'a>, cursor: &mut Cursor<'a>) -> Result<Found<u8>, Fault> {
    let first = cursor.peek();
    if first != b'{' {
        cursor.skip()?;
        return Ok(if first == b'n' { Found::Null } else { Found::Odd });
    }
    let tags = it.declared().tags;
    let start = cursor.at();
    // An object that lacks a tag is of another type.
    let mut wrong_tags = (1u8 << tags.len()) - 1;
    let mut extra = false;
    cursor.object(|key, cursor| {
        let decoded;
        let key = match key.simple() {
            Some(key) => key,
            None => {
                decoded = key.decode();
                &*decoded
            }
        };
        let Some(tag) = tags.iter().position(|(name, _)| *name == key) else {
            extra |= it.take(key, cursor)?;
            return Ok(());
        };
        match Str::read(cursor)? {
            Found::Fits(value) if value == tags[tag].1 => wrong_tags &= !(1 << tag),
            _ => wrong_tags |= 1 << tag,
        }
        Ok(())
    })?;
    if extra {
        *it.extra_mut() = Extra::of(cursor.since(start), it.declared());
    }
    Ok(Found::Fits(wrong_tags))
}

/// Takes one value from the cursor, and returns it if it is an object of this type.
pub(crate) fn read<'a, T: Fields<'a> + Default>(cursor: &mut Cursor<'a>) -> Result<Found<T>, Fault> {
    let mut it = T::default();
    Ok(match fill(&mut it, cursor)? {
        Found::Fits(0) => Found::Fits(it),
        Found::Null => Found::Null,
        Found::Fits(_) | Found::Odd => Found::Odd,
    })
}

/// Takes one value from the cursor and lays it into its place, which saves moving a large one. Returns whether the value
/// has another shape.
pub(crate) fn read_into<'a, T: Fields<'a> + Default>(
    place: &mut Option<T>,
    cursor: &mut Cursor<'a>,
) -> Result<bool, Fault> {
    let found = fill(place.insert(T::default()), cursor)?;
    if found != Found::Fits(0) {
        *place = None;
    }
    Ok(!matches!(found, Found::Fits(0) | Found::Null))
}

/// Reads an object as a type, whatever type it says it is.
pub(crate) fn filled<'a, T: Fields<'a> + Default>(json: Json<'a>) -> Option<T> {
    let mut it = T::default();
    let found = fill(&mut it, &mut Cursor::checked(json.text()));
    matches!(found, Ok(Found::Fits(_))).then_some(it)
}

/// Appends an object: its tags, the fields that are set, and what is not declared.
pub(crate) fn write(it: &dyn Fields<'_>, extra: Extra<'_>, out: &mut String) {
    let Type { tags, fields, .. } = it.declared();
    let mut object = Object { out, fields, at: 0, set: 0, first: true };
    object.out.push('{');
    for (tag, value) in *tags {
        object.key(tag);
        write_string(value, object.out);
    }
    it.tell(&mut object);
    object.extra(extra);
    object.out.push('}');
}

/// An object being written.
pub(crate) struct Object<'o> {
    out: &'o mut String,
    fields: &'static [Field],
    /// Which field is next.
    at: usize,
    /// A bit for each field that is set.
    set: u128,
    first: bool,
}

impl Object<'_> {
    /// Adds the next field, if it is set.
    pub(crate) fn field<'a, T: Wire<'a>>(&mut self, value: &Option<T>) {
        let at = self.at;
        self.at += 1;
        if let Some(value) = value {
            self.set |= 1 << at;
            self.key(self.fields[at].name);
            value.write(self.out);
        }
    }

    fn key(&mut self, name: &str) {
        if !std::mem::take(&mut self.first) {
            self.out.push(',');
        }
        write_string(name, self.out);
        self.out.push(':');
    }

    /// Adds what is not declared. A field that was odd is there too; if it has been set since, it is not written again.
    fn extra(&mut self, extra: Extra<'_>) {
        for (key, value) in extra.fields() {
            let key = key.decode();
            let at = self.fields.iter().position(|field| field.name == key);
            if at.is_some_and(|at| self.set & 1 << at != 0) {
                continue;
            }
            self.key(&key);
            write_line(value.text(), self.out);
        }
    }
}
