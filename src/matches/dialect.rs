//! Commands to engines and their replies, in either dialect.

use crate::Error;
use crate::game::History;
use crate::position::{Move, Turn};
use crate::protocol::{
    Command, Dialect, Effect, GbgpPosition, OptionSpec, Options, Setup, TWELVE_MENS_MORRIS, VARIANT,
};
use crate::rules::{Preset, RuleSet};

/// The fields of a position text that a GBGP position gives: board, side, phase, action, men on the
/// board and in hand, removals owed.
const GBGP_FIELDS: usize = 10;

/// The options that set an engine's rules.
///
/// * `known`: the names of the options that the engine has.
///
/// # Errors
///
/// If the dialect cannot express the rules.
pub(super) fn rule_options(
    dialect: Dialect,
    rules: &RuleSet,
    known: &[String],
) -> Result<Vec<(String, String)>, String> {
    let has = |option| known.iter().any(|name| name == option);
    if dialect == Dialect::Gbgp {
        let is_twelve = rules.canonical() == RuleSet::TWELVE_MENS_MORRIS.canonical();
        return match (rules.is_standard(), is_twelve, has(TWELVE_MENS_MORRIS)) {
            (true, _, false) => Ok(Vec::new()),
            (true, _, true) | (_, true, true) => {
                Ok(vec![(TWELVE_MENS_MORRIS.to_owned(), is_twelve.to_string())])
            }
            _ => Err(format!("cannot play {} in GBGP", rules.name())),
        };
    }
    if let Some(preset) = Preset::of(rules)
        && has(VARIANT)
    {
        return Ok(vec![(VARIANT.to_owned(), preset.name.to_owned())]);
    }
    // Every engine plays Nine Men's Morris by default.
    let usual = Options::default();
    let wanted = Options { rules: *rules, ..usual.clone() };
    let changed = OptionSpec::of(Dialect::Uci)
        .filter(|spec| spec.effect == Effect::NewRules && spec.name != VARIANT)
        .map(|spec| (spec, spec.value(&usual), spec.value(&wanted)))
        .filter(|(_, usual, wanted)| usual != wanted);
    Ok(changed.map(|(spec, _, wanted)| (spec.name.to_owned(), wanted)).collect())
}

/// The line that sends a game to an engine.
///
/// # Errors
///
/// If the dialect cannot express the start.
pub(super) fn position_line(dialect: Dialect, game: &History) -> Result<String, String> {
    let start = match (game.start_text(), dialect) {
        (Some(text), Dialect::Gbgp) => {
            let position = GbgpPosition::of(game.start());
            let read = position.text(game.rules()).unwrap_or_default();
            // All but the plies since the last removal must survive.
            if !read.split(' ').take(GBGP_FIELDS).eq(text.split(' ').take(GBGP_FIELDS)) {
                return Err(format!("cannot express '{text}' in GBGP"));
            }
            Some(position.to_string())
        }
        (start, _) => start,
    };
    let moves = match dialect {
        Dialect::Uci => game.moves().map(|mv| mv.to_string()).collect(),
        Dialect::Gbgp => game.turns().iter().map(|(_, turn)| turn.to_string()).collect(),
    };
    Ok(Command::Position.line(dialect, Setup { dialect, start, moves }))
}

/// The moves of a reply: one ply, or a whole turn.
///
/// # Errors
///
/// If the word is neither.
pub(super) fn read_moves(dialect: Dialect, word: &str) -> Result<Vec<Move>, Error> {
    match dialect {
        Dialect::Uci => Ok(vec![word.parse()?]),
        Dialect::Gbgp => Ok(word.parse::<Turn>()?.moves().to_vec()),
    }
}

