//! What there is: games, levels, notations and limits.

use serde_json::{Value, json};

use super::request::{LARGE, MOST_LINES, MOST_MOVES, MOST_TIME, SMALL, USUAL_TIME};
use super::review::MOST_TURNS;
use super::{Site, VERSION};
use crate::board::{Square, lines};
use crate::records::Notation;
use crate::rules::{PRESETS, Preset, RuleSet};
use crate::search::{MAX_DEPTH, Skill};
use crate::tablebase::Solvable;

/// Says what the site is and can do.
pub fn about(site: &dyn Site) -> Value {
    let own = Some(site.rules()).filter(|rules| Preset::of(rules).is_none());
    let games = PRESETS.iter().map(|preset| &preset.rules).chain(own);
    json!({
        "api": VERSION,
        "version": env!("CARGO_PKG_VERSION"),
        "tablebase": site.has_tablebases(),
        "levels": {"least": 0, "most": Skill::FULL.level(), "usual": Skill::USUAL.level()},
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
        "usual": site.rules().name(),
        "usual_time": USUAL_TIME,
        "games": games.map(about_game).collect::<Vec<_>>(),
    })
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
