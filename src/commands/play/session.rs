//! A session at the terminal: its start, the turns of humans and the engine, questions to the player, and saving after
//! each move.

use std::io::{self, IsTerminal};
use std::mem;
use std::path::Path;
use std::time::{Duration, Instant};

use clap::ValueEnum;
use millstone::board::{Glyphs, Side};
use millstone::game::Game;
use millstone::matches::TimeControl;
use millstone::position::Move;
use millstone::records::GameResult;
use millstone::rules::{DrawRules, Preset, RuleSet};
use millstone::search::{Budget, Skill};
use millstone::system::{clock, whole_file};

use super::Arguments;
use super::commands::{self, Command, Topic, choose, words};
use super::engine::PlayEngine;
use super::game::{Clocks, Declared, HumanSides, PlayedGame, TIME_LOSS};
use super::input::{self, Completions, Input};
use super::saved::{Autosave, autosave_folder};
use super::screen;
use crate::commands::arguments::expect_rules;
use crate::commands::{CommandResult, at, terminal};

/// A session: the players, the engine and their game. An error of a step is a message to the player, [`Leave`], or an
/// I/O error of the terminal.
#[expect(clippy::struct_excessive_bools, reason = "each is a state of its own")]
pub struct Session {
    pub game: PlayedGame,
    pub engine: PlayEngine,
    glyphs: Glyphs,
    /// Whether the board is turned around.
    pub is_flipped: bool,
    pub input: Input,
    /// The file that saves the game after each move, if it can be written.
    pub autosave: Option<Autosave>,
    /// The time control of new games.
    pub time_control: Option<TimeControl>,
    /// Whether the board has changed since it was shown.
    pub is_stale: bool,
    pub watch: Watch,
    /// Whether each turn gets a comment.
    pub teaches: bool,
    /// Whether the player has saved or loaded the game in its present state.
    pub is_saved: bool,
}

/// The error that ends a session: the player leaves, or the input ends.
#[derive(Debug, thiserror::Error)]
#[error("the player leaves")]
pub struct Leave;

/// The state of a game that the engine plays against itself.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Watch {
    /// Not begun, or humans play.
    #[default]
    Off,
    /// Running.
    On,
    /// Paused until the player continues.
    Paused,
}

/// The answers to a question where yes may lose something, so no is the default.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Consent {
    #[value(alias = "n")]
    No,
    #[value(alias = "y")]
    Yes,
}

/// The answers to the question whether to continue an unfinished game.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum ContinueAnswer {
    #[value(alias = "y")]
    Yes,
    Later,
    Never,
}

/// The message about a loaded game that went on after a draw.
const PLAYED_ON: &str =
    "This game was played on after a draw: repetition and the n-move rule no longer end it.";
/// The time to allow between the end of a search and the stop of the clock.
const OVERHEAD: Duration = Duration::from_millis(20);
/// The least time of a turn in a watched game, unless the thinking time is shorter.
const PACE: Duration = Duration::from_secs(1);

impl Session {
    /// Starts a session with the game that the arguments ask for.
    ///
    /// * `variant`: the rules that the arguments name, if any.
    pub fn new(arguments: &Arguments, variant: Option<&RuleSet>) -> CommandResult<Self> {
        // Whether the terminal supports line editing.
        let is_rich =
            io::stdin().is_terminal() && io::stdout().is_terminal() && !terminal::is_dumb();
        let speaks_unicode = is_rich && !arguments.ascii && terminal::speaks_unicode();
        let glyphs = if speaks_unicode { Glyphs::Unicode } else { Glyphs::Ascii };
        let rules = variant.copied().unwrap_or_default();
        let start = Game::begin(arguments.from.as_deref(), rules, DrawRules::default())?;
        let mut game = PlayedGame::new(start.into(), HumanSides::White, Skill::USUAL, None);
        if let Some(path) = &arguments.load {
            game = game.read_file(path, &rules)?;
            expect_rules(game.history.rules(), variant).map_err(at(path))?;
        }
        let mut session = Self {
            game: overridden(game, arguments),
            engine: PlayEngine::new(arguments, is_rich.then_some(glyphs))?,
            glyphs,
            is_flipped: false,
            input: Input::open(is_rich)?,
            autosave: None,
            time_control: arguments.clock,
            is_stale: true,
            watch: Watch::default(),
            teaches: arguments.teach,
            is_saved: false,
        };
        session.begin(arguments, variant)?;
        Ok(session)
    }

