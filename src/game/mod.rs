//! A game: a position with the history that draws depend on, its outcome, and a game that records its turns.

mod history;
mod sentences;

use std::fmt::Display;

use crate::Error;
use crate::board::Side;
use crate::position::text::Mfen;
use crate::position::{Move, MoveLine, MoveList, Phase, Position, PositionText, Turn};
use crate::rules::{DrawRules, RuleSet, Rules, Standard};

pub use crate::position::{Draw, Outcome};
pub use history::History;

/// The error for an illegal move or turn, given the outcome of the game, if any, and the legal ones.
///
/// * `noun`: `move` or `turn`.
pub(crate) fn illegal<M: Display>(
    noun: &str,
    mv: M,
    outcome: Option<Outcome>,
    legal: &[M],
) -> Error {
    let expected = match outcome {
        Some(outcome) => format!("no {noun}, as the game is over ({outcome})"),
        None => format!("one of the legal {noun}s{}", MoveLine(legal)),
    };
    Error(format!("{noun} '{mv}': expected {expected}"))
}

/// A position with as much of its history as draws need.
///
/// Rules are looked up at run time. For Nine Men's Morris the hot loops convert the game to one with
/// compiled rules ([`to_standard`](Self::to_standard)).
///
/// ```
/// use millstone::game::Game;
/// use millstone::rules::{DrawRules, Preset};
/// use millstone::search::{Engine, Limits, Silent};
///
/// let lasker = Preset::named("lasker").ok_or("no such game")?;
/// let mut game = Game::start(lasker.rules, DrawRules::default());
/// game.play("d6".parse()?)?;
/// let report = Engine::new(1)?.search(&game, &Limits::to_depth(3), &mut Silent);
/// game.play(report.best().ok_or("the game is over")?)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Game<R: Rules = RuleSet> {
    position: Position<R>,
    draw_rules: DrawRules,
    /// The keys of the positions reached by slides since the last placement or removal.
    keys: Vec<u64>,
    outcome: Option<Outcome>,
}

impl Game {
    /// A new game of Nine Men's Morris with the usual draw rules.
    pub fn new() -> Self {
        Self::start(RuleSet::NINE_MENS_MORRIS, DrawRules::default())
    }

    /// The game with the compiled rules of Nine Men's Morris, if it is played by them.
    pub fn to_standard(&self) -> Option<Game<Standard>> {
        let (draw_rules, outcome) = (self.draw_rules, self.outcome);
        let position = self.position.to_standard()?;
        Some(Game { position, draw_rules, keys: self.keys.clone(), outcome })
    }
}

impl Default for Game {
    fn default() -> Self {
        Self::new()
    }
}

impl<R: Rules> Game<R> {
    /// A new game under the given rules.
    pub fn start(rules: R, draw_rules: DrawRules) -> Self {
        Self::from_position(Position::start(rules), draw_rules)
    }

    /// A game that starts from a position, in which it may already be over.
    pub fn from_position(position: Position<R>, draw_rules: DrawRules) -> Self {
        let mut game = Self { position, draw_rules, keys: Vec::new(), outcome: None };
        game.outcome = game.find_outcome();
        game
    }

    /// A game that starts from a position text.
    ///
    /// If the text says that the game is over but its position is not final, the game counts as drawn
    /// by repetition, or by the n-move rule if MFEN says so.
    ///
    /// # Errors
    ///
    /// The error names the first field of the text that is wrong.
    pub fn from_text(text: &str, rules: R, draw_rules: DrawRules) -> Result<Self, Error> {
        let PositionText { position, outcome } = PositionText::parse(text, rules)?;
        let game = Self::from_position(position, draw_rules);
        Ok(Self { outcome: game.outcome.or(outcome), ..game })
    }

    /// A game that starts from a position text, or from the start position if there is none.
    ///
    /// # Errors
    ///
    /// The error names the first field of the text that is wrong.
    pub fn begin(text: Option<&str>, rules: R, draw_rules: DrawRules) -> Result<Self, Error> {
        match text {
            Some(text) => Self::from_text(text, rules, draw_rules),
            None => Ok(Self::start(rules, draw_rules)),
        }
    }

    /// The position on the board.
    pub const fn position(&self) -> &Position<R> {
        &self.position
    }

    /// The rules of the game.
    pub fn rules(&self) -> &RuleSet {
        self.position.rules()
    }

    /// The draw rules in force.
    pub const fn draw_rules(&self) -> DrawRules {
        self.draw_rules
    }

    /// The keys of the positions reached by slides since the last placement or removal.
    pub fn reversible_keys(&self) -> &[u64] {
        &self.keys
    }

