//! MFEN 1.0, a position text that other programs read and write too.
//!
//! ```text
//! MFEN/1.0 mill24-state-v1 ......../......../........ w p p 9,9 - 0 0 -
//! ```
//!
//! After the two words of the version stand the outer, middle and inner ring, each clockwise from its
//! top left corner (`W` and `B` men, `.` free, `w` and `b` marked by a removed man), the side to move
//! (`-` when the game is over), the phase and the action (`p` `m` `o` and `p` `m` `r` `o`), the hands
//! of White and Black, the removals owed, the slides since the last placement or removal, the turns
//! begun by both sides, and the outcome.
//!
//! A removal owed is `PLAYER:CAUSE:ZONE:OWNER:COUNT:TARGETS:AFTER`. Those of `;` follow each other,
//! those of `|` are a choice. TARGETS is `~` or `-`, all that the rules allow, or six hex digits, a bit
//! for each point in the order of the rings, the lowest for a7; AFTER is the side to move next, or `q`
//! while other removals follow. A text whose removals are not those of the rules is refused.
//!
//! Behind the outcome may stand, where the rules remember them, `lm=a1-a4,d6`, the last move of
//! White and of Black if it closed a mill (`-` if not), and `ul=00001d,000000`, the points that
//! White and Black used in mills. `pc=9,9`, how many men were placed, follows from the rest and is not
//! kept. Whose man left a mark is not kept either, and written `b`. An outcome has to be one that the
//! position or the moves before it show: games ended by agreement, resignation or adjudication are
//! refused.

mod obligations;
mod read;
mod write;

pub(super) use read::read;
pub use write::Mfen;

use super::tokens::BoardForm;
use crate::board::{Square, SquareSet};

const FAMILY: &str = "MFEN/";
const VERSION: &str = "MFEN/1.0";
const STATE: &str = "mill24-state-v1";

/// The start of the word for the last moves that closed mills, and of that for used points.
const LAST_MILLS: &str = "lm=";
const USED: &str = "ul=";
/// The start of a word that says nothing new: how many men were placed.
const PLACED: &str = "pc=";

/// The board. Whose man left a mark is not kept.
const BOARD: BoardForm =
    BoardForm { points: RINGS, men: ['W', 'B'], marks: &['w', 'b'], empty: '.' };

/// The points in the order of the rings.
#[rustfmt::skip]
const RINGS: [Square; Square::COUNT] = [
    Square::A7, Square::D7, Square::G7, Square::G4, Square::G1, Square::D1, Square::A1, Square::A4,
    Square::B6, Square::D6, Square::F6, Square::F4, Square::F2, Square::D2, Square::B2, Square::B4,
    Square::C5, Square::D5, Square::E5, Square::E4, Square::E3, Square::D3, Square::C3, Square::C4,
];

/// Whether a position text is MFEN, of any version; else it is one of 17 or 11 fields.
pub fn is_mfen(text: &str) -> bool {
    text.trim_start().starts_with(FAMILY)
}

/// A set of points as six hex digits.
fn digits(set: SquareSet) -> String {
    let bits = RINGS.iter().enumerate().filter(|(_, square)| set.contains(**square));
    format!("{:06x}", bits.fold(0u32, |bits, (at, _)| bits | 1 << at))
}

/// The set of points of six hex digits.
fn set(digits: &str) -> Option<SquareSet> {
    let is_hex = digits.len() == 6 && digits.bytes().all(|digit| digit.is_ascii_hexdigit());
    let bits = u32::from_str_radix(digits, 16).ok().filter(|_| is_hex)?;
    let points = RINGS.into_iter().enumerate().filter(|(at, _)| bits >> at & 1 == 1);
    Some(points.map(|(_, square)| square).collect())
}
