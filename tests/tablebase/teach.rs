//! What is said about a turn is true by the tablebase.

use super::bouts::TABLES;
use super::placing::TABLES as FOUR_MEN;
use crate::positions::game;
use crate::random::{IndexedRandom, Random, seeded};
use crate::searches::engine_with;
use crate::size::usual_or_full;
use millstone::analysis::{Analyst, Effort};
use millstone::board::{Side, Square};
use millstone::game::Game;
use millstone::position::{Move, Position};
use millstone::rules::DrawRules;
use millstone::search::{Engine, Silent};
use millstone::tablebase::{Tablebase, Value, Wdl};

/// A random turn of a game, with the game after it.
fn random_turn(game: &Game, rng: &mut Random) -> (Vec<Move>, Game) {
    let (side, mut after, mut turn) = (game.to_move(), game.clone(), Vec::new());
    loop {
        let mv = *after.moves().choose(rng).expect("the game is not over");
        after.play(mv).unwrap();
        turn.push(mv);
        if !after.is_within_turn(side) {
            return (turn, after);
        }
    }
}

fn worth(tables: &Tablebase, game: &Game) -> Wdl {
    tables.probe(game.position()).expect("the sectors are there")
}

/// The word between two others, if both are there.
fn between<'a>(text: &'a str, before: &str, after: &str) -> Option<&'a str> {
    Some(text.split_once(before)?.1.split_once(after)?.0)
}

/// Checks all that a sentence claims; returns how many claims it makes beyond the result.
fn check(tables: &Tablebase, sentence: &str, game: &Game, turn: &[Move], after: &Game) -> usize {
    let [was, is] = [worth(tables, game), worth(tables, after).before_move()];
    let mut claims = usize::from(is < was);
    let at_once = if is == Wdl::Win { "This wins at once." } else { "This loses at once." };
    let spoilt = format!("This turns a {was} into a {is}");
    let first = if is < was { spoilt } else { format!("Still a {is}") };
    let head = sentence.split('.').next().unwrap();
    assert!(sentence.starts_with(&first) || sentence.starts_with(at_once), "{was} to {is}");
    if let Some(turns) = between(&format!("{head} "), " in ", " turn") {
        let known = tables.probe_value(after.position()).and_then(Value::turns);
        assert_eq!(turns.parse().ok(), known, "it is decided");
        claims += 1;
    }
    claims + check_choice(tables, sentence, game, turn) + check_event(tables, sentence, after)
}

/// Checks how many moves kept the value where one threw it away, or else at first.
fn check_choice(tables: &Tablebase, sentence: &str, game: &Game, turn: &[Move]) -> usize {
    let mut game = game.clone();
    let mut choices = Vec::new();
    for &mv in turn {
        let of = |mv| tables.probe_move::<Wdl, _>(game.position(), mv).unwrap();
        let values: Vec<(Move, Wdl)> = game.moves().iter().map(|&mv| (mv, of(mv))).collect();
        let best = values.iter().map(|(_, value)| *value).max().unwrap();
        choices.push((of(mv) < best, best, values));
        game.play(mv).unwrap();
    }
    let at = choices.iter().position(|(is_worse, ..)| *is_worse).unwrap_or_default();
    let (is_worse, best, values) = &choices[at];
    let keeping: Vec<Move> =
        values.iter().filter(|(_, value)| value == best).map(|(mv, _)| *mv).collect();
    let noun = if turn[at].is_removal() { "removal" } else { "move" };
    let (held, all) = (keeping.len(), values.len());
    let said = match (held, all) {
        (_, 1) => format!("It was the only {noun}."),
        _ if *best == Wdl::Loss => format!("Every {noun} loses"),
        _ if held == all => format!("Every {noun} keeps that."),
        (1, _) if *is_worse => format!("Only {} kept it", keeping[0]),
        (1, _) => format!("It was the only {noun} of {all} that keeps it."),
        _ if *is_worse => format!("{held} of {all} {noun}s kept it, among them "),
        _ => format!("{held} of {all} {noun}s keep that."),
    };
    let (_, rest) = sentence.split_once(&said).expect(&said);
    if said.ends_with(" them ") {
        let best = rest.split([':', '.']).next().unwrap();
        assert!(keeping.iter().any(|mv| mv.to_string() == best), "{best}: {keeping:?}");
    }
    1
}