    /// Chooses the game and who plays.
    fn begin(&mut self, arguments: &Arguments, variant: Option<&RuleSet>) -> CommandResult {
        let folder = autosave_folder();
        let is_new = arguments.from.is_none() && arguments.load.is_none();
        if arguments.resume || (is_new && self.input.is_interactive) {
            match folder.clone().and_then(|folder| self.unfinished(&folder)) {
                Ok(Some((slot, played)))
                    if arguments.resume || self.continues(&slot, &played)? =>
                {
                    let variant = variant.filter(|_| arguments.resume);
                    expect_rules(played.history.rules(), variant)
                        .map_err(|error| format!("--resume: {error}"))?;
                    self.game = overridden(played, arguments);
                    self.autosave = Some(slot);
                    return self.begin_loaded();
                }
                Ok(None) if arguments.resume => {
                    return Err("--resume: there is no unfinished game".into());
                }
                Ok(_) => {}
                Err(error) if arguments.resume => return Err(format!("--resume: {error}").into()),
                Err(error) => screen::print(error)?,
            }
        }
        match folder.and_then(|folder| Autosave::claim(&folder).map_err(at(&folder))) {
            Ok(slot) => self.autosave = Some(slot),
            Err(error) => screen::print(format_args!("The game cannot be saved: {error}"))?,
        }
        if arguments.load.is_some() {
            self.begin_loaded()?;
            self.is_saved = true;
        } else if arguments.side.is_none() && self.input.is_interactive {
            screen::print("Welcome to Millstone. Type help for help, quit to leave.")?;
            self.game.humans = self.ask_side()?;
        }
        self.restart_clock();
        Ok(())
    }

    /// Finds the latest unfinished game and its slot.
    ///
    /// # Errors
    ///
    /// If the folder cannot be read, or the game is damaged; its file is then renamed.
    fn unfinished(&self, folder: &Path) -> Result<Option<(Autosave, PlayedGame)>, String> {
        let slot = Autosave::last_unfinished(folder).map_err(at(folder))?;
        let Some(slot) = slot else { return Ok(None) };
        let played = self.game.read_file(&slot.path, &RuleSet::default()).map_err(|error| {
            let aside = match whole_file::set_aside(&slot.path) {
                Ok(aside) => format!("renamed to {}", aside.display()),
                Err(error) => format!("and cannot be renamed ({error})"),
            };
            format!("An unfinished game is damaged, {aside}: {error}")
        })?;
        Ok(Some((slot, played)))
    }

    /// Asks whether to continue an unfinished game.
    fn continues(&mut self, slot: &Autosave, played: &PlayedGame) -> CommandResult<bool> {
        let name =
            Preset::of(played.history.rules()).map_or("your own rules", |preset| preset.name);
        let (moves, humans) = (played.history.count_moves(), played.humans);
        let plural = if moves == 1 { "" } else { "s" };
        let question =
            format!("Continue the unfinished game of {name} ({moves} move{plural}, {humans})?");
        let answer: ContinueAnswer = self.ask(&question)?;
        if answer == ContinueAnswer::Never {
            slot.remove()?;
        }
        Ok(answer == ContinueAnswer::Yes)
    }

    /// Plays until the player leaves; an unfinished game stays saved.
    pub fn run(&mut self) -> CommandResult {
        loop {
            match self.step() {
                Ok(()) => {}
                Err(error) if error.is::<Leave>() => break,
                Err(error) if error.is::<io::Error>() => return Err(error),
                Err(error) => screen::print(error)?,
            }
        }
        if self.autosave.is_some() && self.is_under_way() {
            screen::print(input::SAVED)?;
        }
        Ok(())
    }

