//! A text that was checked, and where things stand in it.
//!
//! Everything is found by looking it up, and nothing can fail any more. Where there is no [index](super::Index)
//! the text is searched; that is slower, and says the same.

use super::index::{Found, Index, Open};
use super::names::Names;
use super::walk::Walk;
use super::{Cursor, Fault, Json, Str};

/// A JSON object that was checked.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Chart<'a> {
    text: &'a str,
    /// For each byte, whether a key or a value stops there. None where there is no index.
    stops: &'a [u64],
    opens: &'a [Open],
    /// There are no backslashes but between these two places.
    slashes: (u32, u32),
    /// A value may be deeper or a number larger than ordinary readers take.
    odd: bool,
}

/// Where a value stands; nowhere by default.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Spot {
    pub(super) start: u32,
    pub(super) end: u32,
    /// Of a list or an object in an indexed text, which bracket opens it.
    pub(super) open: u32,
}

/// The longest text whose places can be told.
pub(crate) const LONGEST: usize = u32::MAX as usize;

/// A value this deep may be too deep to be told as it is.
pub(super) const DEEP: usize = 500;

impl Index {
    /// Checks a line that nearly surely is one object; `None` if it is something else, or must be
    /// [searched](Chart::searched).
    pub(crate) fn chart<'i>(&'i mut self, bytes: &'i [u8]) -> Option<Chart<'i>> {
        let (Found { sound, slashes, odd, .. }, ascii) = self.of(bytes);
        if !sound {
            return None;
        }
        let text = ascii.or_else(|| simdutf8::basic::from_utf8(bytes).ok())?;
        Some(Chart { text, stops: &self.stops, opens: &self.opens, slashes, odd })
    }
}

impl<'a> Chart<'a> {
    /// A text in which nothing stands.
    pub(crate) const EMPTY: Chart<'static> =
        Chart { text: "", stops: &[], opens: &[], slashes: (0, 0), odd: false };

    /// Checks a text that should be one object, byte by byte.
    pub(crate) fn searched(text: &'a str) -> Result<Self, Fault> {
        if !text.starts_with('{') {
            return Err(Fault { what: "not an object", at: 0 });
        }
        let mut cursor = Cursor::new(text);
        let object = cursor.skip()?;
        cursor.end()?;
        let odd = cursor.deepest() > DEEP || cursor.far_numbers();
        Ok(Chart { text: object.text(), slashes: (0, u32::MAX), odd, ..Chart::EMPTY })
    }

