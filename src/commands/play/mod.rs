//! `millstone play`: a game in the terminal.
//!
//! ```text
//! start, session, actions      how a session begins, the turns in it, what its commands do
//! game, clock, saved_game      players and moves, clocks, the record that is saved after each move
//! input, typed_moves,          lines and their completion, moves as people type them,
//! commands, help, interrupt    commands, the pages of help, Ctrl-C
//! screen, board                what is shown
//! engine                       searches, and the tablebase that they use
//! ```

mod actions;
mod board;
mod clock;
mod commands;
mod engine;
mod game;
mod help;
mod input;
mod interrupt;
mod saved_game;
mod screen;
mod session;
mod start;
mod typed_moves;

use std::io;
use std::mem;
use std::path::PathBuf;

use clap::ValueHint;
use clap::builder::RangedU64ValueParser;
use millstone::rules::RuleSet;
use millstone::search::Skill;

use super::CommandResult;
use clock::TimeControl;
use game::{GameEnd, HumanSides};
use input::Completions;
use screen::request;
use session::{Session, Watch};

/// Play a game in the terminal.
///
/// A turn is typed as d6 (place a man), d6-d5 or d6d5 (slide or fly), xa1 or just a1 (remove), or in
/// one word, d6-d5xa1. The command help lists the other commands, such as undo, hint, analyse, save and
/// level, and explains the rules; names may be abbreviated, and the Tab key completes what is typed.
///
/// Ctrl-C makes a thinking engine move at once and pauses a game that it plays against itself; at a
/// prompt it leaves, as the end of input does. The game is saved after every move, so that neither
/// that nor a crash loses it: the next start offers to continue it, with its level, sides and clocks.
/// Unfinished games are in millstone/play in the user's folder for data, one for each program that runs.
///
/// Without a terminal, as in a pipe, there is nothing but text, so that a script can play.
#[derive(clap::Args)]
pub struct Arguments {
    /// Who plays [default: asks in a terminal, else white]
    #[arg(long, value_enum)]
    side: Option<HumanSides>,
    #[arg(long, value_name = "N", help = level_help())]
    #[arg(value_parser = RangedU64ValueParser::<u32>::new().range(0..=u64::from(Skill::FULL.level())))]
    level: Option<u32>,
    /// Time that the engine takes for a turn without a clock, in milliseconds
    #[arg(long, value_name = "MS", default_value_t = 1000)]
    #[arg(value_parser = clap::value_parser!(u64).range(1..=3_600_000))]
    movetime: u64,
    /// Clock for both sides: minutes, and seconds added for each turn, such as 10+5
    #[arg(long, value_name = "MIN+SEC")]
    clock: Option<TimeControl>,
    /// Position text to start from
    #[arg(long, value_name = "FEN", conflicts_with_all = ["load", "resume"])]
    from: Option<String>,
    /// Game to continue, a file in any notation that convert reads
    #[arg(long, value_name = "FILE", conflicts_with = "resume")]
    load: Option<PathBuf>,
    /// Continue the latest unfinished game
    #[arg(long)]
    resume: bool,
    /// Draw the board in ASCII, even where the locale has UTF-8
    #[arg(long)]
    ascii: bool,
    /// Folder of the tablebase [default: where millstone db build puts it]
    #[arg(long, alias = "databases", value_name = "DIR", value_hint = ValueHint::DirPath)]
    tablebase: Option<PathBuf>,
    /// Seed of the engine's random choices [default: another each time]
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
}

/// The level of the engine unless another is chosen.
const DEFAULT_LEVEL: u32 = 10;

fn level_help() -> String {
    let highest = Skill::FULL.level();
    format!(
        "Strength of the engine, from a beginner's 0 to the full {highest} [default: {DEFAULT_LEVEL}]"
    )
}

/// Plays until the player leaves.
pub fn run(arguments: &Arguments, rules: &RuleSet) -> CommandResult {
    interrupt::catch()?;
    match start::session(arguments, rules)? {
        Some(mut session) => session.run(),
        None => Ok(()),
    }
}

impl Session {
    /// Plays until the player leaves; an unfinished game stays saved.
    pub fn run(&mut self) -> CommandResult {
        while self.step()? {}
        if self.autosave.is_some() && self.is_under_way() {
            self.screen.print(interrupt::SAVED)?;
        }
        Ok(())
    }

    /// A turn of the engine, or a line of the player. Returns whether the player stays.
    fn step(&mut self) -> io::Result<bool> {
        if self.is_engines_turn() {
            self.engine_plays()?;
            return Ok(true);
        }
        if mem::take(&mut self.is_stale) {
            self.screen.draw(&self.game)?;
        }
        let turns = Completions::Turn(typed_moves::turns(self.game.history.game()));
        let Some(line) = self.input.read(&self.prompt(), turns)? else { return Ok(false) };
        if self.watch == Watch::Paused {
            self.restart_clock();
        }
        let is_late = self.loses_on_time();
        if is_late {
            self.end_game(GameEnd::OutOfTime(self.to_move()))?;
        }
        if line.is_empty() {
            self.is_stale = mem::take(&mut self.watch) != Watch::Paused;
        } else if !typed_moves::is_turn(&line) {
            return self.execute(&line);
        } else if !is_late {
            self.human_plays(&line)?;
        }
        Ok(true)
    }

    fn prompt(&self) -> String {
        let history = &self.game.history;
        match history.end() {
            Some(_) => "Game over (new, undo, analyse, save, quit)> ".to_owned(),
            None if self.watch == Watch::Paused => "Paused (Enter continues)> ".to_owned(),
            None => format!("{}> ", request(history.game())),
        }
    }
}
