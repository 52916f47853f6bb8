//! Games that another program recorded, with all that it saw in each position.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value;

use super::vectors::read_rows;

/// A game from the start position of its rules, with draws by history off.
#[derive(Deserialize)]
pub struct Playout {
    /// The options of the protocol that make the rules.
    pub options: BTreeMap<String, Value>,
    /// The moves from the start.
    pub moves: Vec<String>,
    /// The positions: the start, then one after each move.
    pub states: Vec<State>,
}

/// A position of a recorded game.
#[derive(Deserialize)]
pub struct State {
    /// The text of a program whose move numbers count the removals.
    pub fen: String,
    /// The text of a program that numbers points from 0 and no point -1.
    pub fen_nodes: String,
    /// How the game ended, or `ongoing`.
    pub outcome: String,
    /// The legal moves, sorted.
    pub legal: Vec<String>,
}

impl Playout {
    /// All recorded games, whose number of positions is known.
    pub fn read_all() -> Vec<Self> {
        let playouts: Vec<Self> = read_rows("playouts.jsonl");
        assert_eq!(playouts.iter().map(|playout| playout.states.len()).sum::<usize>(), 9_656);
        assert!(playouts.iter().all(|playout| playout.states.len() == playout.moves.len() + 1));
        playouts
    }
}

impl State {
    /// The text with points numbered from 8 and no point 0.
    pub fn text(&self) -> String {
        let mut fields: Vec<String> = self.fen_nodes.split(' ').map(String::from).collect();
        for field in &mut fields[10..14] {
            *field = legacy_id(field);
        }
        let used: u64 = fields[14].parse().unwrap();
        fields[14] = (used << 8).to_string();
        fields.retain(|field| field != "ids:nodes");
        for extension in &mut fields[17..] {
            *extension = legacy_claim(extension);
        }
        fields.join(" ")
    }
}

/// `w-1-4|b-0-` with its points numbered from 8.
fn legacy_claim(extension: &str) -> String {
    let claims = extension.split('|').map(|claim| {
        let (count, list) = claim.rsplit_once('-').expect("side, count, points");
        let ids = list.split('.').filter(|node| !node.is_empty()).map(legacy_id);
        format!("{count}-{}", ids.collect::<Vec<_>>().join("."))
    });
    claims.collect::<Vec<_>>().join("|")
}

fn legacy_id(node: &str) -> String {
    match node.parse().unwrap() {
        -1 => "0".into(),
        node => (node + 8).to_string(),
    }
}
