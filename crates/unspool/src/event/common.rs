//! The fields of every event: written and described by one table.

use super::tell::{field, maybe, write_field};
use super::{Agent, CONTRACT, Event, Words};
use crate::wire::Type;

/// Declares the fields, and where in an event they are. Those marked `[opt]` are left out where there is
/// nothing to say; all others are always there.
macro_rules! common {
    ($event:ident, $($(#[doc = $doc:literal])* $field:ident $([$opt:ident])? : $ty:ty = $value:expr,)*) => {
        impl<'a> Event<'a> {
            /// The declaration of the fields of every event.
            pub const COMMON: &'static Type = &Type {
                name: "EventBase",
                home: module_path!(),
                doc: &["What every event has."],
                tags: &[],
                base: None,
                fields: &[$(field!($field $([$opt])? : $ty, $($doc),*)),*],
            };

            /// Appends `,"field":value` for each of them.
            pub(super) fn write_common(&self, out: &mut String) {
                let $event = self;
                $(
                    let $field: maybe!($($opt)? &$ty) = $value;
                    write_field!($($opt)? $field, out);
                )*
            }
        }
    };
}

common! {
    event,
    /// 1, 2, 3 … in this stream.
    seq: u64 = &event.seq,
    /// The version of this contract; with the first event.
    contract[opt]: u64 = (event.seq == 1).then_some(&CONTRACT),
    /// The line that made it told, from 1; where there is one.
    line[opt]: u64 = event.line.as_ref(),
    /// The session: of the line, else the last one seen.
    session[opt]: Words<'a> = event.session.as_ref(),
    /// Who it is about: `main`, or the id of the tool call that started the sub-agent.
    agent: Agent<'a> = &event.agent,
    /// The turn, from 1; between turns none.
    turn[opt]: u64 = event.turn.as_ref(),
    /// The message's id on the wire, `null` where it has none; only for parts of a message.
    message[opt]: Option<Words<'a>> = event.place.as_ref().map(|place| &place.message),
    /// Rank among the told parts of that message, from 0; only for parts of a message.
    part[opt]: u64 = event.place.as_ref().map(|place| &place.part),
    /// The line's `uuid`.
    uuid[opt]: Words<'a> = event.uuid.as_ref(),
    /// The line's `timestamp`.
    time[opt]: Words<'a> = event.time.as_ref(),
    /// Milliseconds since the stream began, if a clock was given.
    at[opt]: u64 = event.at.as_ref(),
    /// Text of values that no ordinary JSON reader takes: nested deeper than 512 levels, or with a number
    /// out of range. They stand here, a line each, and are `null` in their own place.
    raw_text[opt]: Words<'a> = event.raw_text.as_ref(),
}
