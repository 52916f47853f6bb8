//! The start of a session: the game of the command line, or an unfinished one.

use std::error::Error;
use std::io::{self, IsTerminal};
use std::path::Path;
use std::time::Duration;

use millstone::rules::{DrawRules, Preset, RuleSet};
use millstone::search::Skill;

use super::actions::read_file;
use super::arguments::{Arguments, DEFAULT_LEVEL};
use super::board::glyphs_of_terminal;
use super::clock::Clocks;
use super::engine::PlayEngine;
use super::game::{History, HumanSides};
use super::input::Input;
use super::saved_game::{Autosave, PlayedGame, autosave_folder};
use super::screen::Screen;
use super::session::{Session, Watch};
use crate::commands::terminal;

/// A session with the game that the arguments ask for; none if the player leaves at once.
pub fn session(arguments: &Arguments, rules: &RuleSet) -> Result<Option<Session>, Box<dyn Error>> {
    let is_rich = is_rich();
    let glyphs = glyphs_of_terminal(arguments.ascii, is_rich);
    let move_time = Duration::from_millis(arguments.movetime);
    let seed = arguments.seed.unwrap_or_else(rand::random);
    let folder = arguments.tablebase.clone();
    let mut session = Session {
        game: new_game(arguments, rules)?,
        engine: PlayEngine::new(folder, move_time, seed, is_rich.then_some(glyphs))?,
        screen: Screen::new(glyphs),
        input: Input::open(is_rich)?,
        autosave: None,
        time_control: arguments.clock,
        is_stale: true,
        watch: Watch::default(),
        teaches: arguments.teach,
        is_saved: false,
    };
    if !session.begin(arguments)? {
        return Ok(None);
    }
    Ok(Some(session))
}

/// Whether the terminal is one in which lines can be edited.
fn is_rich() -> bool {
    io::stdin().is_terminal() && io::stdout().is_terminal() && !terminal::is_dumb()
}

fn new_game(arguments: &Arguments, rules: &RuleSet) -> Result<PlayedGame, Box<dyn Error>> {
    let draws = DrawRules::default();
    let history = match &arguments.from {
        Some(text) => History::from_text(text, rules, draws)?,
        None => History::start(rules, draws),
    };
    let new = PlayedGame {
        history,
        humans: arguments.side.unwrap_or(HumanSides::White),
        skill: Skill::of_level(arguments.level.unwrap_or(DEFAULT_LEVEL)),
        clocks: arguments.clock.map(Clocks::new),
        origin: None,
    };
    match &arguments.load {
        Some(path) => Ok(overridden(read_file(path, &new)?, arguments)),
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
    /// Chooses the game and who plays. Returns whether the player stays.
    fn begin(&mut self, arguments: &Arguments) -> Result<bool, Box<dyn Error>> {
        let Some(folder) = autosave_folder() else {
            if arguments.resume {
                return Err("--resume: this system has no folder for data".into());
            }
            return Ok(self.choose_side(arguments)?);
        };
        let is_new = arguments.from.is_none() && arguments.load.is_none();
        if arguments.resume || (is_new && self.input.is_interactive()) {
            match self.offer_unfinished(&folder, arguments)? {
                Offer::Accepted => return Ok(true),
                Offer::Left => return Ok(false),
                Offer::Nothing if arguments.resume => {
                    return Err("--resume: there is no unfinished game".into());
                }
                Offer::Nothing => {}
            }
        }
        match Autosave::claim(&folder) {
            Ok(slot) => self.autosave = Some(slot),
            Err(error) => {
                let folder = folder.display();
                self.screen.print(format_args!("The game cannot be saved: {folder}: {error}"))?;
            }
        }
        if arguments.load.is_some() {
            self.begin_loaded()?;
            self.is_saved = true;
        }
        Ok(self.choose_side(arguments)?)
    }

    /// Offers to continue the latest unfinished game; with --resume it is continued without asking.
    fn offer_unfinished(
        &mut self,
        folder: &Path,
        arguments: &Arguments,
    ) -> Result<Offer, Box<dyn Error>> {
        let slot = match Autosave::last_unfinished(folder) {
            Ok(Some(slot)) => slot,
            Ok(None) => return Ok(Offer::Nothing),
            Err(error) => {
                let error = format!("{}: {error}", folder.display());
                if arguments.resume {
                    return Err(error.into());
                }
                self.screen.print(format_args!("Unfinished games cannot be read: {error}"))?;
                return Ok(Offer::Nothing);
            }
        };
        let read = slot.read().map_err(|error| error.to_string());
        let played = match read.and_then(|text| self.game.read(&text)) {
            Ok(played) => played,
            Err(error) => {
                let aside = match slot.set_aside() {
                    Ok(aside) => format!("renamed to {}", aside.display()),
                    Err(error) => format!("and cannot be renamed ({error})"),
                };
                self.screen
                    .print(format_args!("An unfinished game is damaged, {aside}: {error}"))?;
                return Ok(Offer::Nothing);
            }
        };
        if !arguments.resume {
            let question = question(&played);
            match self.ask(&question, &ANSWERS)? {
                Some(ContinueAnswer::Yes) => {}
                Some(ContinueAnswer::Later) => return Ok(Offer::Nothing),
                Some(ContinueAnswer::Never) => {
                    slot.remove().map_err(|error| format!("{}: {error}", folder.display()))?;
                    return Ok(Offer::Nothing);
                }
                None => return Ok(Offer::Left),
            }
        }
        self.game = overridden(played, arguments);
        self.autosave = Some(slot);
        self.begin_loaded()?;
        Ok(Offer::Accepted)
    }

    fn choose_side(&mut self, arguments: &Arguments) -> io::Result<bool> {
        let is_given = arguments.side.is_some() || arguments.load.is_some();
        if !is_given && self.input.is_interactive() {
            self.screen.print("Welcome to Millstone. help explains everything, quit leaves.")?;
            let Some(humans) = self.ask_side()? else { return Ok(false) };
            self.game.humans = humans;
        }
        self.restart_clock();
        Ok(true)
    }
}

/// What became of an unfinished game.
enum Offer {
    Accepted,
    Nothing,
    Left,
}

#[derive(Clone, Copy)]
enum ContinueAnswer {
    Yes,
    Later,
    Never,
}

const ANSWERS: [(&str, ContinueAnswer); 3] = [
    ("yes", ContinueAnswer::Yes),
    ("later", ContinueAnswer::Later),
    ("never", ContinueAnswer::Never),
];

fn question(played: &PlayedGame) -> String {
    let name = Preset::of(played.history.rules()).map_or("a game", |preset| preset.name);
    let moves = played.history.played().len();
    let plural = if moves == 1 { "" } else { "s" };
    format!("{name} was left after {moves} move{plural} ({}); continue it?", played.humans)
}
