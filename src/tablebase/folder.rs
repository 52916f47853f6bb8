//! The folder of a tablebase: where it is, what its files are called, and opening them.

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};
use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::slice;
use std::sync::{Arc, OnceLock};

use thiserror::Error;

use super::compact::answers;
use super::disk::{DiskAccess, DiskWait, PendingReads};
use super::draw_value::{DrawOrder, DrawValue};
use super::file::{FileError, Flaw, Remote, SectorFile, VERSION};
use super::files::{Files, open_files};
use super::malom::{self, MalomFile};
use super::orbits::Orbits;
use super::sector::Sector;
use super::solvable::Solvable;
use super::value::{Value, Wdl};
use crate::board::{SquareSet, lines};
use crate::position::Position;
use crate::rules::{Identity, RuleSet, Rules};
use crate::system::folders;
use crate::system::memory::has_room;

/// The default folder of the tablebase of a game, in the user's folder for data.
#[must_use]
pub fn default_folder(game: &Solvable) -> Option<PathBuf> {
    folders::data().map(|data| of_game(data.join(FOLDER), game))
}

/// The folder of the small sectors of a game that programs solve for themselves, in the user's cache, one
/// for each version of the file format. Below it is the opening book of a game that has none in the program.
#[must_use]
pub fn cache_folder(game: &Solvable) -> Option<PathBuf> {
    folders::cache().map(|cache| of_game(cache.join(FOLDER).join(format!("v{VERSION}")), game))
}

/// Other games than Nine Men's Morris have folders of their own, named by their identities.
fn of_game(folder: PathBuf, game: &Solvable) -> PathBuf {
    if *game == Solvable::STANDARD {
        folder
    } else {
        folder.join(game.rules().identity().to_string())
    }
}

/// The name of the folder of all tablebases in those of the user.
const FOLDER: &str = "endgame";

/// The file of a sector in a folder.
#[must_use]
pub fn sector_path(folder: &Path, sector: Sector) -> PathBuf {
    folder.join(file_name(sector))
}

fn file_name(sector: Sector) -> OsString {
    format!("{sector}.mill").into()
}

/// The ending of files of draws beside those of sectors, which older programs wrote.
const OLD_DRAWS: &str = "draws";

/// A tablebase: the usable sector files of a game.
///
/// If a file or its distances are missing, a file of Malom fills in when there is one. So it does for where
/// draws come to rest, unless our own files rank the sectors differently.
pub struct Tablebase {
    game: Solvable,
    files: Arc<Files<SectorFile>>,
    malom: Arc<Files<MalomFile>>,
    /// The order by which draws were solved.
    draw_order: Arc<DrawOrder>,
    /// Whether those of Malom are in the same order, or the only ones.
    fits_malom: bool,
    /// The values that were not given because they have to come from the disk, or `None` if values are waited
    /// for.
    pending: Option<PendingReads>,
    /// The files that lie elsewhere, if any.
    elsewhere: Option<Arc<Elsewhere>>,
}

/// The files of a game that lie elsewhere.
struct Elsewhere {
    remote: Arc<dyn Remote>,
    /// By their sectors those that were opened, and `None` for those that are not there or cannot be used.
    files: HashMap<Sector, OnceLock<Option<Box<SectorFile>>>>,
}

impl Elsewhere {
    /// The file of a sector, if it has been opened or is waited for.
    #[cold]
    fn file(&self, sector: Sector, identity: Identity, waits: bool) -> Option<&SectorFile> {
        let place = self.files.get(&sector)?;
        if place.get().is_none() && waits {
            let name = file_name(sector).to_string_lossy().into_owned();
            match SectorFile::open_remote(&self.remote, &name, sector, identity) {
                Ok(file) => {
                    prepare(slice::from_ref(&file));
                    let _ = place.set(Some(Box::new(file)));
                }
                // It may come later.
                Err(error) if error.is_of_system() && !error.is_missing() => {}
                Err(error) => {
                    log::warn!("{error}");
                    let _ = place.set(None);
                }
            }
        }
        place.get()?.as_deref()
    }
}

/// What is stored of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stored {
    /// Its value.
    Exact(Wdl),
    /// A lower bound: its value is that, or what a conversion reaches.
    AtLeast(Wdl),
    /// Nothing, since the value follows from all of its moves.
    LeftOut,
    /// Nothing.
    Unknown,
}

/// A folder has no sector file that can be used.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{}: no tablebase; millstone db build makes one", folder.display())]
pub struct NoTablebase {
    /// The folder.
    pub folder: PathBuf,
}

impl Default for Tablebase {
    /// A tablebase of Nine Men's Morris without any sector.
    fn default() -> Self {
        Self::empty(Solvable::STANDARD)
    }
}

