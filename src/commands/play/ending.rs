//! Ending a game before its rules do: giving it up, agreeing to a draw, beginning another.

use std::io;

use millstone::board::Side;
use millstone::rules::DrawRules;
use millstone::score::Score;

use super::ask::NO_YES;
use super::clock::Clocks;
use super::course::Course;
use super::session::{Session, Watch};
use super::verdict::Verdict;

impl Session {
    /// Begins another game; whether the player stays.
    pub(super) fn new_game(&mut self) -> io::Result<bool> {
        match self.may_leave_game()? {
            None => return Ok(false),
            Some(false) => return Ok(true),
            Some(true) => {}
        }
        let Some(seats) = self.ask_side()? else { return Ok(false) };
        self.played.seats = seats;
        self.played.course = Course::start(self.played.course.rules(), DrawRules::default());
        self.played.origin = None;
        self.played.clocks = self.time_control.map(Clocks::new);
        self.watch = Watch::Off;
        self.thinker.forget();
        self.changed()?;
        Ok(true)
    }

    /// Whether the player does not mind the end of this game; none at the end of input.
    pub(super) fn may_leave_game(&mut self) -> io::Result<Option<bool>> {
        if !self.is_under_way() || self.is_saved {
            return Ok(Some(true));
        }
        self.ask("This game is not over; give it up?", &NO_YES)
    }

    /// Offers a draw to the other side, a person or the engine; whether the player stays.
    pub(super) fn offer_draw(&mut self) -> io::Result<bool> {
        let other = !self.to_move();
        if self.played.course.verdict().is_some() {
            self.screen.say("The game is over already.")?;
        } else if self.played.seats.is_person(other) {
            let question = format!("Does {other} agree to a draw?");
            match self.ask(&question, &NO_YES)? {
                None => return Ok(false),
                Some(true) => self.end(Verdict::Agreed)?,
                Some(false) => self.screen.say("The game goes on.")?,
            }
        } else if self.engine_wants_draw() {
            self.end(Verdict::Agreed)?;
        } else {
            self.screen.say(format_args!("{other} plays on."))?;
        }
        Ok(true)
    }

    /// Whether the engine, whose turn it is not, is content with a draw: never while men are placed.
    fn engine_wants_draw(&mut self) -> bool {
        let game = self.played.course.game();
        let has_placed = Side::ALL.into_iter().all(|side| game.in_hand(side) == 0);
        let lines = if has_placed { self.thinker.judge(game, 1).lines } else { Vec::new() };
        lines.first().is_some_and(|line| line.score >= Score::DRAW)
    }

    /// Gives the game up.
    pub(super) fn resign(&mut self) -> io::Result<()> {
        let seats = self.played.seats;
        let persons: Vec<Side> =
            Side::ALL.into_iter().filter(|&side| seats.is_person(side)).collect();
        match (self.played.course.verdict(), persons.as_slice()) {
            (Some(_), _) => self.screen.say("The game is over already."),
            (None, []) => self.screen.say("You play neither side; quit leaves the game."),
            (None, [side]) => self.end(Verdict::Resigned(*side)),
            (None, _) => self.end(Verdict::Resigned(self.to_move())),
        }
    }
}
