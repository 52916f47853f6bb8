//! The game of a session: players, moves, declared ends and clocks; time controls as people write them.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use clap::ValueEnum;
use millstone::board::{BySide, Side};
use millstone::game::History;
use millstone::matches::TimeControl;
use millstone::quote::{printable, quote};
use millstone::records::{GameRecord, GameResult};
use millstone::search::Skill;

/// The sides that humans play; the engine plays the other sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, derive_more::Display)]
pub enum HumanSides {
    /// You play White and place first
    #[display("you play White")]
    White,
    /// You play Black
    #[display("you play Black")]
    Black,
    /// Two people play each other
    #[display("two people play")]
    Both,
    /// The engine plays itself, and you watch
    #[display("the engine plays itself")]
    None,
}

impl HumanSides {
    /// Whether a human plays a side.
    pub fn is_human(self, side: Side) -> bool {
        self == Self::Both || self == [Self::White, Self::Black][side as usize]
    }

    /// The same players with sides swapped.
    pub fn swapped(self) -> Self {
        [Self::Black, Self::White, Self::Both, Self::None][self as usize]
    }
}

/// An end that the players declare, such as resignation.
#[derive(Clone, Debug)]
pub struct Declared {
    pub result: GameResult,
    /// The reason, as in game records.
    pub reason: Option<String>,
}

/// The reasons for declared ends in game records.
pub const RESIGNATION: &str = "resignation";
pub const TIME_LOSS: &str = "time loss";
pub const AGREEMENT: &str = "agreement";

impl Declared {
    fn sentence(&self) -> String {
        let winner = Side::ALL.into_iter().find(|&side| GameResult::won_by(side) == self.result);
        let reason = self.reason.as_deref().unwrap_or_default().trim().trim_end_matches('.');
        match (winner, &*reason.to_lowercase()) {
            (Some(winner), RESIGNATION | "r" | "resign") => {
                format!("{winner} wins: {} resigns.", !winner)
            }
            (Some(winner), TIME_LOSS | "time forfeit" | "t" | "time") => {
                format!("{winner} wins on time.")
            }
            (Some(winner), "forfeit" | "f") => format!("{winner} wins: {} forfeits.", !winner),
            (None, AGREEMENT) => "Draw by agreement.".to_owned(),
            (winner, word) => {
                let drawn = || "The game is drawn".to_owned();
                let end = winner.map_or_else(drawn, |winner| format!("{winner} has won"));
                match word {
                    "" | "?" | "normal" => format!("{end}."),
                    _ => format!("{end}: {}.", printable(reason)),
                }
            }
        }
    }
}

/// A game with everything needed to continue it.
pub struct PlayedGame {
    pub history: History,
    /// How the game ended, if not by its rules.
    pub declared: Option<Declared>,
    pub humans: HumanSides,
    pub skill: Skill,
    pub clocks: Option<Clocks>,
    /// The record that the game was read from, with tags and annotations.
    pub origin: Option<GameRecord>,
}

impl PlayedGame {
    /// A game that was not read from a record.
    pub fn new(history: History, humans: HumanSides, skill: Skill, clocks: Option<Clocks>) -> Self {
        Self { history, declared: None, humans, skill, clocks, origin: None }
    }

    /// Returns the result of a finished game, and a sentence with the result and its reason.
    pub fn end(&self) -> Option<(GameResult, String)> {
        let declared = self.declared.as_ref().map(|end| (end.result, end.sentence()));
        let game = self.history.game();
        declared.or_else(|| Some((game.outcome().into(), game.end_sentence()?)))
    }

    /// Takes back a declared end or else the last turn of a human and all later turns. Returns whether there
    /// was anything to take back.
    pub fn undo(&mut self) -> bool {
        let humans = self.humans;
        let is_undone = |side| humans == HumanSides::None || humans.is_human(side);
        self.declared.take().is_some() || self.history.undo(is_undone)
    }

    /// Plays again what `undo` took back last, unless the game is over. Returns whether there was anything to
    /// play.
    pub fn redo(&mut self) -> bool {
        self.end().is_none() && self.history.redo()
    }
}

/// The longest time on a clock.
const MOST: Duration = Duration::from_secs(10_000 * 60);

/// Parses a time control; `None` if a time is malformed or out of range.
///
/// * `base`: the time for the game, in units of `unit` seconds.
/// * `increment`: the seconds added after each turn.
pub fn control(base: &str, unit: f64, increment: &str) -> Option<TimeControl> {
    let (base, increment) = (time(base, unit)?, time(increment, 1.0)?);
    (!base.is_zero()).then_some(TimeControl { turns: None, base, increment })
}

/// Parses a time on a clock, in units of `unit` seconds; `None` if it is malformed or out of range.
pub fn time(text: &str, unit: f64) -> Option<Duration> {
    let seconds = text.parse::<f64>().ok()? * unit;
    (0.0..=MOST.as_secs_f64()).contains(&seconds).then(|| Duration::from_secs_f64(seconds))
}

/// Parses a time control such as `10+5`: minutes for the game, and optionally seconds for each turn.
pub fn read_control(text: &str) -> Result<TimeControl, String> {
    let (minutes, seconds) = text.split_once('+').unwrap_or((text, "0"));
    control(minutes.trim(), 60.0, seconds.trim()).ok_or_else(|| {
        format!("expected minutes and seconds per turn, such as 10+5, found '{}'", quote(text))
    })
}

