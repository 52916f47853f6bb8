//! The folder of a tablebase: where it is, what its files are called, and opening them.

use std::cmp::Reverse;
use std::collections::HashSet;
use std::ffi::OsString;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread;

use super::disk::OnDisk;
use super::file::{FileError, SectorFile, VERSION};
use super::malom::{self, MalomFile};
use super::orbits::Orbits;
use super::sector::Sector;
use super::solvable::Solvable;
use super::value::{Value, Wdl};
use crate::board::SquareSet;
use crate::build_info::NAME;
use crate::rules::{Identity, RuleSet};

/// The default folder of the tablebase of a game, in the user's folder for data.
#[must_use]
pub fn default_folder(game: &Solvable) -> Option<PathBuf> {
    dirs::data_local_dir().map(|data| of_game(below(data), game))
}

/// The folder of the small sectors of a game that programs solve for themselves, in the user's cache, one
/// for each version of the file format.
#[must_use]
pub fn cache_folder(game: &Solvable) -> Option<PathBuf> {
    dirs::cache_dir().map(|cache| of_game(below(cache).join(format!("v{VERSION}")), game))
}

/// Other games than Nine Men's Morris have folders of their own, named by their identities.
fn of_game(folder: PathBuf, game: &Solvable) -> PathBuf {
    if *game == Solvable::STANDARD {
        folder
    } else {
        folder.join(game.rules().identity().to_string())
    }
}

fn below(folder: impl AsRef<Path>) -> PathBuf {
    folder.as_ref().join(NAME).join("endgame")
}

/// The file of a sector in a folder.
#[must_use]
pub fn sector_path(folder: &Path, sector: Sector) -> PathBuf {
    folder.join(file_name(sector))
}

fn file_name(sector: Sector) -> OsString {
    format!("{sector}.mill").into()
}

/// A tablebase: the sector files of a game that can be used.
///
/// Where it lacks a file, or its file lacks distances, the values come from one of Malom, if there is one.
pub struct Tablebase {
    game: Solvable,
    files: Arc<Files<SectorFile>>,
    malom: Arc<Files<MalomFile>>,
    /// Whether a value was not given because it has to come from the disk; none if values are waited
    /// for.
    is_awaited: Option<AtomicBool>,
}

/// Files by their sectors.
struct Files<T> {
    files: Vec<Arc<T>>,
    /// By the place of a sector one more than the number of its file, 0 if there is none.
    numbers: Vec<u16>,
}

impl<T> Default for Files<T> {
    fn default() -> Self {
        Self { files: Vec::new(), numbers: Vec::new() }
    }
}

/// A file that has the values of a sector.
trait OfSector {
    /// The sector.
    fn sector(&self) -> Sector;
}

impl OfSector for SectorFile {
    fn sector(&self) -> Sector {
        self.sector()
    }
}

impl OfSector for MalomFile {
    fn sector(&self) -> Sector {
        self.sector()
    }
}

impl<T: OfSector> Files<T> {
    /// The files, which are of different sectors.
    fn new(mut files: Vec<Arc<T>>) -> Self {
        files.sort_by_key(|file| file.sector().place());
        let mut numbers = if files.is_empty() { Vec::new() } else { vec![0; Sector::PLACES] };
        for (file, number) in files.iter().zip(1..) {
            numbers[file.sector().place()] = number;
        }
        Self { files, numbers }
    }

    #[inline]
    fn get(&self, sector: Sector) -> Option<&Arc<T>> {
        let number = usize::from(*self.numbers.get(sector.place())?);
        self.files.get(number.wrapping_sub(1))
    }

    /// These files, those of another tablebase that are better, and those that these lack.
    fn with<R: Ord>(&self, other: &Self, rank: impl Fn(&T) -> R) -> Self {
        let mut files = self.files.clone();
        for file in &mut files {
            if let Some(other) = other.get(file.sector()).filter(|other| rank(other) > rank(file)) {
                file.clone_from(other);
            }
        }
        let is_lacking = |file: &&Arc<T>| self.get(file.sector()).is_none();
        files.extend(other.files.iter().filter(is_lacking).cloned());
        Self::new(files)
    }
}

