//! Saving a game to a file that the player names, and loading it.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use millstone::records::decode;
use millstone::whole_file;
use rustyline::completion::unescape;

use super::archive::Match;
use super::ask::NO_YES;
use super::complete::Offers;
use super::nearest::nearest;
use super::session::Session;

impl Session {
    /// Saves the game; whether the player stays.
    pub(super) fn save(&mut self, name: &str) -> io::Result<bool> {
        let name = if name.is_empty() {
            let Some(name) = self.input.read("File to save to> ", Offers::File)? else {
                return Ok(false);
            };
            name
        } else {
            name.to_owned()
        };
        if name.is_empty() {
            self.screen.say("Nothing is saved.")?;
            return Ok(true);
        }
        let path = path(&name);
        if path.exists() {
            let question = format!("{} is there already; overwrite it?", path.display());
            match self.ask(&question, &NO_YES)? {
                None => return Ok(false),
                Some(true) => {}
                Some(false) => {
                    self.screen.say("Nothing is saved.")?;
                    return Ok(true);
                }
            }
        }
        let written = self.played.write().and_then(|text| {
            let fill = |mut file: &fs::File| file.write_all(text.as_bytes());
            whole_file::save(&path, fill).map_err(|error| error.to_string())
        });
        self.is_saved |= written.is_ok();
        match written {
            Ok(()) => self.screen.say(format_args!("Saved to {}.", path.display()))?,
            Err(error) => self.screen.say(format_args!("{}: {error}", path.display()))?,
        }
        Ok(true)
    }

    /// Loads a game, asking for its file until one can be read if none is named; whether the
    /// player stays.
    pub(super) fn load(&mut self, name: &str) -> io::Result<bool> {
        match self.may_leave_game()? {
            None => return Ok(false),
            Some(false) => return Ok(true),
            Some(true) => {}
        }
        if !name.is_empty() {
            self.load_file(name)?;
            return Ok(true);
        }
        loop {
            let Some(name) = self.input.read("File to load (none to go on)> ", Offers::File)?
            else {
                return Ok(false);
            };
            if name.is_empty() || self.load_file(&name)? {
                return Ok(true);
            }
        }
    }

    /// Goes on with the game of a file; whether it could be read.
    fn load_file(&mut self, name: &str) -> io::Result<bool> {
        match read(&path(name), &self.played) {
            Ok(played) => {
                self.played = played;
                self.thinker.forget();
                self.take_up()?;
                self.is_saved = true;
                Ok(true)
            }
            Err(error) => self.screen.say(error).map(|()| false),
        }
    }
}

/// The game of a file; what it does not tell is as in another one.
///
/// # Errors
///
/// One line that names the file, and says what is wrong.
pub fn read(path: &Path, other: &Match) -> Result<Match, String> {
    let name = path.display();
    let text = fs::read(path).map_err(|error| {
        let guess = similar(path).filter(|_| error.kind() == io::ErrorKind::NotFound);
        let guess = guess.map(|name| format!("; did you mean {name}?")).unwrap_or_default();
        format!("{name}: {error}{guess}")
    })?;
    let text = decode(text).map_err(|error| format!("{name}: {error}"))?;
    other.read(&text).map_err(|error| format!("{name}: {error}"))
}

/// The path that the player typed, blanks in it perhaps with a backslash, perhaps from `~` on.
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
