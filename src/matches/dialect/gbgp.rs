//! The Generic Board Game Protocol, whose moves are whole turns.

use super::Told;
use crate::any_game::AnyGame;
use crate::position::Turn;
use crate::protocol::{Command, GbgpPosition, Start};
use crate::rules::RuleSet;

/// The option that chooses between the two games that the protocol knows.
const TWELVE_MEN: &str = "TwelveMensMorris";
/// Board, side, phase, action, men on the board and in hand, removals owed.
const TOLD_FIELDS: usize = 10;

pub(super) fn rule_options(
    rules: &RuleSet,
    known: &[String],
) -> Result<Vec<(String, String)>, String> {
    let is_twelve = rules.canonical() == RuleSet::TWELVE_MENS_MORRIS.canonical();
    let has_option = known.iter().any(|name| name == TWELVE_MEN);
    match (rules.is_standard(), is_twelve, has_option) {
        (true, _, false) => Ok(Vec::new()),
        (true, _, true) | (_, true, true) => {
            Ok(vec![(TWELVE_MEN.to_owned(), is_twelve.to_string())])
        }
        _ => Err(format!("expected a game that GBGP can tell, found {}", rules.name())),
    }
}

pub(super) fn position(game: &Told<'_>) -> Result<Command, String> {
    let start = match game.start {
        None => Start::Initial,
        Some(start) => Start::Text(position_text(start)?),
    };
    let moves = Turn::group(game.moves.iter().copied());
    Ok(Command::Position { start, moves: moves.iter().map(ToString::to_string).collect() })
}

/// The text of a position that it tells whole, but for the slides since the last removal.
fn position_text(game: &dyn AnyGame) -> Result<String, String> {
    let position = GbgpPosition::of(game);
    let read = position.text(game.rules()).unwrap_or_default();
    let told =
        |text: &str| text.split(' ').take(TOLD_FIELDS).map(str::to_owned).collect::<Vec<_>>();
    if told(&read) == told(&game.text()) {
        Ok(position.to_string())
    } else {
        Err(format!("expected a position that GBGP can tell, found '{}'", game.text()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::any_game;
    use crate::board::Side;
    use crate::protocol::Dialect;
    use crate::rules::{DrawRules, Preset};

    const NINE: RuleSet = RuleSet::NINE_MENS_MORRIS;

    fn line(game: &Told<'_>) -> Result<String, String> {
        position(game).map(|command| command.line(Dialect::Gbgp).to_string())
    }

    fn told(text: &str) -> Result<String, String> {
        let game = any_game::from_text(text, &NINE, DrawRules::default()).unwrap();
        line(&Told { start: Some(game.as_ref()), moves: &[] })
    }

    #[test]
    fn positions_are_told_with_points_and_a_number() {
        assert_eq!(line(&Told { start: None, moves: &[] }).unwrap(), "position startpos");
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
        let text = line(&Told { start: None, moves: &moves }).unwrap();
        assert_eq!(text, "position startpos moves d6-f6xa1 d5");
    }

    #[test]
    fn only_two_games_can_be_told() {
        let twelve = RuleSet::TWELVE_MENS_MORRIS;
        let known = ["TwelveMensMorris".to_owned()];
        assert_eq!(rule_options(&NINE, &known).unwrap()[0].1, "false");
        assert_eq!(rule_options(&twelve, &known).unwrap()[0].1, "true");
        assert!(rule_options(&NINE, &[]).unwrap().is_empty());
        assert!(rule_options(&twelve, &[]).is_err());
        assert!(rule_options(&Preset::named("lasker").unwrap().rules, &known).is_err());
    }
}
