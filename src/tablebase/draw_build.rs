//! Putting the draws of a tablebase in order: solving where draws come to rest, which the files of a folder lack.
//!
//! It follows from the sector files, and is added to them: to those of the moving phase in the order of men, then to
//! those with men in hand, from the last placements to the first.

use std::path::PathBuf;

use super::build::BuildObserver;
use super::build_folder::{BuildError, check_whole, explain, lock_folder};
use super::draw_value::{DrawOrder, DrawOrderKind};
use super::file::add_draws;
use super::folder::open_sector;
use super::sector::{Sector, Solvable};
use super::solve::draws::{self, can_be_ordered};
use super::solve::{Known, SolveError};

/// Which draws to put in order, and where.
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
    /// Solves what is missing and writes it; draws that were solved by another order are replaced.
    ///
    /// # Errors
    ///
    /// When the rules are not simple enough, the folder is a compact tablebase, a sector file is missing or
    /// damaged, another build is running in the folder, the system refuses to read or write, or the observer
    /// stops it.
    pub fn run(&self, observer: &dyn BuildObserver) -> Result<(), BuildError> {
        if !can_be_ordered(&self.game) {
            let message = "draws are put in order only where moves earn nothing but removals from mills \
                           and a side that cannot move has lost";
            return Err(BuildError::Refused(message.to_owned()));
        }
        let _lock = lock_folder(&self.folder)?;
        check_whole(&self.folder)?;
        let open = |sector| open_sector(&self.folder, &self.game, sector);
        let statistics = |sector| Some(*open(sector).ok()?.statistics());
        let order = &DrawOrder::new(&self.game, self.order, statistics);
        let is_wanted = |sector: &Sector| sector.is_within(self.most_men, self.most_in_hand);
        let is_ordered =
            |sector| open(sector).is_ok_and(|file| file.draw_order_kind() == Some(self.order));
        let mut missing: Vec<Sector> = self.game.sectors().into_iter().filter(is_wanted).collect();
        missing.retain(|&sector| !is_ordered(sector));
        let memory = missing.iter().map(|&sector| draws::memory(&self.game, sector)).max();
        observer.start_draws(&missing, memory.unwrap_or_default());
        let mut known = Known::new(self.game, &open);
        known.observer = observer;
        for sector in missing {
            if is_ordered(sector) {
                continue;
            }
            let solved = draws::solve(&known, order, sector).map_err(|error| match error {
                SolveError::Unusable(sector) => match open(sector) {
                    Err(error) if !error.is_missing() => error.into(),
                    _ => {
                        BuildError::Refused(format!("the sector {sector} or its draws are missing"))
                    }
                },
                error => explain(error, &self.game, &self.folder),
            })?;
            // Some systems replace no file that is open.
            known.close();
            for solved in solved {
                add_draws(open(solved.sector)?, &solved, order)?;
                observer.finish_draws(&open(solved.sector)?);
            }
        }
        Ok(())
    }
}