impl Tablebase {
    /// A tablebase of a game without any sector.
    #[must_use]
    pub fn empty(game: Solvable) -> Self {
        Self::new(game, Files::default(), Files::default())
    }

    /// Opens the sector files of a game in a folder, and those of Malom. Those that cannot be used are
    /// reported and left out, and so is the whole folder where little memory is left.
    ///
    /// # Errors
    ///
    /// When there is none that can be used.
    pub fn open(
        folder: &Path,
        game: Solvable,
        report: &mut dyn FnMut(FileError),
    ) -> Result<Self, NoTablebase> {
        if !has_room() {
            report(FileError::new(folder, Flaw::Io(io::ErrorKind::OutOfMemory.into())));
            return Ok(Self::empty(game));
        }
        let names: HashSet<OsString> = fs::read_dir(folder)
            .into_iter()
            .flatten()
            .filter_map(|entry| Some(entry.ok()?.file_name()))
            .collect();
        if let Some(old) = names
            .iter()
            .map(Path::new)
            .find(|name| name.extension().is_some_and(|extension| extension == OLD_DRAWS))
        {
            report(FileError::new(&folder.join(old), Flaw::OldDraws));
        }
        let sectors = game.sectors().into_iter().map(|sector| (sector, file_name(sector)));
        let there = sectors.filter(|(_, name)| names.contains(name));
        let there: Vec<_> = there.map(|(sector, name)| (sector, folder.join(name))).collect();
        let identity = game.rules().identity();
        let open = |path: &Path, sector| SectorFile::open(path, sector, identity);
        let files = open_files(&there, open, report);
        let malom = malom::open(folder, &game, &names, report);
        if files.is_empty() && malom.is_empty() {
            return Err(NoTablebase { folder: folder.to_owned() });
        }
        for file in &malom {
            Orbits::prepare(file.sector().own());
        }
        prepare(&files);
        let malom = Files::of(malom, MalomFile::sector);
        Ok(Self::new(game, Files::of(files, SectorFile::sector), malom))
    }

    /// This tablebase with the files of all other sectors that lie elsewhere. Each is opened when it is first asked
    /// for by a reader that may wait.
    #[must_use]
    pub fn with_remote(mut self, remote: Arc<dyn Remote>) -> Self {
        let sectors = self.game.sectors().into_iter();
        let sectors = sectors.filter(|&sector| self.files.get(sector).is_none());
        let files = sectors.map(|sector| (sector, OnceLock::new())).collect();
        self.elsewhere = Some(Arc::new(Elsewhere { remote, files }));
        self
    }

    /// Waits for what lies elsewhere and tells the values of a position and of its moves. A reader that must not
    /// block finds it then.
    pub fn bring<R: Rules>(&self, position: &Position<R>) {
        if self.elsewhere.is_some() {
            let _ = self.probe_value(position);
            for &mv in &position.moves() {
                let _ = self.probe_move::<Wdl, R>(position, mv);
                let _ = self.probe_move::<Value, R>(position, mv);
            }
        }
    }

    /// A tablebase of some files.
    pub(super) fn of(game: Solvable, files: Vec<SectorFile>) -> Self {
        prepare(&files);
        let files = Files::of(files, SectorFile::sector);
        Self::new(game, files, Files::default())
    }

    fn new(game: Solvable, files: Files<SectorFile>, malom: Files<MalomFile>) -> Self {
        let kind = files.iter().find_map(SectorFile::draw_order_kind);
        let statistics = |sector| files.get(sector).map(|file| *file.statistics());
        let by_malom = malom.iter().next().map(|file| file.draw_order(&game));
        let own = kind.map(|kind| DrawOrder::new(&game, kind, statistics));
        let fits = |(own, malom): (&DrawOrder, &DrawOrder)| own.favourable() == malom.favourable();
        let fits_malom = own.as_ref().zip(by_malom.as_ref()).is_none_or(fits);
        let order = own.or(by_malom);
        Self {
            game,
            files: Arc::new(files),
            malom: Arc::new(malom),
            draw_order: Arc::new(order.unwrap_or_default()),
            fits_malom,
            pending: None,
            elsewhere: None,
        }
    }

    /// Whether it is the tablebase of the game with these rules.
    #[must_use]
    pub fn is_of(&self, rules: &RuleSet) -> bool {
        self.game.rules() == rules || self.game.rules() == &rules.canonical()
    }

    /// The game.
    #[must_use]
    pub const fn game(&self) -> &Solvable {
        &self.game
    }

