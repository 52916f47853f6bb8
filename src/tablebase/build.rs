//! Building a tablebase: solving the sectors that a folder lacks.
//!
//! A build runs the jobs of a [`JobGraph`] one after the other: the moving phase first, by the number of men,
//! then the placing phase, from the last placement to the first. Each job reads its dependencies back from the
//! disk, so memory holds only one pair of sectors, its dependencies and, if there is room, the sectors solved
//! before, which are written meanwhile. Sectors with a file are not solved again: an interrupted build resumes
//! where it stopped, and writes the same bytes.
//!
//! A build may also be a task, a single job in a folder that several machines share. A task looks only at its
//! own files and its dependencies, and locks nothing: if two tasks solve the same job, both write the same bytes
//! under unique names and rename them.
//!
//! A [`DrawBuild`] computes from the sector files where draws come to rest, and adds that to them: first in the moving
//! phase, by the number of men, then with men in hand, from the last placement to the first.

use std::mem;
use std::path::{Path, PathBuf};

use rayon::prelude::*;

use super::build_folder::{
    BuildError, Result, check_disk, check_memory, check_whole, explain, has_room, lock_folder,
    make_folder, set_aside,
};
use super::file::{self, FileError, Flaw, Kept, SectorFile, add_draws};
use super::folder::{Tablebase, if_there, open_sector, sector_path};
use super::jobs::{Distances, Job, JobGraph, leaves_out_wins};
use super::sector::{Sector, Solvable, Solved};
use super::solve::draws::{self, can_be_ordered};
use super::solve::{
    Known, Recent, SolveError, SolveObserver, SolveOptions, Unobserved, check, has_conversions,
    has_kernel, scratch, solve,
};
use super::value::{DrawOrder, DrawOrderKind};

/// What to build, and where.
#[derive(Clone, Debug)]
pub struct Build {
    /// The game.
    pub game: Solvable,
    /// The folder of the sector files.
    pub folder: PathBuf,
    /// The sectors to solve.
    pub scope: Scope,
    /// The distances to keep.
    pub distances: Distances,
    /// The most memory to use, in bytes; a sector that would need more is solved with temporary files in the
    /// folder, which takes longer.
    pub most_memory: Option<u64>,
}

/// Which sectors to solve.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// All sectors up to some numbers of men, in a folder locked against other such builds.
    UpTo {
        /// The most men of both sides together, on the board and in hand.
        men: usize,
        /// The most men in hand of both sides together; 0 leaves out the placing phase.
        in_hand: usize,
    },
    /// One task: the job of a sector, in a folder shared with other tasks.
    Task(Sector),
}

impl Scope {
    /// Returns the jobs of the sectors of a game.
    pub fn jobs(self, game: Solvable) -> JobGraph {
        JobGraph::new(game, |sector| match self {
            Self::UpTo { men, in_hand } => sector.is_within(men, in_hand),
            Self::Task(task) => sector == task,
        })
    }
}

/// Follows the progress of a build.
pub trait BuildObserver: SolveObserver {
    /// The jobs of the build; called again when a file turns out damaged.
    fn start(&self, _jobs: &JobGraph) {}

    /// An unusable file was renamed to `name`; its sector is solved again.
    fn set_aside(&self, _error: &FileError, _name: &Path) {}

    /// A job begins.
    fn start_job(&self, _job: &Job) {}

    /// The files of these sectors are about to be written to the compact tablebase in `_folder`.
    fn start_compact(&self, _folder: &Path, _sectors: &[Sector]) {}

    /// A sector was solved and its file written.
    fn finish_sector(&self, _file: &SectorFile) {}

    /// A [`DrawBuild`] begins: the sectors to solve, and the most memory in bytes that one takes.
    fn start_draws(&self, _sectors: &[Sector], _memory: u64) {}

    /// The draws of a sector were solved and added to its file.
    fn finish_draws(&self, _file: &SectorFile) {}
}

impl BuildObserver for Unobserved {}

impl Build {
    /// Solves what is missing and writes it.
    ///
    /// # Errors
    ///
    /// When the folder has sector files of another game or format version or is a compact tablebase, another
    /// build is running there, memory or disk do not suffice, the system refuses to read or write, a task lacks
    /// sectors that it needs, or the observer stops it. Finished files stay.
    pub fn run(&self, observer: &dyn BuildObserver) -> Result {
        make_folder(&self.folder)?;
        let is_shared = matches!(self.scope, Scope::Task(_));
        let _lock = (!is_shared).then(|| lock_folder(&self.folder)).transpose()?;
        check_whole(&self.folder)?;
        loop {
            let work = self.missing(observer)?;
            work.check()?;
            observer.start(&work.graph);
            match work.run() {
                Err(BuildError::File(error)) => set_aside(&self.folder, error, observer)?,
                result => return result,
            }
        }
    }

