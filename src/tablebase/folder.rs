//! The folder of a tablebase: its path, the names of its files, and opening them.

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};
use std::ffi::{OsStr, OsString};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use std::thread;

use super::file::{FileError, Flaw, Remote, SectorFile};
use super::malom::{self, MalomFile};
use super::sector::{Sector, Solvable};
use super::sets::Orbits;
use super::solve::{SolveError, SolveObserver, Stopped, check};
use super::value::{DrawOrder, Value, Wdl};
use crate::position::Position;
use crate::rules::{Identity, RuleSet, Rules};
use crate::system::file_at::{PendingReads, epoch};
use crate::system::folders;
use crate::system::memory::{has_room, has_room_for};

/// Returns the default folder of the tablebase of a game, in the user's folder for data.
pub fn default_folder(game: &Solvable) -> Option<PathBuf> {
    folders::data().map(|data| of_game(data.join(FOLDER), game))
}

/// Returns the folder in the user's cache for the small sectors of a game that an engine solves itself, one for each
/// version of the file format. Below it is the opening book of a game without a built-in one.
pub fn cache_folder(game: &Solvable) -> Option<PathBuf> {
    let cache = folders::cache()?.join(FOLDER).join(format!("v{}", SectorFile::VERSION));
    Some(of_game(cache, game))
}

/// Games other than Nine Men's Morris have folders of their own, named by their identities.
fn of_game(folder: PathBuf, game: &Solvable) -> PathBuf {
    if *game == Solvable::STANDARD {
        folder
    } else {
        folder.join(game.rules().identity().to_string())
    }
}

/// The name of the tablebase folder in the user's folders.
const FOLDER: &str = "endgame";

/// Returns the path of the file of a sector in a folder.
pub fn sector_path(folder: &Path, sector: Sector) -> PathBuf {
    folder.join(file_name(sector))
}

/// Opens the file of a sector of a game in a folder.
pub(super) fn open_sector(
    folder: &Path,
    game: &Solvable,
    sector: Sector,
) -> Result<SectorFile, FileError> {
    SectorFile::open(&sector_path(folder, sector), sector, game.rules().identity())
}

/// Turns the error of a missing file into `None`.
pub(super) fn if_there<T>(opened: Result<T, FileError>) -> Result<Option<T>, FileError> {
    opened.map(Some).or_else(|error| if error.is_missing() { Ok(None) } else { Err(error) })
}

pub(super) fn file_name(sector: Sector) -> String {
    format!("{sector}.mill")
}

/// A tablebase: the usable sector files of a game.
///
/// A file of Malom, if there is one, fills in for a missing file or missing distances, and for where draws come to
/// rest unless our own files rank the sectors differently.
#[derive(Clone)]
pub struct Tablebase {
    pub(super) game: Solvable,
    files: Arc<Files<SectorFile>>,
    pub(super) malom: Arc<Files<MalomFile>>,
    /// The order by which draws were solved.
    draw_order: Arc<DrawOrder>,
    /// Whether Malom's order of draws is the same, or the only one.
    pub(super) fits_malom: bool,
    /// The reads that are requested from the disk, or `None` for a reader that waits.
    pub(super) pending: Option<Arc<PendingReads>>,
    /// The remote files, if any.
    remote: Option<Arc<RemoteFiles>>,
    /// Whether [`in_memory_for`](Self::in_memory_for) has read the files that are needed.
    pub(super) is_in_memory: bool,
}

/// The remote files of a game.
struct RemoteFiles {
    remote: Arc<dyn Remote>,
    /// By sector, empty until a file is opened; `None` for a missing or unusable file.
    files: HashMap<Sector, OnceLock<Option<Box<SectorFile>>>>,
}

