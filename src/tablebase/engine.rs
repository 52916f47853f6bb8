//! The tablebase of an engine: the user's own, the opening book, and small sectors that the engine solves itself when
//! it first needs them.
//!
//! The book has the wins, draws and losses of the first plies. The book of Nine Men's Morris is built into the program:
//! `millstone db book` writes `book.bin`, which is read in place, without a copy. Books of other games are sector files
//! in the user's cache.

use std::collections::HashMap;
use std::error::Error;
use std::io::{self, ErrorKind::NotFound};
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock, Mutex};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use super::build::{Build, Scope};
use super::build_folder::{BuildError, make_folder};
use super::file::{self, FileError, Kept, SHIPPED, SectorFile, to_ship};
use super::folder::{Tablebase, cache_folder, default_folder, open_sector, sector_path};
use super::jobs::Distances;
use super::sector::{Sector, Solvable};
use super::solve::{Known, SolveError, SolveOptions, Unobserved, solve};
use crate::system::locks::lock;
use crate::system::memory::has_room;

/// The most men of both sides together in the small sectors.
pub const SMALL_MEN: usize = 7;

/// The time between checks whether another build is over.
const INTERVAL: Duration = Duration::from_millis(20);

/// The sources of an engine's tablebase, besides the small sectors.
#[derive(Clone, Copy, Debug)]
pub struct Sources<'a> {
    /// The game.
    pub game: Solvable,
    /// The folder of the user's own tablebase, or `None` for the default folder.
    pub folder: Option<&'a Path>,
    /// Whether to use the opening book.
    pub has_book: bool,
    /// Whether to use anything else: files of a folder and small sectors.
    pub has_files: bool,
}

/// The tablebase of an engine, opened when it is first needed.
#[derive(Default)]
pub struct EngineTablebase {
    opened: Option<Arc<Tablebase>>,
    /// Solves the small sectors in the background.
    solver: Option<JoinHandle<Result<(), BuildError>>>,
    /// The game whose small sectors were tried and must not be tried again.
    solver_done: Option<Solvable>,
}

impl EngineTablebase {
    /// Opens the tablebase unless it is open: the sources and the small sectors. Small sectors replace damaged
    /// files if possible, and those solved in the background are added.
    ///
    /// * `report`: takes the errors of files, and that of a named folder without a tablebase.
    pub fn open(
        &mut self,
        sources: Sources<'_>,
        report: &mut dyn FnMut(&dyn Error),
    ) -> Arc<Tablebase> {
        let game = sources.game;
        let is_solved = self.finish_solving();
        let opened = self.opened.take().filter(|opened| *opened.game() == game);
        let is_complete = opened.as_ref().is_some_and(|opened| {
            opened.take_damage().iter().for_each(|error| report(error));
            opened.is_usable() && !is_solved
        });
        let mut tablebase = opened.unwrap_or_else(|| Arc::new(open_sources(sources, report)));
        if sources.has_files && !is_complete {
            tablebase = Arc::new(tablebase.with(&open_small(game, report)));
        }
        Arc::clone(self.opened.insert(tablebase))
    }

    /// Closes the tablebase, so that it is opened anew when it is next needed.
    pub fn close(&mut self) {
        self.opened = None;
    }

    /// Whether the tablebase of a game is open.
    pub fn is_open(&self, game: &Solvable) -> bool {
        self.opened.as_ref().is_some_and(|opened| opened.game() == game)
    }

    /// Starts to solve the small sectors that the open tablebase lacks on another thread, unless that was tried
    /// before or memory is short. [`open`](Self::open) adds them.
    pub fn solve_small_in_background(&mut self) {
        let Some(opened) = &self.opened else { return };
        let is_done = self.solver_done == Some(*opened.game());
        let is_wanted = !is_done && self.solver.is_none() && !has_small(opened);
        if is_wanted && has_room() {
            self.solver_done = Some(*opened.game());
            self.solver = small_build(*opened.game()).and_then(start);
        }
    }

    /// Whether small sectors are being solved in the background.
    pub fn is_solving(&self) -> bool {
        self.solver.is_some()
    }

    /// Opens the tablebase as [`open`](Self::open) does, and solves missing small sectors before it returns,
    /// or waits while another program solves them; an error is reported.
    pub fn open_and_solve_small(
        &mut self,
        sources: Sources<'_>,
        report: &mut dyn FnMut(&dyn Error),
    ) -> Arc<Tablebase> {
        let opened = self.open(sources, report);
        if has_small(&opened) {
            return opened;
        }
        if let Some(Err(error)) = small_build(sources.game).map(|build| run_when_free(&build)) {
            report(&*error);
        }
        let tablebase = Arc::new(opened.with(&open_small(sources.game, report)));
        Arc::clone(self.opened.insert(tablebase))
    }

