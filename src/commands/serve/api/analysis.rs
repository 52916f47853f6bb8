//! `POST /api/1/analysis`, the best moves and what each is worth, as the search goes on; and
//! `POST /api/1/lesson`, what the last turn of a game did to it, in a sentence.

use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::extract::State;
use millstone::analysis::{Analyst, Effort, WhiteLine};
use millstone::board::Side;
use millstone::game::Game;
use millstone::search::{Engine, KnownRoot, Observer, Progress, Variation};
use millstone::tablebase::Tablebase;
use serde_json::json;

use super::request::{Asked, LimitsText, SearchRequest};
use crate::commands::json;
use crate::commands::serve::reply::{self, Answer, EventSender};
use crate::commands::serve::searches::{Purpose, Watcher, aside};
use crate::commands::serve::site::Site;

/// How many events may wait to be read.
const WAITING: usize = 32;

/// Searches on another thread; the reply is its events.
pub async fn answer(State(site): State<Arc<Site>>, Asked(request): Asked<SearchRequest>) -> Answer {
    let effort = request.limits.unwrap_or_default().effort()?;
    let rules = site.rules;
    let game = aside(move || request.game.play(&rules)).await?;
    let purpose = Purpose::analysis(game.game());
    let pool = Arc::clone(&site.analysts);
    let search = move |mut engine: Engine, watcher, events: &EventSender| {
        let game = game.game();
        engine.tablebase = site.tablebase(game.rules());
        let most = effort.lines.min(game.moves().len());
        let source = source(engine.tablebase.as_deref(), game);
        let mut reporter = Reporter {
            events,
            watcher,
            source,
            side: game.to_move(),
            most,
            is_known: false,
            has_news: false,
            lines: Vec::new(),
            depth: 0,
            nodes: 0,
            sent: None,
        };
        let mut analyst = Analyst::new(engine, effort);
        let assessment = analyst.assess(game, &mut reporter);
        events.send("done", &json::position(game, &assessment));
        analyst.into_engine()
    };
    pool.stream(purpose, WAITING, search).await
}

/// The shortest time between two events.
const INTERVAL: Duration = Duration::from_millis(100);

/// Sends what a search finds, and stops it when nobody reads that.
struct Reporter<'a> {
    events: &'a EventSender,
    watcher: Watcher,
    /// What knows the moves, if they are known.
    source: &'static str,
    /// The side to move.
    side: Side,
    /// How many lines an iteration has.
    most: usize,
    /// Whether the tablebase knows all moves: then the first line tells more than the others, and those
    /// may take long to look up.
    is_known: bool,
    /// The last iteration, and whether some of it was not sent.
    has_news: bool,
    lines: Vec<Variation>,
    depth: u32,
    nodes: u64,
    sent: Option<Instant>,
}

impl Reporter<'_> {
    /// Sends the last iteration, unless one was sent just before.
    fn send(&mut self) {
        let is_due = self.sent.is_none_or(|sent| sent.elapsed() >= INTERVAL);
        if self.has_news && is_due {
            (self.has_news, self.sent) = (false, Some(Instant::now()));
            let lines = WhiteLine::all(&self.lines, self.side);
            let share = lines.first().map(|line| line.score.share());
            let (depth, nodes) = (self.depth, self.nodes);
            let found = json!({"depth": depth, "nodes": nodes, "share": share, "lines": lines});
            self.events.send_if_idle("progress", &found);
        }
    }
}

impl Observer for Reporter<'_> {
    fn known_root(&mut self, known: &KnownRoot) {
        let (moves, holding) = (known.moves(), known.count_keeping());
        let found = json!({"source": self.source, "moves": moves, "holding": holding});
        self.events.send_if_idle("known", &found);
        self.is_known = true;
        // Those that give value away are not searched.
        self.most = self.most.min(known.count_keeping());
    }

    fn progress(&mut self, progress: &Progress<'_>) {
        if progress.rank == 1 {
            // An iteration may have fewer lines than there are legal moves.
            self.send();
            self.lines.clear();
        }
        (self.depth, self.nodes, self.has_news) = (progress.depth, progress.nodes, true);
        self.lines.push(Variation::from(progress));
        if progress.rank == self.most || self.is_known && self.sent.is_none() {
            self.send();
        }
    }

    fn should_stop(&mut self, _nodes: u64) -> bool {
        self.watcher.is_stopped()
    }
}

/// What knows the moves of a position, if they are known: the opening book or the tablebase.
fn source(tablebase: Option<&Tablebase>, game: &Game) -> &'static str {
    let is_book = tablebase.is_some_and(|tablebase| {
        let sector = tablebase.game().sector_of(game.position());
        let next = sector.map_or_else(Vec::new, |sector| tablebase.game().leads_to(sector));
        next.into_iter().any(|sector| tablebase.is_from_book(sector))
    });
    if is_book { "book" } else { "tablebase" }
}

/// Searches on another thread, as long as somebody waits; there is no lesson if there is no last turn.
pub async fn teach(State(site): State<Arc<Site>>, Asked(request): Asked<SearchRequest>) -> Answer {
    let mut effort = request.limits.map_or(Ok(Effort::TEACHING), LimitsText::effort)?;
    effort.lines = effort.lines.max(Effort::TEACHING.lines);
    let rules = site.rules;
    let last = aside(move || Ok(request.game.play(&rules)?.before_last_turn())).await?;
    let Some((before, turn)) = last else {
        return Ok(reply::json(&json!({"lesson": null})));
    };
    let pool = Arc::clone(&site.analysts);
    pool.search(Purpose::analysis(&before), move |mut engine: Engine, watcher| {
        engine.tablebase = site.tablebase(before.rules());
        let mut analyst = Analyst::new(engine, effort);
        let lesson = analyst.teach(&before, turn.moves(), watcher).map(|lesson| lesson.to_string());
        (Ok(reply::json(&json!({"lesson": lesson}))), analyst.into_engine())
    })
    .await
}
