//! Stalemate: the side to move has no legal move.

use super::{Draw, Loss, Outcome, Phase, Position};
use crate::board::Side;
use crate::rules::{BoardFullAction, RuleSet, Rules, StalemateAction};

impl<R: Rules> Position<R> {
    /// Whether the side to move has no legal move, and a full board does not end the game anyway.
    pub(super) fn is_stalemated(&self) -> bool {
        self.is_blocked() && self.ending_by_full_board().is_none()
    }

    /// How the game ends when the side to move is blocked and owes nothing.
    pub(super) fn ending_of_blocked(&self) -> Outcome {
        self.ending_by_full_board().unwrap_or_else(|| match self.rules().stalemate_action {
            StalemateAction::Passes | StalemateAction::Draw => Outcome::Draw(Draw::Stalemate),
            _ => self.lost_by(Loss::Blocked),
        })
    }

    /// How a board full of men ends the game, if it does.
    fn ending_by_full_board(&self) -> Option<Outcome> {
        let rules = self.rules();
        if rules.men < RuleSet::MEN_TO_FILL_BOARD || !self.empty().is_empty() {
            return None;
        }
        match rules.board_full_action {
            BoardFullAction::WhiteLoses if self.to_move() == Side::White => {
                Some(self.lost_by(Loss::FullBoard))
            }
            BoardFullAction::Draw => Some(Outcome::Draw(Draw::FullBoard)),
            _ => None,
        }
    }

    /// Applies the stalemate rule, unless it ends the game.
    pub(super) fn meet_stalemate(&mut self) {
        match self.rules().stalemate_action {
            StalemateAction::Loses | StalemateAction::Draw => {}
            StalemateAction::Passes => {
                let phase = self.phase;
                self.keyed.pass_turn();
                self.phase = self.phase_by_hand();
                // If the opponent cannot move either, the game is drawn.
                if self.is_blocked() {
                    self.keyed.pass_turn();
                    self.phase = phase;
                }
            }
            action @ (StalemateAction::RemovesAndMoves
            | StalemateAction::RemovesAndPasses
            | StalemateAction::BothRemove) => {
                self.set_pending(1);
                self.keyed.remember(|extras| {
                    extras.stalemate = Some(action).filter(|action| action.code() > 0);
                    extras.opponent_owes = (action == StalemateAction::BothRemove).into();
                });
            }
        }
    }

    /// Whether a side that has just moved is to move again because its opponent cannot move and has passed.
    pub fn is_passed_back(&self, mover: Side) -> bool {
        self.rules().may_pass()
            && self.plays_on(mover)
            && self.pending() == 0
            && self.ending().is_none()
            && {
                let mut other = *self;
                other.keyed.pass_turn();
                other.is_blocked()
            }
    }

    /// Whether the side to move owes a removal because the slide before left it without a move.
    ///
    /// A side that closed a mill by sliding can slide back, so it is never mistaken for a blocked side.
    pub fn owes_for_stalemate(&self) -> bool {
        self.rules().stalemate_action.removes()
            && self.pending() > 0
            && self.quiet_plies > 0
            && self.phase == Phase::Moving
            && self.extras().leapt.is_empty()
            && !self.can_slide()
    }

    /// Continues after a removal that stalemate earned.
    pub(super) fn finish_stalemate(&mut self, action: StalemateAction) {
        if self.extras().opponent_owes == 0 {
            self.keyed.remember(|extras| extras.stalemate = None);
        }
        if action == StalemateAction::RemovesAndMoves {
            self.start_turn();
        } else {
            self.pass_turn();
        }
    }
}
