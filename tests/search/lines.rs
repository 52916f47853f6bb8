//! The lines of a search, one or several: their scores, and that they lead where they say.

use std::cmp::Reverse;
use std::collections::HashSet;

use crate::minimax::Minimax;
use crate::positions::won_by;
use crate::random::seeded;
use crate::searches::{ALGORITHMS, Sound, engine, hear, random_game};
use crate::size::usual_or_full;
use millstone::game::Game;
use millstone::position::Move;
use millstone::rules::{DrawRules, PRESETS, RuleSet};
use millstone::score::{Score, ScoreKind};
use millstone::search::{Algorithm, Bound, Limits, Silent, Variation};

use rayon::prelude::*;

const LINES: usize = 4;

/// A game in play after random moves.
fn game_in_play(rules: RuleSet, seed: u64, draws: DrawRules) -> Game {
    random_game(rules, draws, 120, &mut seeded(seed))
}

fn lines_to_depth(lines: usize, depth: u32) -> Limits {
    Limits { multi_pv: lines, ..Limits::to_depth(depth) }
}

#[test]
fn several_lines_have_the_values_of_their_moves() {
    (0..usual_or_full(20, 60_u64)).into_par_iter().for_each(|seed| {
        let rules = PRESETS[seed as usize % 4].rules;
        let game = game_in_play(rules, seed, DrawRules::OFF);
        let depth = if game.position().count_moves() > 12 { 2 } else { 3 };
        let values = Minimax { extends_forced: false }.root(game.position(), depth);
        let mut best: Vec<Score> = values.iter().map(|(_, value)| *value).collect();
        best.sort();
        for algorithm in ALGORITHMS {
            for lines in [1, 3, 64] {
                let limits = lines_to_depth(lines, depth);
                let mut engine = engine(algorithm);
                let report = engine.search_with::<_, Sound>(&game, &limits, &mut Silent);
                let found = report.lines;
                assert_eq!(found.len(), lines.min(values.len()));
                for Variation { score, pv: line, .. } in &found {
                    assert!(values.contains(&(line[0], *score)), "{line:?} {}", game.text());
                }
                let moves: HashSet<Move> = found.iter().map(|found| found.pv[0]).collect();
                assert_eq!(moves.len(), found.len());
                let expected = best.iter().rev().take(lines).copied();
                assert!(found.iter().map(|found| found.score).eq(expected), "{}", game.text());
            }
        }
    });
}

/// Checks each line that it hears of.
struct LineReader {
    root: Game,
    algorithm: Algorithm,
    /// Lines to the end of the game, and how many.
    ended: usize,
    decided: usize,
}

impl LineReader {
    /// Plays a line that must be legal: the turns it takes, and the game after it.
    fn play(&self, line: &[Move]) -> (u16, Game) {
        let mut game = self.root.clone();
        let mut turns = 0;
        for &mv in line {
            let side = game.to_move();
            game.play(mv).unwrap();
            turns += u16::from(game.to_move() != side || game.outcome().is_some());
        }
        (turns, game)
    }

    fn read(&mut self, line: &Variation) {
        assert!(line.bound == Bound::Exact || self.algorithm == Algorithm::MtdF);
        let (turns, game) = self.play(&line.pv);
        let to_move = self.root.position().to_move();
        let (expected, winner) = match line.score.kind() {
            ScoreKind::MateIn(turns) => (turns, to_move),
            ScoreKind::MatedIn(turns) => (turns, !to_move),
            _ => return,
        };
        self.decided += 1;
        assert!(turns <= expected, "{:?} {}", self.algorithm, self.root.text());
        self.ended += usize::from(turns == expected && won_by(&game) == Some(winner));
    }
}

#[test]
fn lines_of_wins_and_losses_end_the_game_when_their_scores_say() {
    let ends = |seed: u64| {
        let rules = PRESETS[seed as usize % PRESETS.len()].rules;
        let root = game_in_play(rules, seed, DrawRules::default());
        let algorithm = ALGORITHMS[seed as usize % 3];
        let mut reader = LineReader { root, algorithm, ended: 0, decided: 0 };
        let root = reader.root.clone();
        let mut hear = hear(|told| {
            assert!(told.lines.is_sorted_by_key(|line| Reverse(line.score)));
            told.lines.iter().for_each(|line| reader.read(line));
        });
        let report = engine(algorithm).search(&root, &lines_to_depth(LINES, 6), &mut hear);
        assert_eq!(report.lines.len(), LINES.min(root.moves().len()));
        (reader.ended, reader.decided)
    };
    let sum = |a: (usize, usize), b: (usize, usize)| (a.0 + b.0, a.1 + b.1);
    let (ended, decided) =
        (0..usual_or_full(200, 600)).into_par_iter().map(ends).reduce(|| (0, 0), sum);
    // A draw by repetition depends on the way to a position, which the table does not know.
    assert!(decided > 0 && 100 * ended >= 99 * decided, "{ended} of {decided}");
}
