//! Serialization with serde: types written as their text, and sets of points as lists.

use serde::{Serialize, Serializer};

use crate::board::{Square, SquareSet};
use crate::game::Outcome;
use crate::position::{Move, Turn};
use crate::records::GameResult;
use crate::rules::Identity;

macro_rules! as_text {
    ($($type:ty)*) => {
        $(impl Serialize for $type {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        })*
    };
}

as_text! { GameResult Identity Move Outcome Square Turn }
#[cfg(feature = "program")]
as_text! { crate::matches::Shard }

impl Serialize for SquareSet {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(*self)
    }
}
