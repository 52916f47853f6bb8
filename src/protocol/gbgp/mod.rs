//! The Generic Board Game Protocol, which Nine-Morris-3D speaks with its engines: what differs from
//! the other dialect by more than a word.

mod position;
mod reply;
mod turns;

pub use position::GbgpPosition;
pub(super) use reply::{Answer, Current, Info};
pub(super) use turns::{TurnLine, finish_turn, legal_turns, play};
