//! What a session may spend, and for how long it is waited for.

mod budget;
mod patience;
mod shared;

pub use budget::{BadLimit, Budget, Limits, Spent};
pub use patience::Patience;
pub(crate) use shared::Account;
pub use shared::SharedBudget;
