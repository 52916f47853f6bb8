//! `position`, what is on the board, and the legal moves; and `move`, what the engine plays.

use std::time::Duration;

use serde::Deserialize;
use serde_json::{Value, json};

use super::{GameText, Job, MOST_TIME, Purpose, Refusal, Role, Site, USUAL_TIME, check, ensure};
use crate::analysis::WhiteLine;
use crate::board::{Side, SquareSet, lines};
use crate::game::History;
use crate::position::{Move, MoveKind};
use crate::records::GameResult;
use crate::search::{Budget, Clock, Limits, Settings, Skill};

/// What is asked.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Request {
    game: GameText,
}

/// Plays the moves and shows what is on the board.
pub fn job(request: &Request, site: &dyn Site) -> Result<Job, Refusal> {
    Ok(Job::Answer(board(&request.game.play(site.rules())?)))
}

/// What is on the board of a game, what may be played and what was.
fn board(history: &History) -> Value {
    let game = history.game();
    let over = game.outcome().map(|outcome| outcome.sentence(game.draw_rules()));
    let sentence = over.unwrap_or_else(|| format!("{}.", game.request()));
    let sides = Side::ALL.map(|side| {
        let position = game.position();
        json!({"side": side, "men": position.men(side), "in_hand": position.in_hand(side)})
    });
    json!({
        "position": game.text().to_string(),
        "mfen": game.mfen().to_string(),
        "to_move": game.to_move(),
        "outcome": game.outcome(),
        "result": GameResult::from(game.outcome()),
        "variant": game.rules().name(),
        "sentence": sentence,
        "sides": sides,
        "may_fly": game.position().may_fly(game.to_move()),
        "marked": game.position().extras().marked,
        "mills": mills(history),
        "legal": game.moves().into_iter().map(move_json).collect::<Vec<_>>(),
        "turns": turns(history),
    })
}

/// A move and its points.
fn move_json(mv: Move) -> Value {
    let (from, to, remove) = match mv.kind() {
        MoveKind::Place(to) => (None, Some(to), None),
        MoveKind::Slide { from, to } => (Some(from), Some(to), None),
        MoveKind::Remove(man) => (None, None, Some(man)),
    };
    json!({"move": mv, "from": from, "to": to, "remove": remove})
}

/// The lines that the last turn closed: those through its point that have men of its side alone.
fn mills(history: &History) -> Vec<SquareSet> {
    let last = history.turns().last().map(|(side, turn)| (*side, turn.moves()[0]));
    let Some((side, mv)) = last.filter(|(_, mv)| !mv.is_removal()) else { return Vec::new() };
    let men = history.game().position().men(side);
    let mut lines = lines::lines(history.game().rules().diagonals).to_vec();
    lines.retain(|line| line.contains(mv.target()) && men.contains_all(*line));
    lines
}

/// The turns with their numbers; only moves of men from hand or board begin a number.
fn turns(history: &History) -> Vec<Value> {
    let mut game = history.start().clone();
    let turns = history.turns().iter().map(|(side, turn)| {
        let number = game.position().move_number();
        let _ = turn.moves().iter().try_for_each(|&mv| game.play(mv));
        let moves: Vec<Value> = turn.moves().iter().copied().map(move_json).collect();
        json!({"number": number, "side": side, "turn": turn, "moves": moves})
    });
    turns.collect()
}

/// A game, and how well and how long the engine thinks about its move.
#[derive(Deserialize)]
#[serde(rename = "Request", deny_unknown_fields)]
pub struct MoveRequest {
    game: GameText,
    level: Option<u32>,
    /// The time for the move in milliseconds, unless a clock runs.
    time: Option<u64>,
    clock: Option<ClockText>,
    /// Decides between equals and the mistakes of a level.
    seed: Option<u64>,
}

/// The clock of the engine, in milliseconds.
#[derive(Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
struct ClockText {
    left: u64,
    #[serde(default)]
    increment: u64,
}

/// What it may take to bring a move to the page.
const OVERHEAD: Duration = Duration::from_millis(30);

/// Searches as long as somebody waits.
pub fn play(request: &MoveRequest, site: &dyn Site) -> Result<Job, Refusal> {
    let mut game = request.game.play(site.rules())?;
    ensure(game.game().outcome().is_none(), "the game is over")?;
    let level = request.level.unwrap_or(Skill::USUAL.level());
    check("level", level, 0..=Skill::FULL.level())?;
    let time = request.time.unwrap_or(USUAL_TIME);
    check("time", time, 1..=MOST_TIME)?;
    let budget = if let Some(ClockText { left, increment }) = request.clock {
        let [left, increment, most] = [left, increment, MOST_TIME].map(Duration::from_millis);
        let Budget { soft, hard } = Budget::for_game(left, increment, None, OVERHEAD);
        Budget { soft, hard: hard.map(|hard| hard.min(most)) }
    } else {
        Budget::for_move(Duration::from_millis(time), Duration::ZERO)
    };
    let seed = request.seed.unwrap_or_else(|| site.seed());
    let skill = Skill::of_level(level);
    let purpose = Purpose::of(game.game(), skill);
    let limits = Limits { clock: Clock::started(budget), ..Limits::none() };
    Ok(Job::search(Role::Player, purpose, None, move |mut engine, site, client| {
        let mover = game.game().to_move();
        engine.settings = Settings { shuffle: Some(seed), ..Settings::default() };
        engine.tablebase = if skill.is_full() { site.tablebase(game.rules()) } else { None };
        let awaited = &mut |_: u64| client.is_gone();
        let report = engine.search_with_skill(game.game(), &limits, skill, seed, awaited);
        let mut answer = || {
            let best = report.best().ok_or_else(|| Refusal::bad("there is no move"))?;
            game.play(best).map_err(Refusal::bad)?;
            Ok(json!({
                "move": best,
                "depth": report.depth,
                "nodes": report.nodes,
                // The line that begins with the move.
                "lines": WhiteLine::all(&report.lines[..1], mover),
                "board": board(&game),
            }))
        };
        (answer(), engine)
    }))
}