    /// Whether small sectors have been solved since the last call. If another program was solving them, they
    /// may be tried again; any other error is logged.
    fn finish_solving(&mut self) -> bool {
        let Some(thread) = self.solver.take_if(|thread| thread.is_finished()) else { return false };
        match thread.join().expect("solving does not panic") {
            Ok(()) => return true,
            Err(BuildError::Busy(_)) => self.solver_done = None,
            Err(error) => log::warn!("cannot solve small sectors: {error}"),
        }
        false
    }
}

/// Opens the tablebase of a folder, or of the default folder, which need not exist, with the book if it lacks the
/// opening.
///
/// A named folder serves all games, so it need not have files of this one, unless it is Nine Men's Morris.
fn open_sources(sources: Sources<'_>, report: &mut dyn FnMut(&dyn Error)) -> Tablebase {
    let Sources { game, folder, has_book, has_files } = sources;
    let is_standard = game == Solvable::STANDARD;
    let default = default_folder(&game).filter(|_| folder.is_none());
    let path = folder.or(default.as_deref()).filter(|_| has_files);
    let opened = path.map(|path| {
        Tablebase::open(path, game, &mut |error| {
            if is_standard || !error.is_of_another_game() {
                report(&error);
            }
        })
    });
    let opened = match opened {
        Some(Err(error)) if folder.is_some() && is_standard => {
            report(&error);
            Tablebase::empty(game)
        }
        Some(Ok(opened)) => opened,
        _ => Tablebase::empty(game),
    };
    let book = has_book.then(|| book_of(game, &mut |error| report(&error))).flatten();
    if let Some(book) = book { opened.with(&book) } else { opened }
}

/// Opens the small sectors in the user's cache, without damaged ones, so that they are solved again.
fn open_small(game: Solvable, report: &mut dyn FnMut(&dyn Error)) -> Tablebase {
    let Some(folder) = cache_folder(&game) else { return Tablebase::empty(game) };
    let report = &mut |error| report(&error);
    let small = Tablebase::open(&folder, game, report);
    small.unwrap_or_else(|_| Tablebase::empty(game)).checked(report)
}

/// Solves the small sectors of a game in memory, for programs without files.
///
/// # Errors
///
/// Those of [`solve()`].
pub fn solve_small(game: Solvable) -> Result<Tablebase, SolveError> {
    let identity = game.rules().identity();
    let shipped: Mutex<HashMap<Sector, &'static [u8]>> = Mutex::default();
    let open = |sector| {
        let bytes = lock(&shipped).get(&sector).copied().unwrap_or_default();
        let missing = || FileError::new(Path::new(SHIPPED), io::Error::from(NotFound));
        SectorFile::shipped(bytes, identity)?.pop().ok_or_else(missing)
    };
    let mut known = Known::new(game, &open);
    let options = SolveOptions { has_distances: true, scratch: None };
    for job in (Scope::UpTo { men: SMALL_MEN, in_hand: 0 }).jobs(game).jobs {
        for solved in solve(&game, job.name(), &mut known, options, &Unobserved)? {
            let bytes = to_ship(&solved, identity, Kept::Distances)?;
            lock(&shipped).insert(solved.sector, bytes.leak());
        }
    }
    let sectors: Vec<Sector> = lock(&shipped).keys().copied().collect();
    Ok(Tablebase::of(game, sectors.into_iter().map(open).collect::<Result<_, _>>()?))
}

fn has_small(tablebase: &Tablebase) -> bool {
    let is_there = |sector| tablebase.source_of(sector, |_| true).is_some();
    tablebase.game().moving().into_iter().filter(|sector| sector.men() <= SMALL_MEN).all(is_there)
}

/// Returns the build of the small sectors, or `None` if the system names no cache folder.
fn small_build(game: Solvable) -> Option<Build> {
    let folder = cache_folder(&game)?;
    Some(Build {
        game,
        folder,
        scope: Scope::UpTo { men: SMALL_MEN, in_hand: 0 },
        distances: Distances::default(),
        most_memory: None,
    })
}