    /// The [reversible keys](Self::reversible_keys) that have occurred twice, so that reaching one
    /// again draws; none if repetition does not draw.
    pub fn repeated_keys(&self) -> impl Iterator<Item = u64> {
        let keys = if self.draw_rules.threefold_repetition { &self.keys[..] } else { &[] };
        let again = (1..keys.len()).filter(|&at| keys[..at].contains(&keys[at]));
        again.map(|at| keys[at])
    }

    /// The side to move.
    pub const fn to_move(&self) -> Side {
        self.position.to_move()
    }

    /// How the game ended, if it has.
    pub const fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    /// The legal moves; empty when the game is over.
    pub fn moves(&self) -> MoveList {
        if self.outcome.is_some() { MoveList::new() } else { self.position.moves() }
    }

    /// The legal turns, complete with removals, each with the game after it.
    pub fn turns(&self) -> Vec<(Turn, Self)> {
        let mut turns = Vec::new();
        self.collect_turns(self.to_move(), None, &mut turns);
        turns
    }

    /// Adds all complete turns of a side that continue the turn `begun`.
    fn collect_turns(&self, side: Side, begun: Option<&Turn>, turns: &mut Vec<(Turn, Self)>) {
        for mv in self.moves() {
            let mut after = self.clone();
            let Ok(()) = after.play(mv) else { continue };
            let turn = begun.map_or_else(|| mv.into(), |turn| turn.with(mv));
            if after.is_within_turn(side) {
                after.collect_turns(side, Some(&turn), turns);
            } else {
                turns.push((turn, after));
            }
        }
    }

    /// Whether a side that has just moved is to move again; see [`Position::plays_on`].
    pub fn plays_on(&self, mover: Side) -> bool {
        self.outcome.is_none() && self.position.plays_on(mover)
    }

    /// Whether the side that has just moved must still remove a man to complete its turn.
    pub fn is_within_turn(&self, mover: Side) -> bool {
        self.plays_on(mover) && self.position.pending() > 0
    }

    /// Plays a move.
    ///
    /// # Errors
    ///
    /// If the move is illegal or the game is over; the game is then unchanged.
    pub fn play(&mut self, mv: Move) -> Result<(), Error> {
        if self.outcome.is_some() || !self.position.is_legal(mv) {
            return Err(illegal("move", mv, self.outcome, &self.moves()));
        }
        let _ = self.position.do_move(mv);
        if self.position.quiet_plies() == 0 {
            self.keys.clear();
        } else if self.position.pending() == 0 {
            self.keys.push(self.position.key());
        }
        self.outcome = self.find_outcome();
        Ok(())
    }

    /// The position text, which also says whether the game is over.
    pub fn text(&self) -> PositionText<R> {
        PositionText { position: self.position, outcome: self.outcome }
    }

    /// The MFEN 1.0 of the position, which also says whether and how the game is over.
    pub fn mfen(&self) -> Mfen<R> {
        Mfen(self.text())
    }

    /// Finds the outcome. Repetition takes precedence over the n-move rule, and both over the position.
    fn find_outcome(&self) -> Option<Outcome> {
        let key = self.position.key();
        let is_third = || self.keys.iter().filter(|&&earlier| earlier == key).count() >= 3;
        let draw = if self.draw_rules.threefold_repetition && is_third() {
            Some(Draw::ThreefoldRepetition)
        } else {
            draw_by_n_move(&self.position, self.draw_rules)
        };
        draw.map(Outcome::Draw).or_else(|| self.position.ending())
    }
}

