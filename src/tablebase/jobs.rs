//! The graph of the sectors of a game: which sectors moves lead to, which are solved together, what they depend on, and
//! what solving them costs.
//!
//! Which sectors moves lead to follows from the rules. Only the numbers of men count, not where they stand: a placement
//! or slide is assumed to close as many mills as the rules reward. This finds every sector that play can reach, and a
//! few that it cannot.
//!
//! A job is a strongly connected component of the graph of sectors: a sector and, if play can return to it,
//! its reply. [`Build`](super::Build) runs jobs one after the other; a scheduler can run them on many machines.

use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap, HashMap};
use std::time::Duration;

use super::sector::{Sector, Solvable};
use super::solve;
use crate::board::{BySide, Diagonals, Side, Square};
use crate::rules::{MillAction, RuleSet, StalemateAction};

/// Sectors that are solved together, and their dependencies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Job {
    /// A sector and, if it differs and play can go back and forth, its reply.
    pub sectors: Vec<Sector>,
    /// The sectors of other jobs that its moves lead to.
    pub needs: Vec<Sector>,
}

impl Job {
    /// Returns the sector that names the job.
    pub fn name(&self) -> Sector {
        self.sectors[0]
    }

    /// The positions to solve, symmetric ones counted once.
    pub fn positions(&self) -> u64 {
        self.sectors.iter().map(|sector| sector.positions()).sum()
    }
}

/// The sectors whose distances are kept besides wins, draws and losses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Distances {
    /// No sectors.
    None,
    /// The sectors of the moving phase; all sectors in games in which men slide while others are in hand.
    #[default]
    Moving,
    /// All sectors.
    All,
}

impl Distances {
    /// Whether the distances of a sector are kept.
    pub const fn includes(self, game: &Solvable, sector: Sector) -> bool {
        match self {
            Self::None => false,
            Self::Moving => !sector.is_placing() || game.rules().may_move_in_placing,
            Self::All => true,
        }
    }
}

/// Whether a build leaves out the distances of wins of a sector in the end. They stay where turns may pass, since
/// positions may lead to each other in a cycle, and where the side to move flies: there are few positions, with too many
/// moves to look at.
pub(super) fn leaves_out_wins(game: &Solvable, sector: Sector) -> bool {
    game.ends_if_blocked() && !game.flies(sector.own(), sector.hands()[0])
}

/// Jobs of a game, each after those that it needs.
#[derive(Clone, Debug)]
pub struct JobGraph {
    /// The game.
    pub game: Solvable,
    /// The jobs.
    pub jobs: Vec<Job>,
    /// The distances to keep.
    pub distances: Distances,
    /// The most memory for a job, in bytes; one that would need more uses files instead.
    pub most_memory: Option<u64>,
}

/// The seconds per index in which one thread trains a model and codes wins, draws and losses, measured on 5-5.
const CODING: f64 = 35e-9;

/// The bytes per index of wins, draws and losses, measured over all sectors.
const BYTES_OF_WDL: f64 = 0.0534;

/// The same over all sectors of Morabaraba, on the board with diagonals, where fewer positions are drawn.
const BYTES_OF_WDL_WITH_DIAGONALS: f64 = 0.056;

/// The bytes per index of distances without those of wins, and of the distances of wins, measured over all sectors of
/// the moving phase.
const BYTES_OF_LOSSES: f64 = 0.130;
const BYTES_OF_WINS: f64 = 0.195;

impl JobGraph {
    /// Returns the jobs of all wanted sectors of a game, with the default distances and no memory limit.
    pub fn new(game: Solvable, is_wanted: impl Fn(Sector) -> bool) -> Self {
        let mut jobs: Vec<Job> = Vec::new();
        for sector in game.sectors().into_iter().filter(|sector| is_wanted(*sector)) {
            if jobs.iter().all(|job| !job.sectors.contains(&sector)) {
                let sectors = game.group(sector);
                jobs.push(Job { needs: game.needs(&sectors), sectors });
            }
        }
        Self { game, jobs, distances: Distances::default(), most_memory: None }
    }

    /// Returns for each job the numbers of the jobs in the graph that it needs.
    pub fn needed_jobs(&self) -> Vec<BTreeSet<usize>> {
        let jobs = self.jobs.iter().enumerate();
        let numbers: HashMap<Sector, usize> = jobs
            .flat_map(|(number, job)| job.sectors.iter().map(move |sector| (*sector, number)))
            .collect();
        let needed = |job: &Job| {
            job.needs.iter().filter_map(|sector| numbers.get(sector).copied()).collect()
        };
        self.jobs.iter().map(needed).collect()
    }