/// The clocks while a game is played.
#[derive(Clone, Debug)]
pub struct Clocks {
    pub control: TimeControl,
    /// The time that each side had when the turn began.
    left: BySide<Duration>,
    /// The time when the turn began.
    since: Instant,
    /// The values of `left` for other turns, by the number of moves before the turn.
    earlier: BTreeMap<usize, BySide<Duration>>,
}

impl Clocks {
    /// Starts both clocks with the full time.
    pub fn new(control: TimeControl) -> Self {
        Self::with_left(control, BySide::both(control.base))
    }

    /// Starts the clocks with given times.
    pub fn with_left(control: TimeControl, left: BySide<Duration>) -> Self {
        Self { control, left, since: Instant::now(), earlier: BTreeMap::new() }
    }

    /// Returns the time that a side has left.
    pub fn left(&self, side: Side, to_move: Side) -> Duration {
        let spent = if side == to_move { self.since.elapsed() } else { Duration::ZERO };
        self.left[side].saturating_sub(spent)
    }

    /// Whether the side to move has no time left.
    pub fn is_out(&self, to_move: Side) -> bool {
        self.left(to_move, to_move).is_zero()
    }

    /// Stops the clock of a side at the end of its turn.
    ///
    /// * `moves_before`: the number of moves in the game before the turn.
    pub fn end_turn(&mut self, side: Side, moves_before: usize) {
        self.earlier.insert(moves_before, self.left);
        self.left[side] = (self.left(side, side) + self.control.increment).min(MOST);
        self.restart();
    }

    /// Stores the present times under the number of moves played, for a redo.
    pub fn remember(&mut self, moves: usize, to_move: Side) {
        let left = BySide(Side::ALL.map(|side| self.left(side, to_move)));
        self.earlier.insert(moves, left);
    }

    /// Restores the times after `moves` moves, if known.
    pub fn go_to(&mut self, moves: usize) {
        self.left = self.earlier.get(&moves).copied().unwrap_or(self.left);
        self.restart();
    }

    /// Starts the clock of the side to move.
    pub fn restart(&mut self) {
        self.since = Instant::now();
    }
}

/// Writes a time in minutes and seconds, with tenths below 20 seconds.
pub fn clock_time(left: Duration) -> String {
    let seconds = left.as_secs();
    let time = format!("{}:{:02}", seconds / 60, seconds % 60);
    if seconds < 20 { format!("{time}.{}", left.subsec_millis() / 100) } else { time }
}

#[cfg(test)]
mod tests {
    use millstone::rules::RuleSet;

    use super::*;

    #[test]
    fn a_declared_end_is_taken_back_alone_and_nothing_is_redone_before() {
        let rules = RuleSet::NINE_MENS_MORRIS;
        let moves = ["d6", "a1", "d5"].map(|mv| mv.parse().unwrap());
        let history = History::replay(None, &rules, moves.into_iter()).unwrap();
        let mut played = PlayedGame::new(history, HumanSides::Both, Skill::FULL, None);
        assert!(played.undo());
        played.declared = Some(Declared { result: GameResult::Draw, reason: None });
        assert!(!played.redo());
        assert!(played.undo());
        assert_eq!((played.end(), played.history.count_moves()), (None, 2));
        assert!(played.redo());
    }

    #[test]
    fn time_controls_are_minutes_and_seconds() {
        let written = |text| read_control(text).map(|control| control.to_string());
        assert_eq!(written("10+5"), Ok("600+5".to_owned()));
        assert_eq!(written("0.5"), Ok("30+0".to_owned()));
        for text in ["", "+5", "0", "-1", "ten", "5+x", "nan", "inf", "1e9", "5+-1"] {
            assert!(written(text).is_err(), "{text}");
        }
    }

    #[test]
    fn only_the_clock_of_the_side_to_move_runs() {
        let control = control("1", 1.0, "60").unwrap();
        let mut clocks = Clocks::new(control);
        clocks.end_turn(Side::White, 0);
        assert!(clocks.left(Side::White, Side::Black) > Duration::from_secs(60));
        assert!(clocks.left(Side::Black, Side::Black) <= Duration::from_secs(1));
    }

    #[test]
    fn what_is_taken_back_gives_its_time_back() {
        let left = BySide([50.0, 40.0].map(Duration::from_secs_f64));
        let mut clocks = Clocks::with_left(read_control("1+60").unwrap(), left);
        clocks.end_turn(Side::White, 4);
        clocks.remember(5, Side::Black);
        let after = clocks.earlier[&5];
        assert!(after[Side::White] > left[Side::White] && after[Side::Black] < left[Side::Black]);
        clocks.go_to(4);
        assert_eq!(clocks.left, left);
        clocks.go_to(5);
        assert_eq!(clocks.left, after);
        clocks.go_to(0);
        assert_eq!(clocks.left, after, "what was before is not known");
    }

    #[test]
    fn short_times_show_tenths() {
        let shown = |millis| clock_time(Duration::from_millis(millis));
        assert_eq!(shown(598_900), "9:58");
        assert_eq!(shown(9_870), "0:09.8");
    }
}
