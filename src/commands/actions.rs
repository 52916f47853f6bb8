//! `millstone actions`: moves for agents that number actions as `OpenSpiel` does.

use std::io::{self, BufRead};
use std::time::Duration;

use millstone::board::Side;
use millstone::game::{Game, History, Outcome};
use millstone::position::MoveList;
use millstone::quote::quote;
use millstone::records::{MOST_TURNS, action_of, move_of_action};
use millstone::rules::{DrawRules, RuleSet};
use millstone::search::{Budget, Clock, Engine, Limits, Silent, Skill};
use serde_json::{Value, json};

use super::arguments::{OptionalTablebase, TABLE_SIZE, level_parser};
use super::{CommandResult, Format, complain};

/// Answer lists of actions with the action to play, for agents of `OpenSpiel` and Kaggle.
///
/// Each line of standard input is a game: the actions from the start position, separated by blanks. The
/// reply is one line: the action of the best move, or -1 when the game is over. A malformed game is
/// reported on standard error and answered with -1.
///
/// Points are numbered from 0, row by row from the upper left. An action below 24 places or removes a man,
/// 24 + 24 x FROM + TO slides or flies. Games are drawn after 200 turns; repetition and the n-move rule do
/// not count. `millstone convert --to actions` writes games in this form.
///
/// With --json the reply is an object with action, legal (all legal actions), player (0 or 1 to move) and
/// returns (1 for the winner, -1 for the loser, else 0).
#[derive(clap::Args)]
pub struct Arguments {
    /// Time for each move, in milliseconds
    #[arg(long, value_name = "MS", default_value_t = 100)]
    #[arg(value_parser = clap::value_parser!(u64).range(1..=86_400_000))]
    time: u64,
    #[arg(long, value_name = "N", value_parser = level_parser())]
    #[arg(default_value_t = Skill::FULL.level())]
    #[arg(help = format!("Level of the engine, 0 to {}, which alone uses the tablebase", Skill::FULL.level()))]
    level: u32,
    /// Do not search: the action is always -1, and --json gives the other fields
    #[arg(long)]
    no_search: bool,
    #[command(flatten)]
    format: Format,
    #[command(flatten)]
    tablebase: OptionalTablebase,
}

/// Answers line by line.
pub fn run(arguments: &Arguments, rules: &RuleSet) -> CommandResult {
    let mut engine = Engine::new(TABLE_SIZE)?;
    let (searches, skill) = (!arguments.no_search, Skill::of_level(arguments.level));
    if searches {
        engine.get_ready();
        let open = || arguments.tablebase.open(rules);
        engine.tablebase = skill.is_full().then(open).flatten();
    }
    for line in io::stdin().lock().split(b'\n') {
        let line = String::from_utf8_lossy(&line?).into_owned();
        let played = play(&line, rules).inspect_err(|error| complain(error)).ok();
        let open = played.as_ref().filter(|played| !is_over(played));
        let action = open.filter(|_| searches).and_then(|played| {
            let time = Duration::from_millis(arguments.time);
            let clock = Clock::started(Budget::for_move(time, Duration::ZERO));
            let limits = Limits { clock, ..Limits::to_depth(turns_left(played)) };
            let game = played.game();
            let seed = game.position().key();
            engine.search_with_skill(game, &limits, skill, seed, &mut Silent).best()
        });
        let action = action.map_or(-1, |mv| action_of(mv) as i64);
        let json = answer(action, played.as_ref());
        arguments.format.write(&json, action)?;
    }
    Ok(())
}

/// Plays the actions of a line.
fn play(line: &str, rules: &RuleSet) -> CommandResult<History> {
    let mut played = History::from(Game::start(*rules, DrawRules::OFF));
    for word in line.split_whitespace() {
        let action = word.parse().ok().filter(|_| !is_over(&played));
        let mv = action.and_then(|action| move_of_action(played.game().position(), action));
        played.play(mv.ok_or_else(|| format!("'{}' is not a legal action", quote(word)))?)?;
    }
    Ok(played)
}

fn turns_left(played: &History) -> u32 {
    let turns = played.moves().filter(|mv| !mv.is_removal()).count();
    MOST_TURNS.saturating_sub(turns) as u32
}

fn is_over(played: &History) -> bool {
    // A removal of the last turn may still be due.
    let is_complete = played.game().position().pending() == 0;
    played.game().outcome().is_some() || is_complete && turns_left(played) == 0
}

/// The answer as JSON; a malformed game has no legal actions.
fn answer(action: i64, played: Option<&History>) -> Value {
    let Some(played) = played else { return json!({"action": action, "legal": []}) };
    let game = played.game();
    let moves = if is_over(played) { MoveList::new() } else { game.moves() };
    let mut legal: Vec<_> = moves.into_iter().map(action_of).collect();
    legal.sort_unstable();
    let returns = match game.outcome() {
        Some(Outcome::Win { winner: Side::White, .. }) => [1, -1],
        Some(Outcome::Win { winner: Side::Black, .. }) => [-1, 1],
        Some(Outcome::Draw(_)) | None => [0, 0],
    };
    json!({"action": action, "legal": legal, "player": game.to_move() as u8, "returns": returns})
}
