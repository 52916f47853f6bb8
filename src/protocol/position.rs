//! The command `position`, read and written: positions and moves in the notation of either dialect.
//!
//! The position text of GBGP:
//!
//! ```text
//! w:wb4,c4:bd2:3
//! |   |     |  the number of the move, from 1
//! |   |     Black's men; the two groups may come in either order
//! |   White's men
//! the side to move
//! ```

use std::fmt;
use std::str::FromStr;

use super::{Command, Dialect, Error, Options};
use crate::board::{BySide, Side, Square, SquareSet};
use crate::game::{Game, History, illegal};
use crate::position::{MOVES_WORD, MoveLine, START_WORD, Turn};
use crate::rules::{MillAction, RuleSet};

/// Sets up the game that the arguments of `position` describe.
///
/// # Errors
///
/// If the text does not begin with a position, or the error in the position or in the first bad move.
pub(super) fn set_up(text: &str, dialect: Dialect, options: &Options) -> Result<History, Error> {
    let text_word = Command::Fen.word(dialect);
    let position = Command::Position.word(dialect);
    let after = |word: &str| format!("{position} {word}");
    let refused = |reason: &dyn fmt::Display| Command::Position.refused(dialect, reason);
    let words: Vec<&str> = text.split_whitespace().collect();
    let at = words.iter().position(|&word| word == MOVES_WORD).unwrap_or(words.len());
    let (start, moves) = words.split_at(at);
    let expected = format!("{START_WORD} or {text_word}");
    let start = match start {
        [START_WORD] => Ok(None),
        [START_WORD, junk, ..] => Err(Error::argument(after(START_WORD), MOVES_WORD, junk)),
        [word] if *word == text_word => Err(Error::argument(after(word), "a position text", "")),
        [word, text @ ..] if *word == text_word => Ok(Some(match dialect {
            Dialect::Uci => text.join(" "),
            Dialect::Gbgp => text.join(" ").parse::<GbgpPosition>()?.text(&options.rules)?,
        })),
        other => Err(Error::argument(position, expected, &other.join(" "))),
    }?;
    let game = Game::begin(start.as_deref(), options.rules, options.draw_rules);
    let mut history = History::from(game.map_err(|error| refused(&error))?);
    for (number, word) in (1..).zip(moves.iter().skip(1)) {
        play(dialect, &mut history, word)
            .map_err(|reason| refused(&format_args!("move {number}: {reason}")))?;
    }
    Ok(history)
}

/// The number of fields of a position text that a GBGP position determines: board, side, phase, action,
/// men on the board and in hand, removals owed.
const GBGP_FIELDS: usize = 10;

/// The line that sends a game to an engine.
///
/// # Errors
///
/// If the dialect cannot express the start.
pub fn position_line(dialect: Dialect, game: &History) -> Result<String, String> {
    let text_word = Command::Fen.word(dialect);
    let start = match (game.start_text(), dialect) {
        (None, _) => START_WORD.to_owned(),
        (Some(text), Dialect::Uci) => format!("{text_word} {text}"),
        (Some(text), Dialect::Gbgp) => {
            let position = GbgpPosition::of(game.start());
            let read = position.text(game.rules()).unwrap_or_default();
            // All but the plies since the last removal must survive.
            if !read.split(' ').take(GBGP_FIELDS).eq(text.split(' ').take(GBGP_FIELDS)) {
                return Err(format!("cannot express '{text}' in GBGP"));
            }
            format!("{text_word} {position}")
        }
    };
    let moves = match dialect {
        Dialect::Uci => MoveLine(game.moves()).to_string(),
        Dialect::Gbgp => MoveLine(game.turns().iter().map(|(_, turn)| turn)).to_string(),
    };
    let separator = if moves.is_empty() { String::new() } else { format!(" {MOVES_WORD}") };
    Ok(Command::Position.line(dialect, start + &separator + &moves))
}

