//! The files of a tablebase by their sectors, and opening many of them.

use std::collections::HashSet;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;

use super::file::FileError;
use super::sector::{Sector, Solvable};
use super::sets::Orbits;
use crate::system::memory::has_room;

/// Files by their sectors.
pub struct Files<T> {
    files: Vec<(Sector, Arc<T>)>,
    /// By the place of a sector one more than the number of its file, 0 if there is none.
    numbers: Vec<u16>,
}

impl<T> FromIterator<(Sector, Arc<T>)> for Files<T> {
    /// Files of different sectors; computes what probes of them look up.
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
    /// Whether there is none.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.files.is_empty()
    }

    /// All of them.
    pub fn iter(&self) -> impl Iterator<Item = &T> {
        self.files.iter().map(|(_, file)| &**file)
    }

    /// The file of a sector.
    #[inline]
    pub fn get(&self, sector: Sector) -> Option<&T> {
        self.shared(sector).map(Arc::as_ref)
    }

    #[inline]
    fn shared(&self, sector: Sector) -> Option<&Arc<T>> {
        let number = usize::from(*self.numbers.get(sector.place())?);
        self.files.get(number.wrapping_sub(1)).map(|(_, file)| file)
    }

    /// These files, those of another tablebase that are better, and those that these lack.
    pub fn with<R: Ord>(&self, other: &Self, rank: impl Fn(&T) -> R) -> Self {
        let better = |(sector, file): &(Sector, Arc<T>)| {
            let other = other.shared(*sector).filter(|other| rank(other) > rank(file));
            (*sector, Arc::clone(other.unwrap_or(file)))
        };
        let is_lacking = |(sector, _): &&(Sector, Arc<T>)| self.get(*sector).is_none();
        let lacking = other.files.iter().filter(is_lacking).cloned();
        self.files.iter().map(better).chain(lacking).collect()
    }

    /// Those of these files that are wanted.
    pub fn filtered(&self, mut is_wanted: impl FnMut(&T) -> bool) -> Self {
        self.files.iter().filter(|(_, file)| is_wanted(file)).cloned().collect()
    }
}

/// The paths of the files of sectors that are among the names in a folder.
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

/// How many files are opened at a time: a disk that is asked for several answers them sooner.
const OPENED_AT_A_TIME: usize = 8;

/// Opens the files of some sectors, several at a time, as many as the system starts threads for. Those that cannot be
/// used are left out and reported, unless they are gone by now.
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
    let mut reported = |error: FileError| {
        if !error.is_missing() {
            report(error);
        }
    };
    let file = |((sector, _), file): (&(Sector, PathBuf), Result<F, FileError>)| {
        Some((*sector, Arc::new(file.map_err(&mut reported).ok()?)))
    };
    paths.iter().zip(opened).filter_map(file).collect()
}

/// Raises the number of files that the system allows to be open at a time as far as it can be: a tablebase
/// is one for each sector.
fn allow_many_files() {
    #[cfg(unix)]
    {
        use nix::sys::resource::{Resource::RLIMIT_NOFILE, getrlimit, setrlimit};
        let raise = |(now, most)| setrlimit(RLIMIT_NOFILE, OPEN_FILES.min(most).max(now), most);
        let raised = getrlimit(RLIMIT_NOFILE).and_then(raise);
        raised.unwrap_or_else(|error| log::warn!("the limit of open files stays: {error}"));
    }
}

/// More than the sectors of a game, with room for whatever else a program opens.
#[cfg(unix)]
const OPEN_FILES: u64 = 1 << 12;
