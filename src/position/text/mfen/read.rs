//! Reads MFEN.

use super::obligations::{Cause, Obligation, Obligations};
use super::write::{reason, winner};
use super::{LAST_MILLS, PLACED, RINGS, STATE, USED, VERSION, set};
use crate::board::{BySide, Side, SquareSet};
use crate::position::text::fields::{ACTION, BOARD, Fields, MoveCount, OWED, PHASE};
use crate::position::text::memory::EXTENSION;
use crate::position::text::tokens::{TextError, letter, number};
use crate::position::{Ending, Move, MoveKind, Position, PositionText};
use crate::rules::{Extras, MillAction, MillMove, RuleSet, Rules, Stalemate, StalemateAction};

const MFEN_BOARD: &str = "MFEN field 3 (board)";
const MFEN_SIDE: &str = "MFEN field 4 (side)";
const MFEN_PHASE: &str = "MFEN field 5 (phase)";
const MFEN_ACTION: &str = "MFEN field 6 (action)";
const MFEN_HANDS: &str = "MFEN field 7 (hands)";
const MFEN_OBLIGATIONS: &str = "MFEN field 8 (obligations)";
const MFEN_OUTCOME: &str = "MFEN field 11 (outcome)";
const MFEN_EXTENSION: &str = "MFEN extension";
const MILL_MOVES: &str = "two moves as lm=a1-a4,-";
const MOST_TURNS: u32 = 2_000_000_000;

/// Ways to end a game that neither its position nor its moves show.
const AGREED: [&str; 3] = ["agreement", "resignation", "adjudication"];

/// Reads a position of the game `rules`.
///
/// The text of a drawn game does not name the side that could not move: it is the one whose turn it
/// was, unless only the other makes it the draw that the text says.
pub fn read<R: Rules>(text: &str, rules: R::Reference) -> Result<PositionText<R>, TextError> {
    let read = |fields: Fields| {
        let (position, is_over) = fields.build::<R>(rules)?;
        let read = PositionText { position, is_over };
        check(text, &read).map(|()| read)
    };
    let fields = parse(text, &rules)?;
    let is_draw = text.split_whitespace().nth(10).is_some_and(|outcome| outcome.starts_with('d'));
    let other = Fields { to_move: !fields.to_move, ..fields.clone() };
    read(fields).or_else(|error| read(other).ok().filter(|_| is_draw).ok_or(error))
}

/// Reads the fields of a text.
fn parse(text: &str, rules: &RuleSet) -> Result<Fields, TextError> {
    let tokens: Vec<&str> = text.split_whitespace().collect();
    for (at, word) in [VERSION, STATE].into_iter().enumerate() {
        let found = tokens.get(at).copied().unwrap_or_default();
        if found != word {
            return Err(TextError::new("MFEN version", format!("{VERSION} {STATE}"), found));
        }
    }
    let [board, side, phase, action, hands, owed, half, turns, outcome, extensions @ ..] =
        &tokens[2..]
    else {
        return Err(TextError::new("MFEN fields", "11 fields at least", tokens.len()));
    };
    let (men, marked) = parse_board(board, rules)?;
    let phase = letter(MFEN_PHASE, "p m o", phase)?;
    let is_over = phase == 'o';
    let action = match letter(MFEN_ACTION, "p m r o", action)? {
        found if (found == 'o') != is_over => {
            return Err(TextError::new(MFEN_ACTION, "o in phase o alone", found));
        }
        'm' => 's',
        'o' => '?',
        same => same,
    };
    let in_hand = parse_hands(hands, men, rules)?;
    let half = number("MFEN field 9 (no-progress)", half, 0..=u16::MAX)?;
    let turns = number("MFEN field 10 (primary-ply)", turns, 0..=MOST_TURNS)?;
    let to_move = parse_side(side, is_over, outcome, turns)?;
    let extras = Extras::NONE;
    let owed_none = BySide::both(0);
    let count = MoveCount::Turns(turns);
    let mut fields = Fields {
        men,
        to_move,
        phase,
        action,
        in_hand,
        owed: owed_none,
        marked,
        extras,
        half,
        count,
    };
    fields.owe(&parse_obligations(owed)?, rules)?;
    for (at, word) in extensions.iter().enumerate() {
        let label = |word: &str| word.split('=').next().map(str::to_owned);
        if extensions[..at].iter().any(|earlier| label(earlier) == label(word)) {
            return Err(TextError::new(MFEN_EXTENSION, "each label once", word));
        }
        fields.remember(word, rules)?;
    }
    fields.check(rules).map_err(|error| error.renamed(mfen_name))?;
    Ok(fields)
}

