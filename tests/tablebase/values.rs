//! Values that follow from those of the moves by the rules of the mailbox, and that no move of an engine with all
//! sectors gives away.

use std::sync::Arc;

use super::placing::TABLES;
use crate::mailbox::{self, Mailbox, Outcome};
use crate::random::{IndexedRandom, seeded};
use crate::rules::agree::plain_draws;
use crate::searches::engine_with;
use millstone::board::Side;
use millstone::game::Game;
use millstone::position::Position;
use millstone::rules::{DrawRules, Rule, RuleSet};
use millstone::search::{Limits, Silent};
use millstone::tablebase::{Sector, Tablebase, Value, Wdl};
use rayon::prelude::*;

/// A game of the mailbox without draws by history.
fn referee(text: &str, rules: &RuleSet) -> Mailbox {
    let mut plain = mailbox::Rules::default();
    for rule in Rule::all() {
        plain.set(rule.option, &rule.values.setting((rule.get)(rules)));
    }
    Mailbox::from_text(text, plain, plain_draws(DrawRules::OFF))
}

/// Checks about `of_each` positions of each sector. Returns how many were checked.
pub fn check_values(tablebase: &Tablebase, sectors: &[Sector], of_each: usize) -> usize {
    let positions = sectors.par_iter().flat_map(|&sector| {
        let step = 1 + sector.len() / of_each;
        (0..sector.len()).into_par_iter().step_by(step).map(move |index| (sector, index))
    });
    positions.filter(|&(sector, index)| compare(tablebase, sector, index)).count()
}

/// Compares the value of a position with what follows from its moves by the mailbox; not if the game is over,
/// since the mailbox only reads texts of games that go on.
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
    let (value, wdl) = (tablebase.probe_value(&position), tablebase.probe(&position));
    assert_eq!(wdl, Some(Wdl::from(derived)), "{text} {}", rules.name());
    assert!(!has_distances || value == Some(derived), "{text} {}", rules.name());
    true
}

/// The best value that a move leads to, for the side to act.
fn best(tablebase: &Tablebase, game: &Mailbox) -> Value {
    let text = game.text();
    let side = side_of(&text);
    let values = game.legal_moves().into_iter();
    let values = values.map(|mv| value_of(tablebase, game, &mv, side));
    values.max().unwrap_or_else(|| panic!("no move in {text}"))
}

/// The value of a move for the side that plays it. A turn that passes is a turn.
fn value_of(tablebase: &Tablebase, game: &Mailbox, mv: &str, side: Side) -> Value {
    let mut after = game.clone();
    after.play(mv);
    let text = after.text();
    match after.outcome() {
        Some(Outcome::Win(winner, _)) if winner as usize == side as usize => Value::ends_in(1),
        Some(Outcome::Win(..)) => Value::LOST,
        Some(Outcome::Draw(_)) => Value::DRAW,
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
fn side_of(text: &str) -> Side {
    if text.split(' ').nth(1) == Some("w") { Side::White } else { Side::Black }
}

/// Checks that the moves of a side keep the value. Returns how many there are.
fn judge(tables: &Tablebase, moves: &[String], side: Side) -> usize {
    let mut game = referee("startpos", tables.game().rules());
    let mut judged = 0;
    for mv in moves {
        if side_of(&game.text()) == side {
            let kept = Wdl::from(value_of(tables, &game, mv, side));
            assert_eq!(kept, Wdl::from(best(tables, &game)), "{mv} in {moves:?}");
            judged += 1;
        }
        game.play(mv);
    }
    judged
}

#[test]
fn no_move_gives_value_away() {
    let mut engine = engine_with(&Arc::new(TABLES.without_waiting()));
    let mut judged = 0;
    for seed in 0..30 {
        let mut random = seeded(seed);
        let mut game = Game::start(*TABLES.game().rules(), DrawRules::default());
        let side = [Side::White, Side::Black][seed as usize % 2];
        let mut moves = Vec::new();
        while game.outcome().is_none() && moves.len() < 40 {
            let mut mv = *game.moves().choose(&mut random).expect("the game goes on");
            if game.to_move() == side {
                let report = engine.search(&game, &Limits::to_depth(2), &mut Silent);
                mv = report.best().expect("a move");
                assert!(report.known.is_some(), "all moves are known");
            }
            moves.push(mv.to_string());
            game.play(mv).unwrap();
        }
        judged += judge(&TABLES, &moves, side);
    }
    assert!(judged >= 200, "{judged}");
}
