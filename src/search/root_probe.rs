//! Reading a root from the tablebase: what each move is worth, and variations that need no search.

use std::cell::RefCell;
use std::cmp::Reverse;

use super::known_root::{Class, KnownMove};
use super::limits::Limits;
use super::observer::{Observer, Variation};
use super::parameters::{CONTEMPT, FIRST_SEARCHED, MOST_SEARCHED};
use super::worker::Root;
use crate::game::Game;
use crate::position::Move;
use crate::rules::Rules;
use crate::score::{Bound, Score};
use crate::tablebase::{DrawRuleWdl, RankedMove, Tablebase, Wdl};

/// Probes the moves to choose from, at least one, in the tablebase of the root. Returns those that a search has to
/// choose from, in the order given, none if the tablebase knows them all; and the other known moves, the best
/// first.
///
/// Values come first, then distances, which are slower to read: with one MultiPV line only those of the moves
/// that keep the value, unless all are wanted. The same moves are checked against the draw rules. Waits for
/// pages on disk until half of the time is up; without distances, moves are ranked by value alone.
pub(super) fn probe_root<R: Rules>(
    root: Root<'_, R>,
    moves: Vec<Move>,
    observer: &mut dyn Observer,
) -> (Vec<Move>, Vec<KnownMove>) {
    let Some(tablebase) = root.tablebase else {
        return (moves, Vec::new());
    };
    let position = root.game.position();
    let observer = RefCell::new(observer);
    let read = |read: &mut dyn FnMut()| read_patiently(tablebase, root.limits, &observer, read);
    let is_up = || is_up(root.limits, &mut **observer.borrow_mut());
    let mut probed = vec![None; moves.len()];
    read(&mut || {
        for (known, &mv) in probed.iter_mut().zip(&moves).filter(|(known, _)| known.is_none()) {
            *known = RankedMove::probe(tablebase, position, mv).map(KnownMove::new);
        }
    });
    let mut known: Vec<KnownMove> = probed.into_iter().flatten().collect();
    let knows_all = known.len() == moves.len();
    let are_all_asked = root.limits.asks_for_all();
    let best = known.iter().map(|known| known.class).max();
    // A move that is not known may be better than any but a win.
    let is_best = |known: &&mut KnownMove| {
        Some(known.class) == best && (knows_all || known.class == Class::Won)
    };
    let is_asked = |known: &&mut KnownMove| are_all_asked || is_best(known);
    read(&mut || {
        for known in known.iter_mut().filter(is_asked).take_while(|_| !is_up()) {
            known.ranked.read_distance(tablebase, position);
        }
    });
    let mut asked: Vec<&mut KnownMove> = known.iter_mut().filter(is_asked).collect();
    asked.sort_by_key(|known| Reverse(known.rank()));
    let is_won = |known: &KnownMove| known.worth() == Class::Won;
    let ask = |asked: &mut [&mut KnownMove], ask: &dyn Fn(&Game<R>) -> Option<DrawRuleWdl>| {
        read(&mut || {
            for index in 0..asked.len() {
                // A certain win is enough where only a move is wanted.
                if is_up() || !are_all_asked && asked.iter().any(|known| is_won(known)) {
                    break;
                }
                asked[index].ask_draw_rules(root.game, ask);
            }
        });
    };
    let is_half_up = || root.limits.clock.is_half_past() || is_up();
    // A little of each move first: one alone may take all the time.
    ask(&mut asked, &|game| {
        tablebase.search_draw_rules(game, &mut { FIRST_SEARCHED }, &is_half_up)
    });
    let open = asked.iter().filter(|known| known.under_draw_rules.is_none()).count();
    let share = MOST_SEARCHED / open.max(1) as u32;
    ask(&mut asked, &|game| tablebase.search_draw_rules(game, &mut { share }, &is_half_up));
    ask(&mut asked, &|game| tablebase.draw_rule_wdl(game, is_up));
    for known in &mut asked {
        known.ask_draw_rules(root.game, |game| {
            let wdl = tablebase.certain_wdl(game)?;
            Some(DrawRuleWdl { wdl, is_certain: true, keeps_distance: true })
        });
    }
    if knows_all && are_all_asked && best == Some(Class::Drawn) {
        read(&mut || {
            let drawing = known.iter_mut().filter(|known| known.class == Class::Drawn);
            for RankedMove { mv, drawing_replies, .. } in
                drawing.map(|known| &mut known.ranked).take_while(|_| !is_up())
            {
                *drawing_replies =
                    drawing_replies.or_else(|| tablebase.drawing_replies(position, *mv));
            }
        });
    }
    // Where a win comes before the n-move rule, no unknown move can be better.
    let has_win = known.iter().any(is_won);
    let best = known.iter().map(|known| known.class).max();
    let is_searched = |mv: &Move| match known.iter().find(|known| known.ranked.mv == *mv) {
        _ if knows_all => false,
        Some(known) if has_win => !are_all_asked && is_won(known),
        Some(known) => known.class > Class::Lost && Some(known.class) == best,
        None => are_all_asked || !has_win,
    };
    let to_search: Vec<Move> = moves.into_iter().filter(is_searched).collect();
    known.retain(|known| !to_search.contains(&known.ranked.mv));
    known.sort_by_key(|known| Reverse(known.rank()));
    (to_search, known)
}

