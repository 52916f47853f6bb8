//! Doing what the player asks for.

use std::io;

use millstone::board::Side;
use millstone::position::MoveLine;
use millstone::quote::quote;
use millstone::score::Score;
use millstone::search::{Skill, Variation};

use super::ask::{NO_YES, ask};
use super::clock::Clocks;
use super::course::Course;
use super::judgement;
use super::lesson;
use super::nearest::choose;
use super::panel;
use super::seats::Seats;
use super::session::Session;
use super::verdict::Verdict;
use super::words::{self, Verb};

/// How many of the best turns an analysis shows.
const ANALYSED: usize = 5;
/// How many turns of a line are shown.
const SHOWN_TURNS: usize = 8;

impl Session {
    /// Does what a line says; whether the player stays.
    pub(super) fn obey(&mut self, line: &str) -> io::Result<bool> {
        let (verb, argument) = match words::parse(line) {
            Ok(parsed) => parsed,
            Err(error) => return self.screen.say(error).map(|()| true),
        };
        match verb {
            Verb::Undo => self.undo()?,
            Verb::Redo => self.redo()?,
            Verb::Hint => self.hint()?,
            Verb::Analyse => self.analyse()?,
            Verb::Moves => self.moves()?,
            Verb::Board => self.is_stale = true,
            Verb::Flip => {
                self.screen.is_flipped = !self.screen.is_flipped;
                self.is_stale = true;
            }
            Verb::Swap => self.seat(self.played.seats.swapped())?,
            Verb::Side => return self.side(argument),
            Verb::Level => self.level(argument)?,
            Verb::New => return self.new_game(),
            Verb::Save => return self.save(argument),
            Verb::Load => return self.load(argument),
            Verb::Draw => return self.offer_draw(),
            Verb::Resign => self.resign()?,
            Verb::Help => match lesson::page(argument, self.played.course.rules()) {
                Ok(page) => self.screen.say(page)?,
                Err(error) => self.screen.say(error)?,
            },
            Verb::Quit => return Ok(false),
        }
        Ok(true)
    }

    fn undo(&mut self) -> io::Result<()> {
        let seats = self.played.seats;
        if !self.played.course.take_back(|side| seats == Seats::None || seats.is_person(side)) {
            return self.screen.say("There is no turn of yours to take back.");
        }
        let to_move = self.to_move();
        if let Some(clocks) = &mut self.played.clocks {
            if clocks.is_out(to_move) {
                self.played.clocks = None;
                self.screen.say("The game goes on without clocks.")?;
            } else {
                clocks.restart();
            }
        }
        self.changed()
    }

    fn redo(&mut self) -> io::Result<()> {
        if !self.played.course.redo() {
            return self.screen.say("There is nothing to play again.");
        }
        self.changed()
    }

    fn hint(&mut self) -> io::Result<()> {
        let game = self.played.course.game();
        let thought = self.thinker.judge(game, 1);
        let [Variation { score, line }, ..] = thought.lines.as_slice() else { return Ok(()) };
        match judgement::turns(game, line).first() {
            Some(turn) => {
                self.screen.say(format_args!("Hint: {turn} ({})", judgement::words(*score)))
            }
            None => self.screen.say("There is nothing to play."),
        }
    }

    fn analyse(&mut self) -> io::Result<()> {
        let game = self.played.course.game();
        let thought = self.thinker.judge(game, ANALYSED);
        if thought.best.is_none() {
            return self.screen.say("There is nothing to play; undo takes turns back.");
        }
        let (request, side, depth) = (panel::request(game), game.to_move(), thought.depth);
        self.screen.say(format_args!("{request}; depth {depth}, scores in men for {side}"))?;
        self.screen.say(judgement::table(game, &thought.lines, SHOWN_TURNS).join("\n"))
    }

    fn moves(&mut self) -> io::Result<()> {
        let moves = self.played.course.game().moves();
        self.screen.say(format_args!("legal:{}", MoveLine(&moves)))
    }

    fn level(&mut self, argument: &str) -> io::Result<()> {
        let highest = Skill::FULL.level();
        match argument.parse() {
            Ok(level) if level <= highest => {
                self.played.skill = Skill::of_level(level);
                self.screen.say(format_args!("The engine plays at level {level} now."))
            }
            _ if argument.is_empty() => {
                let level = self.played.skill.level();
                self.screen
                    .say(format_args!("The engine plays at level {level} of 0 to {highest}."))
            }
            _ => self.screen.say(format_args!(
                "level: expected a number, 0 to {highest}, found '{}'",
                quote(argument)
            )),
        }
    }

    fn side(&mut self, argument: &str) -> io::Result<bool> {
        if argument.is_empty() {
            let Some(seats) = self.ask_side()? else { return Ok(false) };
            self.seat(seats)?;
        } else {
            match choose(argument, Seats::choices()) {
                Ok(seats) => self.seat(seats)?,
                Err(error) => self.screen.say(format_args!("side: {error}"))?,
            }
        }
        Ok(true)
    }

    fn seat(&mut self, seats: Seats) -> io::Result<()> {
        self.played.seats = seats;
        self.is_paused = false;
        self.screen.say(format_args!("From now on {seats}."))?;
        self.changed()
    }

    /// Asks who plays; none at the end of input.
    pub(super) fn ask_side(&mut self) -> io::Result<Option<Seats>> {
        ask(&mut self.input, &self.screen, "Which side do you play?", &Seats::choices())
    }

    fn new_game(&mut self) -> io::Result<bool> {
        match self.may_leave_game()? {
            None => return Ok(false),
            Some(false) => return Ok(true),
            Some(true) => {}
        }
        let Some(seats) = self.ask_side()? else { return Ok(false) };
        self.played.seats = seats;
        self.played.course = Course::start(self.played.course.rules());
        self.played.clocks = self.time_control.map(Clocks::new);
        self.is_paused = false;
        self.thinker.forget();
        self.changed()?;
        Ok(true)
    }

    /// Whether the player does not mind the end of this game; none at the end of input.
    pub(super) fn may_leave_game(&mut self) -> io::Result<Option<bool>> {
        if !self.is_under_way() || self.is_saved {
            return Ok(Some(true));
        }
        ask(&mut self.input, &self.screen, "This game is not over; give it up?", &NO_YES)
    }

    /// Offers a draw to the other side, a person or the engine; whether the player stays.
    fn offer_draw(&mut self) -> io::Result<bool> {
        let other = !self.to_move();
        if self.played.course.verdict().is_some() {
            self.screen.say("The game is over already.")?;
        } else if self.played.seats.is_person(other) {
            let question = format!("Does {other} agree to a draw?");
            match ask(&mut self.input, &self.screen, &question, &NO_YES)? {
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

    fn resign(&mut self) -> io::Result<()> {
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