impl RemoteFiles {
    /// Returns the file of a sector if it has been opened. Otherwise opens it if `waits`.
    #[cold]
    fn file(&self, sector: Sector, identity: Identity, waits: bool) -> Option<&SectorFile> {
        let place = self.files.get(&sector)?;
        if place.get().is_none() && waits {
            let _ = Orbits::of(sector.opponent());
            let file = SectorFile::open_remote(&self.remote, &file_name(sector), sector, identity);
            match &file {
                // It may come later.
                Err(error) if error.is_of_system() && !error.is_missing() => return None,
                Err(error) => log::warn!("{error}"),
                Ok(_) => {}
            }
            let _ = place.set(file.ok().map(Box::new));
        }
        place.get()?.as_deref()
    }
}

impl Default for Tablebase {
    /// A tablebase of Nine Men's Morris without any sector.
    fn default() -> Self {
        Self::empty(Solvable::STANDARD)
    }
}

impl Tablebase {
    /// Returns a tablebase of a game without any sector.
    pub fn empty(game: Solvable) -> Self {
        Self::of(game, Vec::new())
    }

    /// Opens the sector files of a game in a folder, and those of Malom. Unusable files are reported and left
    /// out, and so is the whole folder if memory is short.
    ///
    /// # Errors
    ///
    /// When no file is usable.
    pub fn open(
        folder: &Path,
        game: Solvable,
        report: &mut dyn FnMut(FileError),
    ) -> Result<Self, FileError> {
        if !has_room() {
            report(FileError::new(folder, Flaw::Io(io::ErrorKind::OutOfMemory.into())));
            return Ok(Self::empty(game));
        }
        let entries = fs::read_dir(folder).into_iter().flatten().flatten();
        let names: HashSet<OsString> = entries.map(|entry| entry.file_name()).collect();
        // Older versions wrote separate files of draws.
        let is_old = |name: &&OsString| Path::new(name).extension() == Some("draws".as_ref());
        if let Some(old) = names.iter().find(is_old) {
            let words = "a file of draws by an older version, which is ignored; millstone db draws \
                         adds draws to the sector files";
            report(FileError::unfit(&folder.join(old), words));
        }
        let there = sector_files(folder, &game, &names, file_name);
        let identity = game.rules().identity();
        let open = |path: &Path, sector| SectorFile::open(path, sector, identity);
        let files = open_files(&there, open, report);
        let malom = malom::open(folder, &game, &names, report);
        let malom = malom.unwrap_or_else(|error| {
            report(error);
            Files::from_iter([])
        });
        if files.is_empty() && malom.is_empty() {
            return Err(FileError::unfit(folder, "no tablebase; millstone db build makes one"));
        }
        Ok(Self::new(game, files, malom))
    }

    /// Returns this tablebase with remote files for all sectors that have no file. A reader that may wait opens them
    /// on first use.
    #[must_use]
    pub fn with_remote(mut self, remote: Arc<dyn Remote>) -> Self {
        let sectors = self.game.sectors().into_iter();
        let sectors = sectors.filter(|&sector| self.files.get(sector).is_none());
        let files = sectors.map(|sector| (sector, OnceLock::new())).collect();
        self.remote = Some(Arc::new(RemoteFiles { remote, files }));
        self
    }

    /// Fetches the remote data for the values of a position and of its moves, so that a reader that must not block
    /// finds it.
    pub fn bring<R: Rules>(&self, position: &Position<R>) {
        if self.remote.is_some() {
            let _ = self.probe_value(position);
            for &mv in &position.moves() {
                let _ = self.probe_move::<Wdl, R>(position, mv);
                let _ = self.probe_move::<Value, R>(position, mv);
            }
        }
    }

    /// Returns a tablebase of files.
    pub(super) fn of(game: Solvable, files: Vec<SectorFile>) -> Self {
        let files = files.into_iter().map(|file| (file.sector(), Arc::new(file))).collect();
        Self::new(game, files, Files::from_iter([]))
    }

