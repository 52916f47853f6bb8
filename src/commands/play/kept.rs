//! The game that is kept while it is played, so that it can be gone on with whatever happens.
//!
//! Each running program has a place of its own, a number, which it holds by a lock on a file; the
//! system ends the lock with the program. A game without a lock was broken off.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use millstone::file_lock::FileLock;
use millstone::whole_file;

/// The place of a game that is being played.
pub struct Kept {
    path: PathBuf,
    /// Held as long as the game is played.
    _lock: FileLock,
}

/// The most games that are kept.
const PLACES: u32 = 1000;

/// The folder of kept games.
pub fn folder() -> Option<PathBuf> {
    dirs::data_dir().map(|data| data.join("millstone").join("play"))
}

impl Kept {
    /// A place without a game.
    ///
    /// # Errors
    ///
    /// When the folder cannot be written, or has too many games.
    pub fn claim(folder: &Path) -> io::Result<Self> {
        fs::create_dir_all(folder)?;
        for number in 1..=PLACES {
            if let Some(kept) = Self::lock(folder, number)?
                && !kept.path.exists()
            {
                return Ok(kept);
            }
        }
        Err(io::Error::other(format!("more than {PLACES} games in {}", folder.display())))
    }

    /// The game that was broken off last and that nobody plays now.
    ///
    /// # Errors
    ///
    /// When the folder cannot be read.
    pub fn broken_off(folder: &Path) -> io::Result<Option<Self>> {
        let mut games = Vec::new();
        for number in 1..=PLACES {
            let path = path(folder, number);
            match fs::metadata(&path).and_then(|file| file.modified()) {
                Ok(modified) => games.push((modified, number)),
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => return Err(error),
            }
        }
        games.sort_unstable();
        for (_, number) in games.into_iter().rev() {
            if let Some(kept) = Self::lock(folder, number)?
                && kept.path.exists()
            {
                return Ok(Some(kept));
            }
        }
        Ok(None)
    }

    /// A place, unless another program has it.
    fn lock(folder: &Path, number: u32) -> io::Result<Option<Self>> {
        let lock = FileLock::try_acquire(&folder.join(format!("{number}.lock")))?;
        Ok(lock.map(|lock| Self { path: path(folder, number), _lock: lock }))
    }

    /// The text of the game.
    pub fn read(&self) -> io::Result<String> {
        fs::read_to_string(&self.path)
    }

    /// Keeps a text in the place of the one before, which stays whole until then.
    pub fn save(&self, text: &str) -> io::Result<()> {
        whole_file::write(&self.path, |mut file| file.write_all(text.as_bytes()))
    }

    /// Forgets the game, if there is one.
    pub fn forget(&self) -> io::Result<()> {
        match fs::remove_file(&self.path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        }
    }

    /// Puts a game that cannot be read out of the way, and tells where.
    pub fn set_aside(&self) -> io::Result<PathBuf> {
        let numbered = |number| whole_file::with_suffix(&self.path, &format!(".damaged-{number}"));
        let free = (1..=PLACES).map(numbered).find(|path| !path.exists());
        let aside = free.ok_or_else(|| io::Error::other("no name is free"))?;
        fs::rename(&self.path, &aside)?;
        Ok(aside)
    }
}

fn path(folder: &Path, number: u32) -> PathBuf {
    folder.join(format!("{number}.pgn"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_programs_have_two_places_and_a_game_goes_on_once() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        let first = Kept::claim(folder).unwrap();
        let second = Kept::claim(folder).unwrap();
        first.save("first").unwrap();
        second.save("second").unwrap();
        assert!(Kept::broken_off(folder).unwrap().is_none(), "both are being played");
        drop(first);
        let again = Kept::broken_off(folder).unwrap().unwrap();
        assert_eq!(again.read().unwrap(), "first");
        assert!(Kept::broken_off(folder).unwrap().is_none());
        again.forget().unwrap();
        again.forget().unwrap();
        drop(again);
        assert!(Kept::broken_off(folder).unwrap().is_none());
    }

    #[test]
    fn a_game_broken_off_keeps_its_place() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        Kept::claim(folder).unwrap().save("old").unwrap();
        let new = Kept::claim(folder).unwrap();
        new.save("new").unwrap();
        assert_eq!(Kept::broken_off(folder).unwrap().unwrap().read().unwrap(), "old");
        let aside = Kept::broken_off(folder).unwrap().unwrap().set_aside().unwrap();
        assert_eq!(fs::read_to_string(aside).unwrap(), "old");
    }
}
