//! A game at the board, from the first move to the last.

use std::io;
use std::mem;
use std::time::{Duration, Instant};

use millstone::board::Side;
use millstone::position::{Move, Turn};
use millstone::rules::DrawRules;
use millstone::search::Budget;

use super::archive::Match;
use super::clock::TimeControl;
use super::complete::Offers;
use super::input::Input;
use super::interrupt;
use super::kept::Kept;
use super::panel;
use super::screen::Screen;
use super::seats::Seats;
use super::thinker::Thinker;
use super::typed;
use super::verdict::Verdict;
use crate::commands::CommandResult;

/// A player or two at the terminal, the engine, and the game between them.
pub struct Session {
    pub played: Match,
    pub thinker: Thinker,
    pub screen: Screen,
    pub input: Input,
    /// Where the game is kept, if the system lets it be.
    pub kept: Option<Kept>,
    /// What the clocks of another game are set to.
    pub time_control: Option<TimeControl>,
    /// Whether the board has changed since it was shown.
    pub is_stale: bool,
    pub watch: Watch,
    /// Whether a file has the game as it stands.
    pub is_saved: bool,
}

/// How a game goes that the engine plays against itself.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Watch {
    /// It has not begun, or people play.
    #[default]
    Off,
    /// The player looks on.
    On,
    /// It stands still until the player wants more.
    Paused,
}

/// What passes between the end of thinking and the clock.
const OVERHEAD: Duration = Duration::from_millis(20);
/// The time that a turn of a game takes that is watched, if the engine may think as long.
const PACE: Duration = Duration::from_secs(1);

impl Session {
    /// Plays until the player leaves; a game that is not over is kept.
    pub fn run(&mut self) -> CommandResult {
        while self.go_on()? {}
        if self.kept.is_some() && self.is_under_way() {
            self.screen.say(interrupt::KEPT)?;
        }
        Ok(())
    }

    /// A turn of the engine, or a line of the player; whether the player stays.
    fn go_on(&mut self) -> io::Result<bool> {
        if self.is_engines_turn() {
            self.engine_plays()?;
            return Ok(true);
        }
        if mem::take(&mut self.is_stale) {
            self.screen.draw(&self.played)?;
        }
        let turns = Offers::Turn(typed::turns(self.played.course.game()));
        let Some(line) = self.input.read(&self.prompt(), turns)? else { return Ok(false) };
        if self.watch == Watch::Paused {
            self.hold_clock();
        }
        let is_late = self.loses_on_time();
        if is_late {
            self.end(Verdict::OutOfTime(self.to_move()))?;
        }
        if line.is_empty() {
            self.is_stale = mem::take(&mut self.watch) != Watch::Paused;
        } else if !typed::is_turn(&line) {
            return self.obey(&line);
        } else if !is_late {
            self.person_plays(&line)?;
        }
        Ok(true)
    }

    fn prompt(&self) -> String {
        let course = &self.played.course;
        match course.verdict() {
            Some(_) => "Game over (new, undo, analyse, save, quit)> ".to_owned(),
            None if self.watch == Watch::Paused => "Paused (Enter goes on)> ".to_owned(),
            None => format!("{}> ", panel::request(course.game())),
        }
    }

    pub(super) fn to_move(&self) -> Side {
        self.played.course.game().to_move()
    }

    /// Whether leaving the game would leave something unfinished.
    pub(super) fn is_under_way(&self) -> bool {
        !self.played.course.played().is_empty() && self.played.course.verdict().is_none()
    }

    fn is_engines_turn(&self) -> bool {
        let is_person = self.played.seats.is_person(self.to_move());
        !is_person && self.watch != Watch::Paused && self.played.course.verdict().is_none()
    }

    fn person_plays(&mut self, line: &str) -> io::Result<()> {
        if let Some(verdict) = self.played.course.verdict() {
            let draws = self.played.course.game().draw_rules();
            return self.screen.say(format_args!("The game is over. {}", verdict.sentence(draws)));
        }
        match typed::read(line, self.played.course.game()) {
            Ok(moves) => moves.into_iter().try_for_each(|mv| self.play(mv)),
            Err(error) => self.screen.say(error),
        }
    }

