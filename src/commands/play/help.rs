//! The pages of help, one a topic, for players who are new to the game.

use millstone::rules::{Preset, RuleSet};

use super::commands::{COMMANDS, CommandText, choose};

/// A page of help.
pub struct Topic {
    pub name: &'static str,
    pub title: &'static str,
    page: fn(&RuleSet) -> String,
}

/// All pages, in the order in which a beginner reads them.
pub const TOPICS: [Topic; 6] = [
    Topic { name: "game", title: "what the game is about", page: |_| GAME.to_owned() },
    Topic { name: "rules", title: "the rules of this game", page: rules },
    Topic { name: "mills", title: "mills, and how to win with them", page: |_| MILLS.to_owned() },
    Topic { name: "typing", title: "how to type a move", page: |_| TYPING.to_owned() },
    Topic { name: "board", title: "what the board shows", page: |_| BOARD.to_owned() },
    Topic { name: "commands", title: "what else can be typed", page: |_| commands() },
];

/// The widest line of a page.
const COLUMNS: usize = 79;

const GAME: &str = "\
Two players, White and Black, have men and a board of points and lines.
First they place their men in turn, one a turn, on any empty point. When all
are placed they slide them, one a turn, along a line to the next point, if it
is empty.

Three men of a side on one straight line are a mill. Whoever closes a mill
removes a man of the opponent, and it never comes back. You lose when you have
only two men left, or when none of your men can move.

With three men left a side may fly: its men can go to any empty point.
(This is Nine Men's Morris; help rules lists the rules of the game you play.)";

const MILLS: &str = "\
A mill can be opened and closed again: slide a man out, slide it back, and each
time you close it you remove another man. Two mills that share a man, so that
each move closes one of them, are as good as won.

While placing, men at the crossings in the middle of the sides (d6, f4, d2, b4)
can move most freely; men in corners are soon shut in. Block a line on which
the opponent has two men. Keep your men mobile: a side that is blocked loses.

When you remove a man, take one that threatens a mill or that blocks yours.
In most games men in mills are safe while their side has others outside.";

const TYPING: &str = "\
Points have names as on a chess board, from a1 at the lower left to g7.
  d6          place a man on d6
  d6-d5       slide (or fly) the man on d6 to d5; d6d5 is enough
  xa1         remove the man on a1; a1 is enough when a man is to be removed
  d6-d5xa1    the whole turn in one word
Letters may be upper or lower case. The Tab key shows what can be typed; the
arrow keys bring back what you typed before. moves lists the legal moves.";

const BOARD: &str = "\
O is a man of White, @ one of Black; terminals that can show discs show discs.
Brackets [ ] show where the last man went, ( ) where it came from or what was
removed (x). Men that may be removed now are red. X is a point that nobody
may use before all men are placed, in games that have such points.
flip turns the board around.";

/// The page of a topic, or the list of topics if `topic` is empty.
///
/// # Errors
///
/// When no topic has the name; the error lists them.
pub fn page(topic: &str, rules: &RuleSet) -> Result<String, String> {
    if topic.is_empty() {
        return Ok(overview());
    }
    let topic = choose(topic, TOPICS.map(|topic| (topic.name, topic)))?;
    Ok((topic.page)(rules))
}

fn overview() -> String {
    let topics =
        TOPICS.iter().map(|Topic { name, title, .. }| format!("  help {name:<10} {title}"));
    let topics: Vec<String> = topics.collect();
    format!("Type a move such as d6, or a command such as hint or undo.\n{}", topics.join("\n"))
}

fn rules(rules: &RuleSet) -> String {
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

fn commands() -> String {
    let row = |word: &CommandText| {
        let typed = format!("{} {}", word.name, word.argument);
        format!("  {typed:<28} {}", word.help)
    };
    COMMANDS.iter().map(row).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use millstone::rules::PRESETS;

    use super::*;

    #[test]
    fn every_topic_has_a_page_for_every_game() {
        for preset in &PRESETS {
            for topic in &TOPICS {
                let page = page(topic.name, &preset.rules).unwrap();
                assert!(page.lines().count() > 1);
                assert!(page.lines().all(|line| line.chars().count() <= COLUMNS), "{page}");
            }
        }
        assert!(page("rules", &PRESETS[2].rules).unwrap().starts_with("Morabaraba\n"));
    }

    #[test]
    fn a_mistyped_topic_gets_a_guess() {
        let error = page("rulse", &PRESETS[0].rules).unwrap_err();
        assert!(error.ends_with("found 'rulse'; did you mean rules?"), "{error}");
    }
}
