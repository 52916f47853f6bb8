//! The folder of a tablebase: where it is, what its files are called, and opening them.

use std::cmp::Reverse;
use std::fmt;
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
    folder.join(format!("{sector}.mill"))
}

/// A tablebase: the sector files that can be used.
pub struct Tablebase {
    files: Box<[Option<Arc<SectorFile>>; Sector::COUNT]>,
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
        Self { files: Box::new([const { None }; Sector::COUNT]), is_awaited: None }
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
        let mut tablebase = Self::default();
        let sectors: Vec<Sector> = Sector::all().collect();
        for (sector, opened) in open_files(folder, &sectors, identity) {
            match opened {
                Ok(file) => {
                    Orbits::prepare(sector.opponent());
                    tablebase.files[sector.ordinal()] = Some(Arc::new(file));
                }
                Err(error) if error.is_missing() => {}
                Err(error) => report(error),
            }
        }
        if tablebase.files().next().is_some() {
            Ok(tablebase)
        } else {
            Err(NoTablebase { folder: folder.to_owned() })
        }
    }

    /// This tablebase with every file of another one that it lacks, or that is better: without damage,
    /// or with distances.
    #[must_use]
    pub fn with(&self, other: &Self) -> Self {
        let mut files = self.files.clone();
        for (file, other) in files.iter_mut().zip(&*other.files) {
            let rank = |file: &Option<Arc<SectorFile>>| {
                file.as_ref().map(|file| (file.is_usable(), file.has_distances()))
            };
            if rank(other) > rank(file) {
                file.clone_from(other);
            }
        }
        Self { files, is_awaited: None }
    }

    /// This tablebase for a reader in a hurry: a value that has to come from the disk is asked for, and
    /// not known until it is there.
    #[must_use]
    pub fn without_waiting(&self) -> Self {
        Self { files: self.files.clone(), is_awaited: Some(AtomicBool::new(false)) }
    }

    /// Whether, since this was last asked, a value was not known because it has to come from the disk.
    #[must_use]
    pub fn take_awaited(&self) -> bool {
        self.is_awaited.as_ref().is_some_and(|is_awaited| is_awaited.swap(false, Relaxed))
    }

    /// This tablebase without damaged files, which are reported. Reads all files whole.
    #[must_use]
    pub fn checked(mut self, report: &mut dyn FnMut(FileError)) -> Self {
        for slot in self.files.iter_mut() {
            if let Some(Err(error)) = slot.as_ref().map(|file| file.check()) {
                report(error);
                *slot = None;
            }
        }
        self
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
    /// them: those with the most men first, as a game comes to them.
    ///
    /// # Errors
    ///
    /// When a file cannot be read.
    pub fn warm(&self, bytes: usize) -> Result<(), FileError> {
        let mut left = bytes;
        let mut files: Vec<&SectorFile> = self.files().collect();
        files.sort_by_key(|file| Reverse(file.sector().men()));
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
        self.files[sector.ordinal()].as_deref()
    }

    /// All files of the tablebase.
    pub fn files(&self) -> impl Iterator<Item = &SectorFile> {
        self.files.iter().flatten().map(Arc::as_ref)
    }

    /// Whether a position with all men placed is won, drawn or lost for the side with `own` men,
    /// which is to move; none if that is not known.
    #[inline]
    #[must_use]
    pub fn wdl(&self, own: SquareSet, opponent: SquareSet) -> Option<Wdl> {
        let (file, index) = self.find(own, opponent)?;
        file.wdl_if(index, self.on_disk())
    }

    /// The value of a position with all men placed for the side with `own` men, which is to move;
    /// none if the distance is not known.
    #[must_use]
    pub fn value(&self, own: SquareSet, opponent: SquareSet) -> Option<Value> {
        let (file, index) = self.find(own, opponent)?;
        file.value_if(index, self.on_disk())
    }

    #[inline]
    fn on_disk(&self) -> OnDisk<'_> {
        self.is_awaited.as_ref().map_or(OnDisk::Wait, OnDisk::Ask)
    }

    #[inline]
    fn find(&self, own: SquareSet, opponent: SquareSet) -> Option<(&SectorFile, usize)> {
        let sector = Sector::new(own.len() as usize, opponent.len() as usize)?;
        let file = self.file(sector)?;
        Some((file, sector.index_of(own, opponent)))
    }
}

/// Opens the files of some sectors, several at a time.
fn open_files(
    folder: &Path,
    sectors: &[Sector],
    identity: Identity,
) -> Vec<(Sector, Result<SectorFile, FileError>)> {
    let open = |&sector: &Sector| {
        (sector, SectorFile::open(&sector_path(folder, sector), sector, identity))
    };
    let share = sectors.len().div_ceil(OPENED_AT_A_TIME);
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