    /// Lets the engine play a whole turn, and says what it played.
    fn engine_plays(&mut self) -> io::Result<()> {
        let (side, begin) = (self.to_move(), Instant::now());
        let is_watched = self.played.seats == Seats::None;
        if is_watched && mem::replace(&mut self.watch, Watch::On) == Watch::Off {
            self.screen.say("The engine plays itself; Ctrl-C pauses.")?;
        }
        while self.is_engines_turn() && self.to_move() == side {
            let clocks = self.played.clocks.as_ref();
            let budget = clocks.map(|clocks| {
                Budget::for_game(clocks.left(side, side), clocks.increment(), None, OVERHEAD)
            });
            let game = self.played.course.game();
            let thought = self.thinker.choose(game, self.played.skill, budget);
            let none = || io::Error::other("the engine found no move");
            let mv = thought.best.ok_or_else(none)?;
            self.play(mv)?;
        }
        let moves = self.played.course.last_turn().iter().copied();
        for turn in Turn::group(moves.filter(|&(mover, _)| mover == side)) {
            self.screen.say(format_args!("{side} plays {turn}"))?;
        }
        if self.is_engines_turn() {
            self.screen.draw(&self.played)?;
        }
        if is_watched {
            self.let_look(begin);
        }
        Ok(())
    }

    /// Lets the player look at a turn that began some time ago, and pause the game.
    fn let_look(&mut self, begin: Instant) {
        if self.input.is_interactive() {
            interrupt::wait_until(begin + PACE.min(self.thinker.move_time()));
            self.hold_clock();
        }
        if interrupt::is_hurried() {
            self.watch = Watch::Paused;
        }
    }

    /// Lets the turn begin now for the clock.
    pub(super) fn hold_clock(&mut self) {
        if let Some(clocks) = &mut self.played.clocks {
            clocks.restart();
        }
    }

    /// Plays a legal move, unless the time for it has run out.
    fn play(&mut self, mv: Move) -> io::Result<()> {
        let side = self.to_move();
        if self.loses_on_time() {
            return self.end(Verdict::OutOfTime(side));
        }
        if let Err(error) = self.played.course.play(mv) {
            return self.screen.say(error);
        }
        if self.to_move() != side
            && let Some(clocks) = &mut self.played.clocks
        {
            let course = &self.played.course;
            clocks.end_turn(side, course.played().len() - course.last_turn().len());
        }
        self.changed()
    }

    fn loses_on_time(&self) -> bool {
        let is_out =
            self.played.clocks.as_ref().is_some_and(|clocks| clocks.is_out(self.to_move()));
        is_out && self.played.course.verdict().is_none()
    }

    /// Ends the game by something else than its rules.
    pub(super) fn end(&mut self, verdict: Verdict) -> io::Result<()> {
        let Match { course, clocks, .. } = &mut self.played;
        if let Some(clocks) = clocks {
            clocks.keep(course.played().len(), course.game().to_move());
        }
        course.declare(verdict);
        self.changed()
    }

    /// Begins with a game that was read.
    pub(super) fn take_up(&mut self) -> io::Result<()> {
        if self.played.course.game().draw_rules() == DrawRules::OFF {
            self.screen
                .say("This game went on after a draw, so neither repetition nor slides draw it.")?;
        }
        self.changed()
    }

    /// Keeps the game as it stands now, and shows it when somebody looks.
    pub(super) fn changed(&mut self) -> io::Result<()> {
        self.is_stale = true;
        self.is_saved = false;
        let is_under_way = self.is_under_way();
        let Some(kept) = &self.kept else { return Ok(()) };
        let result = if is_under_way {
            self.played.write().and_then(|text| kept.save(&text).map_err(|error| error.to_string()))
        } else {
            kept.forget().map_err(|error| error.to_string())
        };
        interrupt::set_kept(is_under_way && result.is_ok());
        if let Err(error) = result {
            self.kept = None;
            self.screen.say(format_args!("The game cannot be kept from now on: {error}"))?;
        }
        Ok(())
    }
}
