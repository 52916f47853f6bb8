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
use serde_json::{Value, json};

use super::VERSION;
use super::request::{LARGE, MOST_LINES, MOST_MOVES, MOST_TIME, SMALL, USUAL_TIME};
use super::review::MOST_TURNS;
use crate::commands::play::DEFAULT_LEVEL;
use crate::commands::serve::reply;
use crate::commands::serve::site::Site;

/// Says what the site is and can do.
pub async fn answer(State(site): State<Arc<Site>>) -> Response {
    let own = Some(&site.rules).filter(|rules| Preset::of(rules).is_none());
    let games = PRESETS.iter().map(|preset| &preset.rules).chain(own);
    reply::json(&json!({
        "api": VERSION,
        "version": build_info::VERSION,
        "tablebase": site.has_tablebases(),
        "levels": {"least": 0, "most": Skill::FULL.level(), "usual": DEFAULT_LEVEL},
        "notations": Notation::ALL.map(Notation::name),
        "most": {
            "depth": MAX_DEPTH,
            "time": MOST_TIME,
            "lines": MOST_LINES,
            "moves": MOST_MOVES,
            "turns": MOST_TURNS,
            // Of a request that has a game of moves, and of one that has the text of a record.
            "bytes": SMALL,
            "record_bytes": LARGE,
        },
        "points": Square::ALL,
        "usual": site.rules.name(),
        "usual_time": USUAL_TIME,
        "games": games.map(about_game).collect::<Vec<_>>(),
    }))
}

fn about_game(rules: &RuleSet) -> Value {
    json!({
        "name": rules.name(),
        "identity": rules.identity(),
        "men": rules.men,
        "summary": rules.summary(),
        "sentences": rules.sentences().lines().collect::<Vec<_>>(),
        "lines": lines::lines(rules.diagonals),
        "has_tablebase": Solvable::of(rules).is_ok(),
    })
}