    fn new(game: Solvable, files: Files<SectorFile>, malom: Files<MalomFile>) -> Self {
        let kind = files.iter().find_map(SectorFile::draw_order_kind);
        let statistics = |sector| files.get(sector).map(|file| *file.statistics());
        let by_malom = malom.iter().next().map(|file| file.draw_order(&game));
        let own = kind.map(|kind| DrawOrder::new(&game, kind, statistics));
        let order = own.or_else(|| by_malom.clone()).unwrap_or_default();
        let fits_malom = by_malom.is_none_or(|malom| malom.favourable() == order.favourable());
        Self {
            game,
            files: Arc::new(files),
            malom: Arc::new(malom),
            draw_order: Arc::new(order),
            fits_malom,
            pending: None,
            remote: None,
            is_in_memory: false,
        }
    }

    /// Whether this is the tablebase of the game with these rules.
    pub fn is_of(&self, rules: &RuleSet) -> bool {
        self.game.rules() == rules || self.game.rules() == &rules.canonical()
    }

    /// The game.
    pub const fn game(&self) -> &Solvable {
        &self.game
    }

    /// Returns this tablebase with the files of another one that it lacks or that are better: undamaged, with
    /// distances, with values instead of lower bounds, or with where draws come to rest.
    #[must_use]
    pub fn with(&self, other: &Self) -> Self {
        let rank = |file: &SectorFile| {
            (file.is_usable(), file.has_distances(), !file.is_quiet(), file.has_draws())
        };
        let files = self.files.with(&other.files, rank);
        let malom = self.malom.with(&other.malom, MalomFile::is_usable);
        let remote = self.remote.as_ref().or(other.remote.as_ref()).cloned();
        Self { remote, ..Self::new(self.game, files, malom) }
    }

    /// Returns this tablebase for a reader that must not block: a value that is not in memory is requested from the
    /// disk, and unknown until it arrives.
    #[must_use]
    pub fn without_waiting(&self) -> Self {
        Self { pending: Some(Arc::new(PendingReads::new(epoch()))), ..self.clone() }
    }

    /// Assumes that pages found in memory earlier have been evicted; no effect on a reader that blocks.
    pub fn look_again(&self) {
        if let Some(pending) = &self.pending {
            pending.look_again();
        }
    }

    /// Whether to read again, as a value has not yet arrived from the disk and `may_wait` permits it. Pauses first if so.
    ///
    /// * `pauses`: the number of pauses so far.
    pub fn read_again(&self, pauses: &mut u32, may_wait: impl FnOnce() -> bool) -> bool {
        self.pending.as_ref().is_some_and(|pending| pending.read_again(pauses, may_wait))
    }

    /// Returns this tablebase without its own damaged files, which are reported. Reads every file whole.
    #[must_use]
    pub fn checked(self, report: &mut dyn FnMut(FileError)) -> Self {
        let mut is_good = |file: &SectorFile| file.check().map_err(&mut *report).is_ok();
        let good = self.files.files.iter().filter(|(_, file)| is_good(file)).cloned();
        Self { files: Arc::new(good.collect()), ..self }
    }

    /// Returns the sectors whose files the values of a sector are read from, with or without distances: the sector, and
    /// those from which a value follows that its file leaves out.
    pub(super) fn read_for(&self, sector: Sector, has_distances: bool) -> Vec<Sector> {
        let mut read = vec![sector];
        let mut next = 0;
        while let Some(&sector) = read.get(next) {
            let follows = match self.file(sector) {
                // The distance of a win follows from those of losses, which are stored.
                file if has_distances => next == 0 && file.is_some_and(SectorFile::leaves_out_wins),
                file => file.is_none_or(SectorFile::is_quiet),
            };
            if follows {
                let mut others = self.game.leads_to(sector);
                others.retain(|other| !read.contains(other));
                read.extend(others);
            }
            next += 1;
        }
        read
    }

