//! Tablebase probes in the tree, and variations that need no search.

use std::cell::RefCell;
use std::ops::Range;
use std::thread;

use super::features::Features;
use super::known_root::{Class, KnownMove, KnownRoot};
use super::limits::Limits;
use super::observer::{Observer, Progress, Variation};
use super::parameters::{DISK_PAUSE, MOST_DISK_PAUSES};
use super::tt::Bound;
use super::worker::{Root, Worker};
use crate::board::Side;
use crate::position::Move;
use crate::rules::{DrawRules, Rules};
use crate::score::Score;
use crate::tablebase::{Tablebase, Wdl};

impl<R: Rules, F: Features> Worker<'_, R, F> {
    /// The score of the position, if the tablebase has it.
    ///
    /// A win or a loss ends the line, and so does a draw, but with the estimate of the position: it lies
    /// between a loss and a win, and leads the placing phase to draws that are easier to win.
    ///
    /// The distance of a win takes more work to read than the win itself, so the score of a win is
    /// one of unknown length, below every mate that the search finds.
    ///
    /// A search on the clock does not wait for values that have to come from the disk; another one does,
    /// so that it is the same each time with one thread.
    #[inline]
    pub(super) fn probe_tablebase(&mut self) -> Option<Score> {
        let tablebase = self.tablebase?;
        let mut score = self.tablebase_score(tablebase);
        let mut pauses = 0..MOST_DISK_PAUSES;
        while score.is_none()
            && tablebase.take_awaited()
            && !self.is_in_a_hurry()
            && pauses.next().is_some()
        {
            thread::sleep(DISK_PAUSE);
            score = self.tablebase_score(tablebase);
        }
        let score = score?;
        // Where the system does not tell what is in memory, a probe may take long.
        self.poll_next();
        self.tablebase_hits += 1;
        if score == Score::CURSED_WIN || score == -Score::CURSED_WIN {
            self.rests_on = self.last_irreversible();
        }
        Some(score)
    }

    /// The score of the position, if the tablebase has it in memory.
    #[inline]
    fn tablebase_score(&self, tablebase: &Tablebase) -> Option<Score> {
        let wdl = tablebase.probe_wdl(&self.position)?;
        if let Some(winner) = self.winner {
            return self.score_for_winner(tablebase, wdl, winner);
        }
        Some(match wdl {
            Wdl::Win => self.tablebase_win(tablebase)?,
            Wdl::Draw => self.estimate(),
            Wdl::Loss => -self.tablebase_win(tablebase)?,
        })
    }

    /// The score of the position after a root that is won while men are placed: where the win is kept a mate,
    /// if the tablebase has its distance and the n-move rule leaves the time, and nothing that ends the
    /// line, if it has no distance. Whatever gives the win away is as bad as an estimate can be.
    fn score_for_winner(&self, tablebase: &Tablebase, wdl: Wdl, winner: Side) -> Option<Score> {
        let is_winner = self.position.to_move() == winner;
        let kept = if is_winner { Wdl::Win } else { Wdl::Loss };
        let score = if wdl == kept {
            let turns = u16::from(tablebase.probe_value(&self.position)?.turns()?);
            let is_in_time = turns < self.draw_rules.first_limit();
            let mate = Score::mate_in(self.turns + turns);
            if is_in_time { mate } else { Score::TABLEBASE_WIN }
        } else {
            Score::estimate(i32::MIN)
        };
        Some(if is_winner { score } else { -score })
    }

    /// The score of a decided position for the side that wins; none where a search has to find the
    /// win, because the tablebase has no distances.
    ///
    /// Right after a placement or removal the usual n-move rule leaves 100 plies, which nearly
    /// always is enough to the next removal. The distance is read only where slides have been played
    /// or the rule is stricter. A win that it may overtake has a lower score.
    #[inline]
    fn tablebase_win(&self, tablebase: &Tablebase) -> Option<Score> {
        let quiet_plies = self.position.quiet_plies();
        let plies_left = self.draw_rules.first_limit().saturating_sub(quiet_plies);
        if quiet_plies == 0 && plies_left >= DrawRules::default().first_limit() {
            return Some(Score::TABLEBASE_WIN);
        }
        let is_in_time = tablebase.ends_before(&self.position, plies_left)?;
        Some(if is_in_time { Score::TABLEBASE_WIN } else { Score::CURSED_WIN })
    }
}

/// The variations of some known moves by the tablebase alone, by their places among the known moves: the
/// score, the move, and the play that follows where one side wins. Each is reported.
///
/// They end early where time is up or the tablebase lacks a value on the way.
pub(super) fn known_variations<R: Rules>(
    root: Root<'_, R>,
    known: &KnownRoot,
    places: Range<usize>,
    observer: &mut dyn Observer,
) -> Vec<Variation> {
    let Some(tablebase) = root.tablebase else { return Vec::new() };
    let hits = known.moves().len() as u64;
    let mut variations = Vec::new();
    for (index, known) in known.moves().iter().enumerate().take(places.end).skip(places.start) {
        let pv = pv(tablebase, root, known, observer);
        let score = known.score();
        observer.progress(&Progress {
            depth: DEPTH,
            selective_depth: pv.len() as u32,
            rank: index + 1,
            score,
            bound: Bound::Exact,
            pv: &pv,
            nodes: hits,
            tablebase_hits: hits,
            table_use: 0,
            time: root.limits.clock.elapsed(),
        });
        variations.push(Variation { score, bound: Bound::Exact, pv });
    }
    variations
}

/// The depth of a report by the tablebase, which looks at each move once.
const DEPTH: u32 = 1;

/// A known move and the play that follows, until a draw, the end of the game, or time is up.
fn pv<R: Rules>(
    tablebase: &Tablebase,
    root: Root<'_, R>,
    known: &KnownMove,
    observer: &mut dyn Observer,
) -> Vec<Move> {
    let mut after = root.game.clone();
    let is_over = after.play(known.mv).is_err() || after.outcome().is_some();
    let observer = RefCell::new(observer);
    let is_enough =
        || known.class == Class::Draw || is_up(root.limits, &mut **observer.borrow_mut());
    let mut rest = None;
    if !is_over {
        read_patiently(tablebase, root.limits, &observer, || {
            rest = tablebase.pv(&after, is_enough);
        });
    }
    [known.mv].into_iter().chain(rest.into_iter().flat_map(|(rest, _)| rest)).collect()
}

/// Reads from a tablebase until nothing more comes from the disk, half of the time is up, or it takes too
/// long.
pub(super) fn read_patiently(
    tablebase: &Tablebase,
    limits: &Limits,
    observer: &RefCell<&mut dyn Observer>,
    mut read: impl FnMut(),
) {
    let _ = tablebase.take_awaited();
    read();
    let mut pauses = 0..MOST_DISK_PAUSES;
    while tablebase.take_awaited()
        && pauses.next().is_some()
        && !limits.clock.is_half_past()
        && !observer.borrow_mut().should_stop(0)
    {
        thread::sleep(DISK_PAUSE);
        read();
    }
}

/// Whether a search without nodes has to end.
pub(super) fn is_up(limits: &Limits, observer: &mut dyn Observer) -> bool {
    limits.clock.is_past_soft() || limits.clock.is_past_hard() || observer.should_stop(0)
}
