//! `millstone play`: a game in the terminal.
//!
//! ```text
//! session, actions             the turns of a session, which begins here, and what its commands do
//! game, saved_game             players, moves and clocks, the record that is saved after each move
//! input, typed_moves,          lines and their completion, moves as people type them,
//! commands, interrupt          commands and the pages of help, Ctrl-C
//! screen                       what is shown; the board itself is drawn by the library's board::picture
//! engine                       searches, and the tablebase that they use
//! ```

mod actions;
mod commands;
mod engine;
mod game;
mod input;
mod interrupt;
mod saved_game;
mod screen;
mod session;
mod typed_moves;

use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};

use clap::{ValueEnum, value_parser};
use millstone::board::Glyphs;
use millstone::game::Game;
use millstone::matches::TimeControl;
use millstone::rules::{DrawRules, Preset, RuleSet};
use millstone::search::Skill;
use millstone::system::whole_file;

use super::arguments::TablebaseFolder;
use super::{CommandResult, at, terminal};
use engine::PlayEngine;
use game::{Clocks, HumanSides, PlayedGame};
use input::Input;
use saved_game::{Autosave, autosave_folder};
use screen::Screen;
use session::{Leave, Session, Step, Watch};
pub use typed_moves::read as read_turn;

/// Play a game in the terminal.
///
/// Type a turn as d6 (place a man), d6-d5 or d6d5 (slide or fly), xa1 or just a1 (remove), or as one
/// word, d6-d5xa1. help lists the other commands, such as undo, hint, analyse, save and level, and
/// explains the rules; names may be abbreviated, and the Tab key completes them.
///
/// Ctrl-C makes a thinking engine move at once, and pauses a game that it plays against itself; at a
/// prompt it leaves, as the end of input does. The game is saved after every move, so neither leaving
/// nor a crash loses it: the next start offers to continue it, with its level, sides and clocks.
/// Unfinished games are kept in millstone/play in your data folder, one for each running program.
///
/// Without a terminal, as in a pipe, input and output are plain text, so that a script can play.
#[derive(clap::Args)]
pub struct Arguments {
    /// Your side [default: asks in a terminal, else white]
    #[arg(long, value_enum)]
    side: Option<HumanSides>,
    #[arg(long, value_name = "N", help = level_help())]
    #[arg(value_parser = value_parser!(u32).range(0..=i64::from(Skill::FULL.level())))]
    level: Option<u32>,
    /// Thinking time of the engine per turn without a clock, in milliseconds
    #[arg(long, value_name = "MS", default_value_t = 1000)]
    #[arg(value_parser = value_parser!(u64).range(1..=3_600_000))]
    movetime: u64,
    /// Clock for both sides: minutes, and seconds added per turn, such as 10+5
    #[arg(long, value_name = "MIN+SEC", value_parser = game::read_control)]
    clock: Option<TimeControl>,
    /// Position to start from, as position text or MFEN
    #[arg(long, value_name = "FEN", conflicts_with_all = ["load", "resume"])]
    from: Option<String>,
    /// Continue the game in a file, in any notation that convert reads
    #[arg(long, value_name = "FILE", conflicts_with = "resume")]
    load: Option<PathBuf>,
    /// Continue the latest unfinished game
    #[arg(long)]
    resume: bool,
    /// Comment on each turn, by the tablebase or by an estimate
    #[arg(long)]
    teach: bool,
    /// Draw the board in ASCII even in a UTF-8 locale
    #[arg(long)]
    ascii: bool,
    #[command(flatten)]
    tablebase: TablebaseFolder,
    /// Seed of the engine's random choices [default: random]
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
}

fn level_help() -> String {
    let [usual, highest] = [Skill::USUAL, Skill::FULL].map(Skill::level);
    format!(
        "Strength of the engine, from 0 for beginners to {highest} for full strength [default: {usual}]"
    )
}

/// Plays until the player leaves.
pub fn run(arguments: &Arguments, rules: &RuleSet) -> CommandResult {
    interrupt::catch()?;
    let played = session(arguments, rules).and_then(|mut session| session.run());
    played.or_else(|error| if error.is::<Leave>() { Ok(()) } else { Err(error) })
}

/// A session with the game that the arguments ask for.
fn session(arguments: &Arguments, rules: &RuleSet) -> Step<Session> {
    // Whether the terminal is one in which lines can be edited.
    let is_rich = io::stdin().is_terminal() && io::stdout().is_terminal() && !terminal::is_dumb();
    let speaks_unicode = is_rich && !arguments.ascii && terminal::speaks_unicode();
    let glyphs = if speaks_unicode { Glyphs::Unicode } else { Glyphs::Ascii };
    let start = Game::begin(arguments.from.as_deref(), *rules, DrawRules::default())?;
    let mut game = PlayedGame {
        history: start.into(),
        declared: None,
        humans: HumanSides::White,
        skill: Skill::USUAL,
        clocks: None,
        origin: None,
    };
    if let Some(path) = &arguments.load {
        game = game.read_file(path)?;
    }
    let mut session = Session {
        game: overridden(game, arguments),
        engine: PlayEngine::new(arguments, is_rich.then_some(glyphs))?,
        screen: Screen { glyphs, is_flipped: false },
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

/// A game, changed as the arguments say.
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
                Err(error) => screen::print(error)?,
            }
        }
        let claim = |folder: PathBuf| Autosave::claim(&folder).map_err(at(&folder));
        match folder.and_then(claim) {
            Ok(slot) => self.autosave = Some(slot),
            Err(error) => screen::print(format_args!("The game cannot be saved: {error}"))?,
        }
        if arguments.load.is_some() {
            self.begin_loaded()?;
            self.is_saved = true;
        } else if arguments.side.is_none() && self.input.is_interactive() {
            screen::print("Welcome to Millstone. Type help for help, quit to leave.")?;
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
        let slot = Autosave::last_unfinished(folder).map_err(at(folder))?;
        let Some(slot) = slot else { return Ok(None) };
        match self.game.read_file(&slot.path) {
            Ok(played) => Ok(Some((slot, played))),
            Err(error) => {
                let aside = match whole_file::set_aside(&slot.path) {
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

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum ContinueAnswer {
    #[value(alias = "y")]
    Yes,
    Later,
    Never,
}