/// Plays a move given as text, or returns an error message.
fn play(dialect: Dialect, history: &mut History, word: &str) -> Result<(), Error> {
    let noun = ["move", "turn"][dialect as usize];
    let legal = legal_moves(dialect, history.game());
    let explained = |error| Error::refused(format!("{error}; legal {noun}s:{}", MoveLine(&legal)));
    let turn = dialect.read_turn(word).map_err(explained)?;
    if !legal.contains(&turn) {
        return Err(illegal(noun, turn, history.game().outcome(), &legal));
    }
    turn.moves().iter().try_for_each(|&mv| history.play(mv))
}

/// The legal moves: plies in the UCI dialect, whole turns in GBGP.
pub(super) fn legal_moves(dialect: Dialect, game: &Game) -> Vec<Turn> {
    match dialect {
        Dialect::Uci => game.moves().into_iter().map(Turn::from).collect(),
        Dialect::Gbgp => game.turns().into_iter().map(|(turn, _)| turn).collect(),
    }
}

/// A position at the beginning of a turn, as written in GBGP.
///
/// The men in hand follow from the move number, since each side places a man per turn while it has
/// any in hand. A side may have one man more than turns, as in an example of the protocol's description:
/// `w:wb4,c4:bd2:2`.
///
/// ```
/// use millstone::protocol::GbgpPosition;
/// use millstone::rules::RuleSet;
///
/// let position: GbgpPosition = "w:wb4,c4:bd2:3".parse()?;
/// let text = position.text(&RuleSet::NINE_MENS_MORRIS)?;
/// assert_eq!(text, "******O*/****@*O*/******** w p p 2 7 1 7 0 0 0 0 0 0 0 0 3");
/// # Ok::<(), millstone::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GbgpPosition {
    to_move: Side,
    men: BySide<SquareSet>,
    number: u32,
}

/// The prefix of error messages.
const PLACE: &str = "position pos";

fn refused(reason: impl fmt::Display) -> Error {
    Error::refused(format_args!("{PLACE}: {reason}"))
}

fn ensure(holds: bool, otherwise: impl fmt::Display) -> Result<(), Error> {
    if holds { Ok(()) } else { Err(refused(otherwise)) }
}

impl GbgpPosition {
    /// The position of a game, which should be at the beginning of a turn.
    pub fn of(game: &Game) -> Self {
        let men = BySide(Side::ALL.map(|side| game.position().men(side)));
        Self { to_move: game.to_move(), men, number: game.position().move_number() }
    }

    /// The equivalent [position text](crate::position::PositionText).
    ///
    /// # Errors
    ///
    /// If a number of men is impossible at this move number, or if under the rules the men in hand do not
    /// follow from the move number.
    pub fn text(&self, rules: &RuleSet) -> Result<String, Error> {
        ensure(
            rules.mill_action == MillAction::RemoveFromBoard && !rules.may_move_in_placing,
            "the move number does not determine the men in hand in this game; use startpos",
        )?;
        let Self { to_move, men, number } = self;
        let is_placing = self.in_hand(*to_move, rules) > 0;
        let least = u32::from(rules.least_men);
        let is_short = |side| men[side].len() + self.in_hand(side, rules) < least;
        // No side has more men than it can have placed, or fewer than the game needs.
        for side in Side::ALL {
            let count = men[side].len();
            let most = self.turns(side).saturating_add(1).min(rules.men.into());
            let too_many = format!("{side} has {count} men, but at most {most} at move {number}");
            ensure(count <= most, too_many)?;
            let is_over = is_short(side) && (is_placing || is_short(!side));
            let too_few = format!("{side} has fewer than {least} men on the board and in hand");
            ensure(!is_over, too_few)?;
        }
        let side_at = |square| Side::ALL.into_iter().find(|&side| men[side].contains(square));
        let man = |&square: &Square| side_at(square).map_or('*', Side::man);
        let rings = Square::ALL.chunks(8).map(|ring| ring.iter().map(man).collect());
        let board = rings.collect::<Vec<String>>().join("/");
        let phase = if is_placing { "p p" } else { "m s" };
        let [white, black] =
            Side::ALL.map(|side| format!("{} {}", men[side].len(), self.in_hand(side, rules)));
        let side = to_move.letter();
        Ok(format!("{board} {side} {phase} {white} {black} 0 0 0 0 0 0 0 0 {number}"))
    }

