//! The lines of the wire as Rust types.
//!
//! [`Kind`] names a line without reading it; [`Envelope`] reads any line of Claude Code, [`Input`] any line
//! of ours. Each type can also be read alone, which is what to do where speed matters:
//!
//! ```
//! use unspool::json::Json;
//! use unspool::wire::{Assistant, Block, Content, Kind, Wire};
//!
//! let line = r#"{"type":"assistant","message":{"content":[{"type":"text","text":"hi"}]}}"#;
//! assert_eq!(Kind::of(line), Kind::Assistant);
//!
//! let said = Assistant::of(Json::new(line)?).expect("it is one");
//! let Some(Content::Blocks(blocks)) = said.message.and_then(|message| message.content) else { panic!() };
//! let Some(Block::Text(text)) = blocks.iter().next() else { panic!() };
//! assert_eq!(text.text.unwrap(), "hi");
//! # Ok::<(), unspool::json::Fault>(())
//! ```
//!
//! Claude Code may add a field to any line, so no type can be made or matched in full outside this crate. One is made from
//! `default()`, its fields set one by one; what a host writes has setters.
//!
//! ```
//! let mut text = unspool::wire::Text::default();
//! text.text = Some("hi".into());
//! ```
//!
//! ```compile_fail
//! #![deny(unused_must_use)]
//! unspool::wire::command::Interrupt::default().cancel_queued(true); // sets nothing: what it gives back is lost
//! ```
//!
//! ```compile_fail,E0639
//! let text = unspool::wire::Text { text: Some("hi".into()), ..Default::default() };
//! ```

pub mod ask;
mod audit;
mod block;
pub mod command;
mod control;
pub(crate) mod declare;
pub mod entry;
mod envelope;
mod extra;
pub(crate) mod fields;
mod head;
pub mod hook;
pub mod input;
mod kind;
mod lines;
mod mention;
mod message;
mod other;
mod permission;
pub mod quirk;
mod result;
mod result_old;
mod scalars;
mod shape;
mod slices;
mod stream;
pub mod system;
pub mod tool;
mod usage;

pub use ask::{Ask, AskKind};
pub use audit::{audit, audit_input, audit_value};
pub use block::*;
pub use command::{Command, CommandKind};
pub use control::*;
pub use entry::{Entry, EntryHead, EntryKind};
pub use envelope::Envelope;
pub use extra::Extra;
pub use head::Head;
pub use hook::{HookEvent, HookInput, HookOutput};
pub use input::Input;
pub use kind::Kind;
pub(crate) use kind::STREAM_ERROR;
pub use mention::Mention;
pub use message::*;
pub use other::*;
pub use permission::*;
pub use result::*;
pub use result_old::*;
pub use shape::Wire;
#[doc(hidden)]
pub use shape::{Choice, Field, Found, Shape, Type, Variant};
pub use slices::{Lazy, List, Map};
pub use stream::*;
pub use system::{System, SystemKind};
pub use tool::{ToolInput, ToolOutput};
pub use usage::*;
