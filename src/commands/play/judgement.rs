//! What the engine thinks of a position, in words.

use millstone::any_game::AnyGame;
use millstone::position::{Move, Turn};
use millstone::score::{Score, ScoreKind};
use millstone::search::Variation;

/// A score for the side to move: men ahead, or turns to the end.
pub fn words(score: Score) -> String {
    match score.kind() {
        ScoreKind::MateIn(turns) => format!("wins in {}", Score::turns_of_winner(turns)),
        ScoreKind::MatedIn(turns) => format!("loses in {}", Score::turns_of_winner(turns)),
        ScoreKind::TablebaseWin | ScoreKind::CursedWin => "wins".to_owned(),
        ScoreKind::TablebaseLoss | ScoreKind::BlessedLoss => "loses".to_owned(),
        ScoreKind::Estimate(hundredths) => format!("{:+.2}", f64::from(hundredths) / 100.0),
    }
}

/// The turns of a line of moves.
pub fn turns(game: &dyn AnyGame, line: &[Move]) -> Vec<Turn> {
    let mut after = game.copy();
    let mut played = Vec::new();
    for &mv in line {
        played.push((after.to_move(), mv));
        if after.play(mv).is_err() {
            break;
        }
    }
    Turn::group(played)
}

/// Scores and the first turns of lines, a row each.
pub fn table(game: &dyn AnyGame, lines: &[Variation], most_turns: usize) -> Vec<String> {
    let row = |Variation { score, pv: line }: &Variation| {
        let turns = turns(game, line);
        let turns = turns.iter().take(most_turns).map(ToString::to_string);
        format!("{:>12}  {}", words(*score), turns.collect::<Vec<_>>().join(" "))
    };
    lines.iter().map(row).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_are_said_in_men_and_turns() {
        let said = |score| words(score);
        assert_eq!(said(Score::estimate(-35)), "-0.35");
        assert_eq!(said(Score::mate_in(3)), "wins in 2");
        assert_eq!(said(Score::mated_in(4)), "loses in 2");
        assert_eq!(said(Score::TABLEBASE_WIN), "wins");
        assert_eq!(said(-Score::CURSED_WIN), "loses");
    }
}