    /// Plays a turn of the engine, or executes a line of the player.
    fn step(&mut self) -> CommandResult {
        if self.is_engines_turn() {
            return self.engine_plays();
        }
        if mem::take(&mut self.is_stale) {
            screen::draw(&self.game, self.glyphs, self.is_flipped)?;
        }
        let turns = Completions::Turn(commands::turns(self.game.history.game()));
        let prompt = match self.game.end() {
            Some(_) => "Game over (new, undo, analyse, save, quit)> ".to_owned(),
            None if self.watch == Watch::Paused => "Paused (Enter continues)> ".to_owned(),
            None => format!("{}> ", self.game.history.game().request()),
        };
        let line = self.input.read(&prompt, turns)?;
        if self.watch == Watch::Paused {
            self.restart_clock();
        }
        let is_late = self.ends_on_time()?;
        if line.is_empty() {
            self.is_stale = mem::take(&mut self.watch) != Watch::Paused;
        } else if !commands::is_turn(&line) {
            self.execute(&line)?;
        } else if !is_late {
            self.human_plays(&line)?;
        }
        Ok(())
    }

    pub(super) fn to_move(&self) -> Side {
        self.game.history.game().to_move()
    }

    /// Whether the game has begun and is not over.
    pub(super) fn is_under_way(&self) -> bool {
        !self.game.history.turns().is_empty() && self.game.end().is_none()
    }

    fn is_engines_turn(&self) -> bool {
        let is_human = self.game.humans.is_human(self.to_move());
        !is_human && self.watch != Watch::Paused && self.game.end().is_none()
    }

    fn human_plays(&mut self, line: &str) -> CommandResult {
        if let Some((_, sentence)) = self.game.end() {
            return Err(format!("The game is over. {sentence}").into());
        }
        for mv in commands::read_turn(line, self.game.history.game())?.0 {
            if !self.play(mv)? {
                return Ok(());
            }
        }
        self.teach()
    }

    /// Has the engine play a whole turn, and prints it.
    fn engine_plays(&mut self) -> CommandResult {
        let (side, begin) = (self.to_move(), Instant::now());
        let turns_before = self.game.history.turns().len();
        let is_watched = self.game.humans == HumanSides::None;
        if is_watched && mem::replace(&mut self.watch, Watch::On) == Watch::Off {
            screen::print("The engine plays itself; Ctrl-C pauses.")?;
        }
        while self.is_engines_turn() && self.to_move() == side {
            let clocks = self.game.clocks.as_ref();
            let budget = clocks.map(|clocks| {
                Budget::for_game(clocks.left(side, side), clocks.control.increment, None, OVERHEAD)
            });
            let game = self.game.history.game();
            let found = self.engine.choose(game, self.game.skill, budget);
            let none = || io::Error::other("the engine found no move");
            if !self.play(found.best().ok_or_else(none)?)? {
                return Ok(());
            }
        }
        for (side, turn) in &self.game.history.turns()[turns_before..] {
            screen::print(format_args!("{side} plays {turn}"))?;
        }
        self.teach()?;
        if self.is_engines_turn() {
            screen::draw(&self.game, self.glyphs, self.is_flipped)?;
        }
        // Gives the player time to see the turn, or to pause.
        if is_watched && self.input.is_interactive {
            let pace = PACE.min(self.engine.move_time);
            clock::wait_until(pace.saturating_sub(begin.elapsed()), input::is_hurried);
            self.restart_clock();
        }
        if is_watched && input::is_hurried() {
            self.watch = Watch::Paused;
        }
        Ok(())
    }

    /// Comments on the last turn, if comments are on and the turn is complete.
    fn teach(&mut self) -> CommandResult {
        let last = self.teaches.then(|| self.game.history.before_last_turn()).flatten();
        let Some((before, turn)) = last else { return Ok(()) };
        let lesson = self.engine.teach(&before, turn.moves());
        lesson.map_or(Ok(()), screen::print)
    }

    /// Starts the clock of the turn now.
    pub(super) fn restart_clock(&mut self) {
        self.game.clocks.iter_mut().for_each(Clocks::restart);
    }

