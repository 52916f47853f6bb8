//! Doing what the player asks for.

use std::io;

use millstone::position::MoveLine;
use millstone::quote::quote;
use millstone::search::{Skill, Variation};

use super::archive::Match;
use super::help;
use super::judgement;
use super::nearest::choose;
use super::panel;
use super::seats::Seats;
use super::session::{Session, Watch};
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
            Verb::Help => self.help(argument)?,
            Verb::Quit => return Ok(false),
        }
        Ok(true)
    }

    /// Shows a page of help.
    pub(super) fn help(&self, topic: &str) -> io::Result<()> {
        match help::page(topic, self.played.course.rules()) {
            Ok(page) => self.screen.say(page),
            Err(error) => self.screen.say(error),
        }
    }

    fn undo(&mut self) -> io::Result<()> {
        let Match { course, seats, clocks, .. } = &mut self.played;
        let (moves, to_move) = (course.played().len(), course.game().to_move());
        if !course.take_back(|side| *seats == Seats::None || seats.is_person(side)) {
            return self.screen.say("There is no turn of yours to take back.");
        }
        let moves_left = course.played().len();
        if let Some(clocks) = clocks {
            if moves_left < moves {
                clocks.keep(moves, to_move);
            }
            clocks.go_to(moves_left);
        }
        let to_move = course.game().to_move();
        if clocks.take_if(|clocks| clocks.is_out(to_move)).is_some() {
            self.screen.say("The game goes on without clocks.")?;
        }
        self.changed()
    }

    fn redo(&mut self) -> io::Result<()> {
        if !self.played.course.redo() {
            return self.screen.say("There is nothing to play again.");
        }
        if let Some(clocks) = &mut self.played.clocks {
            clocks.go_to(self.played.course.played().len());
        }
        self.changed()
    }

    fn hint(&mut self) -> io::Result<()> {
        let game = self.played.course.game();
        let thought = self.thinker.judge(game, 1);
        let [Variation { score, pv: line }, ..] = thought.lines.as_slice() else { return Ok(()) };
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
        self.watch = Watch::Off;
        self.screen.say(format_args!("From now on {seats}."))?;
        self.changed()
    }

    /// Asks who plays; none at the end of input.
    pub(super) fn ask_side(&mut self) -> io::Result<Option<Seats>> {
        self.ask("Which side do you play?", &Seats::choices())
    }
}