    /// Returns the jobs of missing sectors, and sets unusable files aside.
    fn missing<'a>(&'a self, observer: &'a dyn BuildObserver) -> Result<Work<'a>> {
        let mut work = Work { build: self, graph: self.scope.jobs(self.game), observer };
        (work.graph.distances, work.graph.most_memory) = (self.distances, self.most_memory);
        for job in mem::take(&mut work.graph.jobs) {
            let mut is_there = true;
            for &sector in &job.sectors {
                check(observer)?;
                is_there &= work.is_there(sector, SectorFile::check)?;
            }
            if !is_there {
                work.graph.jobs.push(job);
            }
        }
        Ok(work)
    }

    fn open(&self, sector: Sector) -> Result<SectorFile, FileError> {
        open_sector(&self.folder, &self.game, sector)
    }

    /// Returns the file of a sector, if it has everything that the build asks for.
    fn find(&self, sector: Sector) -> Result<Option<SectorFile>, FileError> {
        match if_there(self.open(sector))? {
            Some(file) if file.is_quiet() => Err(FileError::new(file.path(), Flaw::Quiet)),
            file => Ok(file.filter(|file| file.has_distances() || !self.has_distances_of(sector))),
        }
    }

    fn has_distances_of(&self, sector: Sector) -> bool {
        self.distances.includes(&self.game, sector)
    }

    fn write(&self, solved: &Solved) -> Result {
        let path = sector_path(&self.folder, solved.sector);
        let identity = self.game.rules().identity();
        Ok(if !self.has_distances_of(solved.sector) {
            // Another task may have written a file with distances meanwhile.
            file::write_new(&path, solved, identity)
        } else if let Ok(file) = self.open(solved.sector) {
            file::add_distances(file, solved)
        } else {
            file::write(&path, solved, identity, Kept::Distances)
        }?)
    }
}

/// A build at work.
struct Work<'a> {
    build: &'a Build,
    /// The jobs of missing sectors.
    graph: JobGraph,
    observer: &'a dyn BuildObserver,
}

