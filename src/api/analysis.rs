//! `analysis`, the best moves and what each is worth, as the search goes on; and `lesson`, what the last turn of
//! a game did to it, in a sentence.

use std::time::Duration;

use serde_json::json;

use super::json;
use super::{Client, Job, LimitsText, Purpose, Refusal, Role, SearchRequest, Site};
use crate::analysis::{Analyst, Effort, WhiteLine};
use crate::board::Side;
use crate::game::Game;
use crate::search::{KnownRoot, Observer, Progress, Report, Skill};
use crate::system::clock::Moment;
use crate::tablebase::Tablebase;

/// How many events may wait to be read.
const WAITING: usize = 32;

/// Searches; the answer is what the search has found at last.
pub fn job(request: &SearchRequest, site: &dyn Site) -> Result<Job, Refusal> {
    let effort = request.limits.unwrap_or_default().effort()?;
    let game = request.game.play(site.rules())?;
    let purpose = Purpose::of(game.game(), Skill::FULL);
    Ok(Job::search(Role::Analyst, purpose, Some(WAITING), move |mut engine, site, client| {
        let game = game.game();
        engine.tablebase = site.tablebase(game.rules());
        let most = effort.lines.min(game.moves().len());
        let source = source(engine.tablebase.as_deref(), game);
        let mut reporter = Reporter {
            client,
            source,
            side: game.to_move(),
            most,
            is_known: false,
            has_news: false,
            found: Report::default(),
            sent: None,
        };
        let mut analyst = Analyst::new(engine, effort);
        let report = analyst.assess(game, &mut reporter);
        (Ok(json::position(game, analyst.result(game, &report), &report)), analyst.engine)
    }))
}

/// The shortest time between two events.
const INTERVAL: Duration = Duration::from_millis(100);

/// Sends what a search finds, and stops it when nobody reads that.
struct Reporter<'a> {
    client: &'a dyn Client,
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
    found: Report,
    sent: Option<Moment>,
}

impl Reporter<'_> {
    /// Sends the last iteration, unless one was sent just before.
    fn send(&mut self) {
        let is_due = self.sent.is_none_or(|sent| sent.elapsed() >= INTERVAL);
        if self.has_news && is_due {
            (self.has_news, self.sent) = (false, Some(Moment::now()));
            let Report { lines, depth, nodes, .. } = &self.found;
            let lines = WhiteLine::all(lines, self.side);
            let share = lines.first().map(|line| line.score.share());
            let found = json!({"depth": depth, "nodes": nodes, "share": share, "lines": lines});
            self.client.send_if_idle("progress", &found.to_string());
        }
    }
}

impl Observer for Reporter<'_> {
    fn known_root(&mut self, known: &KnownRoot) {
        let (moves, holding) = (known.moves(), known.count_keeping());
        let found = json!({"source": self.source, "moves": moves, "holding": holding});
        self.client.send_if_idle("known", &found.to_string());
        self.is_known = true;
        // The others are not searched.
        self.most = self.most.min(known.candidates().len());
    }

    fn progress(&mut self, progress: &Progress) {
        if progress.rank == 1 {
            // An iteration may have fewer lines than there are legal moves.
            self.send();
            self.found.lines.clear();
        }
        self.has_news = true;
        (self.found.depth, self.found.nodes) = (progress.depth, progress.nodes);
        self.found.lines.push(progress.line.clone());
        if progress.rank == self.most || self.is_known && self.sent.is_none() {
            self.send();
        }
    }

    fn should_stop(&mut self, _nodes: u64) -> bool {
        self.client.is_gone()
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

/// Searches; there is no lesson if there is no last turn.
pub fn lesson(request: &SearchRequest, site: &dyn Site) -> Result<Job, Refusal> {
    let mut effort = request.limits.map_or(Ok(Effort::TEACHING), LimitsText::effort)?;
    effort.lines = effort.lines.max(Effort::TEACHING.lines);
    let last = request.game.play(site.rules())?.before_last_turn();
    let Some((before, turn)) = last else {
        return Ok(Job::Answer(json!({"lesson": null, "phrases": []})));
    };
    let purpose = Purpose::of(&before, Skill::FULL);
    Ok(Job::search(Role::Analyst, purpose, None, move |mut engine, site, client| {
        engine.tablebase = site.tablebase(before.rules());
        let mut analyst = Analyst::new(engine, effort);
        let lesson = analyst.teach(&before, turn.moves(), &mut |_: u64| client.is_gone());
        (Ok(json!(lesson)), analyst.engine)
    }))
}
