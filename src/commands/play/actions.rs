//! The effects of the player's commands.

use std::path::PathBuf;

use millstone::board::Side;
use millstone::game::Game;
use millstone::position::MoveLine;
use millstone::records::GameResult;
use millstone::rules::DrawRules;
use millstone::score::Score;
use millstone::search::{Class, Skill};
use millstone::system::regular_file;
use rustyline::completion::unescape;

use super::commands::{self, Command};
use super::engine::{score_text, turns_of};
use super::game::{AGREEMENT, Clocks, HumanSides, PlayedGame, RESIGNATION};
use super::input::Completions;
use super::screen;
use super::session::{Leave, Session, Watch};
use crate::commands::{CommandResult, at, ensure, save};

/// The number of variations in an analysis.
const ANALYSED: usize = 5;
/// The most turns to show of a variation.
const SHOWN_TURNS: usize = 8;

const NOT_SAVED: &str = "Nothing was saved.";

impl Session {
    /// Executes a command.
    pub(super) fn execute(&mut self, line: &str) -> CommandResult {
        match commands::parse(line)? {
            Command::Undo => self.undo(),
            Command::Redo => self.redo(),
            Command::Hint => self.hint(),
            Command::Analyse => self.analyse(),
            Command::Teach => {
                self.teaches = !self.teaches;
                screen::print(if self.teaches {
                    "Each turn will get a comment; type teach again to stop."
                } else {
                    "Turns will no longer get comments."
                })
            }
            Command::Moves => {
                let moves = self.game.history.game().moves();
                screen::print(format_args!("legal:{}", MoveLine(&moves)))
            }
            command @ (Command::Board | Command::Flip) => {
                self.is_flipped ^= command == Command::Flip;
                self.is_stale = true;
                Ok(())
            }
            Command::Swap => self.seat(self.game.humans.swapped()),
            Command::Side { humans } => {
                let humans = humans.map_or_else(|| self.ask_side(), Ok)?;
                self.seat(humans)
            }
            Command::Level { level } => self.level(level),
            Command::New => self.new_game(),
            Command::Save { file } => self.save(file),
            Command::Load { file } => self.load(file),
            Command::Draw | Command::Resign if self.game.end().is_some() => {
                Err("The game is over already.".into())
            }
            Command::Draw => self.offer_draw(),
            Command::Resign => self.resign(),
            Command::Help { topic } => self.help(topic),
            Command::Quit => Err(Leave.into()),
        }
    }

    fn undo(&mut self) -> CommandResult {
        let (moves, to_move) = (self.game.history.count_moves(), self.to_move());
        ensure(self.game.undo(), "You have no turn to take back.")?;
        let PlayedGame { history, clocks, .. } = &mut self.game;
        let moves_left = history.count_moves();
        if let Some(clocks) = clocks {
            if moves_left < moves {
                clocks.remember(moves, to_move);
            }
            clocks.go_to(moves_left);
        }
        let to_move = history.game().to_move();
        if clocks.take_if(|clocks| clocks.is_out(to_move)).is_some() {
            screen::print("The game goes on without clocks.")?;
        }
        self.changed()
    }

    fn redo(&mut self) -> CommandResult {
        ensure(self.game.redo(), "There is nothing to redo.")?;
        let moves = self.game.history.count_moves();
        self.game.clocks.iter_mut().for_each(|clocks| clocks.go_to(moves));
        self.changed()
    }

    fn hint(&mut self) -> CommandResult {
        let game = self.game.history.game();
        let found = self.engine.analyze(game, 1);
        let turns = turns_of(game, found.pv());
        let turn = turns.first().ok_or("There is nothing to play.")?;
        screen::print(format_args!("Hint: {turn} ({})", score_text(found.score())))
    }

    fn analyse(&mut self) -> CommandResult {
        let game = self.game.history.game();
        let found = self.engine.analyze(game, ANALYSED);
        ensure(found.best().is_some(), "There is nothing to play; undo takes turns back.")?;
        let (request, side, depth) = (game.request(), game.to_move(), found.depth);
        screen::print(format_args!("{request}; depth {depth}, scores in men for {side}"))?;
        for line in found.lines {
            let turns = MoveLine(turns_of(game, &line.pv).into_iter().take(SHOWN_TURNS));
            screen::print(format_args!("{:>12} {turns}", score_text(line.score)))?;
        }
        Ok(())
    }