impl Work<'_> {
    fn run(&self) -> Result {
        let open = |sector| self.build.open(sector);
        let mut known = Known::new(self.graph.game, &open);
        let mut held = Vec::new();
        let solved = self.solve(&mut known, &mut held);
        drop(known);
        // Solved sectors are written even after an error.
        let written = self.write_missing(held);
        solved.and(written)?;
        self.leave_out_wins(&self.build.scope.jobs(self.graph.game).jobs, &[])
    }

    /// Solves all jobs. A model is trained on one thread, so sectors are held and written while the next job runs, if
    /// memory permits; those of the last job stay in `held`.
    fn solve<'k>(&'k self, known: &mut Known<'k>, held: &mut Vec<Solved>) -> Result {
        let (game, folder) = (&self.graph.game, &*self.build.folder);
        for (number, job) in self.graph.jobs.iter().enumerate() {
            self.make_ready(number, known, held)?;
            self.observer.start_job(job);
            let has_distances = self.build.has_distances_of(job.name());
            let scratch = self.graph.uses_scratch(job).then_some(folder);
            let options = SolveOptions { has_distances, scratch };
            let before = mem::take(held);
            let (written, solved) = rayon::join(
                || self.write_missing(before),
                || solve(game, job.name(), known, options, self.observer),
            );
            let solved = solved.map(|solved| *held = solved);
            written?;
            solved.map_err(|error| explain(error, game, folder))?;
            self.keep(held, known, &self.graph.jobs[number + 1..]);
        }
        Ok(())
    }

    /// Makes sure that the disk has room for a job and that the files it needs exist, with the needed distances.
    fn make_ready(&self, number: usize, known: &mut Known<'_>, held: &mut Vec<Solved>) -> Result {
        let Self { build, graph, .. } = self;
        let job = &graph.jobs[number];
        let scratch = if graph.uses_scratch(job) { scratch(&graph.game, job.name()) } else { 0 };
        let to_write = if held.is_empty() { 0 } else { graph.disk_of(&graph.jobs[number - 1]) };
        let disk = graph.disk_of(job) + scratch + to_write;
        if check_disk(&build.folder, disk).is_err() {
            known.recent.clear();
        }
        check_disk(&build.folder, disk)?;
        let has_distances = build.has_distances_of(job.name());
        let leaves_out_wins = |sector: &Sector| {
            has_distances && build.open(*sector).is_ok_and(|file| file.leaves_out_wins())
        };
        let lacking: Vec<Sector> = job.needs.iter().copied().filter(leaves_out_wins).collect();
        // Removals by a blocked side are looked up in files.
        let reads_kept =
            has_kernel(&graph.game, job.name()) && !graph.game.rules().stalemate_action.removes();
        let reads_file_of = |solved: &Solved| {
            let has_values =
                |kept: &Recent| kept.sector == solved.sector && kept.has_distances == has_distances;
            let is_kept = reads_kept && known.recent.iter().any(has_values);
            job.needs.contains(&solved.sector) && !is_kept
        };
        let is_file_needed = !lacking.is_empty() || held.iter().any(reads_file_of);
        if is_file_needed || !self.may_hold(held, job) {
            self.write_missing(mem::take(held))?;
        }
        // Some systems cannot replace an open file.
        known.close();
        // The job before the last one may have been written only now.
        let last_two = &graph.jobs[number.saturating_sub(2)..number];
        self.leave_out_wins(last_two, &graph.jobs[number..])?;
        lacking.into_iter().try_for_each(|sector| self.restore_wins(sector))
    }

    /// Whether solved sectors may stay in memory while the next job runs: together they take no more memory than
    /// the largest job.
    fn may_hold(&self, held: &[Solved], job: &Job) -> bool {
        let bytes: u64 = held.iter().map(|solved| solved.sector.len() as u64).sum();
        let most = self.graph.memory().map_or(0, |(_, bytes)| bytes);
        // The memory of a job solved by placements alone includes a sector of that size being written.
        self.graph.most_memory.is_none()
            && (has_conversions(&self.graph.game, job.name())
                || self.graph.memory_of(job) + bytes <= most)
    }

    /// Keeps the values of solved sectors that kernels of later jobs read, if the disk has room besides all files.
    /// Otherwise the kernels read files.
    fn keep(&self, solved: &[Solved], known: &mut Known<'_>, later: &[Job]) {
        let Self { build, graph, .. } = self;
        let is_needed = |sector: Sector, has_distances: bool| {
            later.iter().any(|job| {
                build.has_distances_of(job.name()) == has_distances
                    && job.needs.contains(&sector)
                    && has_kernel(&graph.game, job.name())
            })
        };
        known.recent.retain(|kept| is_needed(kept.sector, kept.has_distances));
        for solved in solved {
            for has_distances in [false, true] {
                let bytes = graph.disk() + Recent::bytes(solved.sector, has_distances);
                if is_needed(solved.sector, has_distances) && has_room(&build.folder, bytes) {
                    match Recent::new(solved, has_distances, &build.folder) {
                        Ok(kept) => known.recent.push(kept),
                        Err(error) => {
                            log::warn!("{}: cannot keep values: {error}", build.folder.display());
                            return known.recent.clear();
                        }
                    }
                }
            }
        }
    }

    /// Writes solved sectors unless their files exist by now.
    fn write_missing(&self, solved: Vec<Solved>) -> Result {
        let write = |solved: &Solved| match self.build.find(solved.sector)? {
            Some(_) => Ok(None),
            None => self.build.write(solved).map(|()| Some(solved.sector)),
        };
        let written: Vec<Result<_>> = solved.par_iter().map(write).collect();
        drop(solved);
        for sector in written {
            if let Some(sector) = sector? {
                self.observer.finish_sector(&self.build.open(sector)?);
            }
        }
        Ok(())
    }

    /// Adds the distances of wins to a file that leaves them out, for a job that needs them.
    fn restore_wins(&self, sector: Sector) -> Result {
        let Self { build, graph, observer } = self;
        let file = build.open(sector)?;
        for needed in graph.game.leads_to(sector) {
            match (build.open(needed), build.scope) {
                (Err(error), Scope::Task(task)) if error.is_missing() => {
                    return Err(BuildError::Lacking(task, needed.to_string()));
                }
                (opened, _) => drop(opened?),
            }
        }
        // Wins of a side that plays on follow from more files.
        let mut reports: Vec<FileError> = Vec::new();
        let tablebase =
            Tablebase::open(&build.folder, graph.game, &mut |report| reports.push(report))?;
        // A file that could not be opened looks as if it were missing.
        let told = |error: BuildError| match error {
            BuildError::File(error) => {
                let report = reports.into_iter().find(|report| report.path() == error.path());
                report.or_else(|| tablebase.take_damage().pop()).unwrap_or(error).into()
            }
            error => error,
        };
        let check = || Ok::<(), BuildError>(check(*observer)?);
        let solved = tablebase.load_unless(&file, &[], check).map_err(told)?;
        drop(tablebase);
        Ok(file::write_wins(file, Some(&solved))?)
    }

    /// Rewrites files without the distances of wins once no job needs those. Tasks leave that to a final build, since
    /// other tasks may be reading the files.
    ///
    /// A file that cannot be replaced, for instance because a program uses it, stays as it is.
    ///
    /// * `last`: the only jobs whose sectors and needs are considered.
    /// * `later`: the jobs still to come.
    fn leave_out_wins(&self, last: &[Job], later: &[Job]) -> Result {
        let build = self.build;
        let Scope::UpTo { .. } = build.scope else { return Ok(()) };
        let is_needed = |sector: Sector| {
            let mut jobs = later.iter().filter(|job| build.has_distances_of(job.name()));
            jobs.any(|job| job.needs.contains(&sector))
        };
        for &sector in last.iter().flat_map(|job| job.sectors.iter().chain(&job.needs)) {
            if leaves_out_wins(&build.game, sector)
                && !is_needed(sector)
                && let Ok(file) = build.open(sector)
                && file.has_distances()
                && !file.leaves_out_wins()
            {
                check(self.observer)?;
                match file::write_wins(file, None) {
                    Err(error) if error.is_of_system() => log::warn!("{error}"),
                    written => written?,
                }
            }
        }
        Ok(())
    }

    /// Whether a sector has a file with everything that the build asks for, which passes a check; an unusable file is
    /// set aside.
    fn is_there(
        &self,
        sector: Sector,
        check: impl Fn(&SectorFile) -> Result<(), FileError>,
    ) -> Result<bool> {
        let found = self.build.find(sector).and_then(|file| file.as_ref().map(check).transpose());
        match found {
            Ok(found) => Ok(found.is_some()),
            Err(error) => set_aside(&self.build.folder, error, self.observer).map(|()| false),
        }
    }

    /// Checks that memory and disk suffice, and that a task has the sectors that it needs.
    fn check(&self) -> Result {
        let graph = &self.graph;
        if let Some((job, needed)) = graph.memory() {
            let sector = job.name();
            let way_out = match sector.men() {
                _ if sector.is_placing() => "; --moving leaves it out".to_owned(),
                men if men == 2 * usize::from(graph.game.rules().least_men) => String::new(),
                men => format!("; --max-men {} leaves it out", men - 1),
            };
            check_memory(sector, needed, graph.most_memory, &way_out)?;
        }
        check_disk(&self.build.folder, graph.disk())?;
        let Scope::Task(sector) = self.build.scope else { return Ok(()) };
        let mut lacking = Vec::new();
        for &needed in graph.jobs.iter().flat_map(|job| &job.needs) {
            // Damage shows later, when it is read.
            if !self.is_there(needed, |_| Ok(()))? {
                lacking.push(needed.to_string());
            }
        }
        if !lacking.is_empty() {
            return Err(BuildError::Lacking(sector, lacking.join(", ")));
        }
        Ok(())
    }
}

