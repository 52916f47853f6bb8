//! Puzzles in the terminal: the board, the question, and what an answer does to the game.

use std::io::Write;

use millstone::analysis::{Analyst, Puzzle};
use millstone::game::Game;
use millstone::rules::{DrawRules, RuleSet};
use millstone::search::Silent;
use millstone::tablebase::Wdl;

use crate::commands::play::read_turn;
use crate::commands::{CommandResult, terminal};

/// What a player types to leave.
const QUIT: &str = "quit";

/// Sets each puzzle until it is solved or given up.
pub fn play(
    puzzles: impl Iterator<Item = Puzzle>,
    mut analyst: Analyst,
    rules: &RuleSet,
) -> CommandResult {
    let (mut asked, mut solved) = (0, 0);
    for puzzle in puzzles {
        let answered = ask(&puzzle, asked + 1, &mut analyst, rules)?;
        let Some(is_solved) = answered else { break };
        (asked, solved) = (asked + 1, solved + u32::from(is_solved));
    }
    Ok(writeln!(anstream::stdout(), "{solved} of {asked} solved at the first try.")?)
}

/// Sets a puzzle. Returns whether the first answer was right, or `None` if the player quits.
fn ask(
    puzzle: &Puzzle,
    number: u32,
    analyst: &mut Analyst,
    rules: &RuleSet,
) -> Result<Option<bool>, Box<dyn std::error::Error>> {
    let mut out = anstream::stdout();
    let game = Game::from_text(&puzzle.position, *rules, DrawRules::default())?;
    let goal = if puzzle.wdl == Wdl::Win { "win" } else { "draw" };
    let Puzzle { level, solution, .. } = puzzle;
    writeln!(out, "{game}")?;
    writeln!(out, "Puzzle {number}, level {level}: {} to play and {goal}.", game.to_move())?;
    let mut is_first = true;
    loop {
        write!(out, "Your turn> ")?;
        out.flush()?;
        let Some(line) = terminal::read_line()?.filter(|line| line != QUIT) else {
            writeln!(out)?;
            return Ok(None);
        };
        if line.is_empty() {
            writeln!(out, "Solution: {solution}\n")?;
            return Ok(Some(false));
        }
        let moves = match read_turn(&line, &game) {
            Ok(moves) => moves,
            Err(error) => {
                writeln!(out, "{error}")?;
                continue;
            }
        };
        let mut after = game.clone();
        moves.iter().try_for_each(|&mv| after.play(mv))?;
        if after.is_within_turn(game.to_move()) {
            writeln!(out, "This closes a mill: add the man to remove, as in d6-d5xa1.")?;
            continue;
        }
        let is_right = moves == solution.moves();
        write!(out, "{}", if is_right { "Correct." } else { "Wrong." })?;
        match analyst.teach(&game, &moves, &mut Silent) {
            Some(lesson) => writeln!(out, " {lesson}")?,
            None => writeln!(out)?,
        }
        if is_right {
            writeln!(out)?;
            return Ok(Some(is_first));
        }
        is_first = false;
    }
}