    /// Returns the level of each job, the length of its longest chain of dependencies: jobs of one level
    /// are independent of each other.
    pub fn levels(&self) -> Vec<usize> {
        let mut levels: Vec<usize> = Vec::new();
        for needed in self.needed_jobs() {
            levels.push(needed.into_iter().map(|job| levels[job] + 1).max().unwrap_or(0));
        }
        levels
    }

    /// The positions to solve, symmetric ones counted once.
    pub fn positions(&self) -> u64 {
        self.jobs.iter().map(Job::positions).sum()
    }

    /// The indices to solve.
    pub fn indices(&self) -> u64 {
        self.jobs.iter().flat_map(|job| &job.sectors).map(|sector| sector.len() as u64).sum()
    }

    /// The estimated size of all files in bytes, without the distances of wins that a build leaves out.
    pub fn disk(&self) -> u64 {
        self.jobs.iter().map(|job| self.bytes_of(job, true)).sum()
    }

    /// The estimated size in bytes of the files of one job as they are written, with distances of wins.
    pub fn disk_of(&self, job: &Job) -> u64 {
        self.bytes_of(job, false)
    }

    fn bytes_of(&self, job: &Job, is_final: bool) -> u64 {
        let per_wdl = match self.game.rules().diagonals {
            Diagonals::Without => BYTES_OF_WDL,
            Diagonals::With => BYTES_OF_WDL_WITH_DIAGONALS,
        };
        let bytes = job.sectors.iter().map(|sector| {
            let has_distances = self.distances.includes(&self.game, *sector);
            let has_wins = !is_final || !leaves_out_wins(&self.game, *sector);
            let of_wins = if has_wins { BYTES_OF_WINS } else { 0.0 };
            let per_distance = if has_distances { BYTES_OF_LOSSES + of_wins } else { 0.0 };
            sector.len() as f64 * (per_wdl + per_distance)
        });
        bytes.sum::<f64>() as u64
    }

    /// Whether a job needs temporary files, because it does not fit into the allowed memory.
    pub fn uses_scratch(&self, job: &Job) -> bool {
        let needed = solve::memory(&self.game, job.name(), false);
        self.most_memory.is_some_and(|allowed| needed > allowed)
    }

    /// The most memory that a job needs, in bytes.
    pub fn memory_of(&self, job: &Job) -> u64 {
        solve::memory(&self.game, job.name(), self.uses_scratch(job))
    }

    /// The job that needs most memory, and that memory in bytes.
    pub fn memory(&self) -> Option<(&Job, u64)> {
        let needs = self.jobs.iter().map(|job| (job, self.memory_of(job)));
        needs.max_by_key(|(_, bytes)| *bytes)
    }

    /// Returns the number of indices of a sector that one thread solves in a second.
    fn speed_of(&self, sector: Sector) -> f64 {
        let rules = self.game.rules();
        let has_kernel = solve::has_kernel(&self.game, sector);
        let looks_for_moves = rules.stalemate_action != StalemateAction::Loses;
        match sector.is_placing() {
            // Without a kernel, measured over the sectors up to seven men.
            _ if !has_kernel && rules.leap.is_on && looks_for_moves => 0.027e6,
            _ if !has_kernel && rules.leap.is_on => 0.08e6,
            _ if !has_kernel && rules.has_captures() => 0.36e6,
            _ if !has_kernel => 1.4e6,
            // Morabaraba from 17 men on, where a turn may remove several men; all sectors of the moving phase.
            false if rules.may_remove_multiple => 3.3e6,
            false => 11.4e6,
            // All of Lasker Morris with six men each, where men slide while others are in hand.
            true if rules.may_move_in_placing => 6.0e6,
            // Four sectors of the last ply; all sectors of the placing phase.
            true if self.distances.includes(&self.game, sector) => 4.8e6,
            true => 33.0e6,
        }
    }

    /// The estimated time of one job on a number of threads.
    pub fn time_of(&self, job: &Job, threads: usize) -> Duration {
        let seconds =
            |&sector: &Sector| sector.len() as f64 * (1.0 / self.speed_of(sector) + CODING);
        let seconds: f64 = job.sectors.iter().map(seconds).sum();
        Duration::from_secs_f64(seconds / threads as f64)
    }

    /// The estimated time of all jobs, one after the other, on a number of threads.
    pub fn time(&self, threads: usize) -> Duration {
        self.jobs.iter().map(|job| self.time_of(job, threads)).sum()
    }