impl KnownMove {
    /// Applies the draw rules, given what tells the value of the game after the move, unless that has been done.
    fn ask_draw_rules<R: Rules>(
        &mut self,
        game: &Game<R>,
        ask: impl FnOnce(&Game<R>) -> Option<DrawRuleWdl>,
    ) {
        let mut after = game.clone();
        if self.under_draw_rules.is_some() || after.play(self.ranked.mv).is_err() {
            return;
        }
        self.under_draw_rules = ask(&after);
        let Some(DrawRuleWdl { wdl, .. }) = self.under_draw_rules else { return };
        self.class = match (self.ranked.wdl, wdl) {
            (Wdl::Win, Wdl::Draw) => Class::Cursed,
            (Wdl::Loss, Wdl::Draw) => Class::Blessed,
            (of_tablebase, _) => of_tablebase.into(),
        };
        self.ends_game = wdl == Wdl::Draw && after.outcome().is_some();
        if self.class == Class::Drawn && self.ends_game {
            self.chances = Some(Score::estimate(-CONTEMPT));
        }
    }
}

/// The MultiPV lines of known moves by the tablebase alone: the score, the move and, where one side wins,
/// best play after it.
///
/// They end early if time is up or a value is missing.
pub(super) fn known_lines<R: Rules>(
    root: Root<'_, R>,
    known: &[KnownMove],
    observer: &mut dyn Observer,
) -> Vec<Variation> {
    let Some(tablebase) = root.tablebase else { return Vec::new() };
    let observer = RefCell::new(observer);
    let line = |known: &KnownMove| {
        let is_enough =
            || known.class == Class::Drawn || is_up(root.limits, &mut **observer.borrow_mut());
        let (mut after, mut rest) = (root.game.clone(), None);
        if after.play(known.ranked.mv).is_ok() && after.outcome().is_none() {
            let read = || rest = tablebase.pv(&after, is_enough);
            read_patiently(tablebase, root.limits, &observer, read);
        }
        let rest = rest.into_iter().flat_map(|(rest, _)| rest);
        let pv = [known.ranked.mv].into_iter().chain(rest).collect();
        Variation { score: known.score(), bound: Bound::Exact, pv }
    };
    known.iter().take(root.limits.multi_pv.max(1)).map(line).collect()
}

/// Repeats a read until everything has come from disk, half of the time is up, or the observer stops the
/// search.
fn read_patiently(
    tablebase: &Tablebase,
    limits: &Limits,
    observer: &RefCell<&mut dyn Observer>,
    mut read: impl FnMut(),
) {
    let mut wait = tablebase.disk_wait();
    read();
    while wait.read_again(|| !limits.clock.is_half_past() && !observer.borrow_mut().should_stop(0))
    {
        read();
    }
}

/// Whether work that visits no nodes has to stop.
fn is_up(limits: &Limits, observer: &mut dyn Observer) -> bool {
    limits.clock.is_past_soft() || limits.clock.is_past_hard() || observer.should_stop(0)
}
