//! Words about a game: `position`, the board and the legal moves; `move`, the engine's move; `analysis`, the best
//! moves with their scores, as the search proceeds; and `lesson`, what the last turn did to the game.

use std::time::Duration;

use serde::Deserialize;
use serde_json::{Value, json};

use super::{
    Client, GameText, Job, LimitsText, MOST_TIME, Purpose, Refusal, Role, SearchRequest, Site,
    USUAL_TIME, check, ensure, json,
};
use crate::analysis::{Analyst, Effort, WhiteLine};
use crate::board::{Side, SquareSet};
use crate::game::{Game, History};
use crate::position::Move;
use crate::records::GameResult;
use crate::search::{Budget, Clock, KnownRoot, Limits, Observer, Report, Settings, Skill};
use crate::system::clock::Moment;
use crate::tablebase::Tablebase;

/// A request about a game.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Request {
    game: GameText,
}

/// Plays the moves and returns the board.
pub fn position(request: &Request, site: &dyn Site) -> Result<Job, Refusal> {
    Ok(Job::Answer(board(&request.game.play(site.rules())?)))
}

/// The board of a game, the legal moves, and the turns so far.
fn board(history: &History) -> Value {
    let (game, (turns, mills)) = (history.game(), turns(history));
    let sentence = game.end_sentence().unwrap_or_else(|| format!("{}.", game.request()));
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
        "mills": mills,
        "legal": game.moves().into_iter().map(move_json).collect::<Vec<_>>(),
        "turns": turns,
    })
}

/// A move and its points.
fn move_json(mv: Move) -> Value {
    let target = Some(mv.target());
    let (to, remove) = if mv.is_removal() { (None, target) } else { (target, None) };
    json!({"move": mv, "from": mv.origin(), "to": to, "remove": remove})
}

/// The turns with their sides, numbers and moves, and the mills that the last one closed.
fn turns(history: &History) -> (Vec<Value>, Vec<SquareSet>) {
    let (mut game, mut mills) = (history.start().clone(), Vec::new());
    let turns = history.turns().iter().map(|(side, turn)| {
        let number = game.position().move_number();
        mills = game.position().mills_closed_by(turn.moves()[0]);
        let _ = turn.moves().iter().try_for_each(|&mv| game.play(mv));
        let moves: Vec<Value> = turn.moves().iter().copied().map(move_json).collect();
        json!({"number": number, "side": side, "turn": turn, "moves": moves})
    });
    (turns.collect(), mills)
}

/// A request for the engine's move: the game, the level and the time.
#[derive(Deserialize)]
#[serde(rename = "Request", deny_unknown_fields)]
pub struct MoveRequest {
    game: GameText,
    level: Option<u32>,
    /// The time for the move in milliseconds, without `clock`.
    time: Option<u64>,
    clock: Option<ClockText>,
    /// Seeds the choice among equal moves and the mistakes of a level.
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

/// The time to allow for sending a move to the page.
const OVERHEAD: Duration = Duration::from_millis(30);

/// Searches for a move as long as the client waits.
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
    Ok(Job::search(Role::Player, purpose, false, move |Analyst { engine, .. }, site, client| {
        let mover = game.game().to_move();
        engine.settings = Settings { shuffle: Some(seed), ..Settings::default() };
        let tablebase = || site.tablebase(game.rules(), &|| false);
        engine.tablebase = skill.is_full().then(tablebase).flatten();
        let awaited = &mut |_: u64| client.is_gone();
        let report = engine.search_with_skill(game.game(), &limits, skill, seed, awaited);
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
    }))
}

/// Analyzes a position; the answer is the final report.
pub fn analysis(request: &SearchRequest, site: &dyn Site) -> Result<Job, Refusal> {
    let effort = request.limits.unwrap_or_default().effort()?;
    let game = request.game.play(site.rules())?;
    let purpose = Purpose::of(game.game(), Skill::FULL);
    Ok(Job::search(Role::Analyst, purpose, true, move |analyst, site, client| {
        let game = game.game();
        analyst.effort = effort;
        analyst.engine.tablebase = site.tablebase(game.rules(), &|| false);
        let source = source(analyst.engine.tablebase.as_deref(), game);
        let mut reporter = Reporter { client, source, side: game.to_move(), sent: None };
        let report = analyst.assess(game, &mut reporter);
        Ok(json::position(game, analyst.result(game, &report), &report))
    }))
}

/// The shortest time between two events.
const INTERVAL: Duration = Duration::from_millis(100);

/// Sends the progress of a search, and stops it when the client is gone.
struct Reporter<'a> {
    client: &'a dyn Client,
    /// The source of the values if all moves are known: `book` or `tablebase`.
    source: &'static str,
    /// The side to move.
    side: Side,
    /// The time of the last iteration that was sent.
    sent: Option<Moment>,
}

impl Observer for Reporter<'_> {
    fn known_root(&mut self, known: &KnownRoot) {
        let (moves, holding) = (known.moves(), known.count_keeping());
        let found = json!({"source": self.source, "moves": moves, "holding": holding});
        self.client.send("known", &found.to_string());
    }

    fn progress(&mut self, Report { lines, depth, nodes, .. }: &Report) {
        if self.sent.is_none_or(|sent| sent.elapsed() >= INTERVAL) {
            self.sent = Some(Moment::now());
            let lines = WhiteLine::all(lines, self.side);
            let share = lines.first().map(|line| line.score.share());
            let found = json!({"depth": depth, "nodes": nodes, "share": share, "lines": lines});
            self.client.send("progress", &found.to_string());
        }
    }

    fn should_stop(&mut self, _nodes: u64) -> bool {
        self.client.is_gone()
    }
}

/// The source of the values of known moves: the opening book or the tablebase.
fn source(tablebase: Option<&Tablebase>, game: &Game) -> &'static str {
    let is_book = tablebase.is_some_and(|tablebase| {
        let sector = tablebase.game().sector_of(game.position());
        let next = sector.map_or_else(Vec::new, |sector| tablebase.game().leads_to(sector));
        next.into_iter().any(|sector| tablebase.is_from_book(sector))
    });
    if is_book { "book" } else { "tablebase" }
}

/// Explains the last turn; the lesson is null if there is none.
pub fn lesson(request: &SearchRequest, site: &dyn Site) -> Result<Job, Refusal> {
    let mut effort = request.limits.map_or(Ok(Effort::TEACHING), LimitsText::effort)?;
    effort.lines = effort.lines.max(Effort::TEACHING.lines);
    let Some((before, turn)) = request.game.play(site.rules())?.before_last_turn() else {
        return Ok(Job::Answer(json!({"lesson": null, "phrases": []})));
    };
    let purpose = Purpose::of(&before, Skill::FULL);
    Ok(Job::search(Role::Analyst, purpose, false, move |analyst, site, client| {
        analyst.effort = effort;
        analyst.engine.tablebase = site.tablebase(before.rules(), &|| false);
        Ok(json!(analyst.teach(&before, turn.moves(), &mut |_: u64| client.is_gone())))
    }))
}
