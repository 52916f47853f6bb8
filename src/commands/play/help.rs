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

const GAME: &str = "\
White and Black take turns placing their men on the empty points of the board,
one man a turn. Once all men are placed, they take turns sliding a man along a
line to the next point, which must be empty.

Three men of one side on a straight line form a mill. Whoever closes a mill
removes one of the opponent's men from the game. You lose when you are down to
two men or when none of your men can move.

A side with only three men left may fly: move a man to any empty point.
(This is Nine Men's Morris; help rules lists the rules of the game you play.)";

const MILLS: &str = "\
A mill can be opened and closed again: slide a man out, slide it back, and each
time you close the mill you remove another man. Two mills that share a man, so
that every move closes one of them, are as good as a win.

While placing, remember that men on the crossings in the middle of the sides
(d6, f4, d2, b4) are the most mobile; men in corners are soon shut in. Block
any line on which your opponent has two men. Stay mobile: a side that cannot
move loses.

When you remove a man, take one that threatens a mill or that blocks yours.
In most games men in mills are safe as long as that side has others outside.";

const TYPING: &str = "\
Points are named as on a chessboard, from a1 at the lower left to g7.
  d6          place a man on d6
  d6-d5       slide (or fly) the man on d6 to d5; d6d5 works too
  xa1         remove the man on a1; just a1 works when a removal is due
  d6-d5xa1    the whole turn in one word
Upper and lower case are the same. The Tab key shows what you can type; the
arrow keys bring back earlier lines. moves lists the legal moves.";

const BOARD: &str = "\
O is a white man and @ a black one; terminals that can show discs do.
Brackets [ ] mark where the last man went, ( ) where it came from or what was
removed (x). Men that may be removed now are red. X marks a point that nobody
may use until all men are placed, in games that have such points.
flip turns the board around.";

/// The page of a topic, or the list of topics.
pub fn page(topic: Option<Topic>, rules: &RuleSet) -> String {
    match topic {
        None => overview(),
        Some(Topic::Game) => GAME.to_owned(),
        Some(Topic::Rules) => sentences(rules),
        Some(Topic::Mills) => MILLS.to_owned(),
        Some(Topic::Typing) => TYPING.to_owned(),
        Some(Topic::Board) => BOARD.to_owned(),
        Some(Topic::Commands) => commands::overview(),
    }
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