/// The name in MFEN of a field of the usual text.
fn mfen_name(field: &'static str) -> &'static str {
    match field {
        BOARD => MFEN_BOARD,
        PHASE => MFEN_PHASE,
        ACTION => MFEN_ACTION,
        EXTENSION => MFEN_OBLIGATIONS,
        field if OWED.contains(&field) => MFEN_OBLIGATIONS,
        field => field,
    }
}

/// Checks that the position that was read owes what the text says, and ends as it says.
fn check<R: Rules>(text: &str, read: &PositionText<R>) -> Result<(), TextError> {
    let PositionText { position, is_over } = read;
    let mut tokens = text.split_whitespace().skip(7);
    let owed = tokens.next().unwrap_or_default();
    let made = if *is_over { Obligations(Vec::new()) } else { Obligations::of(position) };
    if !parse_obligations(owed)?.agree(&made, position.removable()) {
        return Err(TextError::new(MFEN_OBLIGATIONS, format!("{made} by the rules"), owed));
    }
    let outcome = tokens.nth(2).unwrap_or_default();
    check_outcome(outcome, position)
}

fn check_outcome<R: Rules>(outcome: &str, position: &Position<R>) -> Result<(), TextError> {
    let Some((found_winner, found)) = outcome.split_once(':') else {
        return Ok(());
    };
    let found = if found == "no-legal-primary-action" { "no-legal-move" } else { found };
    let is_of = |ending: Ending| {
        found_winner == winner(position, ending).to_string() && found == reason(ending)
    };
    let is_of_history = found_winner == "d" && ["no-progress", "repetition"].contains(&found);
    if position.ending().map_or(is_of_history, is_of) {
        return Ok(());
    }
    let expected = match position.ending() {
        _ if AGREED.contains(&found) => {
            "an end that position or moves show, as no other is kept".into()
        }
        Some(ending) => format!("{}:{}, as on the board", winner(position, ending), reason(ending)),
        None => "d:no-progress or d:repetition, as the board ends no game".into(),
    };
    Err(TextError::new(MFEN_OUTCOME, expected, outcome))
}

fn parse_board(token: &str, rules: &RuleSet) -> Result<(BySide<SquareSet>, SquareSet), TextError> {
    let rings: Vec<Vec<char>> = token.split('/').map(|ring| ring.chars().collect()).collect();
    if rings.len() != 3 || rings.iter().any(|ring| ring.len() != 8) {
        let expected = "three rings of eight points joined by '/'";
        return Err(TextError::new(MFEN_BOARD, expected, token));
    }
    let has_marks = rules.mill_action == MillAction::RemoveAndMark;
    let mut men = BySide::both(SquareSet::EMPTY);
    let mut marked = SquareSet::EMPTY;
    for (square, mark) in RINGS.into_iter().zip(rings.into_iter().flatten()) {
        match mark {
            'W' => men[Side::White] = men[Side::White].with(square),
            'B' => men[Side::Black] = men[Side::Black].with(square),
            'w' | 'b' if has_marks => marked = marked.with(square),
            '.' => {}
            _ => {
                let marks = if has_marks { "W, B, w, b or ." } else { "W, B or ." };
                return Err(TextError::new(MFEN_BOARD, format!("{marks} on {square}"), mark));
            }
        }
    }
    Ok((men, marked))
}

fn parse_hands(
    token: &str,
    men: BySide<SquareSet>,
    rules: &RuleSet,
) -> Result<BySide<u8>, TextError> {
    let expected = || TextError::new(MFEN_HANDS, "two numbers as 9,9", token);
    let (white, black) = token.split_once(',').ok_or_else(expected)?;
    let hand = |side: Side, text| {
        let most = rules.men.saturating_sub(men[side].len() as u8);
        number(MFEN_HANDS, text, 0..=most)
    };
    Ok(BySide([hand(Side::White, white)?, hand(Side::Black, black)?]))
}

/// The side to move; of a game that is over the loser, or of a draw the side that the turns tell.
fn parse_side(token: &str, is_over: bool, outcome: &str, turns: u32) -> Result<Side, TextError> {
    let is_outcome = outcome == "-" || ["w:", "b:", "d:"].iter().any(|it| outcome.starts_with(it));
    if !is_outcome {
        return Err(TextError::new(MFEN_OUTCOME, "-, or w:, b: or d: and a reason", outcome));
    }
    if is_over == (outcome == "-") {
        let expected = if is_over { "an outcome in phase o" } else { "- unless in phase o" };
        return Err(TextError::new(MFEN_OUTCOME, expected, outcome));
    }
    match (token, outcome.as_bytes()[0]) {
        ("w", _) if !is_over => Ok(Side::White),
        ("b", _) if !is_over => Ok(Side::Black),
        ("-", b'w') if is_over => Ok(Side::Black),
        ("-", b'b') if is_over => Ok(Side::White),
        ("-", _) if is_over => Ok(Side::ALL[turns as usize % 2]),
        _ => {
            let expected = if is_over { "- in phase o" } else { "w or b" };
            Err(TextError::new(MFEN_SIDE, expected, token))
        }
    }
}

fn parse_obligations(token: &str) -> Result<Obligations, TextError> {
    token.parse().map_err(|expected: &str| TextError::new(MFEN_OBLIGATIONS, expected, token))
}

impl Fields {
    /// Takes over what the sides owe; the position shows later whether the rules make it so.
    fn owe(&mut self, owed: &Obligations, rules: &RuleSet) -> Result<(), TextError> {
        if !owed.0.is_empty() && self.action != 'r' {
            return Err(TextError::new(MFEN_OBLIGATIONS, "- without action r", owed));
        }
        let mut pending: Option<u8> = None;
        for branch in &owed.0 {
            let (Some(own), rest) = (branch.first(), &branch[1..]) else { continue };
            if own.player != self.to_move || rest.len() > 1 {
                let expected = "one removal of the side to move, then at most one of the other";
                return Err(TextError::new(MFEN_OBLIGATIONS, expected, owed));
            }
            let targets = own.targets.unwrap_or(SquareSet::EMPTY);
            match own.cause {
                Cause::Custodian => self.extras.custodian = targets,
                Cause::Intervention => self.extras.intervention = targets,
                Cause::Leap => self.extras.leapt = targets.first(),
                Cause::Stalemate => self.extras.stalemate = stalemate(rules),
                Cause::Mill | Cause::MillCount | Cause::BoardFull => {}
            }
            if !matches!(own.cause, Cause::Custodian | Cause::Intervention | Cause::Leap) {
                pending = Some(own.count);
                self.owed[self.to_move] = signed(own);
            }
            for later in rest {
                self.owed[later.player] = signed(later);
            }
        }
        if pending.is_none() && !owed.0.is_empty() {
            let leapt = u32::from(self.extras.leapt.is_some());
            self.owed[self.to_move] = (self.extras.count_captures() + leapt) as i8;
        }
        Ok(())
    }

    /// Takes over an extension.
    fn remember(&mut self, word: &str, rules: &RuleSet) -> Result<(), TextError> {
        let error = |expected: &str| TextError::new(MFEN_EXTENSION, expected, word);
        let pair = |value: &'static str| word.strip_prefix(value)?.split_once(',');
        if word.starts_with(LAST_MILLS) {
            if !rules.restricts_repeated_mills {
                return Err(error("no lm= in a game without RestrictRepeatedMillsFormation"));
            }
            let (white, black) = pair(LAST_MILLS).ok_or_else(|| error(MILL_MOVES))?;
            self.extras.last_mills = BySide([mill_move(white)?, mill_move(black)?]);
        } else if word.starts_with(USED) {
            if !rules.uses_mills_once {
                return Err(error("no ul= in a game without OneTimeUseMill"));
            }
            let sets = pair(USED).and_then(|(white, black)| Some([set(white)?, set(black)?]));
            let expected = "two sets of six hex digits as ul=00001d,000000";
            self.extras.used = BySide(sets.ok_or_else(|| error(expected))?);
        } else if word.starts_with(PLACED) {
            let is_number = |count: &str| count.parse::<u8>().is_ok();
            let is_count =
                pair(PLACED).is_some_and(|(white, black)| is_number(white) && is_number(black));
            return if is_count { Ok(()) } else { Err(error("two numbers as pc=9,9")) };
        } else {
            return Err(error("lm=, pc= or ul="));
        }
        Ok(())
    }
}

/// What a stalemate earns by the rules.
fn stalemate(rules: &RuleSet) -> Stalemate {
    match rules.stalemate_action {
        StalemateAction::RemovesAndMoves => Stalemate::RemovesAndMoves,
        StalemateAction::BothRemove => Stalemate::BothRemove,
        _ => Stalemate::None,
    }
}

/// How many men a side owes to remove; of its own if negative.
const fn signed(obligation: &Obligation) -> i8 {
    let count = obligation.count.cast_signed();
    if obligation.owner as u8 == obligation.player as u8 { -count } else { count }
}

/// The move that closed a mill, or none for `-`.
fn mill_move(word: &str) -> Result<Option<MillMove>, TextError> {
    if word == "-" {
        return Ok(None);
    }
    let error = || TextError::new(MFEN_EXTENSION, MILL_MOVES, word);
    let mv: Move = word.parse().map_err(|_| error())?;
    let from = match mv.kind() {
        MoveKind::Place(_) => None,
        MoveKind::Slide { from, .. } => Some(from),
        MoveKind::Remove(_) => return Err(error()),
    };
    Ok(Some(MillMove { from, to: mv.target() }))
}
