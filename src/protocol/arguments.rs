//! The arguments of `go`: the limits of a search.

use std::fmt;
use std::num::IntErrorKind;
use std::str::{FromStr, SplitWhitespace};
use std::time::Duration;

use super::{Command, Dialect, Error, Options};
use crate::board::{BySide, Side};
use crate::position::{MoveLine, Turn};
use crate::quote::listed;
use crate::search::{Budget, Clock, Limits, MAX_DEPTH};

/// The arguments of `go`; without a limit, the options supply one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Go {
    /// The maximum depth, in plies.
    pub depth: Option<u32>,
    /// The maximum number of nodes to visit.
    pub nodes: Option<u64>,
    /// The time for this move.
    pub move_time: Option<Duration>,
    /// The time left on each side's clock.
    pub time: BySide<Option<Duration>>,
    /// Each side's increment per turn.
    pub increment: BySide<Option<Duration>>,
    /// The number of turns to the next time control.
    pub moves_to_go: Option<u32>,
    /// The number of turns within which to find a win.
    pub mate: Option<u32>,
    /// Whether to search until `stop`.
    pub infinite: bool,
    /// Whether to search on the opponent's time until `ponderhit`.
    pub ponder: bool,
    /// The moves to choose from; all if empty.
    pub search_moves: Vec<Turn>,
}

/// The value of an argument of `go`, and the field that holds it.
enum Value {
    /// A number; 0 means no limit.
    Limit(fn(&mut Go) -> &mut Option<u32>),
    Nodes(fn(&mut Go) -> &mut Option<u64>),
    /// A time; 0 means none.
    Duration(fn(&mut Go) -> &mut Option<Duration>),
    /// A time; 0 means that it has run out.
    Time(fn(&mut Go) -> &mut Option<Duration>),
    Flag(fn(&mut Go) -> &mut bool),
    Moves(fn(&mut Go) -> &mut Vec<Turn>),
}

/// The argument that restricts the choice of moves.
pub(super) const SEARCH_MOVES: &str = "searchmoves";

/// All arguments, in display order.
const ARGUMENTS: [(&str, Value); 12] = [
    ("depth", Value::Limit(|go| &mut go.depth)),
    ("nodes", Value::Nodes(|go| &mut go.nodes)),
    ("movetime", Value::Duration(|go| &mut go.move_time)),
    ("wtime", Value::Time(|go| &mut go.time[Side::White])),
    ("btime", Value::Time(|go| &mut go.time[Side::Black])),
    ("winc", Value::Duration(|go| &mut go.increment[Side::White])),
    ("binc", Value::Duration(|go| &mut go.increment[Side::Black])),
    ("movestogo", Value::Limit(|go| &mut go.moves_to_go)),
    ("mate", Value::Limit(|go| &mut go.mate)),
    ("infinite", Value::Flag(|go| &mut go.infinite)),
    ("ponder", Value::Flag(|go| &mut go.ponder)),
    (SEARCH_MOVES, Value::Moves(|go| &mut go.search_moves)),
];

/// The arguments missing in GBGP.
const UCI_ONLY: [&str; 2] = ["mate", "infinite"];

fn arguments(dialect: Dialect) -> impl Iterator<Item = &'static (&'static str, Value)> {
    ARGUMENTS.iter().filter(move |(word, _)| dialect == Dialect::Uci || !UCI_ONLY.contains(word))
}

impl Value {
    /// Parses the value after the argument.
    fn read(&self, go: &mut Go, words: &mut Words<'_>) -> Result<(), Error> {
        match self {
            Self::Limit(field) => *field(go) = words.limit(u32::MAX)?,
            Self::Nodes(field) => *field(go) = words.limit(u64::MAX)?,
            Self::Duration(field) => *field(go) = words.time()?,
            Self::Time(field) => *field(go) = Some(words.time()?.unwrap_or_default()),
            Self::Flag(field) => *field(go) = true,
            Self::Moves(field) => *field(go) = words.moves()?,
        }
        Ok(())
    }