    /// Returns this tablebase with only the files that wins, draws and losses of a sector are read from, in memory, or
    /// `None` if one of them is unusable or they take too much memory.
    pub(super) fn in_memory_for(
        &self,
        sector: Sector,
        observer: &dyn SolveObserver,
    ) -> Result<Option<Self>, Stopped> {
        let read = self.read_for(sector, false).into_iter();
        let read: Vec<&SectorFile> = read.filter_map(|sector| self.file(sector)).collect();
        let bytes: u64 = read.iter().map(|file| file.sector().len() as u64).sum();
        if bytes > MOST_IN_MEMORY || !has_room_for(bytes as usize) {
            return Ok(None);
        }
        let identity = self.game.rules().identity();
        let in_memory = |file: &SectorFile| {
            let opened = SectorFile::open(file.path(), file.sector(), identity)?;
            let read = opened.into_memory(|| check(observer).map_err(SolveError::from))?;
            Ok((file.sector(), Arc::new(read)))
        };
        let files = match read.into_iter().map(in_memory).collect() {
            Ok(files) => Arc::new(files),
            Err(SolveError::Stopped(error)) => return Err(error),
            Err(_) => return Ok(None),
        };
        Ok(Some(Self { files, is_in_memory: true, ..self.clone() }))
    }

    /// Returns the damage, if any has been found, of a file that the values of a sector are read from.
    pub(super) fn damage_of(&self, sector: Sector, has_distances: bool) -> Option<FileError> {
        let mut read = self.read_for(sector, has_distances).into_iter();
        read.find_map(|sector| {
            let own = self.file(sector).filter(|file| !file.is_usable());
            own.map(SectorFile::damage).or_else(|| self.malom.get(sector)?.damage())
        })
    }

    /// Returns the damage found while reading; each file is reported once.
    pub fn take_damage(&self) -> Vec<FileError> {
        let malom = self.malom_files().filter_map(MalomFile::take_damage);
        self.files().filter_map(SectorFile::take_damage).chain(malom).collect()
    }

    /// Whether no file is known to be damaged.
    pub fn is_usable(&self) -> bool {
        self.files().all(SectorFile::is_usable) && self.malom_files().all(MalomFile::is_usable)
    }

    /// Reads up to `bytes` bytes of wins, draws and losses into the system's cache and checks them, in the
    /// order in which a game reaches them: most men in hand first, then most men on the board.
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

    /// Returns the file of a sector, if the tablebase has it.
    pub fn file(&self, sector: Sector) -> Option<&SectorFile> {
        let remote = || {
            let waits = self.pending.is_none();
            self.remote.as_ref()?.file(sector, self.game.rules().identity(), waits)
        };
        self.files.get(sector).or_else(remote)
    }

    /// Returns the files of Malom.
    pub fn malom_files(&self) -> impl Iterator<Item = &MalomFile> {
        self.malom.iter()
    }

    /// Returns the local files of the tablebase, except those of Malom.
    pub fn files(&self) -> impl Iterator<Item = &SectorFile> {
        self.files.iter()
    }

    /// Returns the order by which draws were solved: of the sectors of the moving phase that have files, or of
    /// those in Malom's list.
    pub fn draw_order(&self) -> &DrawOrder {
        &self.draw_order
    }
}

/// Files by their sectors.
pub struct Files<T> {
    files: Vec<(Sector, Arc<T>)>,
    /// By the place of a sector the number of its file plus 1, or 0 if there is none.
    numbers: Vec<u16>,
}

impl<T> FromIterator<(Sector, Arc<T>)> for Files<T> {
    /// Collects files of different sectors, and computes the orbits that probes look up.
    fn from_iter<I: IntoIterator<Item = (Sector, Arc<T>)>>(files: I) -> Self {
        let mut files: Vec<_> = files.into_iter().collect();
        files.sort_by_key(|(sector, _)| sector.place());
        let mut numbers = if files.is_empty() { Vec::new() } else { vec![0; Sector::PLACES] };
        for ((sector, _), number) in files.iter().zip(1..) {
            numbers[sector.place()] = number;
            let _ = [sector.own(), sector.opponent()].map(Orbits::of);
        }
        Self { files, numbers }
    }
}

impl<T> Files<T> {
    /// Whether there is no file.
    pub fn is_empty(&self) -> bool {
        self.files.is_empty()
    }

    /// Iterates over the files.
    pub fn iter(&self) -> impl Iterator<Item = &T> {
        self.files.iter().map(|(_, file)| &**file)
    }