    /// This tablebase with the files of another one that it lacks, or that are better: undamaged, with
    /// distances, with values instead of lower bounds, or with where draws come to rest.
    #[must_use]
    pub fn with(&self, other: &Self) -> Self {
        let rank = |file: &SectorFile| {
            (file.is_usable(), file.has_distances(), !file.is_quiet(), file.has_draws())
        };
        let files = self.files.with(&other.files, rank);
        let malom = self.malom.with(&other.malom, MalomFile::is_usable);
        let elsewhere = self.elsewhere.as_ref().or(other.elsewhere.as_ref()).cloned();
        Self { elsewhere, ..Self::new(self.game, files, malom) }
    }

    /// This tablebase for a reader that must not block: a value that is not in memory is requested from the
    /// disk, and unknown until it arrives.
    #[must_use]
    pub fn without_waiting(&self) -> Self {
        Self {
            game: self.game,
            files: Arc::clone(&self.files),
            malom: Arc::clone(&self.malom),
            draw_order: Arc::clone(&self.draw_order),
            fits_malom: self.fits_malom,
            pending: Some(PendingReads::new()),
            elsewhere: self.elsewhere.clone(),
        }
    }

    /// Forgets which pages were found in memory some time ago; no effect on a reader that blocks.
    pub fn look_again(&self) {
        if let Some(pending) = &self.pending {
            pending.look_again();
        }
    }

