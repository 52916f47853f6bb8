//! The files of a tablebase by their sectors, and opening many of them.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;

use super::file::FileError;
use super::sector::Sector;
use crate::system::memory::has_room;

/// Files by their sectors.
pub struct Files<T> {
    files: Vec<(Sector, Arc<T>)>,
    /// By the place of a sector one more than the number of its file, 0 if there is none.
    numbers: Vec<u16>,
}

impl<T> Files<T> {
    /// Files of different sectors, given the sector of each.
    pub fn of(files: Vec<T>, sector: impl Fn(&T) -> Sector) -> Self {
        Self::new(files.into_iter().map(|file| (sector(&file), Arc::new(file))).collect())
    }

    fn new(mut files: Vec<(Sector, Arc<T>)>) -> Self {
        files.sort_by_key(|(sector, _)| sector.place());
        let mut numbers = if files.is_empty() { Vec::new() } else { vec![0; Sector::PLACES] };
        for ((sector, _), number) in files.iter().zip(1..) {
            numbers[sector.place()] = number;
        }
        Self { files, numbers }
    }

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
        let mut files = self.files.clone();
        for (sector, file) in &mut files {
            let other = other.shared(*sector);
            if let Some(other) = other.filter(|other| rank(other) > rank(file)) {
                file.clone_from(other);
            }
        }
        let is_lacking = |(sector, _): &&(Sector, Arc<T>)| self.get(*sector).is_none();
        files.extend(other.files.iter().filter(is_lacking).cloned());
        Self::new(files)
    }

    /// Those of these files that are wanted.
    pub fn filtered(&self, mut is_wanted: impl FnMut(&T) -> bool) -> Self {
        Self::new(self.files.iter().filter(|(_, file)| is_wanted(file)).cloned().collect())
    }
}

/// How many files are opened at a time: a disk that is asked for several answers them sooner.
const OPENED_AT_A_TIME: usize = 8;

/// Opens the files of some sectors, several at a time. Those that cannot be used are reported and left out.
pub fn open_files<F: Send>(
    paths: &[(Sector, PathBuf)],
    open: impl Fn(&Path, Sector) -> Result<F, FileError> + Sync,
    report: &mut dyn FnMut(FileError),
) -> Vec<F> {
    allow_many_files();
    let open = |(sector, path): &(Sector, PathBuf)| open(path, *sector);
    let mut files = Vec::new();
    for opened in several_at_a_time(paths, open) {
        match opened {
            Ok(file) => files.push(file),
            Err(error) if error.is_missing() => {}
            Err(error) => report(error),
        }
    }
    files
}

/// Opens several things at a time, as many as the system starts threads for.
pub fn several_at_a_time<P: Sync, O: Send>(things: &[P], open: impl Fn(&P) -> O + Sync) -> Vec<O> {
    let open_share = |share: &[P]| share.iter().map(&open).collect::<Vec<_>>();
    thread::scope(|scope| {
        let start = |share| {
            let open_share = &open_share;
            let thread = || thread::Builder::new().spawn_scoped(scope, move || open_share(share));
            if has_room() { thread().map_err(|_| share) } else { Err(share) }
        };
        let share = things.len().div_ceil(OPENED_AT_A_TIME).max(1);
        let threads: Vec<_> = things.chunks(share).map(start).collect();
        let finish = |thread: Result<thread::ScopedJoinHandle<'_, _>, _>| match thread {
            Ok(thread) => thread.join().expect("opening does not panic"),
            Err(share) => open_share(share),
        };
        threads.into_iter().flat_map(finish).collect()
    })
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
