//! Texts, numbers and truth values, and what may be anything.

use super::{Found, Shape, Wire};
use crate::json::{Cursor, Fault, Json, Str, write_line, write_string};

impl<'a> Wire<'a> for Json<'a> {
    fn read(cursor: &mut Cursor<'a>) -> Result<Found<Self>, Fault> {
        cursor.skip().map(Found::Fits)
    }
    fn write(&self, out: &mut String) {
        write_line(self.text(), out);
    }
    fn shape() -> Shape {
        Shape::Any
    }
}

impl<'a> Wire<'a> for Str<'a> {
    #[inline]
    fn read(cursor: &mut Cursor<'a>) -> Result<Found<Self>, Fault> {
        if cursor.peek() == b'"' { cursor.string().map(Found::Fits) } else { scalar(cursor, |_| None) }
    }
    fn write(&self, out: &mut String) {
        write_string(&self.decode(), out);
    }
    fn shape() -> Shape {
        Shape::Text
    }
}

impl<'a> Wire<'a> for bool {
    fn read(cursor: &mut Cursor<'a>) -> Result<Found<Self>, Fault> {
        scalar(cursor, Json::as_bool)
    }
    fn write(&self, out: &mut String) {
        out.push_str(if *self { "true" } else { "false" });
    }
    fn shape() -> Shape {
        Shape::Flag
    }
}

impl<'a> Wire<'a> for u64 {
    fn read(cursor: &mut Cursor<'a>) -> Result<Found<Self>, Fault> {
        if let Some(number) = cursor.digits_only() {
            return Ok(Found::Fits(number));
        }
        scalar(cursor, Json::as_u64)
    }
    fn write(&self, out: &mut String) {
        out.push_str(&self.to_string());
    }
    fn shape() -> Shape {
        Shape::Count
    }
}

impl<'a> Wire<'a> for f64 {
    fn read(cursor: &mut Cursor<'a>) -> Result<Found<Self>, Fault> {
        scalar(cursor, Json::as_f64)
    }
    fn write(&self, out: &mut String) {
        // As JavaScript does: whole numbers without a point, and no infinity, for JSON has none.
        match serde_json::Number::from_f64(*self) {
            Some(_) if self.fract() == 0.0 && self.abs() < 1e15 => out.push_str(&format!("{self:.0}")),
            Some(number) => out.push_str(&number.to_string()),
            None => out.push_str("null"),
        }
    }
    fn shape() -> Shape {
        Shape::Number
    }
}

#[inline]
fn scalar<'a, T>(cursor: &mut Cursor<'a>, read: impl Fn(Json<'a>) -> Option<T>) -> Result<Found<T>, Fault> {
    let json = cursor.skip()?;
    Ok(match read(json) {
        Some(value) => Found::Fits(value),
        None if json.is_null() => Found::Null,
        None => Found::Odd,
    })
}
