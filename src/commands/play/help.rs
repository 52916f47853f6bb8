//! The pages of help, one a topic, for players who are new to the game.

use clap::ValueEnum;
use clap::builder::PossibleValue;
use millstone::rules::{Preset, RuleSet};

use super::commands;

/// A page of help, in the order in which a beginner reads them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Topic {
    /// what the game is about
    Game,
    /// the rules of this game
    Rules,
    /// mills, and how to win with them
    Mills,
    /// how to type a move
    Typing,
    /// what the board shows
    Board,
    /// what else can be typed
    Commands,
}

/// The widest line of a page.
const COLUMNS: usize = 79;

/// The page of a topic, or the list of topics.
pub fn page(topic: Option<Topic>, rules: &RuleSet) -> String {
    let page = match topic {
        None => return overview(),
        Some(Topic::Rules) => return sentences(rules),
        Some(Topic::Commands) => return commands::overview(),
        Some(Topic::Game) => include_str!("help/game.txt"),
        Some(Topic::Mills) => include_str!("help/mills.txt"),
        Some(Topic::Typing) => include_str!("help/typing.txt"),
        Some(Topic::Board) => include_str!("help/board.txt"),
    };
    page.trim_end().to_owned()
}

fn overview() -> String {
    let topics = Topic::value_variants().iter().filter_map(Topic::to_possible_value);
    let line = |topic: PossibleValue| {
        let title = topic.get_help().map(ToString::to_string).unwrap_or_default();
        format!("\n  help {:<10} {title}", topic.get_name())
    };
    "Type a move such as d6, or a command such as hint or undo.".to_owned()
        + &topics.map(line).collect::<String>()
}

fn sentences(rules: &RuleSet) -> String {
    let name = Preset::of(rules).map_or("This game", |preset| preset.name);
    let sentences = rules.sentences();
    let lines: Vec<String> = sentences.lines().map(wrapped).collect();
    format!("{name}\n{}", lines.join("\n"))
}

/// Breaks a sentence into lines that fit in a terminal, all but the first indented.
fn wrapped(sentence: &str) -> String {
    let mut lines = String::new();
    let mut column = 0;
    for word in sentence.split(' ') {
        let blank = if column == 0 { "" } else { " " };
        let separator = if column + 1 + word.len() > COLUMNS { "\n  " } else { blank };
        column = if separator.len() > 1 { 2 } else { column + separator.len() };
        lines.extend([separator, word]);
        column += word.len();
    }
    lines
}

#[cfg(test)]
mod tests {
    use millstone::rules::PRESETS;

    use super::*;

    #[test]
    fn every_topic_has_a_page_for_every_game() {
        for preset in &PRESETS {
            for topic in [None].into_iter().chain(Topic::value_variants().iter().copied().map(Some))
            {
                let page = page(topic, &preset.rules);
                assert!(page.lines().count() > 1);
                assert!(page.lines().all(|line| line.chars().count() <= COLUMNS), "{page}");
            }
        }
        assert!(page(Some(Topic::Rules), &PRESETS[2].rules).starts_with("Morabaraba\n"));
    }
}
