//! The start of a session: the game of the command line, or an unfinished one.

use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};

use clap::ValueEnum;
use millstone::game::Game;
use millstone::rules::{DrawRules, Preset, RuleSet};
use millstone::search::Skill;

use super::Arguments;
use super::clock::Clocks;
use super::engine::PlayEngine;
use super::game::{HumanSides, PlayedGame};
use super::input::Input;
use super::saved_game::{Autosave, autosave_folder};
use super::screen::{Screen, glyphs_of_terminal};
use super::session::{Session, Step, Watch};
use crate::commands::terminal;

/// A session with the game that the arguments ask for.
pub fn session(arguments: &Arguments, rules: &RuleSet) -> Step<Session> {
    let is_rich = is_rich();
    let glyphs = glyphs_of_terminal(arguments.ascii, is_rich);
    let mut session = Session {
        game: new_game(arguments, rules)?,
        engine: PlayEngine::new(arguments, is_rich.then_some(glyphs))?,
        screen: Screen::new(glyphs),
        input: Input::open(is_rich)?,
        autosave: None,
        time_control: arguments.clock,
        is_stale: true,
        watch: Watch::default(),
        teaches: arguments.teach,
        is_saved: false,
    };
    session.begin(arguments)?;
    Ok(session)
}

/// Whether the terminal is one in which lines can be edited.
fn is_rich() -> bool {
    io::stdin().is_terminal() && io::stdout().is_terminal() && !terminal::is_dumb()
}

fn new_game(arguments: &Arguments, rules: &RuleSet) -> Result<PlayedGame, String> {
    let start = Game::begin(arguments.from.as_deref(), *rules, DrawRules::default());
    let new = PlayedGame {
        history: start.map_err(|error| error.to_string())?.into(),
        declared: None,
        humans: arguments.side.unwrap_or(HumanSides::White),
        skill: arguments.level.map_or(Skill::USUAL, Skill::of_level),
        clocks: arguments.clock.map(Clocks::new),
        origin: None,
    };
    match &arguments.load {
        Some(path) => Ok(overridden(new.read_file(path)?, arguments)),
        None => Ok(new),
    }
}

/// A game from a file, changed as the arguments say.
fn overridden(mut read: PlayedGame, arguments: &Arguments) -> PlayedGame {
    read.humans = arguments.side.unwrap_or(read.humans);
    read.skill = arguments.level.map_or(read.skill, Skill::of_level);
    read.clocks = arguments.clock.map(Clocks::new).or(read.clocks);
    read
}

impl Session {
    /// Chooses the game and who plays.
    fn begin(&mut self, arguments: &Arguments) -> Step {
        let folder = autosave_folder();
        let is_new = arguments.from.is_none() && arguments.load.is_none();
        if arguments.resume || (is_new && self.input.is_interactive()) {
            let found = folder.as_ref().map_err(Clone::clone);
            match found.and_then(|folder| self.unfinished(folder)) {
                Ok(Some((slot, played)))
                    if arguments.resume || self.continues(&slot, &played)? =>
                {
                    self.game = overridden(played, arguments);
                    self.autosave = Some(slot);
                    return self.begin_loaded();
                }
                Ok(None) if arguments.resume => {
                    return Err("--resume: there is no unfinished game".into());
                }
                Ok(_) => {}
                Err(error) if arguments.resume => return Err(format!("--resume: {error}").into()),
                Err(error) => self.screen.print(error)?,
            }
        }
        let claim = |folder: PathBuf| Autosave::claim(&folder).map_err(|error| at(&folder, &error));
        match folder.and_then(claim) {
            Ok(slot) => self.autosave = Some(slot),
            Err(error) => {
                self.screen.print(format_args!("The game cannot be saved: {error}"))?;
            }
        }
        if arguments.load.is_some() {
            self.begin_loaded()?;
            self.is_saved = true;
        } else if arguments.side.is_none() && self.input.is_interactive() {
            self.screen.print("Welcome to Millstone. Type help for help, quit to leave.")?;
            self.game.humans = self.ask_side()?;
        }
        self.restart_clock();
        Ok(())
    }

    /// The latest unfinished game with its slot.
    ///
    /// # Errors
    ///
    /// When there is one that cannot be read; if it is damaged it gets another name.
    fn unfinished(&self, folder: &Path) -> Result<Option<(Autosave, PlayedGame)>, String> {
        let slot = Autosave::last_unfinished(folder).map_err(|error| at(folder, &error))?;
        let Some(slot) = slot else { return Ok(None) };
        match self.game.read_file(&slot.path) {
            Ok(played) => Ok(Some((slot, played))),
            Err(error) => {
                let aside = match slot.set_aside() {
                    Ok(aside) => format!("renamed to {}", aside.display()),
                    Err(error) => format!("and cannot be renamed ({error})"),
                };
                Err(format!("An unfinished game is damaged, {aside}: {error}"))
            }
        }
    }

    /// Asks whether to continue an unfinished game.
    fn continues(&mut self, slot: &Autosave, played: &PlayedGame) -> Step<bool> {
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
}

/// An error with the folder where it happened.
fn at(folder: &Path, error: &io::Error) -> String {
    format!("{}: {error}", folder.display())
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum ContinueAnswer {
    #[value(alias = "y")]
    Yes,
    Later,
    Never,
}