    /// The text after the argument, with a blank before each word; `None` if the argument is unset.
    fn text(&self, go: &mut Go) -> Option<String> {
        let milliseconds = |time: Duration| format!(" {}", time.as_millis());
        match self {
            Self::Limit(field) => field(go).map(|number| format!(" {number}")),
            Self::Nodes(field) => field(go).map(|number| format!(" {number}")),
            Self::Duration(field) | Self::Time(field) => field(go).map(milliseconds),
            Self::Flag(field) => field(go).then(String::new),
            Self::Moves(field) => {
                (!field(go).is_empty()).then(|| MoveLine(&*field(go)).to_string())
            }
        }
    }
}

/// A dialect's arguments as a list in prose.
pub(super) fn go_words(dialect: Dialect) -> String {
    listed(arguments(dialect).map(|(word, _)| *word), "or")
}

impl Go {
    /// Reads the words after `go`.
    ///
    /// # Errors
    ///
    /// The first unknown argument or invalid value.
    pub fn parse(text: &str, dialect: Dialect) -> Result<Self, Error> {
        let mut go = Self::default();
        let mut words = Words { dialect, after: "", rest: text.split_whitespace() };
        while let Some(word) = words.rest.next() {
            let argument = arguments(dialect).find(|(known, _)| *known == word);
            let unknown = || Error::argument(Command::Go.word(dialect), go_words(dialect), word);
            let (word, value) = argument.ok_or_else(unknown)?;
            words.after = word;
            value.read(&mut go, &mut words)?;
        }
        Ok(go)
    }

    /// Whether a limit is given for the side to move, or `infinite`.
    pub fn has_limit(&self, side: Side) -> bool {
        self.depth.is_some()
            || self.nodes.is_some()
            || self.move_time.is_some()
            || self.mate.is_some()
            || self.infinite
            || self.time[side].is_some()
    }

    /// The limits of a search for the side to move.
    pub(super) fn limits(&self, options: &Options, dialect: Dialect, side: Side) -> Limits {
        let overhead = Duration::from_millis(options.move_overhead.into());
        let (multi_pv, overhead) = match dialect {
            Dialect::Uci => (options.multi_pv as usize, overhead),
            Dialect::Gbgp => (1, overhead.max(GBGP_OVERHEAD)),
        };
        let budget = self.budget(options, side, overhead);
        let clock = if self.ponder { Clock::waiting(budget) } else { Clock::started(budget) };
        let is_endless = !self.has_limit(side) && options.move_time == 0;
        let deepest = if is_endless { UNTIMED_DEPTH } else { MAX_DEPTH };
        let plies_per_turn = if options.rules.is_standard() { 2 } else { 4 };
        let deepest_mate =
            self.mate.map_or(MAX_DEPTH, |turns| turns.saturating_mul(plies_per_turn));
        Limits {
            multi_pv,
            nodes: self.nodes,
            mate: self.mate,
            search_moves: self.search_moves.iter().map(|turn| turn.moves()[0]).collect(),
            clock,
            ..Limits::to_depth(self.depth.unwrap_or(deepest).min(deepest_mate))
        }
    }

    fn budget(&self, options: &Options, side: Side, overhead: Duration) -> Budget {
        // The option counts only without any limit, that of a clock included.
        let has_usual = !self.has_limit(side) && options.move_time > 0;
        let usual = has_usual.then(|| Duration::from_millis(options.move_time.into()));
        let increment = self.increment[side].unwrap_or_default();
        match (self.move_time.or(usual), self.time[side]) {
            _ if self.infinite => Budget::UNLIMITED,
            (Some(time), _) => Budget::for_move(time, overhead),
            (_, Some(time)) => Budget::for_game(time, increment, self.moves_to_go, overhead),
            _ => Budget::UNLIMITED,
        }
    }
}

/// The remaining words, and the argument before them.
struct Words<'a> {
    dialect: Dialect,
    after: &'static str,
    rest: SplitWhitespace<'a>,
}