/// Checks what happens first in best play.
fn check_event(tables: &Tablebase, sentence: &str, after: &Game) -> usize {
    let is_event = |part: &&str| part.starts_with("Next turn ") || part.starts_with("In one line ");
    let Some(event) = sentence.split(". ").find(is_event) else { return 0 };
    let event = event.trim_end_matches('.');
    let turns = between(event, " in ", " turns").map_or(1, |turns| turns.parse().unwrap());
    let mut game = after.clone();
    let mut last = None;
    for _ in 0..turns {
        let side = game.to_move();
        assert_eq!(game.position().pending(), 0, "a mill was closed earlier");
        let best = tables.rank_moves(game.position(), &game.moves()).unwrap()[0].mv;
        game.play(best).unwrap();
        last = Some((side, best.target()));
    }
    let (side, to) = last.expect("there is a turn");
    if event.contains("blocked") {
        assert!(event.contains(&format!("{} ", game.to_move())));
        assert!(game.moves().is_empty() && game.position().men(!side).len() > 2);
        return 1;
    }
    assert!(event.contains(&format!("{side} ")) && game.is_within_turn(side), "{event}");
    for mill in event.split(' ').filter(|word| word.len() == 8 && word.contains('-')) {
        let points: Vec<Square> = mill.split('-').map(|point| point.parse().unwrap()).collect();
        assert!(points.contains(&to), "{event}");
        assert!(points.iter().all(|&point| game.position().men(side).contains(point)), "{event}");
    }
    let man = event.split_once(" and take").unwrap().1.trim_start_matches('s').trim();
    let man: Square = man.parse().unwrap();
    let best = tables.rank_moves(game.position(), &game.moves()).unwrap()[0];
    assert_eq!(best.mv, Move::remove(man));
    1
}

/// Of whole games, from the first placement on, as long as the n-move rule is far.
#[test]
fn sentences_of_whole_games_are_true() {
    let effort = Effort { depth: 1, lines: 2, ..Effort::default() };
    let mut analyst = Analyst::new(engine_with(&FOUR_MEN), effort);
    let (mut claims, mut placing, mut moving, mut wins, mut mills) = (0, 0, 0, 0, 0);
    for seed in 0..usual_or_full(60, 2000) {
        let mut rng = seeded(seed);
        let start = Position::start(*FOUR_MEN.game().rules());
        let mut game = Game::from_position(start, DrawRules::OFF);
        while game.outcome().is_none() && game.position().quiet_plies() < 40 {
            let (turn, after) = random_turn(&game, &mut rng);
            let sentence =
                analyst.teach(&game, &turn, &mut Silent).expect("a legal turn").to_string();
            claims += check(&FOUR_MEN, &sentence, &game, &turn, &after);
            let in_hand: u8 = Side::ALL.map(|side| game.position().in_hand(side)).iter().sum();
            *(if in_hand > 0 { &mut placing } else { &mut moving }) += 1;
            wins += usize::from(sentence.starts_with("Still a win"));
            mills += usize::from(sentence.contains("the mill "));
            game = after;
        }
    }
    let counts = [claims, placing, moving, wins, mills];
    assert!(counts.iter().all(|&count| count > 5), "{counts:?}");
}

/// What is said about a turn with searches to a depth.
fn lesson(engine: Engine, depth: u32, game: &Game, turn: &str) -> Option<String> {
    let mut analyst = Analyst::new(engine, Effort { depth, lines: 2, ..Effort::default() });
    let turn: Vec<Move> = turn.split(' ').map(|mv| mv.parse().unwrap()).collect();
    Some(analyst.teach(game, &turn, &mut Silent)?.to_string())
}

#[test]
fn a_turn_that_ends_the_game_in_a_draw_neither_wins_nor_loses() {
    let said = |rest: &str, turn: &str| {
        let text = format!("MFEN/1.0 mill24-state-v1 WW....../B..B..../.W..B... {rest} -");
        lesson(engine_with(&TABLES), 2, &game(&text), turn).expect("the turn is legal")
    };
    let drawn = "This turns a win into a draw. ";
    let ended = said("w m m 0,0 - 99 140", "d5-c5");
    assert!(ended.starts_with(drawn), "{ended}");
    let goes_on = said("w m m 0,0 - 40 140", "d5-c5");
    assert!(!goes_on.contains("draw"), "{goes_on}");
}

#[test]
fn without_a_tablebase_it_is_an_estimate() {
    let said = |turn| lesson(Engine::new(1).unwrap(), 2, &Game::new(), turn);
    let estimate = said("a7").expect("the turn is legal");
    assert!(estimate.contains(" for White (depth 2)"), "{estimate}");
    assert_eq!(said("xa7"), None);
}

#[test]
fn without_a_tablebase_ends_that_a_search_sees_are_no_estimates() {
    let said = |board: &str, rest: &str, turn: &str| {
        let text = format!("MFEN/1.0 mill24-state-v1 {board} {rest} -");
        lesson(Engine::new(1).unwrap(), 6, &game(&text), turn).expect("the turn is legal")
    };
    let open_mill = "WW....../B..B..../.W..B...";
    assert_eq!(said(open_mill, "w m m 0,0 - 0 40", "d5-g7 xb6"), "This wins at once.");
    assert_eq!(
        said(open_mill, "w m m 0,0 - 99 140", "d5-c5"),
        "The game is drawn. d5-g7 would have won at once: it closes the mill a7-d7-g7.",
    );
    let two_corners = "W...W.../B..B..../.W..B...";
    let wins = said(two_corners, "w m m 0,0 - 0 40", "d5-g7");
    assert!(wins.starts_with("A search to depth ") && wins.ends_with(" finds a win in 2 turns."));
    let two_open_mills = "W.W.W.../B..B..../....B...";
    let loses = said(two_open_mills, "b m m 0,0 - 0 41", "b6-d7");
    assert!(loses.contains(" finds a loss in 1 turn. It prevents a mill on d7"), "{loses}");
    assert!(loses.ends_with(" The search finds no clearly better move."), "{loses}");
}