/// A build of where draws come to rest.
#[derive(Clone, Debug)]
pub struct DrawBuild {
    /// The game.
    pub game: Solvable,
    /// The folder of the sector files.
    pub folder: PathBuf,
    /// The most men of both sides together, on the board and in hand, of the sectors to solve.
    pub most_men: usize,
    /// The most men in hand of both sides together; 0 leaves out the placing phase.
    pub most_in_hand: usize,
    /// Which sectors a side prefers.
    pub order: DrawOrderKind,
}

impl DrawBuild {
    /// Solves what is missing and writes it; replaces draws that were solved by another order.
    ///
    /// # Errors
    ///
    /// When the rules are not simple enough, the folder is a compact tablebase, a sector file is missing or
    /// damaged, another build is running in the folder, the system refuses to read or write, or the observer
    /// stops it.
    pub fn run(&self, observer: &dyn BuildObserver) -> Result {
        if !can_be_ordered(&self.game) {
            let message = "draws are ordered only in games with fewer than 12 men a side, in which no man moves \
                           before all are placed, mills earn only removals from the board, nothing else \
                           captures, and a side that cannot move loses";
            return Err(BuildError::Refused(message.to_owned()));
        }
        let _lock = lock_folder(&self.folder)?;
        check_whole(&self.folder)?;
        let open = |sector| open_sector(&self.folder, &self.game, sector);
        let statistics = |sector| Some(*open(sector).ok()?.statistics());
        let order = &DrawOrder::new(&self.game, self.order, statistics);
        let is_ordered =
            |sector| open(sector).is_ok_and(|file| file.draw_order_kind() == Some(self.order));
        let mut missing = self.game.sectors();
        missing.retain(|&sector| {
            sector.is_within(self.most_men, self.most_in_hand) && !is_ordered(sector)
        });
        let memory = missing.iter().map(|&sector| draws::memory(&self.game, sector)).max();
        observer.start_draws(&missing, memory.unwrap_or_default());
        let mut known = Known::new(self.game, &open);
        known.observer = observer;
        // A sector may have been solved with its reply.
        for sector in missing.into_iter().filter(|&sector| !is_ordered(sector)) {
            let solved = draws::solve(&known, order, sector).map_err(|error| match error {
                SolveError::File(error) if error.is_missing() => {
                    let sector = error.path().file_stem().unwrap_or_default().display();
                    BuildError::Refused(format!("the sector {sector} or its draws are missing"))
                }
                error => explain(error, &self.game, &self.folder),
            })?;
            // Some systems cannot replace an open file.
            known.close();
            for solved in solved {
                add_draws(open(solved.sector)?, &solved, order)?;
                observer.finish_draws(&open(solved.sector)?);
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::rules::RuleSet;

    struct Stops;

    impl SolveObserver for Stops {
        fn should_stop(&self) -> bool {
            true
        }
    }

    impl BuildObserver for Stops {}

    fn at_work<'a>(build: &'a Build, observer: &'a dyn BuildObserver) -> Work<'a> {
        Work { build, graph: build.scope.jobs(build.game), observer }
    }

    #[test]
    fn distances_of_wins_are_restored_unless_that_is_stopped() {
        // After the last placement the same side may move: its wins follow from files further on.
        let plays_on = RuleSet { men: 4, defender_moves_first: true, ..RuleSet::default() };
        for (rules, men, hands) in
            [(RuleSet::default(), [4, 3], [0, 0]), (plays_on, [3, 3], [1, 0])]
        {
            let folder = tempfile::tempdir().unwrap();
            let sector = Sector::with_hands(men, hands).unwrap();
            let build = Build {
                game: Solvable::of(&rules).unwrap(),
                folder: folder.path().to_owned(),
                scope: Scope::UpTo { men: 7 + hands[0], in_hand: hands[0] },
                distances: Distances::All,
                most_memory: None,
            };
            build.run(&Unobserved).unwrap();
            let leaves_out_wins = || build.open(sector).unwrap().leaves_out_wins();
            let stopped = at_work(&build, &Stops).restore_wins(sector);
            assert!(matches!(stopped, Err(BuildError::Stopped(_))) && leaves_out_wins());
            at_work(&build, &Unobserved).restore_wins(sector).unwrap();
            assert!(!leaves_out_wins());
        }
    }

    #[test]
    fn damage_of_a_file_from_which_wins_follow_further_on_is_named() {
        let rules = RuleSet { men: 4, defender_moves_first: true, ..RuleSet::default() };
        let folder = tempfile::tempdir().unwrap();
        let build = Build {
            game: Solvable::of(&rules).unwrap(),
            folder: folder.path().to_owned(),
            scope: Scope::UpTo { men: 8, in_hand: 1 },
            distances: Distances::All,
            most_memory: None,
        };
        build.run(&Unobserved).unwrap();
        let damaged = sector_path(folder.path(), Sector::new(3, 4).unwrap());
        let mut bytes = fs::read(&damaged).unwrap();
        bytes[4096..].iter_mut().step_by(1000).for_each(|byte| *byte ^= 1);
        fs::write(&damaged, bytes).unwrap();
        let sector = Sector::with_hands([3, 3], [1, 0]).unwrap();
        let error = at_work(&build, &Unobserved).restore_wins(sector).unwrap_err();
        assert!(error.to_string().contains("3-4.mill: damaged"), "{error}");
    }
}
