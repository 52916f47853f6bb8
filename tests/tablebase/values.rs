//! Values that follow from those of the moves by the rules of the mailbox.

use crate::mailbox::{DrawRules, Mailbox, Outcome, Rules};
use millstone::board::Side;
use millstone::position::Position;
use millstone::rules::{Rule, RuleSet};
use millstone::tablebase::{Sector, Tablebase, Value, Wdl};
use rayon::prelude::*;

const NO_DRAWS: DrawRules =
    DrawRules { n_move: 100_000, endgame_n_move: 100_000, threefold: false };

/// A game of the mailbox without draws by history.
pub fn referee(text: &str, rules: &RuleSet) -> Mailbox {
    let mut plain = Rules::default();
    for rule in Rule::all() {
        plain.set(rule.option, &rule.values.setting((rule.get)(rules)));
    }
    Mailbox::from_text(text, plain, NO_DRAWS)
}

/// Checks about `of_each` positions of each sector. Returns how many were checked.
pub fn check_values(tablebase: &Tablebase, sectors: &[Sector], of_each: usize) -> usize {
    let positions = sectors.par_iter().flat_map(|&sector| {
        let step = 1 + sector.len() / of_each;
        (0..sector.len()).into_par_iter().step_by(step).map(move |index| (sector, index))
    });
    positions.filter(|&(sector, index)| compare(tablebase, sector, index)).count()
}

/// Compares the value of a position with what follows from its moves by the mailbox; not if the game is
/// over, which a text does not tell by whom it was won.
fn compare(tablebase: &Tablebase, sector: Sector, index: usize) -> bool {
    let rules = tablebase.game().rules();
    let (own, opponent) = sector.position(index);
    let position = sector.set_up(&Position::start(*rules), own, opponent);
    let text = position.to_string();
    if position.ending().is_some() {
        return false;
    }
    let mailbox = referee(&text, rules);
    assert_eq!(mailbox.text(), text, "{}", rules.name());
    let has_distances = tablebase.file(sector).expect("the sector is there").has_distances();
    let derived = best(tablebase, &mailbox);
    if has_distances {
        assert_eq!(tablebase.probe_value(&position), Some(derived), "{text} {}", rules.name());
    } else {
        assert_eq!(tablebase.probe(&position), Some(Wdl::from(derived)), "{text} {}", rules.name());
    }
    true
}

/// The best value that a move leads to, for the side to act.
pub fn best(tablebase: &Tablebase, game: &Mailbox) -> Value {
    let text = game.text();
    let side = side_of(&text);
    let values = game.legal_moves().into_iter();
    let values = values.map(|mv| value_of(tablebase, game, &mv, side));
    values.max().unwrap_or_else(|| panic!("no move in {text}"))
}

/// The value of a move for the side that plays it. A turn that passes is a turn.
pub fn value_of(tablebase: &Tablebase, game: &Mailbox, mv: &str, side: Side) -> Value {
    let mut after = game.clone();
    after.play(mv);
    let text = after.text();
    match after.outcome() {
        Some(Outcome::Win(winner, _)) if winner as usize == side as usize => Value::ends_in(1),
        Some(Outcome::Win(..)) => Value::LOST,
        Some(Outcome::Draw(_)) => Value::DRAW,
        Some(Outcome::Untold) => panic!("{text} tells nothing"),
        None => {
            let owes = text.split(' ').nth(3) == Some("r");
            let value = if owes { best(tablebase, &after) } else { stored(tablebase, &text) };
            let has_turn = side_of(&text) == side;
            let rules = *tablebase.game().rules();
            let position = Position::from_text(&text, rules).expect("a position");
            match () {
                () if !has_turn => value.before_move(),
                () if position.is_passed_back(side) => value.before_move().before_move(),
                () => value,
            }
        }
    }
}

/// The stored value of a position, with distance where there is one.
fn stored(tablebase: &Tablebase, text: &str) -> Value {
    let position = Position::from_text(text, *tablebase.game().rules()).expect("a position");
    let wdl = tablebase.probe(&position).map(Value::without_distance);
    tablebase.probe_value(&position).or(wdl).unwrap_or_else(|| panic!("no value of {text}"))
}

/// The side to act of a position text.
pub fn side_of(text: &str) -> Side {
    if text.split(' ').nth(1) == Some("w") { Side::White } else { Side::Black }
}