    /// Plays a legal move, unless the side to move is out of time. Returns whether the move was played.
    fn play(&mut self, mv: Move) -> CommandResult<bool> {
        let side = self.to_move();
        if self.ends_on_time()? {
            return Ok(false);
        }
        self.game.history.play(mv)?;
        let history = &self.game.history;
        let moves_before = history.count_moves() - history.last_turn().len();
        if let Some(clocks) = self.game.clocks.as_mut().filter(|_| history.game().to_move() != side)
        {
            clocks.end_turn(side, moves_before);
        }
        self.changed()?;
        Ok(true)
    }

    /// Ends the game if the side to move is out of time. Returns whether the game ended.
    fn ends_on_time(&mut self) -> CommandResult<bool> {
        let loser = self.to_move();
        let is_out = self.game.clocks.as_ref().is_some_and(|clocks| clocks.is_out(loser));
        let is_late = is_out && self.game.end().is_none();
        if is_late {
            self.end_game(GameResult::won_by(!loser), TIME_LOSS)?;
        }
        Ok(is_late)
    }

    /// Declares the end of the game.
    pub(super) fn end_game(&mut self, result: GameResult, reason: &str) -> CommandResult {
        let (moves, side) = (self.game.history.count_moves(), self.to_move());
        self.game.clocks.iter_mut().for_each(|clocks| clocks.remember(moves, side));
        self.game.declared = Some(Declared { result, reason: Some(reason.to_owned()) });
        self.changed()
    }

    /// Starts a loaded game.
    pub(super) fn begin_loaded(&mut self) -> CommandResult {
        if self.game.history.game().draw_rules() == DrawRules::OFF {
            screen::print(PLAYED_ON)?;
        }
        self.changed()
    }

    /// Saves the changed game, and marks the board to be shown again.
    pub(super) fn changed(&mut self) -> CommandResult {
        self.is_stale = true;
        self.is_saved = false;
        self.keep()
    }

    /// Saves a game that is under way; removes the file of one that is not.
    pub(super) fn keep(&mut self) -> CommandResult {
        let is_under_way = self.is_under_way();
        let Some(autosave) = &self.autosave else { return Ok(()) };
        let result = if is_under_way {
            self.game.write(&autosave.path).and_then(|text| autosave.save(&text))
        } else {
            autosave.remove()
        };
        input::set_saved(is_under_way && result.is_ok());
        if let Err(error) = result {
            self.autosave = None;
            screen::print(format_args!("The game can no longer be saved: {error}"))?;
        }
        Ok(())
    }

    /// Asks until the player types one of the choices; an empty line means the first. `help` and `quit` work here
    /// too.
    pub(super) fn ask<T: ValueEnum>(&mut self, question: &str) -> CommandResult<T> {
        let words = words::<T>();
        let prompt = format!("{question} ({}) [{}]> ", words.join(", "), words[0]);
        loop {
            let line = self.input.read(&prompt, Completions::Choice(words.clone()))?;
            let typed = if line.is_empty() { &words[0] } else { &line };
            match (choose(typed), commands::parse(typed)) {
                (Ok(choice), _) => return Ok(choice),
                (_, Ok(Command::Quit)) => return Err(Leave.into()),
                (_, Ok(Command::Help { topic })) => self.help(topic)?,
                (Err(error), _) => screen::print(error)?,
            }
        }
    }

    /// Asks a question that the player answers with yes or no.
    pub(super) fn confirms(&mut self, question: &str) -> CommandResult<bool> {
        Ok(self.ask::<Consent>(question)? == Consent::Yes)
    }

    /// Asks who plays.
    pub(super) fn ask_side(&mut self) -> CommandResult<HumanSides> {
        self.ask("Which side do you play?")
    }

    /// Shows a page of help.
    pub(super) fn help(&self, topic: Option<Topic>) -> CommandResult {
        screen::print(commands::page(topic, self.game.history.rules()))
    }
}

/// Applies the arguments for sides, level and clock to a game.
fn overridden(mut read: PlayedGame, arguments: &Arguments) -> PlayedGame {
    read.humans = arguments.side.unwrap_or(read.humans);
    read.skill = arguments.level.map_or(read.skill, Skill::of_level);
    read.clocks = arguments.clock.map(Clocks::new).or(read.clocks);
    read
}
