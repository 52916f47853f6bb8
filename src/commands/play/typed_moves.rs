//! Turns as people type them, and what is wrong with illegal ones.

use millstone::board::Square;
use millstone::game::Game;
use millstone::position::{Move, MoveKind, MoveLine, Turn};
use millstone::quote::quote;

/// A point, and whether its man is removed.
type Step = (bool, Square);

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
    let moves = moves(&steps(line)?, game)?;
    let mut after = game.clone();
    let side = game.to_move();
    for (index, &mv) in moves.iter().enumerate() {
        let is_extra = index > 0 && !after.is_within_turn(side);
        if is_extra {
            let turn: String = moves[..index].iter().map(ToString::to_string).collect();
            return Err(format!("{turn} earns no removal, found {mv} after it"));
        }
        after.play(mv).map_err(|_| objection(mv, &after))?;
    }
    Ok(moves)
}

fn steps(line: &str) -> Result<Vec<Step>, String> {
    let mut rest = line.trim();
    let mut steps = Vec::new();
    while !rest.is_empty() {
        let point = rest.trim_start_matches(['-', 'x', 'X', ' ']);
        let is_removal = rest[..rest.len() - point.len()].contains(['x', 'X']);
        let end = point.char_indices().nth(2).map_or(point.len(), |(end, _)| end);
        let square = point[..end].parse().map_err(|error| format!("'{}': {error}", quote(line)))?;
        steps.push((is_removal, square));
        rest = &point[end..];
    }
    Ok(steps)
}

fn moves(steps: &[Step], game: &Game) -> Result<Vec<Move>, String> {
    let legal = game.moves();
    let must_remove = !legal.is_empty() && legal.iter().all(|mv| mv.is_removal());
    let (first, rest) = match *steps {
        [(false, from), (false, to), ref rest @ ..] => (Some(Move::slide(from, to)), rest),
        [(false, man), ref rest @ ..] if must_remove => (Some(Move::remove(man)), rest),
        [(false, to), ref rest @ ..] => (Some(Move::place(to)), rest),
        ref rest => (None, rest),
    };
    let removal = |&(is_removal, man): &Step| {
        let expected = "expected at most one move and then removals, such as d6-d5xa1";
        if is_removal { Ok(Move::remove(man)) } else { Err(format!("{expected}, found {man}")) }
    };
    let removals: Result<Vec<Move>, String> = rest.iter().map(removal).collect();
    Ok(first.into_iter().chain(removals?).collect())
}

/// Why a move may not be played, and what may.
fn objection(mv: Move, game: &Game) -> String {
    let legal = game.moves();
    let from_there = |legal: &&Move| match (mv.kind(), legal.kind()) {
        (
            MoveKind::Slide { from, .. } | MoveKind::Place(from),
            MoveKind::Slide { from: own, .. },
        ) => from == own,
        _ => false,
    };
    let nearby: Vec<Move> = legal.iter().filter(from_there).copied().collect();
    let shown = if nearby.is_empty() { &legal[..] } else { &nearby[..] };
    format!("{mv} cannot be played: {}; legal:{}", reason(mv, game), MoveLine(shown))
}

fn reason(mv: Move, game: &Game) -> String {
    let side = game.to_move();
    let legal = game.moves();
    let (own, other) = (game.position().men(side), game.position().men(!side));
    let is_taken = |square| own.contains(square) || other.contains(square);
    let has = |test: fn(MoveKind) -> bool| legal.iter().any(|mv| test(mv.kind()));
    let may_place = has(|kind| matches!(kind, MoveKind::Place(_)));
    let may_slide = has(|kind| matches!(kind, MoveKind::Slide { .. }));
    match mv.kind() {
        MoveKind::Place(_) | MoveKind::Slide { .. } if !may_place && !may_slide => {
            format!("{side} has a man to remove")
        }
        MoveKind::Place(to) if !may_place && own.contains(to) => "where to?".to_owned(),
        MoveKind::Place(_) if !may_place => format!("{side} has no man to place"),
        MoveKind::Slide { .. } if !may_slide => format!("{side} places men, and slides none yet"),
        MoveKind::Slide { from, .. } if !own.contains(from) => {
            format!("{side} has no man on {from}")
        }
        MoveKind::Place(to) | MoveKind::Slide { to, .. } if is_taken(to) => {
            format!("{to} is taken")
        }
        MoveKind::Place(to) | MoveKind::Slide { to, .. }
            if game.position().extras().marked.contains(to) =>
        {
            format!("{to} is marked")
        }
        MoveKind::Place(to) => format!("{to} may not be used now"),
        MoveKind::Slide { from, to } => format!("no man goes from {from} to {to}"),
        MoveKind::Remove(_) if !has(|kind| matches!(kind, MoveKind::Remove(_))) => {
            "nothing is to be removed".to_owned()
        }
        MoveKind::Remove(man) if !is_taken(man) => format!("there is no man on {man}"),
        MoveKind::Remove(man) => format!("the man on {man} is protected"),
    }
}

/// The legal turns: each first move, and each with its removals.
pub fn turns(game: &Game) -> Vec<String> {
    let side = game.to_move();
    let mut turns = Vec::new();
    for mv in game.moves() {
        turns.push(Turn::from(mv).to_string());
        let mut after = game.clone();
        let goes_on = after.play(mv).is_ok() && after.is_within_turn(side) && !mv.is_removal();
        let removals = after.moves().into_iter().filter(|_| goes_on);
        turns.extend(removals.map(|removal| format!("{mv}{removal}")));
    }
    turns
}

#[cfg(test)]
mod tests {
    use millstone::rules::{DrawRules, Preset, RuleSet};

    use super::*;

    fn game(moves: &[&str]) -> Game {
        let mut game = Game::new();
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
        assert!(typed("a1", &placing).starts_with("a1 cannot be played: a1 is taken; legal: "));
        assert!(typed("d6-d7", &placing).contains("White places men, and slides none yet"));
        assert!(typed("xa1", &placing).contains("nothing is to be removed"));
        assert!(
            typed("h9", &placing).contains("expected a point such as d6 (a1 to g7), found 'h9'")
        );
        assert_eq!(typed("g7xa1", &placing), "g7 earns no removal, found xa1 after it");
        assert!(typed("d7xg7", &placing).contains("there is no man on g7; legal: xa1 xa4"));
        let removal = game(&["d6", "a1", "d5", "a4", "d7"]);
        assert!(typed("xd6", &removal).contains("the man on d6 is protected"));
        assert!(typed("g7g4", &removal).contains("White has a man to remove"));
    }

    #[test]
    fn a_slide_is_listed_from_its_man() {
        let text = "@**O****/*O**@***/O***@*@O w m s 4 0 4 0 0 0 0 0 0 0 0 0 10";
        let rules = RuleSet::NINE_MENS_MORRIS;
        let game = Game::from_text(text, rules, DrawRules::default()).unwrap();
        assert_eq!(typed("f6", &game), "f6 cannot be played: where to?; legal: f6-d6 f6-f4");
        assert!(typed("f6a1", &game).contains("no man goes from f6 to a1; legal: f6-d6 f6-f4"));
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
        assert!(turns.contains(&"d7xa1".to_owned()) && turns.contains(&"g7".to_owned()));
        assert!(!turns.contains(&"g7xa1".to_owned()));
    }
}