    /// The number of turns a side has played.
    fn turns(&self, side: Side) -> u32 {
        let has_moved = side == Side::White && self.to_move == Side::Black;
        (self.number - 1).saturating_add(has_moved.into())
    }

    fn in_hand(&self, side: Side, rules: &RuleSet) -> u32 {
        let placed = self.turns(side).max(self.men[side].len());
        u32::from(rules.men).saturating_sub(placed)
    }
}

impl fmt::Display for GbgpPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.to_move.letter())?;
        for side in Side::ALL {
            let points: Vec<&str> = self.men[side].into_iter().map(Square::name).collect();
            write!(f, ":{}{}", side.letter(), points.join(","))?;
        }
        write!(f, ":{}", self.number)
    }
}

impl FromStr for GbgpPosition {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let wrong = |expected: &str, found: &str| Error::argument(PLACE, expected, found);
        let parts: Vec<&str> = text.split(':').collect();
        let [side, first, second, number] = parts[..] else {
            return Err(wrong("side:wPOINTS:bPOINTS:MOVE", text));
        };
        let to_move = Side::of_letter(side).ok_or_else(|| wrong("the side, w or b", side))?;
        let is_black_first = first.starts_with(Side::Black.letter());
        let (white, black) = if is_black_first { (second, first) } else { (first, second) };
        let [white, black] = [points(Side::White, white)?, points(Side::Black, black)?];
        if let Some(square) = (white & black).first() {
            return Err(refused(format_args!("{square} has men of both sides")));
        }
        let is_number = number.bytes().all(|byte| byte.is_ascii_digit());
        let read = number.parse().ok().filter(|&read| is_number && read > 0);
        let number = read.ok_or_else(|| wrong("the number of the move, from 1", number))?;
        Ok(Self { to_move, men: BySide([white, black]), number })
    }
}