    /// The estimated time of all jobs on a number of workers with the same number of threads each, by
    /// simulating the schedule: a free worker takes the ready job with the longest chain of dependants.
    pub fn time_on(&self, workers: usize, threads: usize) -> Duration {
        let times: Vec<Duration> = self.jobs.iter().map(|job| self.time_of(job, threads)).collect();
        let mut needed = self.needed_jobs();
        let mut after: Vec<Vec<usize>> = vec![Vec::new(); needed.len()];
        let mut chains = times.clone();
        for (job, needed) in needed.iter().enumerate().rev() {
            for &before in needed {
                after[before].push(job);
                chains[before] = chains[before].max(times[before] + chains[job]);
            }
        }
        let is_ready = |job: &usize| needed[*job].is_empty();
        let mut ready: BinaryHeap<(Duration, usize)> =
            (0..times.len()).filter(is_ready).map(|job| (chains[job], job)).collect();
        let mut running: BinaryHeap<Reverse<(Duration, usize)>> = BinaryHeap::new();
        let mut now = Duration::ZERO;
        loop {
            while running.len() < workers
                && let Some((_, job)) = ready.pop()
            {
                running.push(Reverse((now + times[job], job)));
            }
            let Some(Reverse((end, job))) = running.pop() else { return now };
            now = end;
            for &next in &after[job] {
                needed[next].remove(&job);
                if needed[next].is_empty() {
                    ready.push((chains[next], next));
                }
            }
        }
    }
}

impl Solvable {
    /// Returns the sectors that the moves of a sector lead to.
    pub fn leads_to(&self, sector: Sector) -> Vec<Sector> {
        let mut steps = Steps { game: self, rules: self.rules(), found: BTreeSet::new() };
        steps.leave(sector);
        steps.found.into_iter().collect()
    }
}

struct Steps<'a> {
    game: &'a Solvable,
    rules: &'a RuleSet,
    found: BTreeSet<Sector>,
}

/// The men on the board and in hand of both sides.
#[derive(Clone, Copy)]
struct Numbers {
    men: BySide<usize>,
    hand: BySide<usize>,
}

impl Numbers {
    /// Removes men of a side, or returns `None` if it has fewer.
    fn without(mut self, side: Side, men: usize) -> Option<Self> {
        self.men[side] = self.men[side].checked_sub(men)?;
        Some(self)
    }

    /// The men of both sides on the board.
    fn on_board(self) -> usize {
        self.men[Side::White] + self.men[Side::Black]
    }
}

