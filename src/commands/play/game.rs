//! The game in the terminal: who plays, what was played and taken back, how it ended, and the clocks.

use std::collections::BTreeMap;
use std::fmt;
use std::time::{Duration, Instant};

use clap::ValueEnum;
use millstone::board::{BySide, Side};
use millstone::game::{History, Outcome};
use millstone::matches::TimeControl;
use millstone::quote::{printable, quote};
use millstone::records::{GameRecord, GameResult};
use millstone::search::Skill;

/// The sides that humans play; the engine plays the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum HumanSides {
    /// You play White and place first
    White,
    /// You play Black
    Black,
    /// Two people play each other
    Both,
    /// The engine plays itself, to watch
    None,
}

impl HumanSides {
    /// Whether a human plays a side.
    pub fn is_human(self, side: Side) -> bool {
        self == Self::Both || self == [Self::White, Self::Black][side as usize]
    }

    /// These players with the sides exchanged.
    pub fn swapped(self) -> Self {
        [Self::Black, Self::White, Self::Both, Self::None][self as usize]
    }
}

impl fmt::Display for HumanSides {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::White => "you play White",
            Self::Black => "you play Black",
            Self::Both => "two people play",
            Self::None => "the engine plays itself",
        })
    }
}

/// How a game ended: the result of the game record, and the same with its reason, in a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameEnd {
    pub result: GameResult,
    pub sentence: String,
}

/// An end that the rules do not give.
#[derive(Clone, Debug)]
pub struct Declared {
    pub result: GameResult,
    /// Why, as records say it.
    pub reason: Option<String>,
}

/// What records call the ends that the players declare.
pub const RESIGNATION: &str = "resignation";
pub const TIME_LOSS: &str = "time loss";
pub const AGREEMENT: &str = "agreement";

impl Declared {
    fn sentence(&self) -> String {
        let winner = Side::ALL.into_iter().find(|&side| GameResult::won_by(side) == self.result);
        let reason = self.reason.as_deref().map(|reason| reason.trim().trim_end_matches('.'));
        let word = reason.unwrap_or_default().to_lowercase();
        match (winner, &*word) {
            (Some(winner), RESIGNATION | "r" | "resign") => {
                format!("{winner} wins: {} resigns.", !winner)
            }
            (Some(winner), TIME_LOSS | "time forfeit" | "t" | "time") => {
                format!("{winner} wins on time.")
            }
            (None, AGREEMENT) => "Draw by agreement.".to_owned(),
            _ => {
                let drawn = || "The game is drawn".to_owned();
                let end = winner.map_or_else(drawn, |winner| format!("{winner} has won"));
                let tells = !["", "?", "normal"].contains(&&*word);
                let reason =
                    reason.filter(|_| tells).map(|reason| format!(": {}", printable(reason)));
                format!("{end}{}.", reason.unwrap_or_default())
            }
        }
    }
}

/// A game with all that is needed to continue it.
pub struct PlayedGame {
    pub history: History,
    /// How the game ended other than by its rules.
    pub declared: Option<Declared>,
    pub humans: HumanSides,
    pub skill: Skill,
    pub clocks: Option<Clocks>,
    /// The record that it was read from, with its tags and annotations.
    pub origin: Option<GameRecord>,
}

impl PlayedGame {
    /// How the game ended, if it has.
    pub fn end(&self) -> Option<GameEnd> {
        let game = self.history.game();
        let by_rules = |outcome: Outcome| {
            let sentence = outcome.sentence(game.draw_rules());
            GameEnd { result: Some(outcome).into(), sentence }
        };
        let declared = self.declared.as_ref();
        let declared = declared.map(|end| GameEnd { result: end.result, sentence: end.sentence() });
        declared.or_else(|| game.outcome().map(by_rules))
    }

    /// Takes back a declared end or, if there is none, the last turn of a human and those after it.
    /// Returns whether there was anything to take back.
    pub fn undo(&mut self) -> bool {
        let humans = self.humans;
        let is_undone = |side| humans == HumanSides::None || humans.is_human(side);
        self.declared.take().is_some() || self.history.undo(is_undone)
    }

    /// Plays again what was taken back last, unless the game is over. Returns whether there was
    /// anything.
    pub fn redo(&mut self) -> bool {
        self.end().is_none() && self.history.redo()
    }
}

/// The longest time that a clock shows, in minutes.
const MOST_MINUTES: f64 = 10_000.0;

/// Reads a base time and an increment after each turn; `None` if either is out of range.
///
/// * `unit`: the seconds that the base counts in; the increment is in seconds.
pub fn control(base: &str, unit: f64, increment: &str) -> Option<TimeControl> {
    let (base, increment) = (time(base, unit)?, time(increment, 1.0)?);
    (!base.is_zero()).then_some(TimeControl { turns: None, base, increment })
}

/// Reads a time on a clock; `None` if it is out of range.
///
/// * `unit`: the seconds that it counts in.
pub fn time(text: &str, unit: f64) -> Option<Duration> {
    let seconds = text.parse::<f64>().ok()? * unit;
    let range = 0.0..=MOST_MINUTES * 60.0;
    range.contains(&seconds).then(|| Duration::from_secs_f64(seconds))
}

/// Reads `10+5`: minutes for the game and seconds for each turn, which may be missing.
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
    /// What each side had when the turn began.
    left: BySide<Duration>,
    /// When the turn began.
    since: Instant,
    /// What they had at the beginning of earlier turns, by the number of moves before.
    earlier: BTreeMap<usize, BySide<Duration>>,
}

impl Clocks {
    /// Both clocks full.
    pub fn new(control: TimeControl) -> Self {
        Self::with_left(control, BySide::both(control.base))
    }

    /// Clocks that show these times.
    pub fn with_left(control: TimeControl, left: BySide<Duration>) -> Self {
        Self { control, left, since: Instant::now(), earlier: BTreeMap::new() }
    }

    /// What a side has left while one is to move.
    pub fn left(&self, side: Side, to_move: Side) -> Duration {
        let spent = if side == to_move { self.since.elapsed() } else { Duration::ZERO };
        self.left[side].saturating_sub(spent)
    }

    /// Whether the side to move has no time left.
    pub fn is_out(&self, to_move: Side) -> bool {
        self.left(to_move, to_move).is_zero()
    }

    /// Ends the turn of a side, whose clock stops; it began after `moves_before` moves.
    pub fn end_turn(&mut self, side: Side, moves_before: usize) {
        self.earlier.insert(moves_before, self.left);
        let most = Duration::from_secs_f64(MOST_MINUTES * 60.0);
        self.left[side] = (self.left(side, side) + self.control.increment).min(most);
        self.restart();
    }

    /// Remembers what the clocks show after `moves` moves, for a redo.
    pub fn remember(&mut self, moves: usize, to_move: Side) {
        let left = BySide(Side::ALL.map(|side| self.left(side, to_move)));
        self.earlier.insert(moves, left);
    }

    /// Sets the clocks back to what they showed after `moves` moves, if that is known.
    pub fn go_to(&mut self, moves: usize) {
        self.left = self.earlier.get(&moves).copied().unwrap_or(self.left);
        self.restart();
    }

    /// Starts the clock of the side to move now.
    pub fn restart(&mut self) {
        self.since = Instant::now();
    }
}

/// A time on a clock: minutes and seconds, and tenths when it is short.
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
        let mut played = PlayedGame {
            history: History::replay(None, &rules, moves.into_iter()).unwrap(),
            declared: None,
            humans: HumanSides::Both,
            skill: Skill::FULL,
            clocks: None,
            origin: None,
        };
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
