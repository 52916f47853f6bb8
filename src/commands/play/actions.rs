//! What the commands of the player do.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use millstone::board::Side;
use millstone::position::MoveLine;
use millstone::quote::quote;
use millstone::records::decode;
use millstone::rules::DrawRules;
use millstone::score::Score;
use millstone::search::{Class, Skill, Variation};
use millstone::system::regular_file;
use millstone::system::whole_file;
use rustyline::completion::unescape;

use super::clock::Clocks;
use super::commands::{self, Command, choose, nearest};
use super::engine::{score_text, turns_of, variation_rows};
use super::game::{GameEnd, History, HumanSides};
use super::input::Completions;
use super::saved_game::PlayedGame;
use super::screen::request;
use super::session::{NO_YES, Session, Watch};
use crate::commands::record_file;

/// The number of variations that an analysis shows.
const ANALYSED: usize = 5;
/// The number of turns of a variation that are shown.
const SHOWN_TURNS: usize = 8;

impl Session {
    /// Executes a command. Returns whether the player stays.
    pub(super) fn execute(&mut self, line: &str) -> io::Result<bool> {
        let (command, argument) = match commands::parse(line) {
            Ok(parsed) => parsed,
            Err(error) => return self.screen.print(error).map(|()| true),
        };
        match command {
            Command::Undo => self.undo()?,
            Command::Redo => self.redo()?,
            Command::Hint => self.hint()?,
            Command::Analyse => self.analyse()?,
            Command::Teach => self.switch_teaching()?,
            Command::Moves => self.moves()?,
            Command::Board => self.is_stale = true,
            Command::Flip => {
                self.screen.is_flipped = !self.screen.is_flipped;
                self.is_stale = true;
            }
            Command::Swap => self.seat(self.game.humans.swapped())?,
            Command::Side => return self.side(argument),
            Command::Level => self.level(argument)?,
            Command::New => return self.new_game(),
            Command::Save => return self.save(argument),
            Command::Load => return self.load(argument),
            Command::Draw => return self.offer_draw(),
            Command::Resign => self.resign()?,
            Command::Help => self.help(argument)?,
            Command::Quit => return Ok(false),
        }
        Ok(true)
    }

    fn undo(&mut self) -> io::Result<()> {
        let PlayedGame { history, humans, clocks, .. } = &mut self.game;
        let (moves, to_move) = (history.played().len(), history.game().to_move());
        if !history.undo(|side| *humans == HumanSides::None || humans.is_human(side)) {
            return self.screen.print("There is no turn of yours to take back.");
        }
        let moves_left = history.played().len();
        if let Some(clocks) = clocks {
            if moves_left < moves {
                clocks.remember(moves, to_move);
            }
            clocks.go_to(moves_left);
        }
        let to_move = history.game().to_move();
        if clocks.take_if(|clocks| clocks.is_out(to_move)).is_some() {
            self.screen.print("The game goes on without clocks.")?;
        }
        self.changed()
    }

    fn redo(&mut self) -> io::Result<()> {
        if !self.game.history.redo() {
            return self.screen.print("There is nothing to play again.");
        }
        if let Some(clocks) = &mut self.game.clocks {
            clocks.go_to(self.game.history.played().len());
        }
        self.changed()
    }

    fn hint(&mut self) -> io::Result<()> {
        let game = self.game.history.game();
        let found = self.engine.analyze(game, 1);
        let [Variation { score, pv, .. }, ..] = found.lines.as_slice() else { return Ok(()) };
        match turns_of(game, pv).first() {
            Some(turn) => self.screen.print(format_args!("Hint: {turn} ({})", score_text(*score))),
            None => self.screen.print("There is nothing to play."),
        }
    }

    fn analyse(&mut self) -> io::Result<()> {
        let game = self.game.history.game();
        let found = self.engine.analyze(game, ANALYSED);
        if found.best.is_none() {
            return self.screen.print("There is nothing to play; undo takes turns back.");
        }
        let (request, side, depth) = (request(game), game.to_move(), found.depth);
        self.screen.print(format_args!("{request}; depth {depth}, scores in men for {side}"))?;
        self.screen.print(variation_rows(game, &found.lines, SHOWN_TURNS).join("\n"))
    }

