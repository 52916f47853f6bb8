//! `GET /api/1`: games, levels, notations and limits.

use std::sync::Arc;

use axum::extract::State;
use axum::response::Response;
use millstone::board::{Square, lines};
use millstone::build_info;
use millstone::records::Notation;
use millstone::rules::{PRESETS, Preset, RuleSet};
use millstone::search::{MAX_DEPTH, Skill};
use millstone::tablebase::Solvable;
use serde::Serialize;

use super::VERSION;
use super::request::{LARGE, MOST_LINES, MOST_MOVES, MOST_TIME, SMALL, USUAL_TIME};
use super::review::MOST_TURNS;
use crate::commands::play::DEFAULT_LEVEL;
use crate::commands::serve::reply;
use crate::commands::serve::site::Site;

/// What the server is and can do.
#[derive(Serialize)]
struct About {
    api: u8,
    version: &'static str,
    tablebase: bool,
    levels: Levels,
    notations: [&'static str; Notation::ALL.len()],
    most: Most,
    points: [&'static str; Square::COUNT],
    /// The name of the game that requests mean which name none.
    usual: String,
    /// The time of a search that names none, in milliseconds.
    usual_time: u64,
    games: Vec<AboutGame>,
}

#[derive(Serialize)]
struct Levels {
    least: u32,
    most: u32,
    usual: u32,
}

#[derive(Serialize)]
struct Most {
    depth: u32,
    time: u64,
    lines: usize,
    /// Moves of a game.
    moves: usize,
    /// Turns of a game to review.
    turns: usize,
    /// Bytes of a request that has a game of moves ...
    bytes: usize,
    /// ... and of one that has the text of a record.
    record_bytes: usize,
}

#[derive(Serialize)]
struct AboutGame {
    name: String,
    identity: String,
    men: u8,
    summary: String,
    sentences: Vec<String>,
    /// The lines of the board, three points each.
    lines: Vec<Vec<&'static str>>,
    /// Whether there can be a tablebase of it.
    has_tablebase: bool,
}

impl AboutGame {
    fn of(rules: &RuleSet) -> Self {
        let board = lines::lines(rules.diagonals).iter();
        Self {
            name: rules.name(),
            identity: rules.identity().to_string(),
            men: rules.men,
            summary: rules.summary(),
            sentences: rules.sentences().lines().map(str::to_owned).collect(),
            lines: board.map(|line| line.into_iter().map(Square::name).collect()).collect(),
            has_tablebase: Solvable::of(rules).is_ok(),
        }
    }
}

/// Says what the site is and can do.
pub async fn answer(State(site): State<Arc<Site>>) -> Response {
    reply::json(&About::of(&site))
}

impl About {
    fn of(site: &Site) -> Self {
        let own = Some(&site.rules).filter(|rules| Preset::of(rules).is_none());
        let named = PRESETS.iter().map(|preset| &preset.rules);
        Self {
            api: VERSION,
            version: build_info::VERSION,
            tablebase: site.has_tablebases(),
            levels: Levels { least: 0, most: Skill::FULL.level(), usual: DEFAULT_LEVEL },
            notations: Notation::ALL.map(Notation::name),
            most: Most {
                depth: MAX_DEPTH,
                time: MOST_TIME,
                lines: MOST_LINES,
                moves: MOST_MOVES,
                turns: MOST_TURNS,
                bytes: SMALL,
                record_bytes: LARGE,
            },
            points: Square::ALL.map(Square::name),
            usual: site.rules.name(),
            usual_time: USUAL_TIME,
            games: named.chain(own).map(AboutGame::of).collect(),
        }
    }
}
