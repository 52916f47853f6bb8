//! `millstone puzzles`: finds positions with one right turn, writes them, or sets them in the terminal.

use std::io::Write;
use std::iter;
use std::path::PathBuf;
use std::sync::Arc;

use clap::{ValueHint, value_parser};
use millstone::analysis::{Analyst, Effort, Puzzle};
use millstone::game::Game;
use millstone::position::{Move, Turn, is_position_text};
use millstone::records::GameRecord;
use millstone::rules::{DrawRules, RuleSet};
use millstone::search::{Engine, Silent, Skill};
use millstone::tablebase::{Solvable, Tablebase};

use super::arguments::{TablebaseFolder, Text, expect_rules, level_parser, read_text, sector};
use super::play::read_turn;
use super::{CommandResult, Format, complain, ensure, save, terminal, write_json};

/// Solve, list or write puzzles: positions with exactly one turn that keeps the win or the draw.
///
/// Positions are drawn at random from the tablebase (equally often from the placing and the moving phase, if
/// it has both), or come from a list of puzzles, or from games as far as the tablebase knows their positions
/// (--from). Positions with only one legal turn are left out. The level of a puzzle is the lowest at which Millstone itself usually finds the turn: 0, 3, 6
/// and so on to 18, or 30 if none of these does.
///
/// In the terminal, type the turn, such as d6-d5xa1; an empty line shows the solution, quit leaves. Each
/// answer is explained. A list has one puzzle a line: position, result (win or draw), turn and level,
/// separated by semicolons; lines that begin with # are comments. With --json, each object has position,
/// worth (win or draw), solution and level.
#[derive(clap::Args)]
pub struct Arguments {
    /// Number of puzzles
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = value_parser!(u32).range(1..))]
    count: u32,
    /// Read a list of puzzles, or find puzzles in games in any notation that millstone convert reads
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    from: Option<PathBuf>,
    /// Draw from one sector, such as 5-4, or 5+2-4+2 with men in hand; the side to move comes first
    #[arg(long, value_name = "MEN-MEN", conflicts_with = "from")]
    sector: Option<String>,
    /// Lowest level
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = level_parser())]
    level: u32,
    /// Seed of the random positions; the same seed gives the same puzzles [default: random]
    #[arg(long, value_name = "N", conflicts_with = "from")]
    seed: Option<u64>,
    /// Write the puzzles to a list instead of setting them
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, conflicts_with = "json")]
    write: Option<PathBuf>,
    #[command(flatten)]
    format: Format,
    #[command(flatten)]
    tablebase: TablebaseFolder,
}

/// Finds puzzles, and writes or plays them.
pub fn run(arguments: &Arguments, rules: &RuleSet) -> CommandResult {
    let game = Solvable::of(rules)?;
    let sector = arguments.sector.as_ref().map(|name| sector(&game, name)).transpose()?;
    let tablebase = arguments.tablebase.open(game);
    let [mut grader, mut judge] =
        [Engine::new(Puzzle::TABLE_SIZE)?, Engine::new(Puzzle::TABLE_SIZE)?];
    let text;
    let found = if let Some(path) = &arguments.from {
        text = read_text(path, "games or puzzles")?;
        read(&text, rules, &tablebase, &mut grader)?
    } else {
        let seed = arguments.seed.unwrap_or_else(rand::random);
        let levels = arguments.level..=Skill::FULL.level();
        let most = Puzzle::MOST_DRAWN.saturating_mul(arguments.count as usize);
        let drawn = Puzzle::drawn(rules, &tablebase, sector, levels, None, seed, &mut grader)?;
        Box::new(drawn.take(most).flatten())
    };
    let mut found = found.filter(|puzzle| puzzle.level >= arguments.level).peekable();
    ensure(found.peek().is_some(), "no puzzles were found")?;
    let count = arguments.count as usize;
    let few = iter::from_fn(|| {
        if arguments.from.is_none() {
            complain(format_args!("fewer than {count} puzzles were found"));
        }
        None
    });
    let mut puzzles = found.chain(few).take(count);
    if arguments.format.json {
        puzzles.try_for_each(|puzzle| write_json(&puzzle))?;
    } else if let Some(path) = &arguments.write {
        let title =
            format!("# {}: position; value; the only turn; level that finds it\n", rules.name());
        save(path, puzzles.fold(title, |list, puzzle| format!("{list}{puzzle}\n")))?;
    } else {
        judge.tablebase = Some(Arc::clone(&tablebase));
        let effort = Effort { depth: 1, time: None, ..Effort::TEACHING };
        play(puzzles, Analyst::new(judge, effort), rules)?;
    }
    Ok(())
}