    /// The whole text.
    pub(crate) fn json(&self) -> Json<'a> {
        Json::trusted(self.text)
    }

    /// Whether a value in it may be one that ordinary readers refuse.
    pub(crate) fn is_odd(&self) -> bool {
        self.odd
    }

    /// The object that it is.
    pub(crate) fn root(&self) -> Spot {
        Spot { start: 0, end: self.text.len() as u32, open: 0 }
    }

    /// Puts the values of an object into the places of their names. Of repeated ones the last counts. Does
    /// nothing if it is no object.
    pub(crate) fn pick(&self, object: Spot, names: &Names, places: &mut [Spot]) {
        debug_assert_eq!(names.len(), places.len());
        if self.first(object) != b'{' {
            return;
        }
        if self.stops.is_empty() {
            return self.members(object, |key, value| {
                let place = names.find_decoded(&key.decode()).and_then(|at| places.get_mut(at));
                place.into_iter().for_each(|place| *place = value);
            });
        }
        let mut walk = Walk::into(self.text, self.stops, self.opens, object);
        while let Some((start, end, value)) = walk.member() {
            let found = match names.find(self.text.as_bytes(), start, end) {
                None if self.may_have_slash(start, end) => self.find_escaped(names, start, end),
                found => found,
            };
            if let Some(place) = found.and_then(|at| places.get_mut(at)) {
                *place = value;
            }
        }
    }

    /// The members of an object, in order.
    pub(crate) fn members(&self, object: Spot, mut take: impl FnMut(Str<'a>, Spot)) {
        if self.stops.is_empty() {
            let fields = self.value(object).into_iter().flat_map(Json::fields);
            return fields.for_each(|(key, value)| take(key, self.place(value)));
        }
        if self.first(object) == b'{' {
            let mut walk = Walk::into(self.text, self.stops, self.opens, object);
            while let Some((start, end, value)) = walk.member() {
                take(self.string(start, end), value);
            }
        }
    }

    /// The values of a list, in order.
    pub(crate) fn items(&self, list: Spot, mut take: impl FnMut(Spot)) {
        if self.stops.is_empty() {
            let items = self.value(list).into_iter().flat_map(Json::items);
            return items.for_each(|item| take(self.place(item)));
        }
        if self.first(list) == b'[' {
            let mut walk = Walk::into(self.text, self.stops, self.opens, list);
            while let Some(item) = walk.item() {
                take(item);
            }
        }
    }

    /// Which of the names a key is, if it has escapes.
    #[cold]
    fn find_escaped(&self, names: &Names, start: usize, end: usize) -> Option<usize> {
        let key = self.string(start, end);
        if key.simple().is_some() { None } else { names.find_decoded(&key.decode()) }
    }

    /// Where a value of this text stands, without an index.
    fn place(&self, value: Json<'a>) -> Spot {
        let start = value.text().as_ptr().addr().wrapping_sub(self.text.as_ptr().addr());
        Spot { start: start as u32, end: (start + value.text().len()) as u32, open: 0 }
    }

    /// The string between two quotes.
    #[inline(always)]
    fn string(&self, start: usize, end: usize) -> Str<'a> {
        let text = self.text.get(start..end).unwrap_or_default();
        let escaped = self.may_have_slash(start, end) && memchr::memchr(b'\\', text.as_bytes()).is_some();
        Str::wire(text, escaped)
    }

    #[inline(always)]
    fn may_have_slash(&self, start: usize, end: usize) -> bool {
        start < self.slashes.1 as usize && end > self.slashes.0 as usize
    }

    /// The first byte of a value; 0 if there is none.
    #[inline]
    pub(crate) fn first(&self, place: Spot) -> u8 {
        if place.end == 0 {
            return 0;
        }
        self.text.as_bytes().get(place.start as usize).copied().unwrap_or(0)
    }

    /// The value, whatever it is.
    #[inline(never)]
    pub(crate) fn value(&self, place: Spot) -> Option<Json<'a>> {
        self.text(place).map(Json::trusted)
    }

    #[inline(always)]
    fn text(&self, place: Spot) -> Option<&'a str> {
        let (start, end) = place.bounds();
        (end != 0).then(|| self.text.get(start..end).unwrap_or("null"))
    }

    /// The value, if it begins like this.
    pub(crate) fn value_if(&self, place: Spot, first: u8) -> Option<Json<'a>> {
        if self.first(place) == first { self.value(place) } else { None }
    }

    /// The value, if it is a string.
    #[inline(never)]
    pub(crate) fn str(&self, place: Spot) -> Option<Str<'a>> {
        let (start, end) = place.bounds();
        (self.first(place) == b'"').then(|| self.string(start + 1, end - 1))
    }

    /// The value, if it is a whole number that fits.
    #[inline(never)]
    pub(crate) fn u64(&self, place: Spot) -> Option<u64> {
        let text = self.text(place)?;
        let mut number = 0;
        for byte in text.bytes() {
            let digit = byte.wrapping_sub(b'0');
            if digit > 9 || text.len() > 18 {
                return Json::trusted(text).as_u64();
            }
            number = number * 10 + u64::from(digit);
        }
        Some(number)
    }

    /// The value, if it is a finite number.
    #[inline(never)]
    pub(crate) fn f64(&self, place: Spot) -> Option<f64> {
        Json::trusted(self.text(place)?).as_f64()
    }

    /// The value, if it is `true` or `false`.
    #[inline(never)]
    pub(crate) fn bool(&self, place: Spot) -> Option<bool> {
        Json::trusted(self.text(place)?).as_bool()
    }
}

impl Spot {
    /// Where it begins and ends.
    pub(crate) fn bounds(self) -> (usize, usize) {
        (self.start as usize, self.end as usize)
    }
}