impl Words<'_> {
    fn error(&self, expected: &str, found: &str) -> Error {
        let Self { dialect, after, .. } = *self;
        Error::argument(Command::Go.line(dialect, after), expected, found)
    }

    /// A number, `None` if it is 0; at most `most`.
    fn limit<N: FromStr + PartialOrd + Default>(&mut self, most: N) -> Result<Option<N>, Error> {
        let text = self.rest.next().unwrap_or_default();
        if text.is_empty() || !text.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(self.error("a number, or 0 for no limit", text));
        }
        Ok(Some(text.parse().unwrap_or(most)).filter(|number| *number > N::default()))
    }

    /// A time, `None` if it is 0. A negative time, as of an expired clock, becomes [`Duration::ZERO`]; saturates if
    /// it is too large.
    fn time(&mut self) -> Result<Option<Duration>, Error> {
        let text = self.rest.next().unwrap_or_default();
        let expected = "a whole number of milliseconds";
        let time = match text.parse::<i64>() {
            Err(error) if *error.kind() == IntErrorKind::PosOverflow => i64::MAX,
            Err(error) if *error.kind() == IntErrorKind::NegOverflow => i64::MIN,
            time => time.map_err(|_| self.error(expected, text))?,
        };
        Ok((time != 0).then(|| Duration::from_millis(time.try_into().unwrap_or(0))))
    }

    /// The moves up to the first word that is not a move.
    fn moves(&mut self) -> Result<Vec<Turn>, Error> {
        let moves = self.rest.clone().map_while(|word| self.dialect.read_turn(word).ok());
        let moves: Vec<Turn> = moves.collect();
        if moves.is_empty() {
            return Err(self.error("moves", self.rest.clone().next().unwrap_or_default()));
        }
        self.rest.nth(moves.len() - 1);
        Ok(moves)
    }
}

impl fmt::Display for Go {
    /// Formats the arguments for [`Go::parse`].
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut go = self.clone();
        let given = |(word, value): &(_, Value)| Some(format!("{word}{}", value.text(&mut go)?));
        f.write_str(&ARGUMENTS.iter().filter_map(given).collect::<Vec<String>>().join(" "))
    }
}

/// The depth of a search without any limit.
const UNTIMED_DEPTH: u32 = 12;
/// The minimum overhead in GBGP: the time to read the last two lines at ten frames a second.
const GBGP_OVERHEAD: Duration = Duration::from_millis(200);

