//! A game in words, for people: the board and everything beside it, whose turn it is, or how the game ended.

use std::fmt;

use super::{Draw, Game, Outcome};
use crate::board::{Side, SquareSet};
use crate::position::{Loss, MoveKind, MoveLine, Position};
use crate::rules::{Preset, Rules};

impl<R: Rules> fmt::Display for Game<R> {
    /// Writes the board, the men in hand, whose turn it is and the texts of the position, on several lines.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let position = self.position();
        writeln!(f, "\n{}\n", position.drawing())?;
        for side in Side::ALL {
            let (on_board, in_hand) = (position.men(side).len(), position.in_hand(side));
            writeln!(f, "{side} ({}): {on_board} on the board, {in_hand} in hand", side.man())?;
        }
        write_extras(f, position)?;
        match self.outcome() {
            Some(outcome) => writeln!(f, "Over: {outcome}")?,
            None => write_turn(f, position)?,
        }
        let rules = position.rules();
        let name = Preset::of(rules).map_or("own rules", |preset| preset.name);
        writeln!(f, "Rules: {name} {}", rules.identity())?;
        writeln!(f, "Fen: {}", self.text())?;
        writeln!(f, "Mfen: {}", self.mfen())?;
        writeln!(f, "Key: {:016X}", position.key())
    }
}

/// Writes what each side has to do, starting with the side to move.
fn write_turn<R: Rules>(f: &mut fmt::Formatter<'_>, position: &Position<R>) -> fmt::Result {
    let side = position.to_move();
    if position.pending() == 0 {
        writeln!(f, "{side} to move")?;
    }
    for (side, then) in [(side, ""), (!side, "then ")] {
        match position.owed(side) {
            0 => {}
            men @ 1.. => writeln!(f, "{then}{side} to remove {men}")?,
            men => writeln!(f, "{then}{side} to remove {} of its own", men.unsigned_abs())?,
        }
    }
    Ok(())
}

/// Writes the state that only some games have.
fn write_extras<R: Rules>(f: &mut fmt::Formatter<'_>, position: &Position<R>) -> fmt::Result {
    let extras = position.extras();
    write_points(f, "Marked:", extras.marked)?;
    for side in Side::ALL {
        write_points(f, &format!("{side} used in mills:"), extras.used[side])?;
        if let Some(slide) = extras.last_mills[side].filter(|mv| mv.origin().is_some()) {
            writeln!(f, "{side} closed a mill: {slide}")?;
        }
    }
    let captured = extras.custodian | extras.intervention | extras.leapt;
    write_points(f, "Open to capture:", captured)?;
    write_points(f, "Preferred for capture:", extras.preferred)
}

fn write_points(f: &mut fmt::Formatter<'_>, label: &str, points: SquareSet) -> fmt::Result {
    if points.is_empty() {
        return Ok(());
    }
    writeln!(f, "{label}{}", MoveLine(points))
}

impl<R: Rules> Game<R> {
    /// Whose turn it is, and what kind of move is due.
    pub fn request(&self) -> String {
        let side = self.to_move();
        let moves = self.moves();
        let places = moves.iter().any(|mv| matches!(mv.kind(), MoveKind::Place(_)));
        let slides = moves.iter().any(|mv| mv.origin().is_some());
        let go = if self.position().may_fly(side) { "fly" } else { "slide" };
        let action = match (self.position().owed(side), places, slides) {
            (1, ..) => "remove a man".to_owned(),
            (men @ 2.., ..) => format!("remove {men} men"),
            (men @ ..=-1, ..) => format!("remove {} of its own", men.unsigned_abs()),
            (_, true, true) => format!("place or {go}"),
            (_, true, false) => "place".to_owned(),
            (_, false, true) => go.to_owned(),
            (_, false, false) => "remove a man".to_owned(),
        };
        format!("{side} to {action}")
    }

    /// How the game ended and why, in a sentence; `None` while it goes on.
    pub fn end_sentence(&self) -> Option<String> {
        let why = match self.outcome()? {
            Outcome::Win { winner, loss } => {
                let loser = !winner;
                let why = match loss {
                    Loss::TooFewMen => format!("{loser} has too few men left"),
                    Loss::Blocked => format!("{loser} cannot move"),
                    Loss::FullBoard => "the board is full".to_owned(),
                };
                return Some(format!("{winner} wins: {why}."));
            }
            Outcome::Draw(Draw::NMove | Draw::EndgameNMove) => {
                let count = self.position().quiet_plies();
                let slides = if count == 1 { "slide" } else { "slides" };
                &format!("{count} {slides} without a man placed or removed")
            }
            Outcome::Draw(Draw::ThreefoldRepetition) => "the same position for the third time",
            Outcome::Draw(Draw::Stalemate) => "the side to move cannot move",
            Outcome::Draw(Draw::FullBoard) => "the board is full",
        };
        Some(format!("Draw: {why}."))
    }
}