/// Runs a build once no other build is running in the folder.
fn run_when_free(build: &Build) -> Result<(), Box<dyn Error>> {
    let pool = rayon::ThreadPoolBuilder::new().build()?;
    loop {
        match pool.install(|| build.run(&Unobserved)) {
            Err(BuildError::Busy(_)) => thread::sleep(INTERVAL),
            result => return Ok(result?),
        }
    }
}

/// Starts a build on one thread.
fn start(build: Build) -> Option<JoinHandle<Result<(), BuildError>>> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().ok()?;
    thread::Builder::new().spawn(move || pool.install(|| build.run(&Unobserved))).ok()
}

/// The number of plies that the book covers: it has all positions after at most so many placements.
pub const BOOK_PLIES: usize = 8;

/// Returns the built-in book, a tablebase of Nine Men's Morris.
pub fn book() -> &'static Arc<Tablebase> {
    static BOOK: LazyLock<Arc<Tablebase>> = LazyLock::new(|| {
        let book = Tablebase::from_book(include_bytes!("book.bin"));
        Arc::new(book.unwrap_or_else(|error| {
            log::error!("{error}");
            Tablebase::default()
        }))
    });
    &BOOK
}

/// Returns the folder of the book of a game, in the user's cache.
pub fn book_folder(game: &Solvable) -> Option<PathBuf> {
    Some(cache_folder(game)?.join("book"))
}

impl Tablebase {
    /// Reads a book of Nine Men's Morris.
    ///
    /// * `bytes`: the result of [`write_book`].
    ///
    /// # Errors
    ///
    /// When the bytes are anything else.
    pub fn from_book(bytes: &'static [u8]) -> Result<Self, FileError> {
        let game = Solvable::STANDARD;
        Ok(Self::of(game, SectorFile::shipped(bytes, game.rules().identity())?))
    }

    /// Whether the values of a sector come from the opening book.
    pub fn is_from_book(&self, sector: Sector) -> bool {
        let is_of_book = |path: &Path| {
            path == Path::new(SHIPPED) && sector.is_placing()
                || book_folder(self.game()).is_some_and(|folder| path.starts_with(folder))
        };
        self.source(sector, false).is_some_and(is_of_book)
    }
}

/// Returns the book of a game, or `None` if it is neither in the program nor in the user's cache.
fn book_of(game: Solvable, report: &mut dyn FnMut(FileError)) -> Option<Arc<Tablebase>> {
    if game == Solvable::STANDARD {
        return Some(Arc::clone(book()));
    }
    Tablebase::open(&book_folder(&game)?, game, report).ok().map(Arc::new)
}

/// Returns the bytes of the built-in book, made from a tablebase of Nine Men's Morris.
///
/// # Errors
///
/// When the tablebase lacks a sector of the first [`BOOK_PLIES`] plies, or its file is damaged.
pub fn write_book(tablebase: &Tablebase) -> Result<Vec<u8>, BuildError> {
    let mut bytes = Vec::new();
    let identity = tablebase.game().rules().identity();
    for file in files_of_book(tablebase)? {
        bytes.extend(to_ship(&file.load()?, identity, Kept::Wdl)?);
    }
    Ok(bytes)
}

/// Writes the book of a game to a folder, made from its tablebase. Returns its size in bytes.
///
/// # Errors
///
/// When the tablebase lacks a sector of the first [`BOOK_PLIES`] plies, its file is damaged, or the system
/// refuses to write.
pub fn write_book_files(tablebase: &Tablebase, folder: &Path) -> Result<u64, BuildError> {
    let (files, game) = (files_of_book(tablebase)?, tablebase.game());
    make_folder(folder)?;
    let mut bytes = 0;
    for file in files {
        let path = sector_path(folder, file.sector());
        file::write(&path, &file.load()?, game.rules().identity(), Kept::Wdl)?;
        bytes += open_sector(folder, game, file.sector())?.bytes() as u64;
    }
    Ok(bytes)
}

/// Returns the files of the sectors of the first plies.
fn files_of_book(tablebase: &Tablebase) -> Result<Vec<&SectorFile>, BuildError> {
    let game = tablebase.game();
    let sectors = game.placing().into_iter();
    let sectors = sectors.filter(|sector| game.men() - sector.men_in_hand() <= BOOK_PLIES);
    let missing = |sector| BuildError::Refused(format!("the tablebase lacks the sector {sector}"));
    let file = |sector| tablebase.file(sector).ok_or_else(|| missing(sector));
    sectors.map(file).collect()
}