    fn moves(&mut self) -> io::Result<()> {
        let moves = self.game.history.game().moves();
        self.screen.print(format_args!("legal:{}", MoveLine(&moves)))
    }

    fn level(&mut self, argument: &str) -> io::Result<()> {
        let highest = Skill::FULL.level();
        match argument.parse() {
            Ok(level) if level <= highest => {
                self.game.skill = Skill::of_level(level);
                self.screen.print(format_args!("The engine plays at level {level} now."))
            }
            _ if argument.is_empty() => {
                let level = self.game.skill.level();
                self.screen
                    .print(format_args!("The engine plays at level {level} of 0 to {highest}."))
            }
            _ => self.screen.print(format_args!(
                "level: expected a number, 0 to {highest}, found '{}'",
                quote(argument)
            )),
        }
    }

    fn side(&mut self, argument: &str) -> io::Result<bool> {
        if argument.is_empty() {
            let Some(humans) = self.ask_side()? else { return Ok(false) };
            self.seat(humans)?;
        } else {
            match choose(argument, HumanSides::choices()) {
                Ok(humans) => self.seat(humans)?,
                Err(error) => self.screen.print(format_args!("side: {error}"))?,
            }
        }
        Ok(true)
    }

    fn seat(&mut self, humans: HumanSides) -> io::Result<()> {
        self.game.humans = humans;
        self.watch = Watch::Off;
        self.screen.print(format_args!("From now on {humans}."))?;
        self.changed()
    }

    /// Starts another game. Returns whether the player stays.
    fn new_game(&mut self) -> io::Result<bool> {
        match self.gives_up_game()? {
            None => return Ok(false),
            Some(false) => return Ok(true),
            Some(true) => {}
        }
        let Some(humans) = self.ask_side()? else { return Ok(false) };
        self.game.humans = humans;
        self.game.history = History::start(self.game.history.rules(), DrawRules::default());
        self.game.origin = None;
        self.game.clocks = self.time_control.map(Clocks::new);
        self.watch = Watch::Off;
        self.engine.clear();
        self.changed()?;
        Ok(true)
    }

    /// Whether the player gives this game up, if it is unfinished; none at the end of input.
    fn gives_up_game(&mut self) -> io::Result<Option<bool>> {
        if !self.is_under_way() || self.is_saved {
            return Ok(Some(true));
        }
        self.ask("This game is not over; give it up?", &NO_YES)
    }

    /// Offers a draw to the other side, human or engine. Returns whether the player stays.
    fn offer_draw(&mut self) -> io::Result<bool> {
        let other = !self.to_move();
        if self.game.history.end().is_some() {
            self.screen.print("The game is over already.")?;
        } else if self.game.humans.is_human(other) {
            let question = format!("Does {other} agree to a draw?");
            match self.ask(&question, &NO_YES)? {
                None => return Ok(false),
                Some(true) => self.end_game(GameEnd::Agreed)?,
                Some(false) => self.screen.print("The game goes on.")?,
            }
        } else if self.engine_wants_draw() {
            self.end_game(GameEnd::Agreed)?;
        } else {
            self.screen.print(format_args!("{other} plays on."))?;
        }
        Ok(true)
    }

    /// Whether the engine accepts a draw: once all men are placed, unless it is better.
    fn engine_wants_draw(&mut self) -> bool {
        let game = self.game.history.game();
        let has_placed = Side::ALL.into_iter().all(|side| game.position().in_hand(side) == 0);
        if !has_placed {
            return false;
        }
        let found = self.engine.analyze(game, 1);
        match found.known {
            Some(class) => class >= Class::Draw,
            None => found.lines.first().is_some_and(|line| line.score >= Score::DRAW),
        }
    }

    /// Resigns the game.
    fn resign(&mut self) -> io::Result<()> {
        let sides = self.game.humans;
        let humans: Vec<Side> =
            Side::ALL.into_iter().filter(|&side| sides.is_human(side)).collect();
        match (self.game.history.end(), humans.as_slice()) {
            (Some(_), _) => self.screen.print("The game is over already."),
            (None, []) => self.screen.print("You play neither side; quit leaves the game."),
            (None, [side]) => self.end_game(GameEnd::Resigned(*side)),
            (None, _) => self.end_game(GameEnd::Resigned(self.to_move())),
        }
    }