/// Parses the points of a side: its letter, then names separated by commas.
fn points(side: Side, text: &str) -> Result<SquareSet, Error> {
    let Some(names) = text.strip_prefix(side.letter()) else {
        let expected = format!("{} and the points of {side}", side.letter());
        return Err(Error::argument(PLACE, expected, text));
    };
    let mut men = SquareSet::EMPTY;
    for name in names.split(',').filter(|_| !names.is_empty()) {
        let square: Square = name.parse().map_err(refused)?;
        ensure(!men.contains(square), format_args!("{square} occurs twice"))?;
        men = men.with(square);
    }
    Ok(men)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_written_as_they_are_read() {
        let position = "O*******/********/******** b p p 1 8 0 9 0 0 0 0 0 0 0 0 1";
        for (dialect, text) in [
            (Dialect::Uci, "startpos".to_owned()),
            (Dialect::Uci, "startpos moves d6 f4".to_owned()),
            (Dialect::Uci, format!("fen {position} moves d6")),
            (Dialect::Gbgp, "pos b:wd6:b:1 moves d7 f6".to_owned()),
            (Dialect::Gbgp, "startpos moves a7 b4 g7 c5 d7xb4".to_owned()),
        ] {
            let history = set_up(&text, dialect, &Options::default()).unwrap();
            assert_eq!(position_line(dialect, &history), Ok(format!("position {text}")));
        }
    }

    #[test]
    fn help_names_the_words() {
        for dialect in Dialect::ALL {
            let usage = Command::Position.spec().arguments[dialect as usize];
            let expected =
                format!("{START_WORD}|{} TEXT [{MOVES_WORD} ...]", Command::Fen.word(dialect));
            assert_eq!(usage, expected);
        }
    }

    #[test]
    fn mistakes_in_positions_are_named() {
        for (text, message) in [
            ("", "position: expected startpos or fen, found nothing"),
            ("start", "position: expected startpos or fen, found 'start'"),
            ("pos w:w:b:1", "position: expected startpos or fen, found 'pos w:w:b:1'"),
            ("startpos a4", "position startpos: expected moves, found 'a4'"),
            ("fen moves a4", "position fen: expected a position text, found nothing"),
        ] {
            let read = set_up(text, Dialect::Uci, &Options::default());
            let error = read.unwrap_err().to_string();
            assert_eq!(error, message);
        }
    }

    const NINE: &RuleSet = &RuleSet::NINE_MENS_MORRIS;

    fn text(position: &str, rules: &RuleSet) -> Result<String, String> {
        let position = position.parse::<GbgpPosition>().and_then(|read| read.text(rules));
        position.map_err(|error| error.to_string())
    }

    #[test]
    fn texts_are_read_as_they_are_written() {
        for text in ["w:w:b:1", "b:wb4:b:1", "w:wc4,b4:bd2:3", "b:wd6,a1:bg7:20"] {
            assert_eq!(text.parse::<GbgpPosition>().unwrap().to_string(), text);
        }
    }

    #[test]
    fn the_men_of_black_may_come_first() {
        let read = |text: &str| text.parse::<GbgpPosition>().unwrap();
        assert_eq!(read("b:bg7,d7:wd6,a1:20"), read("b:wd6,a1:bg7,d7:20"));
        assert_eq!(read("w:b:w:1"), read("w:w:b:1"));
    }

    #[test]
    fn men_in_hand_follow_from_the_number_of_the_move() {
        for (position, rules, counts) in [
            ("w:w:b:1", NINE, " w p p 0 9 0 9 "),
            ("b:wb4:b:1", NINE, " b p p 1 8 0 9 "),
            ("w:wb4,c4:bd2:3", NINE, " w p p 2 7 1 7 "),
            ("w:wb4,c4:bd2:2", NINE, " w p p 2 7 1 8 "),
            ("b:wa1,a4,a7,b2:bc3,c4,c5,d5:9", NINE, " b p p 4 0 4 1 "),
            ("w:wa1,a4,a7,b2:bc3,c4,c5,d5:10", NINE, " w m s 4 0 4 0 "),
            ("w:wa1,a4,a7:bc3,c4,c5:10", &RuleSet::TWELVE_MENS_MORRIS, " w p p 3 3 3 3 "),
            ("w:wa1,a4:bc3,c4,c5:12345", NINE, " w m s 2 0 3 0 "),
        ] {
            let text = text(position, rules).unwrap();
            assert!(text.contains(counts), "{position}: {text}");
        }
    }

    #[test]
    fn mistakes_are_named() {
        for (position, message) in [
            ("", "expected side:wPOINTS:bPOINTS:MOVE, found nothing"),
            ("w:wa1:1", "expected side:wPOINTS:bPOINTS:MOVE, found 'w:wa1:1'"),
            ("W:w:b:1", "expected the side, w or b, found 'W'"),
            ("w:a1:b:2", "expected w and the points of White, found 'a1'"),
            ("w:wa1:c4:2", "expected b and the points of Black, found 'c4'"),
            ("w:ba1:bc4:2", "expected w and the points of White, found 'bc4'"),
            ("w:wa1:wc4:2", "expected b and the points of Black, found 'wc4'"),
            ("w:wa1,:b:2", "expected a point such as d6 (a1 to g7), found ''"),
            ("w:wa2:b:2", "expected a point such as d6 (a1 to g7), found 'a2'"),
            ("w:wa1,A1:b:3", "a1 occurs twice"),
            ("w:wa1:ba1:2", "a1 has men of both sides"),
            ("w:w:b:0", "expected the number of the move, from 1, found '0'"),
            ("w:w:b:+1", "expected the number of the move, from 1, found '+1'"),
            ("w:wa1,a4,a7:b:2", "White has 3 men, but at most 2 at move 2"),
            ("b:wa1:bd6,d7:1", "Black has 2 men, but at most 1 at move 1"),
            ("w:w:ba1,a4,a7,b2,b4,b6,c3,c4,c5,d7:20", "Black has 10 men, but at most 9"),
            ("w:wa1:b:9", "White has fewer than 3 men on the board and in hand"),
            ("w:wa1:bd6:10", "White has fewer than 3 men on the board and in hand"),
        ] {
            let error = text(position, NINE).unwrap_err();
            assert!(error.starts_with(&format!("position pos: {message}")), "{error}");
        }
        let lasker = &crate::rules::Preset::named("lasker").unwrap().rules;
        assert!(text("w:w:b:1", lasker).unwrap_err().contains("use startpos"));
    }
}