    /// Returns the file of a sector.
    pub fn get(&self, sector: Sector) -> Option<&T> {
        self.shared(sector).map(Arc::as_ref)
    }

    fn shared(&self, sector: Sector) -> Option<&Arc<T>> {
        let number = usize::from(*self.numbers.get(sector.place())?);
        self.files.get(number.wrapping_sub(1)).map(|(_, file)| file)
    }

    /// Returns these files, with those of another tablebase that rank higher or are missing here.
    pub fn with<R: Ord>(&self, other: &Self, rank: impl Fn(&T) -> R) -> Self {
        let better = |(sector, file): &(Sector, Arc<T>)| {
            let other = other.shared(*sector).filter(|other| rank(other) > rank(file));
            (*sector, Arc::clone(other.unwrap_or(file)))
        };
        let is_lacking = |(sector, _): &&(Sector, Arc<T>)| self.get(*sector).is_none();
        let lacking = other.files.iter().filter(is_lacking).cloned();
        self.files.iter().map(better).chain(lacking).collect()
    }
}

/// Returns the sectors whose files are among the names in a folder, with their paths.
pub fn sector_files(
    folder: &Path,
    game: &Solvable,
    names: &HashSet<OsString>,
    name: impl Fn(Sector) -> String,
) -> Vec<(Sector, PathBuf)> {
    let sectors = game.sectors().into_iter().map(|sector| (sector, name(sector)));
    let there = sectors.filter(|(_, name)| names.contains(OsStr::new(name)));
    there.map(|(sector, name)| (sector, folder.join(name))).collect()
}

/// The most bytes of values that are read into memory for a comparison.
const MOST_IN_MEMORY: u64 = 4_000_000_000;

/// The number of files opened at a time: a disk serves several requests together sooner.
const OPENED_AT_A_TIME: usize = 8;

/// Opens the files of sectors, several at a time if the system can start threads. Unusable files are left out and
/// reported, unless they no longer exist.
pub fn open_files<F: Send>(
    paths: &[(Sector, PathBuf)],
    open: impl Fn(&Path, Sector) -> Result<F, FileError> + Sync,
    report: &mut dyn FnMut(FileError),
) -> Files<F> {
    allow_many_files();
    let open_share = |share: &[(Sector, PathBuf)]| {
        share.iter().map(|(sector, path)| open(path, *sector)).collect::<Vec<_>>()
    };
    let opened: Vec<Result<F, FileError>> = thread::scope(|scope| {
        let start = |share| {
            let (thread, open_share) = (thread::Builder::new(), &open_share);
            let thread = has_room().then(|| thread.spawn_scoped(scope, move || open_share(share)));
            (share, thread)
        };
        let share = paths.len().div_ceil(OPENED_AT_A_TIME).max(1);
        let threads: Vec<_> = paths.chunks(share).map(start).collect();
        let finished = threads.into_iter().flat_map(|(share, thread)| match thread {
            Some(Ok(thread)) => thread.join().expect("opening does not panic"),
            _ => open_share(share),
        });
        finished.collect()
    });
    let files = paths.iter().zip(opened).filter_map(|((sector, _), opened)| {
        let file = if_there(opened).map_err(&mut *report).ok()??;
        Some((*sector, Arc::new(file)))
    });
    files.collect()
}

/// Raises the system's limit of open files as far as needed and allowed: a tablebase has one file for each
/// sector.
fn allow_many_files() {
    #[cfg(unix)]
    {
        use nix::sys::resource::{Resource::RLIMIT_NOFILE, getrlimit, setrlimit};
        let raise = |(now, most)| setrlimit(RLIMIT_NOFILE, OPEN_FILES.min(most).max(now), most);
        let raised = getrlimit(RLIMIT_NOFILE).and_then(raise);
        raised.unwrap_or_else(|error| log::warn!("cannot raise the limit of open files: {error}"));
    }
}

/// More than the sectors of any game, with room for whatever else a program opens.
#[cfg(unix)]
const OPEN_FILES: u64 = 1 << 12;
