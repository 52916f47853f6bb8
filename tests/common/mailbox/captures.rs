//! Captures without mills: between two men, by one between two, by leaping.

use super::Mailbox;
use super::board::{CROSS_LINES, DIAGONAL_LINES, SQUARE_EDGES, points_on};
use super::position::{Claims, Phase};

/// With so many men or fewer a capture that is for the weak only is allowed.
const FEW_MEN: usize = 3;

impl Mailbox {
    /// What the man that has just arrived captures without leaping.
    pub(super) fn claims_of(&self, arrived: &'static str) -> Claims {
        Claims {
            custodian: self.custodian_targets(arrived),
            intervention: self.intervention_targets(arrived),
            leapt: None,
        }
    }

    /// The men between the one that has arrived and another own man: one of them may be taken.
    fn custodian_targets(&self, arrived: &'static str) -> Vec<&'static str> {
        let mut targets = Vec::new();
        let unprotected = self.unprotected_men();
        for [a, middle, b] in self.lines_for("CustodianCapture") {
            let has_arrived_at_end = a == arrived || b == arrived;
            let is_pair = self.position.is_own(a) && self.position.is_own(b);
            if has_arrived_at_end && is_pair && unprotected.contains(&middle) {
                targets.push(middle);
            }
        }
        targets
    }

    /// The men at the ends of one line in whose middle a man has arrived. The preferred target
    /// chooses the line, or else the first one counts.
    fn intervention_targets(&self, arrived: &'static str) -> Vec<&'static str> {
        let mut lines = self.lines_for("InterventionCapture");
        lines.retain(|line| line[1] == arrived && self.is_between_two(*line));
        let is_preferred =
            |line: &&[&'static str; 3]| self.position.preferred.is_some_and(|p| line.contains(&p));
        let chosen = lines.iter().find(is_preferred).or(lines.first());
        let unprotected = self.unprotected_men();
        let ends = chosen.map_or(Vec::new(), |[a, _, b]| vec![*a, *b]);
        ends.into_iter().filter(|end| unprotected.contains(end)).collect()
    }

    /// Do two men of the opponent, not both protected, stand at the ends of this line?
    fn is_between_two(&self, [a, _, b]: [&'static str; 3]) -> bool {
        let unprotected = self.unprotected_men();
        let are_foreign = self.position.is_foreign(a) && self.position.is_foreign(b);
        are_foreign && (unprotected.contains(&a) || unprotected.contains(&b))
    }

    /// The leaps of the men in the moving phase: along a line over an unprotected man.
    pub(super) fn leaps(&self) -> Vec<(&'static str, &'static str)> {
        let mut lines = self.lines_for("LeapCapture");
        if lines.is_empty() {
            return Vec::new();
        }
        let unprotected = self.unprotected_men();
        lines.retain(|line| self.position.phase == Phase::Moving && unprotected.contains(&line[1]));
        let mut leaps: Vec<_> = lines.iter().flat_map(|[a, _, b]| [(*a, *b), (*b, *a)]).collect();
        leaps.retain(|(from, to)| self.position.is_own(from) && self.position.is_empty(to));
        leaps
    }

    /// The man over which this move leaps, if it does.
    pub(super) fn leapt_man(&self, from: &str, to: &str) -> Option<&'static str> {
        let is_leap = self.leaps().contains(&(from, to));
        let lines = self.lines_for("LeapCapture");
        let is_way = |line: &[&'static str; 3]| line.contains(&from) && line.contains(&to);
        lines.into_iter().find(|line| is_leap && is_way(line)).map(|line| line[1])
    }

    /// A leap takes the man leapt over, closes no mill and captures nothing else.
    pub(super) fn owe_leapt_man(&mut self, man: &'static str) {
        self.forget_mill(false);
        self.position.preferred = None;
        self.position.claims.leapt = Some(man);
        self.position.owed[self.position.side as usize] = 1;
    }

    /// The opponent's men that mills do not protect.
    pub(super) fn unprotected_men(&self) -> Vec<&'static str> {
        self.position.unprotected(self.position.side.other(), &self.rules)
    }

    /// The lines on which the side to act may capture so now; cross lines come first, then square
    /// edges.
    fn lines_for(&self, capture: &str) -> Vec<[&'static str; 3]> {
        let is = |switch: &str| self.rules.is(&format!("{capture}{switch}"));
        let has_few = || self.men_of_mover() <= FEW_MEN;
        let is_time = || match self.position.phase {
            Phase::Placing => is("InPlacingPhase"),
            Phase::Moving => is("InMovingPhase") && (has_few() || !is("OnlyWhenOwnPiecesLeq3")),
            Phase::Over => false,
        };
        let mut lines = Vec::new();
        if is("Enabled") && is_time() {
            let on_diagonals = is("OnDiagonalLines") && self.rules.is("HasDiagonalLines");
            lines.extend(CROSS_LINES.iter().filter(|_| is("OnCrossLines")));
            lines.extend(SQUARE_EDGES.iter().filter(|_| is("OnSquareEdges")));
            lines.extend(DIAGONAL_LINES.iter().filter(|_| on_diagonals));
        }
        lines.into_iter().map(points_on).collect()
    }
}