    fn level(&mut self, level: Option<u32>) -> CommandResult {
        if let Some(level) = level {
            self.game.skill = Skill::of_level(level);
            self.keep()?;
        }
        let (level, highest) = (self.game.skill.level(), Skill::FULL.level());
        screen::print(format_args!("The engine plays at level {level} of 0 to {highest}."))
    }

    fn seat(&mut self, humans: HumanSides) -> CommandResult {
        self.game.humans = humans;
        self.watch = Watch::Off;
        screen::print(format_args!("From now on {humans}."))?;
        self.changed()
    }

    /// Starts another game.
    fn new_game(&mut self) -> CommandResult {
        self.give_up_game()?;
        let humans = self.ask_side()?;
        let history = Game::start(*self.game.history.rules(), DrawRules::default()).into();
        let clocks = self.time_control.map(Clocks::new);
        self.game = PlayedGame::new(history, humans, self.game.skill, clocks);
        self.watch = Watch::Off;
        self.engine.clear();
        self.changed()
    }

    /// Asks whether to give up this game, if it is unfinished and not saved.
    fn give_up_game(&mut self) -> CommandResult {
        let loses_game = self.is_under_way() && !self.is_saved;
        let gives_up = !loses_game || self.confirms("This game is not over; give it up?")?;
        ensure(gives_up, "The game goes on.")
    }

    /// Offers a draw to the other side, human or engine.
    fn offer_draw(&mut self) -> CommandResult {
        let other = !self.to_move();
        let is_agreed = if self.game.humans.is_human(other) {
            self.confirms(&format!("Does {other} agree to a draw?"))?
        } else {
            self.engine_wants_draw()
        };
        ensure(is_agreed, format!("{other} plays on."))?;
        self.end_game(GameResult::Draw, AGREEMENT)
    }

    /// Whether the engine accepts a draw: only once all men are placed, and if the side to move, which offers it, is
    /// not worse.
    fn engine_wants_draw(&mut self) -> bool {
        let game = self.game.history.game();
        if Side::ALL.into_iter().any(|side| game.position().in_hand(side) > 0) {
            return false;
        }
        let found = self.engine.analyze(game, 1);
        let known = found.known.as_ref().map(|known| known.moves()[0].worth() >= Class::Drawn);
        known.unwrap_or(found.score() >= Score::DRAW)
    }

    /// Resigns for the only human, or for the side to move if both are human.
    fn resign(&mut self) -> CommandResult {
        let side = self.to_move();
        let loser = [side, !side].into_iter().find(|&side| self.game.humans.is_human(side));
        let loser = loser.ok_or("You play neither side; quit leaves the game.")?;
        self.end_game(GameResult::won_by(!loser), RESIGNATION)
    }

    fn save(&mut self, file: Option<String>) -> CommandResult {
        let path = self.path(file, "File to save to> ")?.ok_or(NOT_SAVED)?;
        let name = path.display();
        ensure(!path.is_dir(), format!("{name} is a folder. {NOT_SAVED}"))?;
        let question = format!("{name} exists; overwrite it?");
        ensure(!path.exists() || self.confirms(&question)?, NOT_SAVED)?;
        let text =
            self.game.write(&path).and_then(|text| regular_file::check(&path).map(|()| text));
        save(&path, text.map_err(at(&path))?)?;
        self.is_saved = true;
        screen::print(format_args!("Saved to {name}."))
    }

    fn load(&mut self, file: Option<String>) -> CommandResult {
        self.give_up_game()?;
        let path = self.path(file, "File to load> ")?.ok_or("Nothing was loaded.")?;
        self.game = self.game.read_file(&path, self.game.history.rules())?;
        self.engine.clear();
        self.begin_loaded()?;
        self.is_saved = true;
        Ok(())
    }

    /// The path that the player typed, or types when asked; may have escaped blanks and begin with `~`.
    fn path(&mut self, typed: Option<String>, prompt: &str) -> CommandResult<Option<PathBuf>> {
        let typed = typed.map_or_else(|| self.input.read(prompt, Completions::File), Ok)?;
        let escape = (!cfg!(windows)).then_some('\\');
        let path = unescape(&typed, escape);
        let below_home = path.strip_prefix("~/").zip(dirs::home_dir());
        let path = below_home.map_or_else(|| PathBuf::from(&*path), |(path, home)| home.join(path));
        Ok((!typed.is_empty()).then_some(path))
    }
}