    /// Saves the game. Returns whether the player stays.
    fn save(&mut self, name: &str) -> io::Result<bool> {
        let name = if name.is_empty() {
            let Some(name) = self.input.read("File to save to> ", Completions::File)? else {
                return Ok(false);
            };
            name
        } else {
            name.to_owned()
        };
        if name.is_empty() {
            self.screen.print("Nothing is saved.")?;
            return Ok(true);
        }
        let path = path(&name);
        if path.exists() {
            let question = format!("{} is there already; overwrite it?", path.display());
            match self.ask(&question, &NO_YES)? {
                None => return Ok(false),
                Some(true) => {}
                Some(false) => {
                    self.screen.print("Nothing is saved.")?;
                    return Ok(true);
                }
            }
        }
        let written = self.game.write().and_then(|text| {
            let fill = |mut file: &fs::File| file.write_all(text.as_bytes());
            let saved = regular_file::check(&path).and_then(|()| whole_file::save(&path, fill));
            saved.map_err(|error| error.to_string())
        });
        self.is_saved |= written.is_ok();
        match written {
            Ok(()) => self.screen.print(format_args!("Saved to {}.", path.display()))?,
            Err(error) => self.screen.print(format_args!("{}: {error}", path.display()))?,
        }
        Ok(true)
    }

    /// Loads the game of a file, or of one that the player is asked for until it can be read.
    /// Returns whether the player stays.
    fn load(&mut self, name: &str) -> io::Result<bool> {
        match self.gives_up_game()? {
            None => return Ok(false),
            Some(false) => return Ok(true),
            Some(true) => {}
        }
        if !name.is_empty() {
            self.load_file(name)?;
            return Ok(true);
        }
        loop {
            let Some(name) =
                self.input.read("File to load (none to go on)> ", Completions::File)?
            else {
                return Ok(false);
            };
            if name.is_empty() || self.load_file(&name)? {
                return Ok(true);
            }
        }
    }

    /// Continues the game of a file. Returns whether it could be read.
    fn load_file(&mut self, name: &str) -> io::Result<bool> {
        match read_file(&path(name), &self.game) {
            Ok(played) => {
                self.game = played;
                self.engine.clear();
                self.begin_loaded()?;
                self.is_saved = true;
                Ok(true)
            }
            Err(error) => self.screen.print(error).map(|()| false),
        }
    }
}

/// The game of a file; what it does not say is as in another game.
///
/// # Errors
///
/// One line that names the file, and says what is wrong.
pub fn read_file(path: &Path, other: &PlayedGame) -> Result<PlayedGame, String> {
    let name = path.display();
    let text = record_file::read_regular(path).map_err(|error| {
        let guess = similar(path).filter(|_| error.kind() == io::ErrorKind::NotFound);
        let guess = guess.map(|name| format!("; did you mean {name}?")).unwrap_or_default();
        format!("{name}: {error}{guess}")
    })?;
    let text = decode(text).map_err(|error| format!("{name}: {error}"))?;
    other.read(&text).map_err(|error| format!("{name}: {error}"))
}

/// The path that the player typed, which may have escaped blanks and begin with `~`.
fn path(typed: &str) -> PathBuf {
    let escape = (!cfg!(windows)).then_some('\\');
    let path = unescape(typed, escape);
    match path.strip_prefix("~/").zip(dirs::home_dir()) {
        Some((below_home, home)) => home.join(below_home),
        None => PathBuf::from(&*path),
    }
}

/// The name of a file in the same folder that may have been meant.
fn similar(path: &Path) -> Option<String> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let files = fs::read_dir(folder.unwrap_or(Path::new("."))).ok()?;
    let names = files.filter_map(|file| file.ok()?.file_name().into_string().ok());
    let names: Vec<String> = names.collect();
    let typed = path.file_name()?.to_str()?;
    nearest(typed, names.iter().map(String::as_str)).map(str::to_owned)
}