    /// A wait for values that are still on their way from the disk.
    #[inline]
    #[must_use]
    pub fn disk_wait(&self) -> DiskWait<'_> {
        DiskWait::new(self.pending.as_ref())
    }

    /// This tablebase without damaged files of its own, which are reported. Reads them whole.
    #[must_use]
    pub fn checked(self, report: &mut dyn FnMut(FileError)) -> Self {
        let files = self.files.filtered(|file| file.check().map_err(&mut *report).is_ok());
        Self { files: Arc::new(files), ..self }
    }

    /// The damage that was found while reading, each file reported once.
    #[must_use]
    pub fn take_damage(&self) -> Vec<FileError> {
        let malom = self.malom_files().filter_map(MalomFile::take_damage);
        self.files().filter_map(SectorFile::take_damage).chain(malom).collect()
    }

    /// Whether no file is known to be damaged.
    #[must_use]
    pub fn is_usable(&self) -> bool {
        self.files().all(SectorFile::is_usable) && self.malom_files().all(MalomFile::is_usable)
    }

    /// Reads wins, draws and losses up to a number of bytes into the memory of the system, and checks
    /// them, in the order in which a game comes to them: those with the most men in hand first, then those
    /// with the most men.
    ///
    /// # Errors
    ///
    /// When a file cannot be read.
    pub fn warm(&self, bytes: usize) -> Result<(), FileError> {
        let mut left = bytes;
        let mut files: Vec<&SectorFile> = self.files().collect();
        files.sort_by_key(|file| Reverse((file.sector().men_in_hand(), file.sector().men())));
        for file in files {
            file.warm(left)?;
            left = left.saturating_sub(file.wdl_bytes());
        }
        Ok(())
    }

    /// The file of a sector, if the tablebase has it.
    #[inline]
    #[must_use]
    pub fn file(&self, sector: Sector) -> Option<&SectorFile> {
        let elsewhere = || {
            let waits = self.pending.is_none();
            self.elsewhere.as_ref()?.file(sector, self.game.rules().identity(), waits)
        };
        self.files.get(sector).or_else(elsewhere)
    }

    /// The file of Malom of a sector, if the tablebase has it.
    #[must_use]
    pub fn malom_file(&self, sector: Sector) -> Option<&MalomFile> {
        self.malom.get(sector)
    }

    /// All files of Malom.
    pub fn malom_files(&self) -> impl Iterator<Item = &MalomFile> {
        self.malom.iter()
    }

    /// The file that the values of a sector come from, with or without distances, or `None` if they are not known.
    /// Where a compact tablebase leaves the sector out, it is the one that quiet moves lead to.
    #[must_use]
    pub fn source(&self, sector: Sector, has_distances: bool) -> Option<&Path> {
        let gives =
            |file: &&SectorFile| file.is_usable() && (file.has_distances() || !has_distances);
        let malom = || self.malom_file(sector).filter(|file| file.is_usable());
        self.file(sector)
            .filter(gives)
            .map(SectorFile::path)
            .or_else(|| malom().map(MalomFile::path))
            .or_else(|| {
                let answers = answers(&self.game, sector).filter(|_| !has_distances)?;
                self.source(answers, false)
            })
    }

    /// All files of the tablebase, but for those of Malom.
    pub fn files(&self) -> impl Iterator<Item = &SectorFile> {
        self.files.iter()
    }

    /// Whether a position of a sector is won, drawn or lost for the side with `own` men, which is to move;
    /// none if that is not known. Where it is not stored, moves are looked at.
    #[inline]
    #[must_use]
    pub fn wdl(&self, sector: Sector, own: SquareSet, opponent: SquareSet) -> Option<Wdl> {
        match self.stored_wdl(sector, own, opponent) {
            Stored::Exact(wdl) => Some(wdl),
            stored @ (Stored::AtLeast(_) | Stored::LeftOut) => {
                self.wdl_by_moves(sector, [own, opponent], stored)
            }
            Stored::Unknown => None,
        }
    }

    /// What is stored of a position, or a file of Malom says.
    #[inline]
    pub(super) fn stored_wdl(&self, sector: Sector, own: SquareSet, opponent: SquareSet) -> Stored {
        let file = self.file(sector);
        let wdl = file.and_then(|file| file.wdl_if(sector.index_of(own, opponent), self.access()));
        match (wdl, file) {
            (Some(wdl), Some(file))
                if file.is_quiet() && wdl != Wdl::Win && self.may_convert(own, opponent) =>
            {
                Stored::AtLeast(wdl)
            }
            (Some(wdl), _) => Stored::Exact(wdl),
            (None, Some(file)) if self.malom.is_empty() || file.is_usable() => Stored::Unknown,
            (None, _) => self.wdl_elsewhere(sector, own, opponent),
        }
    }

    /// Whether a placement closes a mill.
    #[inline]
    fn may_convert(&self, own: SquareSet, opponent: SquareSet) -> bool {
        let closing = lines::closing(own, self.game.rules().diagonals);
        !(closing & !(own | opponent)).is_empty()
    }

    #[cold]
    fn wdl_elsewhere(&self, sector: Sector, own: SquareSet, opponent: SquareSet) -> Stored {
        match self.value_by_malom(sector, own, opponent) {
            Some(value) => Stored::Exact(value.into()),
            None if answers(&self.game, sector).is_some() => Stored::LeftOut,
            None => Stored::Unknown,
        }
    }

    /// The value of a position of a sector for the side with `own` men, which is to move, or `None` if the
    /// distance is not known.
    #[must_use]
    pub fn value(&self, sector: Sector, own: SquareSet, opponent: SquareSet) -> Option<Value> {
        let file = self.file(sector).filter(|file| file.has_distances() && file.is_usable());
        match file {
            Some(file) => file.value_if(sector.index_of(own, opponent), self.access()),
            None => self.value_by_malom(sector, own, opponent),
        }
    }

    #[cold]
    fn value_by_malom(&self, sector: Sector, own: SquareSet, opponent: SquareSet) -> Option<Value> {
        self.malom_file(sector)?.value(own, opponent, self.access())
    }

    /// Whether it is known of any draws where they come to rest.
    #[must_use]
    pub fn has_draws(&self) -> bool {
        !self.malom.is_empty() || self.files().any(SectorFile::has_draws)
    }

    /// Where a drawn position of a sector comes to rest for the side with `own` men, which is to move, or `None` if
    /// it is not drawn, or that is not known.
    #[must_use]
    pub fn draw_value(
        &self,
        sector: Sector,
        own: SquareSet,
        opponent: SquareSet,
    ) -> Option<DrawValue> {
        match self.own_draws(sector) {
            Some(file) => file.draw_value_if(sector.index_of(own, opponent), self.access()),
            None if !self.fits_malom => None,
            None => self.malom_file(sector)?.draw_value(own, opponent, self.access()),
        }
    }

    /// The file that says where draws of a sector come to rest, or `None` if that is not known.
    #[must_use]
    pub fn source_of_draws(&self, sector: Sector) -> Option<&Path> {
        let is_used = |file: &&MalomFile| self.fits_malom && file.is_usable();
        let malom = || self.malom_file(sector).filter(is_used);
        let own = self.own_draws(sector).map(SectorFile::path);
        own.or_else(|| malom().map(MalomFile::path))
    }

    /// The own file that says where draws of a sector come to rest.
    fn own_draws(&self, sector: Sector) -> Option<&SectorFile> {
        self.file(sector).filter(|file| file.has_draws() && file.is_usable())
    }

    /// The order by which its draws were solved: of the sectors of the moving phase that are there, or of
    /// those that Malom's list has.
    #[must_use]
    pub fn draw_order(&self) -> &DrawOrder {
        &self.draw_order
    }

    #[inline]
    fn access(&self) -> DiskAccess<'_> {
        self.pending.as_ref().map_or(DiskAccess::Blocking, DiskAccess::NonBlocking)
    }
}

/// Computes what probes of some files look up.
fn prepare(files: &[SectorFile]) {
    for file in files {
        Orbits::prepare(file.sector().opponent());
    }
}
