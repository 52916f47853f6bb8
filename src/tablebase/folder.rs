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

use super::file::{FileError, OnDisk, SectorFile, VERSION};
use super::orbits::Orbits;
use super::sector::Sector;
use super::value::{Value, Wdl};
use crate::board::SquareSet;
use crate::build_info::NAME;
use crate::rules::Identity;

/// The default tablebase folder, in the user's folder for data.
#[must_use]
pub fn default_folder() -> Option<PathBuf> {
    dirs::data_local_dir().map(below)
}

/// The folder of the small sectors that programs solve for themselves, in the user's cache, one for
/// each version of the file format.
#[must_use]
pub fn cache_folder() -> Option<PathBuf> {
    dirs::cache_dir().map(|cache| below(cache).join(format!("v{VERSION}")))
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

/// A tablebase: the sector files that can be used.
pub struct Tablebase {
    /// By the places of their sectors.
    files: Arc<[Option<Arc<SectorFile>>]>,
    /// Whether a value was not given because it has to come from the disk; none if values are waited
    /// for.
    is_awaited: Option<AtomicBool>,
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
    /// A tablebase without any sector.
    fn default() -> Self {
        Self { files: std::iter::repeat_n(None, Sector::PLACES).collect(), is_awaited: None }
    }
}

impl Tablebase {
    /// Opens the sector files of a game in a folder. Those that cannot be used are reported and left
    /// out.
    ///
    /// # Errors
    ///
    /// When there is none that can be used.
    pub fn open(
        folder: &Path,
        identity: Identity,
        report: &mut dyn FnMut(FileError),
    ) -> Result<Self, NoTablebase> {
        allow_many_files();
        let mut files = vec![None; Sector::PLACES];
        let names: HashSet<OsString> = fs::read_dir(folder)
            .into_iter()
            .flatten()
            .filter_map(|entry| Some(entry.ok()?.file_name()))
            .collect();
        let is_named = |sector: &Sector| names.contains(&*file_name(*sector));
        let sectors: Vec<Sector> =
            Sector::all().chain(Sector::all_of_placing()).filter(is_named).collect();
        for (sector, opened) in open_files(folder, &sectors, identity) {
            match opened {
                Ok(file) => {
                    Orbits::prepare(sector.opponent());
                    files[sector.place()] = Some(Arc::new(file));
                }
                Err(error) if error.is_missing() => {}
                Err(error) => report(error),
            }
        }
        if files.iter().any(Option::is_some) {
            Ok(Self { files: files.into(), is_awaited: None })
        } else {
            Err(NoTablebase { folder: folder.to_owned() })
        }
    }

    /// This tablebase with every file of another one that it lacks, or that is better: without damage,
    /// or with distances.
    #[must_use]
    pub fn with(&self, other: &Self) -> Self {
        let mut files = self.files.to_vec();
        for (file, other) in files.iter_mut().zip(&*other.files) {
            let rank = |file: &Option<Arc<SectorFile>>| {
                file.as_ref().map(|file| (file.is_usable(), file.has_distances()))
            };
            if rank(other) > rank(file) {
                file.clone_from(other);
            }
        }
        Self { files: files.into(), is_awaited: None }
    }

    /// This tablebase for a reader in a hurry: a value that has to come from the disk is asked for, and
    /// not known until it is there.
    #[must_use]
    pub fn without_waiting(&self) -> Self {
        Self { files: Arc::clone(&self.files), is_awaited: Some(AtomicBool::new(false)) }
    }

    /// Whether, since this was last asked, a value was not known because it has to come from the disk.
    #[must_use]
    pub fn take_awaited(&self) -> bool {
        self.is_awaited.as_ref().is_some_and(|is_awaited| is_awaited.swap(false, Relaxed))
    }

    /// This tablebase without damaged files, which are reported. Reads all files whole.
    #[must_use]
    pub fn checked(self, report: &mut dyn FnMut(FileError)) -> Self {
        let mut files = self.files.to_vec();
        for slot in &mut files {
            if let Some(Err(error)) = slot.as_ref().map(|file| file.check()) {
                report(error);
                *slot = None;
            }
        }
        Self { files: files.into(), is_awaited: None }
    }

    /// The damage that was found while reading, each file reported once.
    #[must_use]
    pub fn take_damage(&self) -> Vec<FileError> {
        self.files().filter_map(SectorFile::take_damage).collect()
    }

    /// Whether no file is known to be damaged.
    #[must_use]
    pub fn is_usable(&self) -> bool {
        self.files().all(SectorFile::is_usable)
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
        self.files[sector.place()].as_deref()
    }

    /// All files of the tablebase.
    pub fn files(&self) -> impl Iterator<Item = &SectorFile> {
        self.files.iter().flatten().map(Arc::as_ref)
    }

    /// Whether a position of a sector is won, drawn or lost for the side with `own` men, which is to move;
    /// none if that is not known.
    #[inline]
    #[must_use]
    pub fn wdl(&self, sector: Sector, own: SquareSet, opponent: SquareSet) -> Option<Wdl> {
        self.file(sector)?.wdl_if(sector.index_of(own, opponent), self.on_disk())
    }

    /// The value of a position of a sector for the side with `own` men, which is to move; none if the
    /// distance is not known.
    #[must_use]
    pub fn value(&self, sector: Sector, own: SquareSet, opponent: SquareSet) -> Option<Value> {
        self.file(sector)?.value_if(sector.index_of(own, opponent), self.on_disk())
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
) -> Vec<(Sector, Result<SectorFile, FileError>)> {
    let open = |&sector: &Sector| {
        (sector, SectorFile::open(&sector_path(folder, sector), sector, identity))
    };
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
