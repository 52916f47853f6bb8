//! A game by any rules, for programs that learn only while they run which game is played.
//!
//! The rules are examined only when a game begins: Nine Men's Morris then runs the code compiled for
//! it, any other game the code that reads its rules from a [`RuleSet`].
//!
//! ```
//! use millstone::any_game;
//! use millstone::rules::{DrawRules, Preset};
//! use millstone::search::{Engine, Limits, Silent, Skill};
//!
//! let lasker = Preset::named("lasker").ok_or("no such game")?;
//! let mut game = any_game::start(&lasker.rules, DrawRules::default());
//! game.play("d6".parse()?)?;
//! let mut engine = Engine::new(1)?;
//! let report = game.search(&mut engine, &Limits::to_depth(3), Skill::FULL, 0, &mut Silent);
//! game.play(report.best().ok_or("the game is over")?)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::fmt;

use crate::board::{Side, SquareSet};
use crate::evaluate::{Term, evaluate, terms};
use crate::game::{Game, IllegalMove, Outcome};
use crate::perft::{self, Bulk, Stoppable};
use crate::position::{Move, MoveList, Position, TextError};
use crate::rules::{DrawRules, MillMove, Preset, RuleSet, Rules, Standard};
use crate::score::Score;
use crate::search::{Engine, Limits, Observer, Report, Skill};
use crate::tablebase::{Tablebase, Wdl};

/// A game whose rules are not known when the program is compiled.
pub trait AnyGame: Send {
    /// The same game once more.
    fn copy(&self) -> Box<dyn AnyGame>;
    /// The rules of the game.
    fn rules(&self) -> &RuleSet;
    /// The draw rules in force.
    fn draw_rules(&self) -> DrawRules;
    /// The position as text.
    fn text(&self) -> String;
    /// The position in MFEN 1.0.
    fn mfen(&self) -> String;
    /// The board with all that belongs to it, in several lines.
    fn description(&self) -> String;
    /// The key of the position.
    fn key(&self) -> u64;
    /// The side to move.
    fn to_move(&self) -> Side;
    /// The men of a side on the board.
    fn men(&self, side: Side) -> SquareSet;
    /// How many men a side has in hand.
    fn in_hand(&self, side: Side) -> u8;
    /// The points where men were removed and none may stand until all are placed.
    fn marked(&self) -> SquareSet;
    /// How many men a side has to remove, negative if they are its own.
    fn owed(&self, side: Side) -> i8;
    /// The number of the move in the game, from 1; removals do not count as moves.
    fn move_number(&self) -> u32;
    /// How the game ended, if it has.
    fn outcome(&self) -> Option<Outcome>;
    /// Whether a side that has just moved is to move again.
    fn plays_on(&self, mover: Side) -> bool;
    /// Whether a side that has just moved has to go on with its turn and remove a man.
    fn is_within_turn(&self, mover: Side) -> bool;
    /// The legal moves.
    fn moves(&self) -> MoveList;
    /// Plays a move.
    ///
    /// # Errors
    ///
    /// When the move is illegal or the game over; the game stays as it was.
    fn play(&mut self, mv: Move) -> Result<(), IllegalMove>;
    /// The value of the position without search.
    fn estimate(&self) -> Score;
    /// The terms of that value; none when the game is over.
    fn terms(&self) -> Vec<Term>;
    /// Looks for a move as well as the skill allows; the seed decides its mistakes.
    fn search(
        &self,
        engine: &mut Engine,
        limits: &Limits,
        skill: Skill,
        seed: u64,
        observer: &mut dyn Observer,
    ) -> Report;
    /// The value of the position by the tablebase, ignoring draws by history; none if it is that of another
    /// game.
    fn look_up(&self, tablebase: &Tablebase) -> Option<Wdl>;
    /// The value of the game by the tablebase if no draw rule can change it, as
    /// [`certain_wdl`](Tablebase::certain_wdl) says; none if it is that of another game.
    fn look_up_certain(&self, tablebase: &Tablebase) -> Option<Wdl>;
    /// The line of best play by the tablebase until the game ends or is drawn; none if it does not know
    /// the way.
    fn best_line(&self, tablebase: &Tablebase) -> Option<Vec<Move>>;
    /// The answer that a search expects from the opponent.
    fn ponder(&self, report: &Report) -> Option<Move>;
    /// Counts the leaves of the game tree; the count is incomplete once it should stop.
    fn perft(&self, depth: u32, should_stop: &dyn Fn() -> bool) -> u64;
}

impl Clone for Box<dyn AnyGame> {
    fn clone(&self) -> Self {
        self.copy()
    }
}

impl<R: Rules> AnyGame for Game<R> {
    fn copy(&self) -> Box<dyn AnyGame> {
        Box::new(self.clone())
    }

    fn rules(&self) -> &RuleSet {
        self.position().rules()
    }

    fn draw_rules(&self) -> DrawRules {
        self.draw_rules()
    }

    fn text(&self) -> String {
        self.text().to_string()
    }

    fn mfen(&self) -> String {
        self.mfen().to_string()
    }

    fn description(&self) -> String {
        Board(self).to_string()
    }

    fn key(&self) -> u64 {
        self.position().key()
    }

    fn to_move(&self) -> Side {
        self.position().to_move()
    }

    fn men(&self, side: Side) -> SquareSet {
        self.position().men(side)
    }

    fn in_hand(&self, side: Side) -> u8 {
        self.position().in_hand(side)
    }

    fn marked(&self) -> SquareSet {
        self.position().extras().marked
    }

    fn owed(&self, side: Side) -> i8 {
        self.position().owed(side)
    }

    fn move_number(&self) -> u32 {
        self.position().move_number()
    }

