//! Perft that checks the invariants of positions at every node.

use super::Hooks;
use crate::board::{Square, Symmetry};
use crate::position::{Move, Position, PositionText};
use crate::rules::Rules;

/// Walks to every leaf and panics where an invariant does not hold.
///
/// # Panics
///
/// [`visit`](Hooks::visit) panics when the key is not the key of the men, the four questions about
/// legal moves differ, a move leaves the key as it was, a symmetric image has another number of
/// moves, or the position does not survive being written and read.
#[derive(Clone, Copy, Debug, Default)]
pub struct Checked;

impl<R: Rules> Hooks<R> for Checked {
    fn visit(&mut self, position: &Position<R>, _depth: u32) {
        assert_eq!(position.validate(), Ok(()), "{position}");
        check_moves(position);
        check_keys(position);
        check_images(position);
        check_text(position);
    }

    fn known(&mut self, _position: &Position<R>, depth: u32) -> Option<u64> {
        (depth == 0).then_some(1)
    }
}

/// Every move that can be written, legal or not.
fn all_moves() -> impl Iterator<Item = Move> {
    let slides = |from| Square::ALL.into_iter().map(move |to| Move::slide(from, to));
    let others = |square| [Move::place(square), Move::remove(square)];
    let others = Square::ALL.into_iter().flat_map(others);
    others.chain(Square::ALL.into_iter().flat_map(slides))
}

fn check_moves<R: Rules>(position: &Position<R>) {
    let moves = position.moves();
    assert_eq!(position.count_moves() as usize, moves.len(), "{position}");
    assert_eq!(position.has_move(), !moves.is_empty(), "{position}");
    assert_eq!(position.ending().is_none(), !moves.is_empty(), "{position}");
    for mv in all_moves() {
        assert_eq!(position.is_legal(mv), moves.contains(&mv), "{mv} in {position}");
    }
}

fn check_keys<R: Rules>(position: &Position<R>) {
    let mut played = *position;
    for mv in position.moves() {
        let undo = played.do_move(mv);
        assert_ne!(played.key(), position.key(), "{mv} in {position}");
        assert_eq!(played, position.after(mv), "{mv} in {position}");
        played.undo_move(undo);
        assert_eq!(played, *position, "{mv}");
    }
}

/// Plays the images of all moves in the images of the position.
fn check_images<R: Rules>(position: &Position<R>) {
    let moves = position.moves();
    for symmetry in Symmetry::all() {
        let image = position.image(symmetry);
        assert_eq!(image.count_moves() as usize, moves.len(), "{position}");
        assert!(moves.iter().all(|mv| image.is_legal(mv.image(symmetry))), "{position}");
    }
}

/// The text says everything but which side began the current move number.
fn check_text<R: Rules>(position: &Position<R>) {
    let text = position.to_string();
    let read = PositionText::parse(&text, position.variant());
    let read = read.unwrap_or_else(|error| panic!("{text}: {error}"));
    assert_eq!(read.to_string(), text);
    assert_eq!(read.is_over, position.ending().is_some(), "{text}");
    assert_eq!(read.position.key(), position.key(), "{text}");
    assert_eq!(read.position.phase(), position.phase(), "{text}");
}
