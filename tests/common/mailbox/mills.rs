//! Mills: which lines count, what is remembered of them, whom they protect.

use super::board::{lines, points_on};
use super::position::{MillMove, Position, Side};
use super::{Mailbox, Rules};

impl Position {
    /// Does one side have three men on this line?
    fn is_complete(&self, line: &'static str) -> bool {
        let [a, b, c] = points_on(line).map(|point| self.men.get(point));
        a.is_some() && a == b && b == c
    }

    /// The complete lines of one side.
    pub fn count_lines(&self, side: Side, rules: &Rules) -> usize {
        let is_its = |line: &&'static str| self.is_complete(line) && self.has(side, &line[..2]);
        lines(rules).into_iter().filter(is_its).count()
    }

    /// The complete lines at this point that count as mills.
    pub fn mills_at(&self, point: &str, rules: &Rules) -> Vec<&'static str> {
        let mut lines = lines(rules);
        lines.retain(|line| line.contains(point) && self.is_complete(line) && !self.is_used(line));
        lines
    }

    /// Were all points of this complete line in mills of its side before?
    fn is_used(&self, line: &'static str) -> bool {
        let owner = self.men[&line[..2]];
        points_on(line).iter().all(|point| self.used[owner as usize].contains(point))
    }

    /// The side's men that may be removed: those outside complete lines, or all if all are inside.
    pub fn unprotected(&self, side: Side, rules: &Rules) -> Vec<&'static str> {
        let men = self.points_of(side);
        let mut complete = lines(rules);
        complete.retain(|line| self.is_complete(line));
        let mut outside = men.clone();
        outside.retain(|point| !complete.iter().any(|line| line.contains(point)));
        if outside.is_empty() || rules.is("MayRemoveFromMillsAlways") { men } else { outside }
    }
}

impl Mailbox {
    /// Lines that can be used once only have their points written down.
    pub(super) fn write_down(&mut self, mills: &[&'static str]) {
        if self.rules.is("OneTimeUseMill") {
            let points = mills.iter().flat_map(|line| points_on(line));
            self.position.used[self.position.side as usize].extend(points);
        }
    }

    /// The moves that closed mills are remembered where going back is restricted.
    pub(super) fn remember_mill(&mut self, from: Option<&'static str>, to: &'static str) {
        if self.rules.is("RestrictRepeatedMillsFormation") {
            self.position.mill_moves[self.position.side as usize] = Some(MillMove { from, to });
        }
    }

    /// A move that closes no mill makes its side's last one forgotten, but a placement does not
    /// touch a placement.
    pub(super) fn forget_mill(&mut self, is_placement: bool) {
        let last = &mut self.position.mill_moves[self.position.side as usize];
        let is_kept = is_placement && last.is_some_and(|last| last.from.is_none());
        if !is_kept {
            *last = None;
        }
    }

    /// Would this slide only take back the last one, from a mill to a mill?
    pub(super) fn is_forbidden(&self, from: &'static str, to: &'static str) -> bool {
        let last = self.position.mill_moves[self.position.side as usize];
        let is_way_back = last == Some(MillMove { from: Some(to), to: from });
        is_way_back
            && !self.position.mills_at(from, &self.rules).is_empty()
            && self.would_close_mill(from, to)
    }

    /// Is there a mill at the end of this slide?
    fn would_close_mill(&self, from: &'static str, to: &'static str) -> bool {
        let mut after = self.position.clone();
        after.men.remove(from);
        after.men.insert(to, after.side);
        !after.mills_at(to, &self.rules).is_empty()
    }
}
