//! Turns as people type them, and what is wrong with illegal ones.

use std::collections::BTreeSet;

use millstone::Error;
use millstone::game::Game;
use millstone::position::{Move, MoveKind, MoveLine};
use millstone::quote::quote;

/// Whether a line begins like a turn: with a point, real or not, or with a removal.
pub fn is_turn(line: &str) -> bool {
    let mut letters = line.trim_start_matches(['x', 'X', ' ']).chars();
    let first = letters.next().is_some_and(|letter| letter.is_ascii_alphabetic());
    first && letters.next().is_some_and(|digit| digit.is_ascii_digit())
}

/// The moves of a turn, each of them legal: `d6`, `d6-d5`, `d6d5`, `d6-d5xa1`, `xa1`, in either
/// case; where a man has to be removed its point is enough.
///
/// # Errors
///
/// One line that says what is wrong, and what could be played.
pub fn read(line: &str, game: &Game) -> Result<Vec<Move>, String> {
    let typed = line.to_lowercase().replace(['-', ' '], "");
    let (mut rest, mut after, mut moves) = (&typed[..], game.clone(), Vec::new());
    while moves.is_empty() || !rest.is_empty() {
        let legal = after.moves();
        let must_remove = !legal.is_empty() && legal.iter().all(|mv| mv.is_removal());
        let (mv, left) = split_move(rest, moves.is_empty() && must_remove)
            .map_err(|error| format!("'{}': {error}", quote(line)))?;
        if !moves.is_empty() && !after.is_within_turn(game.to_move()) {
            let turn: String = moves.iter().map(ToString::to_string).collect();
            return Err(format!("{turn} earns no removal, so {mv} cannot follow it"));
        }
        after.play(mv).map_err(|_| objection(mv, &after))?;
        moves.push(mv);
        rest = left;
    }
    Ok(moves)
}

/// The move that a text without dashes and blanks begins with, and the rest of the text. A point alone is a
/// removal or a placement.
fn split_move(text: &str, must_remove: bool) -> Result<(Move, &str), Error> {
    let split = |text| str::split_at_checked(text, 2).unwrap_or((text, ""));
    let (first, rest) = split(text.trim_start_matches('x'));
    let first = first.parse()?;
    if text.starts_with('x') {
        return Ok((Move::remove(first), rest));
    }
    if rest.is_empty() || rest.starts_with('x') {
        let mv = if must_remove { Move::remove(first) } else { Move::place(first) };
        return Ok((mv, rest));
    }
    let (second, rest) = split(rest);
    Ok((Move::slide(first, second.parse()?), rest))
}

/// Why a move may not be played, and what may.
fn objection(mv: Move, game: &Game) -> String {
    let side = game.to_move();
    let legal = game.moves();
    let marked = game.position().extras().marked;
    let (own, other) = (game.position().men(side), game.position().men(!side));
    let is_taken = |square| own.contains(square) || other.contains(square);
    let may_place = legal.iter().any(|mv| matches!(mv.kind(), MoveKind::Place(_)));
    let may_slide = legal.iter().any(|mv| matches!(mv.kind(), MoveKind::Slide { .. }));
    let may_remove = legal.iter().any(|mv| mv.is_removal());
    let reason = match mv.kind() {
        MoveKind::Remove(_) if !may_remove => "no removal is due".to_owned(),
        MoveKind::Remove(man) if !is_taken(man) => format!("there is no man on {man}"),
        MoveKind::Remove(man) => format!("the man on {man} is protected"),
        _ if !may_place && !may_slide => format!("{side} has to remove a man"),
        MoveKind::Place(to) if !may_place && own.contains(to) => "where to?".to_owned(),
        MoveKind::Place(_) if !may_place => format!("{side} has no man to place"),
        MoveKind::Slide { .. } if !may_slide => format!("{side} cannot slide yet"),
        MoveKind::Slide { from, .. } if !own.contains(from) => {
            format!("{side} has no man on {from}")
        }
        MoveKind::Place(to) | MoveKind::Slide { to, .. } if is_taken(to) => {
            format!("{to} is taken")
        }
        MoveKind::Place(to) | MoveKind::Slide { to, .. } if marked.contains(to) => {
            format!("{to} is marked")
        }
        MoveKind::Place(to) => format!("{to} may not be used now"),
        MoveKind::Slide { from, to } => format!("{from} and {to} are not joined by a line"),
    };
    let start = match mv.kind() {
        MoveKind::Slide { from, .. } | MoveKind::Place(from) => Some(from),
        MoveKind::Remove(_) => None,
    };
    let from_there =
        |legal: &&Move| matches!(legal.kind(), MoveKind::Slide { from, .. } if Some(from) == start);
    let nearby: Vec<Move> = legal.iter().filter(from_there).copied().collect();
    let shown = if nearby.is_empty() { &legal[..] } else { &nearby[..] };
    format!("{mv} is illegal: {reason}; legal:{}", MoveLine(shown))
}