/// Reads the puzzles of a list, or finds puzzles in games; reports and skips games that are malformed or of another
/// variant.
fn read<'a>(
    source: &'a Text,
    rules: &'a RuleSet,
    tablebase: &'a Tablebase,
    engine: &'a mut Engine,
) -> Result<Box<dyn Iterator<Item = Puzzle> + 'a>, String> {
    let Text { name, text } = source;
    if text.lines().any(is_puzzle) {
        let is_entry =
            |(_, line): &(usize, &str)| !line.trim().is_empty() && !line.starts_with('#');
        let read = (1..).zip(text.lines()).filter(is_entry).map(|(number, line)| {
            let puzzle = Puzzle::from_text(line, rules);
            puzzle.map_err(|error| format!("{name}:{number}: {error}"))
        });
        let puzzles = read.collect::<Result<Vec<Puzzle>, String>>()?;
        return Ok(Box::new(puzzles.into_iter()));
    }
    let of_rules = move |(number, record): (usize, Result<GameRecord, String>)| {
        let record = record?;
        let expected = expect_rules(&record.rules, Some(rules));
        expected.map(|()| record).map_err(|error| format!("{name}: game {number}: {error}"))
    };
    let games = (1..).zip(source.games(rules)).map(of_rules);
    let games = games.filter_map(|record| record.inspect_err(|error| complain(error)).ok());
    let positions = games.flat_map(|record| positions(&record));
    let levels = 0..=Skill::FULL.level();
    Ok(Box::new(positions.filter_map(move |game| Puzzle::of(&game, tablebase, engine, &levels))))
}

/// Whether a line looks like an entry of a puzzle list.
fn is_puzzle(line: &str) -> bool {
    line.matches(';').count() == 3 && line.split(';').next().is_some_and(is_position_text)
}

/// The game at its start and after each move.
fn positions(record: &GameRecord) -> impl Iterator<Item = Game> + use<> {
    let game = Game::begin(record.start.as_deref(), record.rules, DrawRules::default()).ok();
    let mut moves = record.moves().collect::<Vec<_>>().into_iter();
    iter::successors(game, move |game| {
        let mut after = game.clone();
        after.play(moves.next()?).ok()?;
        Some(after)
    })
}

/// Sets the puzzles one by one, and prints how many were solved at the first try.
fn play(
    puzzles: impl Iterator<Item = Puzzle>,
    mut analyst: Analyst,
    rules: &RuleSet,
) -> CommandResult {
    let mut out = anstream::stdout();
    let (mut asked, mut solved) = (0, 0);
    for Puzzle { position, wdl, solution, level } in puzzles {
        let game = Game::from_text(&position, *rules, DrawRules::default())?;
        let (number, side) = (asked + 1, game.to_move());
        writeln!(out, "{game}\nPuzzle {number}, level {level}: {side} to play and {wdl}.")?;
        let Some(is_solved) = ask(&game, &solution, &mut analyst, &mut out)? else {
            writeln!(out)?;
            break;
        };
        asked = number;
        solved += u32::from(is_solved);
    }
    Ok(writeln!(out, "{solved} of {asked} solved at the first try.")?)
}

/// Asks for a turn until it is the solution or the player wants to see the solution. Returns whether the first turn
/// was right, or `None` if the player leaves.
fn ask(
    game: &Game,
    solution: &Turn,
    analyst: &mut Analyst,
    out: &mut impl Write,
) -> CommandResult<Option<bool>> {
    let mut is_first = true;
    while let Some(line) = terminal::ask("Your turn> ")?.filter(|line| line != "quit") {
        if line.is_empty() {
            writeln!(out, "Solution: {solution}\n")?;
            return Ok(Some(false));
        }
        match read_whole_turn(&line, game) {
            Ok(moves) => {
                let lesson = analyst.teach(game, &moves, &mut Silent);
                let lesson = lesson.map(|lesson| format!(" {lesson}")).unwrap_or_default();
                if moves == solution.moves() {
                    writeln!(out, "Correct.{lesson}\n")?;
                    return Ok(Some(is_first));
                }
                writeln!(out, "Wrong.{lesson}")?;
                is_first = false;
            }
            Err(error) => writeln!(out, "{error}")?,
        }
    }
    Ok(None)
}

/// Reads a complete turn, removals included.
fn read_whole_turn(line: &str, game: &Game) -> CommandResult<Vec<Move>> {
    let (moves, after) = read_turn(line, game)?;
    let is_whole = !after.is_within_turn(game.to_move());
    ensure(is_whole, "This closes a mill: add the man to remove, as in d6-d5xa1.")?;
    Ok(moves)
}
