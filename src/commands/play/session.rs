//! A session at the terminal: turns of humans and of the engine, questions, and saving after each
//! move.

use std::io;
use std::mem;
use std::time::{Duration, Instant};

use millstone::board::Side;
use millstone::position::{Move, Turn};
use millstone::rules::DrawRules;
use millstone::search::Budget;

use super::clock::TimeControl;
use super::commands::{self, Command, choose};
use super::engine::PlayEngine;
use super::game::{GameEnd, HumanSides};
use super::input::{Completions, Input};
use super::saved_game::{Autosave, PlayedGame};
use super::screen::Screen;
use super::{help, interrupt, typed_moves};

/// One or two players at the terminal, the engine, and their game.
pub struct Session {
    pub game: PlayedGame,
    pub engine: PlayEngine,
    pub screen: Screen,
    pub input: Input,
    /// Where the game is saved after each move, if the system allows.
    pub autosave: Option<Autosave>,
    /// The time control of a new game.
    pub time_control: Option<TimeControl>,
    /// Whether the board has changed since it was shown.
    pub is_stale: bool,
    pub watch: Watch,
    /// Whether each turn gets a sentence about what it did.
    pub teaches: bool,
    /// Whether a file of the player holds the game as it stands.
    pub is_saved: bool,
}

/// The state of a game that the engine plays against itself.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Watch {
    /// It has not begun, or humans play.
    #[default]
    Off,
    /// The player watches it.
    On,
    /// It is paused until the player continues it.
    Paused,
}

/// The time between the end of a search and the stop of the clock.
const OVERHEAD: Duration = Duration::from_millis(20);
/// How long a turn of a watched game is shown, if the engine may think as long.
const PACE: Duration = Duration::from_secs(1);

/// The answers to a question whose yes loses something.
pub const NO_YES: [(&str, bool); 2] = [("no", false), ("yes", true)];

impl Session {
    pub(super) fn to_move(&self) -> Side {
        self.game.history.game().to_move()
    }

    /// Whether the game has begun and is not over.
    pub(super) fn is_under_way(&self) -> bool {
        !self.game.history.played().is_empty() && self.game.history.end().is_none()
    }

    pub(super) fn is_engines_turn(&self) -> bool {
        let is_human = self.game.humans.is_human(self.to_move());
        !is_human && self.watch != Watch::Paused && self.game.history.end().is_none()
    }

    pub(super) fn human_plays(&mut self, line: &str) -> io::Result<()> {
        if let Some(end) = self.game.history.end() {
            let draws = self.game.history.game().draw_rules();
            return self.screen.print(format_args!("The game is over. {}", end.sentence(draws)));
        }
        match typed_moves::read(line, self.game.history.game()) {
            Ok(moves) => {
                moves.into_iter().try_for_each(|mv| self.play(mv))?;
                self.teach()
            }
            Err(error) => self.screen.print(error),
        }
    }

    /// Lets the engine play a whole turn, and prints it.
    pub(super) fn engine_plays(&mut self) -> io::Result<()> {
        let (side, begin) = (self.to_move(), Instant::now());
        let is_watched = self.game.humans == HumanSides::None;
        if is_watched && mem::replace(&mut self.watch, Watch::On) == Watch::Off {
            self.screen.print("The engine plays itself; Ctrl-C pauses.")?;
        }
        while self.is_engines_turn() && self.to_move() == side {
            let clocks = self.game.clocks.as_ref();
            let budget = clocks.map(|clocks| {
                Budget::for_game(clocks.left(side, side), clocks.increment(), None, OVERHEAD)
            });
            let game = self.game.history.game();
            let found = self.engine.choose(game, self.game.skill, budget);
            let none = || io::Error::other("the engine found no move");
            let mv = found.best.ok_or_else(none)?;
            self.play(mv)?;
        }
        let moves = self.game.history.last_turn().iter().copied();
        for turn in Turn::group(moves.filter(|&(mover, _)| mover == side)) {
            self.screen.print(format_args!("{side} plays {turn}"))?;
        }
        self.teach()?;
        if self.is_engines_turn() {
            self.screen.draw(&self.game)?;
        }
        if is_watched {
            self.show_turn(begin);
        }
        Ok(())
    }

    /// Says what the last turn did to the game, if the player wants to learn and the turn is complete.
    fn teach(&mut self) -> io::Result<()> {
        if !self.teaches {
            return Ok(());
        }
        let Some((before, turn)) = self.game.history.before_last_turn() else { return Ok(()) };
        match self.engine.teach(&before, &turn) {
            Ok(Some(lesson)) => self.screen.print(lesson),
            Ok(None) => Ok(()),
            Err(error) => self.screen.print(error),
        }
    }