impl Steps<'_> {
    /// Takes all turns of the side to move.
    fn leave(&mut self, sector: Sector) {
        let side = sector.to_move();
        let [own_hand, hand] = sector.hands();
        let mut numbers =
            Numbers { men: BySide::both(sector.opponent()), hand: BySide::both(hand) };
        numbers.men[side] = sector.own();
        numbers.hand[side] = own_hand;
        if own_hand > 0 && sector.men() < Square::COUNT {
            self.place(numbers, side);
        }
        if sector.own() > 0 && (own_hand == 0 || self.rules.may_move_in_placing) {
            let most = self.most_mills().max(self.most_captures());
            self.remove(numbers, side, most, own_hand > 0);
        }
        if own_hand == 0 {
            // The side cannot move.
            match self.rules.stalemate_action {
                StalemateAction::Passes => self.begin(Some(numbers), !side),
                StalemateAction::RemovesAndMoves => self.begin(numbers.without(!side, 1), side),
                StalemateAction::RemovesAndPasses => self.begin(numbers.without(!side, 1), !side),
                StalemateAction::BothRemove => self.begin_without(numbers, [1, 1], side),
                StalemateAction::Loses | StalemateAction::Draw => {}
            }
        }
    }

    /// The most mills that one move is rewarded for.
    fn most_mills(&self) -> usize {
        match self.rules.diagonals {
            _ if !self.rules.may_remove_multiple => 1,
            Diagonals::Without => 2,
            Diagonals::With => 3,
        }
    }

    /// The most men that one move captures without a mill.
    fn most_captures(&self) -> usize {
        let RuleSet { custodian, intervention, leap, .. } = self.rules;
        let beside = usize::from(custodian.is_on) + 2 * usize::from(intervention.is_on);
        beside.max(leap.is_on.into())
    }

    fn place(&mut self, mut numbers: Numbers, side: Side) {
        numbers.men[side] += 1;
        numbers.hand[side] -= 1;
        // The most men that mills remove, and the most of these from a hand.
        let action = self.rules.mill_action;
        let mills = if action == MillAction::CountAtTheEnd { 0 } else { self.most_mills() };
        let from_hand = if action.takes_from_hand() { mills.min(numbers.hand[!side]) } else { 0 };
        for taken in 0..=from_hand {
            let mut left = numbers;
            left.hand[!side] -= taken;
            if taken > 0 && action == MillAction::RemoveFromHandAndGoOn {
                self.go_on(left, side, side);
            }
            self.remove(left, side, mills - taken + self.most_captures(), true);
        }
    }

    /// Removes up to `most` men of the other side, and ends the turn.
    fn remove(&mut self, numbers: Numbers, side: Side, most: usize, was_placing: bool) {
        for left in (0..=most).filter_map(|men| numbers.without(!side, men)) {
            if was_placing {
                self.go_on(left, side, !side);
            } else {
                self.begin(Some(left), !side);
            }
        }
    }

    /// Continues after a turn, or part of a turn, of a side that was placing: with the moving phase if all men are
    /// placed or placing stops at two empty points, else with the turn of `next`.
    fn go_on(&mut self, mut numbers: Numbers, side: Side, next: Side) {
        if self.rules.stops_placing_at_two_empty
            && self.rules.men == RuleSet::MEN_TO_FILL_BOARD
            && numbers.on_board() + 2 >= Square::COUNT
        {
            numbers.hand = BySide::both(0);
        }
        if Side::ALL.into_iter().all(|side| numbers.hand[side] == 0) {
            self.end_placing(numbers, side);
        } else {
            self.begin(Some(numbers), next);
        }
    }

    /// Begins the moving phase after the turn of a side.
    fn end_placing(&mut self, numbers: Numbers, side: Side) {
        let rules = self.rules;
        let first = rules.first_to_move(side);
        if rules.mill_action == MillAction::CountAtTheEnd {
            // The numbers of mills decide how many men are removed; all possible ones are tried.
            for white in 1..Square::COUNT {
                for black in (white - 1).max(1)..=white + 1 {
                    self.begin_without(numbers, [white, black], first);
                }
            }
        } else if rules.men == RuleSet::MEN_TO_FILL_BOARD && numbers.on_board() == Square::COUNT {
            match rules.removes_when_full() {
                None => self.begin(Some(numbers), Side::White),
                Some((first, true)) => self.begin_without(numbers, [1, 1], first),
                Some((first, false)) => self.begin(numbers.without(!first, 1), !first),
            }
        } else {
            self.begin(Some(numbers), first);
        }
    }

    /// Begins a turn after the removal of men of White and of Black.
    fn begin_without(&mut self, numbers: Numbers, [white, black]: [usize; 2], side: Side) {
        let left = numbers.without(Side::White, white);
        self.begin(left.and_then(|left| left.without(Side::Black, black)), side);
    }

    /// Begins a turn, unless a side has too few men.
    fn begin(&mut self, numbers: Option<Numbers>, side: Side) {
        let Some(Numbers { men, hand }) = numbers else { return };
        let is_short = |side: Side| self.game.are_too_few(men[side] + hand[side]);
        if !Side::ALL.into_iter().any(is_short) {
            let sector = Sector::with_hands([men[side], men[!side]], [hand[side], hand[!side]]);
            self.found.extend(sector.map(|sector| self.game.with_side(sector, side)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{PRESETS, RuleSet};

    #[test]
    fn every_sector_is_in_one_job_after_all_that_it_needs() {
        for preset in &PRESETS {
            let Ok(game) = Solvable::of(&preset.rules) else { continue };
            let graph = JobGraph::new(game, |_| true);
            let mut sectors: Vec<Sector> =
                graph.jobs.iter().flat_map(|job| job.sectors.clone()).collect();
            let needed = graph.needed_jobs();
            assert!(needed.iter().enumerate().all(|(job, needed)| needed.iter().all(|n| *n < job)));
            sectors.sort_unstable();
            let mut all = game.sectors();
            all.sort_unstable();
            assert_eq!(sectors, all, "{}", preset.name);
        }
    }

    #[test]
    fn more_workers_are_faster_as_far_as_the_graph_is_wide() {
        let graph = JobGraph::new(Solvable::STANDARD, |sector| sector.men_in_all() <= 12);
        let times: Vec<Duration> =
            [1, 2, 4, 1000, 1001].map(|workers| graph.time_on(workers, 1)).into();
        assert!(times[0].abs_diff(graph.time(1)) < Duration::from_millis(1));
        assert!(times.is_sorted_by(|more, fewer| more >= fewer), "{times:?}");
        assert!(times[0] > times[1] && times[3] == times[4], "{times:?}");
        assert!(times.iter().all(|time| *time >= times[0] / 1001));
    }

    #[test]
    fn every_sector_of_any_game_is_solved_with_two_gigabytes() {
        let with_captures = [
            "twelve custodian.is_on=true",
            "lasker men=12 custodian.is_on=true intervention.is_on=true",
        ];
        let with_captures = with_captures.map(|name| RuleSet::from_name(name).unwrap());
        for rules in PRESETS.iter().map(|preset| preset.rules).chain(with_captures) {
            let Ok(game) = Solvable::of(&rules) else { continue };
            let mut graph = JobGraph::new(game, |_| true);
            graph.most_memory = Some(2_000_000_000);
            let (job, memory) = graph.memory().unwrap();
            assert!(memory <= 2_000_000_000, "{} {} {memory}", rules.name(), job.name());
        }
    }
}