/// The legal moves, and the legal turns with their removals.
pub fn turns(game: &Game) -> BTreeSet<String> {
    let whole = game.turns().into_iter().map(|(turn, _)| turn.to_string());
    game.moves().into_iter().map(|mv| mv.to_string()).chain(whole).collect()
}

#[cfg(test)]
mod tests {
    use millstone::rules::{DrawRules, Preset, RuleSet};

    use super::*;

    fn game(moves: &[&str]) -> Game {
        let mut game = Game::start(RuleSet::NINE_MENS_MORRIS, DrawRules::default());
        for mv in moves {
            game.play(mv.parse().unwrap()).unwrap();
        }
        game
    }

    fn typed(line: &str, game: &Game) -> String {
        let moves = read(line, game);
        moves.map_or_else(|error| error, |moves| MoveLine(&moves).to_string())
    }

    #[test]
    fn a_turn_is_understood_in_every_spelling() {
        let mill = game(&["d6", "a1", "d5", "a4"]);
        for line in ["d7xa1", "D7 x A1", " d7-xa1", "d7XA1"] {
            assert_eq!(typed(line, &mill), " d7 xa1");
        }
        let removal = game(&["d6", "a1", "d5", "a4", "d7"]);
        for line in ["a1", "xa1", "XA1", "x a1"] {
            assert_eq!(typed(line, &removal), " xa1");
        }
        let lasker = Preset::named("lasker").unwrap().rules;
        let mut lasker = Game::start(lasker, DrawRules::default());
        for mv in ["d6", "a1"] {
            lasker.play(mv.parse().unwrap()).unwrap();
        }
        for line in ["d6-d5", "d6d5", "D6 - D5", "d6 d5"] {
            assert_eq!(typed(line, &lasker), " d6-d5");
        }
    }

    #[test]
    fn a_mistake_is_named_with_what_could_be_played() {
        let placing = game(&["d6", "a1", "d5", "a4"]);
        assert!(typed("a1", &placing).starts_with("a1 is illegal: a1 is taken; legal: "));
        assert!(typed("d6-d7", &placing).contains("White cannot slide yet"));
        assert!(typed("xa1", &placing).contains("no removal is due"));
        assert!(
            typed("h9", &placing).contains("expected a point such as d6 (a1 to g7), found 'h9'")
        );
        assert_eq!(typed("g7xa1", &placing), "g7 earns no removal, so xa1 cannot follow it");
        assert!(typed("d7xg7", &placing).contains("there is no man on g7; legal: xa1 xa4"));
        let removal = game(&["d6", "a1", "d5", "a4", "d7"]);
        assert!(typed("xd6", &removal).contains("the man on d6 is protected"));
        assert!(typed("g7g4", &removal).contains("White has to remove a man"));
    }

    #[test]
    fn a_slide_is_listed_from_its_man() {
        let text = "@**O****/*O**@***/O***@*@O w m s 4 0 4 0 0 0 0 0 0 0 0 0 10";
        let rules = RuleSet::NINE_MENS_MORRIS;
        let game = Game::from_text(text, rules, DrawRules::default()).unwrap();
        assert_eq!(typed("f6", &game), "f6 is illegal: where to?; legal: f6-d6 f6-f4");
        assert!(
            typed("f6a1", &game).contains("f6 and a1 are not joined by a line; legal: f6-d6 f6-f4")
        );
        assert!(typed("a1a4", &game).contains("White has no man on a1"));
    }

    #[test]
    fn any_text_is_read_or_refused() {
        let game = game(&[]);
        for line in ["", "x", "é", "d6é", "xé1", "d", "d6-", "--", "d6d5d6", "€€€€"] {
            let _ = (is_turn(line), read(line, &game));
        }
        assert!(is_turn("d6") && is_turn("X a1") && is_turn("h9"));
        assert!(!is_turn("undo") && !is_turn("") && !is_turn("x") && !is_turn("exit"));
    }

    #[test]
    fn turns_with_removals_are_offered() {
        let turns = turns(&game(&["d6", "a1", "d5", "a4"]));
        assert!(turns.contains("d7xa1") && turns.contains("d7") && turns.contains("g7"));
        assert!(!turns.contains("g7xa1"));
    }
}
