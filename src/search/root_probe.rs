//! Reading a root from the tablebase: what each move is worth, and variations that need no search.

use std::cell::RefCell;
use std::cmp::Reverse;
use std::ops::Range;
use std::thread;

use super::known_root::{Class, KnownMove, KnownRoot};
use super::limits::Limits;
use super::observer::{Observer, Progress, Variation};
use super::parameters::{CONTEMPT, DISK_PAUSE, MOST_DISK_PAUSES};
use super::tt::Bound;
use super::worker::Root;
use crate::game::Game;
use crate::position::Move;
use crate::rules::Rules;
use crate::score::Score;
use crate::tablebase::{DrawRuleWdl, Tablebase, Value, Wdl};

/// What the tablebase of the root knows of the moves to choose from, of which there is one.
///
/// The value decides first, then the distance, which takes more to read: for one MultiPV line only of
/// the moves that keep the value, unless all are asked for. The draw rules are asked of the same moves.
/// Values that have to come from the disk are waited for until half of the time is up; without
/// distances the value alone has to do.
///
/// # Errors
///
/// The moves that may be the best, if the value of one of them is not known.
pub(super) fn probe_root<R: Rules>(
    root: Root<'_, R>,
    moves: Vec<Move>,
    observer: &mut dyn Observer,
) -> Result<KnownRoot, Vec<Move>> {
    let Some(tablebase) = root.tablebase else { return Err(moves) };
    let observer = RefCell::new(observer);
    let read = |read: &mut dyn FnMut()| read_patiently(tablebase, root.limits, &observer, read);
    let is_up = || is_up(root.limits, &mut **observer.borrow_mut());
    let mut known = vec![None; moves.len()];
    read(&mut || {
        for (known, &mv) in known.iter_mut().zip(&moves).filter(|(known, _)| known.is_none()) {
            *known = KnownMove::of(tablebase, root.game, mv);
        }
    });
    let are_all_asked = root.limits.all_moves || root.limits.multi_pv > 1;
    let Some(mut known) = known.iter().copied().collect::<Option<Vec<KnownMove>>>() else {
        // Beside a win that comes before the n-move rule, what is not known can only give it away.
        let is_certain_win = |known: &mut KnownMove| {
            known.ask_draw_rules(tablebase, root.game, is_up);
            known.class == Class::Win && known.is_certain == Some(true)
        };
        let mut wins = known.iter_mut().flatten().filter(|known| known.class == Class::Win);
        let is_won = !are_all_asked && wins.any(is_certain_win);
        let best = known.iter().flatten().map(|known| known.class).max();
        let may_be_best = |known: &Option<KnownMove>| match known {
            Some(known) => known.class > Class::Loss && Some(known.class) == best,
            None => !is_won,
        };
        let moves = moves.into_iter().zip(&known).filter(|(_, known)| may_be_best(known));
        return Err(moves.map(|(mv, _)| mv).collect());
    };
    let best = known.iter().map(|known| known.class).max();
    let is_asked = |known: &KnownMove| are_all_asked || Some(known.class) == best;
    known.sort_by_key(|known| !is_asked(known));
    let asked = known.iter().filter(|known| is_asked(known)).count();
    read(&mut || {
        for known in &mut known[..asked] {
            if !is_up() {
                known.read_distance(tablebase, root.game);
            }
        }
    });
    known.sort_by_key(|known| Reverse(known.rank()));
    read(&mut || {
        for known in &mut known[..asked] {
            if !is_up() {
                known.ask_draw_rules(tablebase, root.game, is_up);
            }
        }
    });
    Ok(KnownRoot::ranked(known))
}

impl KnownMove {
    /// A legal move as the tablebase alone knows it, without its distance; none if it does not.
    fn of<R: Rules>(tablebase: &Tablebase, game: &Game<R>, mv: Move) -> Option<Self> {
        let position = game.position();
        let class = match tablebase.probe_move::<Wdl, R>(position, mv)? {
            Wdl::Loss => Class::Loss,
            Wdl::Draw => Class::Draw,
            Wdl::Win => Class::Win,
        };
        Some(Self {
            mv,
            class,
            turns: None,
            rest: None,
            is_certain: None,
            ends_game: false,
            chances: None,
        })
    }

    /// Reads the distance to the end of a game that is not drawn, and where a draw comes to rest, if the
    /// tablebase has it.
    fn read_distance<R: Rules>(&mut self, tablebase: &Tablebase, game: &Game<R>) {
        if self.class == Class::Draw && self.rest.is_none() {
            self.rest = tablebase.probe_draw_move(game.position(), self.mv);
        }
        if self.class == Class::Draw || self.turns.is_some() {
            return;
        }
        let value = tablebase.probe_move::<Value, R>(game.position(), self.mv);
        self.turns = value.and_then(Value::turns).map(u16::from);
    }

    /// Takes the draw rules into account, if that has not been done.
    fn ask_draw_rules<R: Rules>(
        &mut self,
        tablebase: &Tablebase,
        game: &Game<R>,
        is_up: impl Fn() -> bool,
    ) {
        let mut after = game.clone();
        if self.is_certain.is_some() || after.play(self.mv).is_err() {
            return;
        }
        let Some(DrawRuleWdl { wdl, is_certain }) = tablebase.draw_rule_wdl(&after, is_up) else {
            return;
        };
        self.is_certain = Some(is_certain);
        self.class = match (self.class, wdl) {
            (Class::Win, Wdl::Draw) => Class::CursedWin,
            (Class::Loss, Wdl::Draw) => Class::BlessedLoss,
            (class, _) => class,
        };
        self.ends_game = wdl == Wdl::Draw && after.outcome().is_some();
        if self.class == Class::Draw && self.ends_game {
            self.chances = Some(Score::estimate(-CONTEMPT));
        }
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
fn read_patiently(
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
fn is_up(limits: &Limits, observer: &mut dyn Observer) -> bool {
    limits.clock.is_past_soft() || limits.clock.is_past_hard() || observer.should_stop(0)
}