/// How many files are opened at a time: a disk that is asked for several answers them sooner.
const OPENED_AT_A_TIME: usize = 8;

/// A folder has no sector file that can be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoTablebase {
    /// The folder.
    pub folder: PathBuf,
}

impl fmt::Display for NoTablebase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: no tablebase; millstone db build makes one", self.folder.display())
    }
}

impl std::error::Error for NoTablebase {}

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
        Self { game, files: Arc::default(), malom: Arc::default(), is_awaited: None }
    }

    /// Opens the sector files of a game in a folder, and those of Malom. Those that cannot be used are
    /// reported and left out.
    ///
    /// # Errors
    ///
    /// When there is none that can be used.
    pub fn open(
        folder: &Path,
        game: Solvable,
        report: &mut dyn FnMut(FileError),
    ) -> Result<Self, NoTablebase> {
        allow_many_files();
        let mut files = Vec::new();
        let names: HashSet<OsString> = fs::read_dir(folder)
            .into_iter()
            .flatten()
            .filter_map(|entry| Some(entry.ok()?.file_name()))
            .collect();
        let is_named = |sector: &Sector| names.contains(&*file_name(*sector));
        let sectors: Vec<Sector> = game.sectors().into_iter().filter(is_named).collect();
        for opened in open_files(folder, &sectors, game.rules().identity()) {
            match opened {
                Ok(file) => files.push(file),
                Err(error) if error.is_missing() => {}
                Err(error) => report(error),
            }
        }
        let malom = malom::open(folder, &game, &names, report);
        if files.is_empty() && malom.is_empty() {
            return Err(NoTablebase { folder: folder.to_owned() });
        }
        for file in &malom {
            Orbits::prepare(file.sector().own());
        }
        let malom = Files::new(malom.into_iter().map(Arc::new).collect());
        Ok(Self { malom: Arc::new(malom), ..Self::of(game, files) })
    }

    /// A tablebase of some files.
    pub(super) fn of(game: Solvable, files: Vec<SectorFile>) -> Self {
        for file in &files {
            Orbits::prepare(file.sector().opponent());
        }
        let files = Files::new(files.into_iter().map(Arc::new).collect());
        Self { files: Arc::new(files), ..Self::empty(game) }
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

    /// This tablebase with every file of another one of the game that it lacks, or that is better: without
    /// damage, or with distances.
    #[must_use]
    pub fn with(&self, other: &Self) -> Self {
        let files = self.files.with(&other.files, |file| (file.is_usable(), file.has_distances()));
        let malom = self.malom.with(&other.malom, MalomFile::is_usable);
        Self { game: self.game, files: Arc::new(files), malom: Arc::new(malom), is_awaited: None }
    }

    /// This tablebase for a reader in a hurry: a value that has to come from the disk is asked for, and
    /// not known until it is there.
    #[must_use]
    pub fn without_waiting(&self) -> Self {
        Self {
            game: self.game,
            files: Arc::clone(&self.files),
            malom: Arc::clone(&self.malom),
            is_awaited: Some(AtomicBool::new(false)),
        }
    }

    /// Whether, since this was last asked, a value was not known because it has to come from the disk.
    #[must_use]
    pub fn take_awaited(&self) -> bool {
        self.is_awaited.as_ref().is_some_and(|is_awaited| is_awaited.swap(false, Relaxed))
    }

    /// This tablebase without damaged files of its own, which are reported. Reads them whole.
    #[must_use]
    pub fn checked(self, report: &mut dyn FnMut(FileError)) -> Self {
        let mut files = self.files.files.clone();
        files.retain(|file| file.check().map_err(&mut *report).is_ok());
        Self { files: Arc::new(Files::new(files)), ..self }
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
        self.files.get(sector).map(Arc::as_ref)
    }

    /// The file of Malom of a sector, if the tablebase has it.
    #[must_use]
    pub fn malom_file(&self, sector: Sector) -> Option<&MalomFile> {
        self.malom.get(sector).map(Arc::as_ref)
    }

    /// All files of Malom.
    pub fn malom_files(&self) -> impl Iterator<Item = &MalomFile> {
        self.malom.files.iter().map(Arc::as_ref)
    }

    /// The file that the values of a sector come from, with or without distances; none if they are not known.
    #[must_use]
    pub fn source(&self, sector: Sector, has_distances: bool) -> Option<&Path> {
        let gives =
            |file: &&SectorFile| file.is_usable() && (file.has_distances() || !has_distances);
        let malom = || self.malom_file(sector).filter(|file| file.is_usable());
        self.file(sector)
            .filter(gives)
            .map(SectorFile::path)
            .or_else(|| malom().map(MalomFile::path))
    }

    /// All files of the tablebase, but for those of Malom.
    pub fn files(&self) -> impl Iterator<Item = &SectorFile> {
        self.files.files.iter().map(Arc::as_ref)
    }

    /// Whether a position of a sector is won, drawn or lost for the side with `own` men, which is to move;
    /// none if that is not known.
    #[inline]
    #[must_use]
    pub fn wdl(&self, sector: Sector, own: SquareSet, opponent: SquareSet) -> Option<Wdl> {
        let file = self.file(sector);
        let wdl = file.and_then(|file| file.wdl_if(sector.index_of(own, opponent), self.on_disk()));
        if wdl.is_some() || self.malom.files.is_empty() || file.is_some_and(SectorFile::is_usable) {
            return wdl;
        }
        self.value_by_malom(sector, own, opponent).map(Wdl::from)
    }

    /// The value of a position of a sector for the side with `own` men, which is to move; none if the
    /// distance is not known.
    #[must_use]
    pub fn value(&self, sector: Sector, own: SquareSet, opponent: SquareSet) -> Option<Value> {
        let file = self.file(sector).filter(|file| file.has_distances() && file.is_usable());
        match file {
            Some(file) => file.value_if(sector.index_of(own, opponent), self.on_disk()),
            None => self.value_by_malom(sector, own, opponent),
        }
    }

    #[cold]
    fn value_by_malom(&self, sector: Sector, own: SquareSet, opponent: SquareSet) -> Option<Value> {
        self.malom_file(sector)?.value(own, opponent, self.on_disk())
    }

    #[inline]
    fn on_disk(&self) -> OnDisk<'_> {
        self.is_awaited.as_ref().map_or(OnDisk::Wait, OnDisk::Ask)
    }
}