/// The seed of a search.
pub(super) fn seed(options: &Options, number: u64) -> u64 {
    options.shuffle_seed.map_or_else(rand::random, |seed| seed.wrapping_add(number))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_limit_goes_both_ways() {
        let text = "depth 7 nodes 1000 movetime 50 wtime 3000 btime 2000 winc 10 binc 20 movestogo 4 mate 2 \
                    infinite ponder searchmoves d6 xd5 d6-d7";
        let parse = |text| Go::parse(text, Dialect::Uci).unwrap();
        let go = parse(text);
        assert_eq!(go.to_string(), text);
        assert!(go.has_limit(Side::White));
        let has_limit = |text| parse(text).has_limit(Side::White);
        assert!(!has_limit("searchmoves d6 ponder") && !has_limit("btime 1000 winc 10"));
        assert_eq!(parse("wtime -30").time[Side::White], Some(Duration::ZERO));
        assert_eq!(parse("depth 99999999999999999999999").depth, Some(u32::MAX));
    }

    #[test]
    fn one_dialect_chooses_from_turns_and_needs_another_limit_than_stop() {
        let go = Go::parse("depth 3 searchmoves d6-f6xa1 b4", Dialect::Gbgp).unwrap();
        assert_eq!(go.to_string(), "depth 3 searchmoves d6-f6xa1 b4");
        let error = |arguments, dialect| Go::parse(arguments, dialect).unwrap_err().to_string();
        let found = error("searchmoves d6-f6xa1", Dialect::Uci);
        assert_eq!(found, "go searchmoves: expected moves, found 'd6-f6xa1'");
        for word in ["mate 2", "infinite"] {
            let found = error(word, Dialect::Gbgp);
            assert!(found.starts_with("go: expected depth, nodes, movetime"), "{found}");
        }
    }

    #[test]
    fn mistakes_in_limits_are_named() {
        for (arguments, message) in [
            ("dept 5", "go: expected depth, nodes, movetime, wtime"),
            ("depth", "go depth: expected a number, or 0 for no limit, found nothing"),
            ("depth -3", "go depth: expected a number, or 0 for no limit, found '-3'"),
            ("movetime soon", "go movetime: expected a whole number of milliseconds"),
            ("searchmoves depth 3", "go searchmoves: expected moves, found 'depth'"),
        ] {
            let error = Go::parse(arguments, Dialect::Uci).unwrap_err().to_string();
            assert!(error.starts_with(message), "{error}");
        }
    }

    fn limits(arguments: &str, options: &Options) -> Limits {
        let go = Go::parse(arguments, Dialect::Uci).unwrap();
        go.limits(options, Dialect::Uci, Side::White)
    }

    #[test]
    fn a_limit_of_zero_is_none() {
        for text in ["depth 0", "nodes 0", "movetime 0", "mate 0", "depth 00 nodes 0 movestogo 0"] {
            assert_eq!(Go::parse(text, Dialect::Uci), Ok(Go::default()), "{text}");
        }
        let options = Options { move_time: 0, ..Options::default() };
        assert_eq!(limits("depth 0", &options).depth, UNTIMED_DEPTH);
        assert_eq!(limits("depth 0 nodes 7", &options).nodes, Some(7));
        let negative = Go::parse("movetime -1", Dialect::Uci).unwrap();
        assert_eq!(negative.move_time, Some(Duration::ZERO), "the time has run out");
    }

    #[test]
    fn depth_comes_from_go_and_mate_whichever_is_less() {
        let options = Options::default();
        assert_eq!(limits("", &options).depth, MAX_DEPTH);
        assert_eq!(limits("depth 7", &options).depth, 7);
        assert_eq!(limits("depth 7 mate 2", &options).depth, 4);
    }

    #[test]
    fn a_search_without_any_limit_ends_all_the_same() {
        let options = Options { move_time: 0, ..Options::default() };
        assert_eq!(limits("", &options).depth, UNTIMED_DEPTH);
        assert_eq!(limits("searchmoves d6", &options).depth, UNTIMED_DEPTH);
        assert_eq!(limits("infinite", &options).depth, MAX_DEPTH);
        assert_eq!(limits("nodes 5", &options).depth, MAX_DEPTH);
    }

    #[test]
    fn budgets_are_those_of_the_side_to_move() {
        let options = Options::default();
        let ms = Duration::from_millis;
        let parse = |arguments| Go::parse(arguments, Dialect::Uci).unwrap();
        let of = |arguments| parse(arguments).budget(&options, Side::Black, ms(0));
        assert_eq!(of(""), Budget::for_move(ms(1000), ms(0)));
        assert_eq!(of("movetime 50 btime 9"), Budget::for_move(ms(50), ms(0)));
        let game = Budget::for_game(ms(900), ms(5), Some(3), ms(0));
        assert_eq!(of("wtime 1 btime 900 winc 7 binc 5 movestogo 3"), game);
        assert_eq!(of("infinite btime 5"), Budget::UNLIMITED);
        assert_eq!(of("depth 3"), Budget::UNLIMITED);
        assert_eq!(of("wtime 900 binc 5"), of(""), "the clock of the other side is no limit");
    }

    #[test]
    fn an_increment_gives_time_to_a_move_with_little_on_the_clock() {
        let soft = |arguments| {
            let go = Go::parse(arguments, Dialect::Uci).unwrap();
            go.budget(&Options::default(), Side::Black, Duration::from_millis(10)).soft.unwrap()
        };
        let without = soft("wtime 1000 btime 1000");
        assert!(soft("wtime 1000 btime 1000 winc 500 binc 500") > 5 * without);
        assert_eq!(soft("wtime 1000 btime 1000 winc 500"), without);
    }

    #[test]
    fn seeds_differ_from_search_to_search() {
        let options = Options::default();
        assert_ne!(seed(&options, 0), seed(&options, 1));
        assert_eq!(seed(&options, 1), seed(&options, 1));
    }
}