/// Whether the n-move rule or its endgame form draws the position.
///
/// Neither applies while a removal is pending, since that removal resets the count, unless it is
/// pending because the side to move is blocked: then the draw comes first.
pub fn draw_by_n_move<R: Rules>(position: &Position<R>, rules: DrawRules) -> Option<Draw> {
    let quiet_plies = position.quiet_plies();
    let is_owed = position.pending() > 0 && !position.owes_for_stalemate();
    if quiet_plies < rules.first_limit() || is_owed {
        None
    } else if quiet_plies >= rules.n_move {
        Some(Draw::NMove)
    } else {
        let has_three = |side| position.men(side).len() == 3;
        let is_endgame = position.phase() == Phase::Moving && Side::ALL.into_iter().any(has_three);
        is_endgame.then_some(Draw::EndgameNMove)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::Loss;
    use crate::rules::Standard;

    const FOUR_EACH: &str = "@**O****/*O**@***/O***@*@O w m s 4 0 4 0 0 0 0 0 0 0 0 0 10";

    fn play_shuffle(text: &str, draw_rules: DrawRules, plies: usize) -> Game<Standard> {
        let mut game = Game::from_text(text, Standard, draw_rules).unwrap();
        for mv in ["f6-f4", "d2-b2", "f4-f6", "b2-d2"].iter().cycle().take(plies) {
            game.play(mv.parse().unwrap()).unwrap();
        }
        game
    }

    #[test]
    fn the_origin_of_a_reversible_sequence_is_not_counted() {
        assert_eq!(play_shuffle(FOUR_EACH, DrawRules::default(), 8).outcome(), None);
        let drawn = play_shuffle(FOUR_EACH, DrawRules::default(), 9);
        assert_eq!(drawn.outcome(), Some(Outcome::Draw(Draw::ThreefoldRepetition)));
        assert!(drawn.moves().is_empty());
        let read = Game::from_text(&drawn.text().to_string(), Standard, drawn.draw_rules());
        assert_eq!(read.unwrap().outcome(), drawn.outcome());
    }

    #[test]
    fn the_n_move_rule_counts_the_plies_of_the_text() {
        let rules = DrawRules { n_move: 50, threefold_repetition: false, ..DrawRules::default() };
        let text = FOUR_EACH.replace(" 0 10", " 47 10");
        assert_eq!(play_shuffle(&text, rules, 2).outcome(), None);
        assert_eq!(play_shuffle(&text, rules, 3).outcome(), Some(Outcome::Draw(Draw::NMove)));
        let at_limit = FOUR_EACH.replace(" 0 10", " 50 10");
        let game = Game::from_text(&at_limit, Standard, rules).unwrap();
        assert_eq!(game.outcome(), Some(Outcome::Draw(Draw::NMove)));
    }

    #[test]
    fn the_endgame_form_needs_a_side_with_three_men() {
        let rules = DrawRules { endgame_n_move: 10, ..DrawRules::default() };
        let four = FOUR_EACH.replace(" 0 10", " 10 10");
        assert_eq!(Game::from_text(&four, Standard, rules).unwrap().outcome(), None);
        let three = "@**O****/*O**@***/****@*@O w m s 3 0 4 0 0 0 0 0 0 0 0 10 10";
        let game = Game::from_text(three, Standard, rules).unwrap();
        assert_eq!(game.outcome(), Some(Outcome::Draw(Draw::EndgameNMove)));
    }

    #[test]
    fn a_closed_mill_on_the_limit_is_played_on() {
        let rules = DrawRules { n_move: 10, endgame_n_move: 10, threefold_repetition: false };
        let text = "@*******/***@*@**/O*O***@O b m s 3 0 4 0 0 0 0 0 0 0 0 0 10";
        let mut game = Game::from_text(text, Standard, rules).unwrap();
        let moves = "d5-c5 g4-g1 c5-d5 g1-g4 d5-c5 g4-g1 c5-d5 g1-g4 d5-c5 g4-g7 xf2";
        for mv in moves.split(' ') {
            assert_eq!(game.outcome(), None);
            game.play(mv.parse().unwrap()).unwrap();
        }
        assert_eq!(game.position().quiet_plies(), 0);
        assert_eq!(game.outcome(), None);
    }

    #[test]
    fn the_n_move_rule_comes_before_a_blocked_side() {
        let text = "*O****O*/O***O@*@/O****O@@ w m s 6 0 4 0 0 0 0 0 0 0 0 9 85";
        for (n_move, end) in [(10, "draw:drawFiftyMove"), (11, "win0:loseNoLegalMoves")] {
            let rules = DrawRules { n_move, ..DrawRules::default() };
            let mut game = Game::from_text(text, Standard, rules).unwrap();
            game.play("c4-b4".parse().unwrap()).unwrap();
            assert_eq!(game.outcome().map(|outcome| outcome.to_string()).as_deref(), Some(end));
        }
    }

    #[test]
    fn the_n_move_rule_of_a_text_comes_before_too_few_men() {
        let text = "**O*@@**/**@@*@@*/*****@** w m s 1 0 7 0 0 0 0 0 0 0 0 100 23";
        let outcome =
            |text: &str| Game::from_text(text, Standard, DrawRules::default()).unwrap().outcome();
        assert_eq!(outcome(text), Some(Outcome::Draw(Draw::NMove)));
        let earlier = outcome(&text.replace(" 100 23", " 99 23"));
        assert_eq!(earlier, Some(Outcome::Win { winner: Side::Black, loss: Loss::TooFewMen }));
    }

    #[test]
    fn an_illegal_move_names_the_legal_ones_and_changes_nothing() {
        let mut game = Game::new();
        game.play("d6".parse().unwrap()).unwrap();
        let before = game.text();
        let error = game.play("d6".parse().unwrap()).unwrap_err().to_string();
        assert!(error.starts_with("move 'd6': expected one of the legal moves d5 e5"), "{error}");
        assert_eq!(game.text(), before);
    }
}