/// Raises the number of files that the system allows to be open at a time as far as it can be: a tablebase
/// is one for each sector.
fn allow_many_files() {
    #[cfg(unix)]
    {
        use nix::sys::resource::{Resource::RLIMIT_NOFILE, getrlimit, setrlimit};
        let raised = getrlimit(RLIMIT_NOFILE)
            .and_then(|(now, most)| setrlimit(RLIMIT_NOFILE, now.max(most.min(OPEN_FILES)), most));
        raised.unwrap_or_else(|error| log::warn!("the limit of open files stays: {error}"));
    }
}

/// More than the sectors of a game, with room for whatever else a program opens.
#[cfg(unix)]
const OPEN_FILES: u64 = 1 << 12;

/// Opens the files of some sectors, several at a time.
fn open_files(
    folder: &Path,
    sectors: &[Sector],
    identity: Identity,
) -> Vec<Result<SectorFile, FileError>> {
    let open = |&sector: &Sector| SectorFile::open(&sector_path(folder, sector), sector, identity);
    let share = sectors.len().div_ceil(OPENED_AT_A_TIME).max(1);
    let open_share = |share: &[Sector]| share.iter().map(open).collect::<Vec<_>>();
    thread::scope(|scope| {
        let threads: Vec<_> =
            sectors.chunks(share).map(|share| scope.spawn(move || open_share(share))).collect();
        threads
            .into_iter()
            .flat_map(|thread| thread.join().expect("opening does not panic"))
            .collect()
    })
}