/// The word after `bestmove` in a result line of any style.
pub(super) fn best_move(dialect: Dialect, line: &str) -> Option<&str> {
    let best_move = Command::Go.reply(dialect);
    let mut words = line.split_whitespace();
    let mut rest = words.clone();
    match (words.next()?, words.next()) {
        (first, _) if first == best_move => {}
        ("info", Some(second)) if second != "string" => {}
        _ => return None,
    }
    rest.find(|&word| word == best_move)?;
    Some(rest.next().unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    const NINE: RuleSet = RuleSet::NINE_MENS_MORRIS;

    #[test]
    fn moves_are_found_in_each_form_of_the_result_line() {
        for (line, mv) in [
            ("bestmove d6", Some("d6")),
            ("bestmove d6-f6xa1 ponder none", Some("d6-f6xa1")),
            ("info depth 3 score cp 5 nodes 40 bestmove xb4", Some("xb4")),
            ("info score -5 bestmove draw", Some("draw")),
            ("info score 0 aimovetype perfect bestmove d6-d5", Some("d6-d5")),
            ("bestmove", Some("")),
            ("info string bestmove d6", None),
            ("IDS: Algorithm bestMove = d5", None),
            ("", None),
        ] {
            for dialect in Dialect::ALL {
                assert_eq!(best_move(dialect, line), mv, "{line}");
            }
        }
    }

    #[test]
    fn only_one_dialect_has_whole_turns() {
        assert_eq!(read_moves(Dialect::Gbgp, "d6-f6xa1").unwrap().len(), 2);
        assert!(read_moves(Dialect::Uci, "d6-f6xa1").is_err());
        assert_eq!(read_moves(Dialect::Uci, "xa1").unwrap().len(), 1);
    }

    fn gbgp_line(start: Option<&str>, moves: &[&str]) -> Result<String, String> {
        let moves = moves.iter().map(|mv| mv.parse().unwrap());
        position_line(Dialect::Gbgp, &History::replay(start, &NINE, moves).unwrap())
    }

    #[test]
    fn gbgp_positions_have_points_and_a_number() {
        assert_eq!(gbgp_line(None, &[]).unwrap(), "position startpos");
        for (text, position) in [
            ("********/O*******/******** b p p 1 8 0 9 0 0 0 0 0 0 0 0 1", "b:wd6:b:1"),
            ("********/O*@*****/******** w p p 1 8 1 8 0 0 0 0 0 0 0 0 2", "w:wd6:bf4:2"),
            (
                "@**O****/*O**@***/O***@*@O w m s 4 0 4 0 0 0 0 0 0 0 0 0 10",
                "w:we3,f6,d7,a7:bd5,d2,d1,a4:10",
            ),
        ] {
            assert_eq!(gbgp_line(Some(text), &[]).unwrap(), format!("position pos {position}"));
        }
        let owed = "********/********/OO**@@*O w p r 3 6 2 7 1 0 0 0 0 0 0 0 3";
        assert!(gbgp_line(Some(owed), &[]).unwrap_err().contains("GBGP"));
    }

    #[test]
    fn gbgp_moves_are_whole_turns() {
        let text = gbgp_line(None, &["d6", "a1", "d5", "a4", "d7", "xa1", "a7"]).unwrap();
        assert_eq!(text, "position startpos moves d6 a1 d5 a4 d7xa1 a7");
    }

    #[test]
    fn gbgp_has_two_games() {
        let twelve = RuleSet::TWELVE_MENS_MORRIS;
        let known = ["TwelveMensMorris".to_owned()];
        assert_eq!(rule_options(Dialect::Gbgp, &NINE, &known).unwrap()[0].1, "false");
        assert_eq!(rule_options(Dialect::Gbgp, &twelve, &known).unwrap()[0].1, "true");
        assert!(rule_options(Dialect::Gbgp, &NINE, &[]).unwrap().is_empty());
        assert!(rule_options(Dialect::Gbgp, &twelve, &[]).is_err());
        assert!(
            rule_options(Dialect::Gbgp, &Preset::named("lasker").unwrap().rules, &known).is_err()
        );
    }

    #[test]
    fn uci_rules_are_set_by_name_or_one_by_one() {
        let lasker = Preset::named("lasker").unwrap().rules;
        let named = [("Variant".to_owned(), "Lasker Morris".to_owned())];
        assert_eq!(
            rule_options(Dialect::Uci, &lasker, &["Hash".into(), "Variant".into()]).unwrap(),
            named
        );
        let single = [("PiecesCount", "10"), ("MayMoveInPlacingPhase", "true")];
        let single = single.map(|(name, value)| (name.to_owned(), value.to_owned()));
        assert_eq!(rule_options(Dialect::Uci, &lasker, &[]).unwrap(), single);
        assert!(rule_options(Dialect::Uci, &NINE, &[]).unwrap().is_empty());
    }
}