    fn outcome(&self) -> Option<Outcome> {
        self.outcome()
    }

    fn plays_on(&self, mover: Side) -> bool {
        self.plays_on(mover)
    }

    fn is_within_turn(&self, mover: Side) -> bool {
        self.is_within_turn(mover)
    }

    fn moves(&self) -> MoveList {
        self.moves()
    }

    fn play(&mut self, mv: Move) -> Result<(), IllegalMove> {
        self.play(mv)
    }

    fn estimate(&self) -> Score {
        match self.outcome() {
            Some(Outcome::Win { .. }) => Score::mated_in(0),
            Some(Outcome::Draw(_)) => Score::DRAW,
            None => evaluate(self.position()),
        }
    }

    fn terms(&self) -> Vec<Term> {
        match self.outcome() {
            Some(_) => Vec::new(),
            None => terms(self.position()),
        }
    }

    fn search(
        &self,
        engine: &mut Engine,
        limits: &Limits,
        skill: Skill,
        seed: u64,
        observer: &mut dyn Observer,
    ) -> Report {
        engine.search_with_skill(self, limits, skill, seed, observer)
    }

    fn look_up(&self, tablebase: &Tablebase) -> Option<Wdl> {
        let is_known = tablebase.is_of(self.position().rules());
        is_known.then(|| tablebase.probe(self.position())).flatten()
    }

    fn look_up_certain(&self, tablebase: &Tablebase) -> Option<Wdl> {
        let is_known = tablebase.is_of(self.position().rules());
        is_known.then(|| tablebase.certain_wdl(self)).flatten()
    }

    fn best_line(&self, tablebase: &Tablebase) -> Option<Vec<Move>> {
        let is_known = tablebase.is_of(self.position().rules());
        let line = is_known.then(|| tablebase.pv(self, || false)).flatten();
        line.map(|(line, _)| line)
    }

    fn ponder(&self, report: &Report) -> Option<Move> {
        report.ponder(self)
    }

    fn perft(&self, depth: u32, should_stop: &dyn Fn() -> bool) -> u64 {
        let mut hooks = Stoppable::new(Bulk, should_stop);
        perft::walk(self.position(), depth, &mut hooks)
    }
}

/// A new game.
#[must_use]
pub fn start(rules: &RuleSet, draws: DrawRules) -> Box<dyn AnyGame> {
    if rules.is_standard() {
        Box::new(Game::from_position(Position::start(Standard), draws))
    } else {
        Box::new(Game::from_position(Position::start(*rules), draws))
    }
}

/// A game that goes on from a position text.
///
/// # Errors
///
/// The first field of the text that is wrong.
pub fn from_text(
    text: &str,
    rules: &RuleSet,
    draws: DrawRules,
) -> Result<Box<dyn AnyGame>, TextError> {
    if rules.is_standard() {
        Ok(Box::new(Game::from_text(text, Standard, draws)?))
    } else {
        Ok(Box::new(Game::from_text(text, *rules, draws)?))
    }
}

/// A game as it is shown.
struct Board<'a, R: Rules>(&'a Game<R>);

impl<R: Rules> fmt::Display for Board<'_, R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let game = self.0;
        let position = game.position();
        writeln!(f, "\n{}\n", position.drawing())?;
        for side in Side::ALL {
            let (on_board, in_hand) = (position.men(side).len(), position.in_hand(side));
            writeln!(f, "{side} ({}): {on_board} on the board, {in_hand} in hand", side.man())?;
        }
        write_extras(f, position)?;
        match game.outcome() {
            Some(outcome) => writeln!(f, "Over: {outcome}")?,
            None => write_turn(f, position)?,
        }
        let rules = position.rules();
        let name = Preset::of(rules).map_or("own rules", |preset| preset.name);
        writeln!(f, "Rules: {name} {}", rules.identity())?;
        writeln!(f, "Fen: {}", game.text())?;
        writeln!(f, "Mfen: {}", game.mfen())?;
        writeln!(f, "Key: {:016X}", position.key())
    }
}

/// What each side has to do, the side to move first.
fn write_turn<R: Rules>(f: &mut fmt::Formatter<'_>, position: &Position<R>) -> fmt::Result {
    let side = position.to_move();
    if position.pending() == 0 {
        writeln!(f, "{side} to move")?;
    }
    for (side, then) in [(side, ""), (!side, "then ")] {
        match position.owed(side) {
            0 => {}
            men @ 1.. => writeln!(f, "{then}{side} to remove {men}")?,
            men => writeln!(f, "{then}{side} to remove {} of its own", men.unsigned_abs())?,
        }
    }
    Ok(())
}

/// What only some games remember.
fn write_extras<R: Rules>(f: &mut fmt::Formatter<'_>, position: &Position<R>) -> fmt::Result {
    let extras = position.extras();
    write_points(f, "Marked:", extras.marked)?;
    for side in Side::ALL {
        write_points(f, &format!("{side} used in mills:"), extras.used[side])?;
        if let Some(MillMove { from: Some(from), to }) = extras.last_mills[side] {
            writeln!(f, "{side} closed a mill: {from}-{to}")?;
        }
    }
    let leapt = extras.leapt.map_or(SquareSet::EMPTY, SquareSet::of);
    write_points(f, "Open to capture:", extras.custodian | extras.intervention | leapt)?;
    let preferred = extras.preferred.map_or(SquareSet::EMPTY, SquareSet::of);
    write_points(f, "Preferred for capture:", preferred)
}

fn write_points(f: &mut fmt::Formatter<'_>, label: &str, points: SquareSet) -> fmt::Result {
    if points.is_empty() {
        return Ok(());
    }
    f.write_str(label)?;
    points.into_iter().try_for_each(|square| write!(f, " {square}"))?;
    writeln!(f)
}