    /// Begins or ends to teach.
    pub(super) fn switch_teaching(&mut self) -> io::Result<()> {
        self.teaches = !self.teaches;
        self.screen.print(if self.teaches {
            "Each turn gets a sentence about what it did; teach again ends that."
        } else {
            "Turns are not commented any more."
        })
    }

    /// Gives the player time to see a turn that began at `begin`, and to pause the game.
    fn show_turn(&mut self, begin: Instant) {
        if self.input.is_interactive() {
            interrupt::wait_until(begin + PACE.min(self.engine.move_time()));
            self.restart_clock();
        }
        if interrupt::is_hurried() {
            self.watch = Watch::Paused;
        }
    }

    /// Starts the turn now for the clock.
    pub(super) fn restart_clock(&mut self) {
        if let Some(clocks) = &mut self.game.clocks {
            clocks.restart();
        }
    }

    /// Plays a legal move, unless the time for it has run out.
    fn play(&mut self, mv: Move) -> io::Result<()> {
        let side = self.to_move();
        if self.loses_on_time() {
            return self.end_game(GameEnd::OutOfTime(side));
        }
        if let Err(error) = self.game.history.play(mv) {
            return self.screen.print(error);
        }
        if self.to_move() != side
            && let Some(clocks) = &mut self.game.clocks
        {
            let history = &self.game.history;
            clocks.end_turn(side, history.played().len() - history.last_turn().len());
        }
        self.changed()
    }

    pub(super) fn loses_on_time(&self) -> bool {
        let is_out = self.game.clocks.as_ref().is_some_and(|clocks| clocks.is_out(self.to_move()));
        is_out && self.game.history.end().is_none()
    }

    /// Ends the game other than by its rules.
    pub(super) fn end_game(&mut self, end: GameEnd) -> io::Result<()> {
        let PlayedGame { history, clocks, .. } = &mut self.game;
        if let Some(clocks) = clocks {
            clocks.remember(history.played().len(), history.game().to_move());
        }
        history.declare(end);
        self.changed()
    }

    /// Begins with a game that was read.
    pub(super) fn begin_loaded(&mut self) -> io::Result<()> {
        if self.game.history.game().draw_rules() == DrawRules::OFF {
            self.screen.print(
                "This game went on after a draw, so neither repetition nor slides draw it.",
            )?;
        }
        self.changed()
    }

    /// Saves the game as it stands now, and lets the board be shown again.
    pub(super) fn changed(&mut self) -> io::Result<()> {
        self.is_stale = true;
        self.is_saved = false;
        let is_under_way = self.is_under_way();
        let Some(autosave) = &self.autosave else { return Ok(()) };
        let result = if is_under_way {
            self.game
                .write()
                .and_then(|text| autosave.save(&text).map_err(|error| error.to_string()))
        } else {
            autosave.remove().map_err(|error| error.to_string())
        };
        interrupt::set_saved(is_under_way && result.is_ok());
        if let Err(error) = result {
            self.autosave = None;
            self.screen.print(format_args!("The game cannot be saved any more: {error}"))?;
        }
        Ok(())
    }

    /// Asks until one of the choices is typed; none if the player leaves.
    ///
    /// An empty line is the first choice; the command help works here too.
    pub(super) fn ask<T: Copy>(
        &mut self,
        question: &str,
        choices: &[(&'static str, T)],
    ) -> io::Result<Option<T>> {
        let words: Vec<&'static str> = choices.iter().map(|&(word, _)| word).collect();
        let prompt = format!("{question} ({}) [{}]> ", words.join(", "), words[0]);
        loop {
            let Some(line) = self.input.read(&prompt, Completions::Choice(words.clone()))? else {
                return Ok(None);
            };
            let typed = if line.is_empty() { words[0] } else { &line };
            match (choose(typed, choices.iter().copied()), commands::parse(typed)) {
                (Ok(choice), _) => return Ok(Some(choice)),
                (Err(_), Ok((Command::Quit, _))) => return Ok(None),
                (Err(_), Ok((Command::Help, topic))) => self.help(topic)?,
                (Err(error), _) => self.screen.print(error)?,
            }
        }
    }

    /// Asks who plays; none at the end of input.
    pub(super) fn ask_side(&mut self) -> io::Result<Option<HumanSides>> {
        self.ask("Which side do you play?", &HumanSides::choices())
    }

    /// Shows a page of help.
    pub(super) fn help(&self, topic: &str) -> io::Result<()> {
        match help::page(topic, self.game.history.rules()) {
            Ok(page) => self.screen.print(page),
            Err(error) => self.screen.print(error),
        }
    }
}
