//! The Generic Board Game Protocol, whose moves are whole turns.

use super::Told;
use crate::any_game::AnyGame;
use crate::board::{Side, SquareSet};
use crate::position::{Move, MoveTextError, Turn};
use crate::rules::{Preset, RuleSet};

/// The option that chooses between the two games that the protocol knows.
const TWELVE_MEN: &str = "TwelveMensMorris";

pub(super) fn rules(rules: &RuleSet, known: &[String]) -> Result<Vec<(String, String)>, String> {
    let twelve = Preset::named("twelve").map(|preset| preset.rules);
    let is_twelve = twelve.is_some_and(|twelve| twelve.canonical() == rules.canonical());
    let has_option = known.iter().any(|name| name == TWELVE_MEN);
    match (rules.is_standard(), is_twelve, has_option) {
        (true, _, false) => Ok(Vec::new()),
        (true, _, true) | (_, true, true) => {
            Ok(vec![(TWELVE_MEN.to_owned(), is_twelve.to_string())])
        }
        _ => Err("expected a game that the engine plays in its protocol, GBGP".to_owned()),
    }
}

pub(super) fn position(game: &Told<'_>) -> Result<String, String> {
    let mut text = match game.start {
        None => "position startpos".to_owned(),
        Some(start) => format!("position pos {}", position_text(start)?),
    };
    if !game.moves.is_empty() {
        text += " moves";
    }
    for turn in Turn::group(game.moves.iter().copied()) {
        text += &format!(" {turn}");
    }
    Ok(text)
}

/// `side:w<points>:b<points>:<number of the turn pair>`.
fn position_text(game: &dyn AnyGame) -> Result<String, String> {
    let placed = 2 * (game.move_number() - 1);
    let expected = |side: Side| {
        let placed = placed / 2 + u32::from(side != game.to_move() && side == Side::White);
        u32::from(game.rules().men).saturating_sub(placed)
    };
    let in_hand = |side: Side| u32::from(game.in_hand(side));
    if Side::ALL.into_iter().any(|side| game.owed(side) != 0 || in_hand(side) != expected(side)) {
        return Err(format!("expected a position that GBGP can tell, found '{}'", game.text()));
    }
    let [white, black] = Side::ALL.map(|side| points(game.men(side)));
    let (to_move, number) = (game.to_move().letter(), game.move_number());
    Ok(format!("{to_move}:w{white}:b{black}:{number}"))
}

fn points(men: SquareSet) -> String {
    let points: Vec<_> = men.into_iter().map(|square| square.to_string()).collect();
    points.join(",")
}

pub(super) fn read_turn(word: &str) -> Result<Vec<Move>, MoveTextError> {
    Ok(word.parse::<Turn>()?.moves().to_vec())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::any_game;
    use crate::rules::DrawRules;

    const NINE: RuleSet = RuleSet::NINE_MENS_MORRIS;

    fn told(text: &str) -> Result<String, String> {
        let game = any_game::from_text(text, &NINE, DrawRules::default()).unwrap();
        position(&Told { start: Some(game.as_ref()), moves: &[] })
    }

    #[test]
    fn positions_are_told_with_points_and_a_number() {
        assert_eq!(position(&Told { start: None, moves: &[] }).unwrap(), "position startpos");
        for (text, position) in [
            ("********/********/******** w p p 0 9 0 9 0 0 0 0 0 0 0 0 1", "w:w:b:1"),
            ("********/O*@*****/******** w p p 1 8 1 8 0 0 0 0 0 0 0 0 2", "w:wd6:bf4:2"),
            (
                "@**O****/*O**@***/O***@*@O w m s 4 0 4 0 0 0 0 0 0 0 0 0 10",
                "w:we3,f6,d7,a7:bd5,d2,d1,a4:10",
            ),
        ] {
            assert_eq!(told(text).unwrap(), format!("position pos {position}"));
        }
        let owed = "********/********/OO**@@*O w p r 3 6 2 7 1 0 0 0 0 0 0 0 3";
        assert!(told(owed).unwrap_err().contains("GBGP"));
    }

    #[test]
    fn moves_are_told_turn_by_turn() {
        let (white, black) = (Side::White, Side::Black);
        let moves = [(white, "d6-f6"), (white, "xa1"), (black, "d5")];
        let moves = moves.map(|(side, text)| (side, text.parse().unwrap()));
        let text = position(&Told { start: None, moves: &moves }).unwrap();
        assert_eq!(text, "position startpos moves d6-f6xa1 d5");
        assert_eq!(read_turn("d6-f6xa1").unwrap().len(), 2);
    }

    #[test]
    fn only_two_games_can_be_told() {
        let twelve = Preset::named("twelve").unwrap().rules;
        let known = ["TwelveMensMorris".to_owned()];
        assert_eq!(rules(&NINE, &known).unwrap()[0].1, "false");
        assert_eq!(rules(&twelve, &known).unwrap()[0].1, "true");
        assert!(rules(&NINE, &[]).unwrap().is_empty());
        assert!(rules(&twelve, &[]).is_err());
        assert!(rules(&Preset::named("lasker").unwrap().rules, &known).is_err());
    }
}
