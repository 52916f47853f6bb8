//! The commands that a player types, each declared once for parsing, completion and help; and the pages of help, one
//! a topic, for players who are new to the game.

use clap::builder::PossibleValue;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{CommandFactory, Parser, ValueEnum, ValueHint, value_parser};
use millstone::quote::{printable, quote};
use millstone::rules::{Preset, RuleSet};
use millstone::search::Skill;

use super::game::HumanSides;

/// A command of the player; its name may be abbreviated.
#[derive(Debug, PartialEq, Eq, Parser)]
#[command(no_binary_name = true, infer_subcommands = true)]
#[command(disable_help_flag = true, disable_help_subcommand = true)]
pub enum Command {
    /// take back your last turn, as often as you like
    Undo,
    /// play again what was taken back
    Redo,
    /// ask the engine for a good turn
    Hint,
    /// show the best turns with scores and likely play
    #[command(alias = "analyze")]
    Analyse,
    /// comment on each turn, or stop commenting
    Teach,
    /// list the legal moves
    Moves,
    /// show the board again, as an empty line does
    Board,
    /// turn the board around
    Flip,
    /// change sides with the engine
    Swap,
    /// choose who plays: you, two people, or nobody
    Side { humans: Option<HumanSides> },
    /// set the strength of the engine, from 0 to 30
    Level {
        #[arg(value_name = "N", allow_hyphen_values = true)]
        #[arg(value_parser = value_parser!(u32).range(0..=i64::from(Skill::FULL.level())))]
        level: Option<u32>,
    },
    /// start another game
    New,
    /// write the game to a file, as SGF to name.sgf
    Save {
        #[arg(allow_hyphen_values = true, value_hint = ValueHint::FilePath)]
        file: Option<String>,
    },
    /// continue the game in a file, in any notation
    Load {
        #[arg(allow_hyphen_values = true, value_hint = ValueHint::FilePath)]
        file: Option<String>,
    },
    /// offer a draw
    Draw,
    /// resign the game
    Resign,
    /// explain the rules, mills, moves, commands, ...
    Help {
        #[arg(hide_possible_values = true)]
        topic: Option<Topic>,
    },
    /// leave; the game is saved for next time
    #[command(alias = "exit")]
    Quit,
}

/// Reads a command. Everything after its name is one argument, so that names of files may have blanks.
///
/// # Errors
///
/// One line that says what is wrong, and what may have been meant.
pub fn parse(line: &str) -> Result<Command, String> {
    let (name, argument) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let words = [&name.to_lowercase(), argument.trim()].map(str::to_owned);
    let parsed = Command::try_parse_from(words.into_iter().filter(|word| !word.is_empty()));
    parsed.map_err(|error| match error.kind() {
        ErrorKind::InvalidValue | ErrorKind::ValueValidation => first_paragraphs(&error),
        ErrorKind::UnknownArgument if !name.starts_with('-') => first_paragraphs(&error),
        _ => {
            let guess = match error.get(ContextKind::SuggestedSubcommand) {
                Some(ContextValue::Strings(names)) => {
                    format!("did you mean {}?", names.join(" or "))
                }
                _ => "help lists the commands".to_owned(),
            };
            format!("expected a move or a command, found '{}'; {guess}", quote(name))
        }
    })
}

/// What an error says before it comes to the usage, in one line.
fn first_paragraphs(error: &clap::Error) -> String {
    let text = error.to_string();
    let lines = text.lines().map(str::trim).take_while(|line| !line.starts_with("Usage: "));
    let lines: Vec<&str> = lines.filter(|line| !line.is_empty()).collect();
    printable(lines.join(" ").trim_start_matches("error: "))
}

/// The commands with their arguments and what they do, one a line.
pub fn overview() -> String {
    let program = Command::command();
    let line = |command: &clap::Command| {
        let typed = format!("{} {}", command.get_name(), argument(command).unwrap_or_default());
        format!("  {typed:<28} {}", command.get_about().unwrap_or_default())
    };
    program.get_subcommands().map(line).collect::<Vec<_>>().join("\n")
}

/// How the argument of a command is typed: the words it may be, or a name for it.
fn argument(command: &clap::Command) -> Option<String> {
    let argument = command.get_positionals().next()?;
    let words = argument.get_possible_values();
    let words: Vec<&str> = words.iter().map(PossibleValue::get_name).collect();
    let name = argument.get_value_names().and_then(|names| names.first());
    let is_named = words.is_empty() || argument.is_hide_possible_values_set();
    Some(if is_named { name?.to_string() } else { words.join("|") })
}

/// The word for a choice.
pub fn word<T: ValueEnum>(choice: &T) -> String {
    choice.to_possible_value().map(|value| value.get_name().to_owned()).unwrap_or_default()
}

/// The words for all choices.
pub fn words<T: ValueEnum>() -> Vec<String> {
    T::value_variants().iter().map(word).collect()
}

/// The choice that was typed, in either case.
///
/// # Errors
///
/// One line that says what was expected.
pub fn choose<T: ValueEnum>(typed: &str) -> Result<T, String> {
    let expected = || format!("expected {}, found '{}'", words::<T>().join(", "), quote(typed));
    T::from_str(typed, true).map_err(|_| expected())
}

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
        None => return topics(),
        Some(Topic::Rules) => return sentences(rules),
        Some(Topic::Commands) => return overview(),
        Some(Topic::Game) => include_str!("help/game.txt"),
        Some(Topic::Mills) => include_str!("help/mills.txt"),
        Some(Topic::Typing) => include_str!("help/typing.txt"),
        Some(Topic::Board) => include_str!("help/board.txt"),
    };
    page.trim_end().to_owned()
}

fn topics() -> String {
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
    fn commands_are_read_in_full_and_abbreviated() {
        let file = Some("my game.txt".to_owned());
        for (line, command) in [
            ("und", Command::Undo),
            ("save  my game.txt ", Command::Save { file }),
            ("ANALYZE", Command::Analyse),
            ("side black", Command::Side { humans: Some(HumanSides::Black) }),
            ("help mills", Command::Help { topic: Some(Topic::Mills) }),
        ] {
            assert_eq!(parse(line), Ok(command));
        }
    }

    #[test]
    fn mistakes_get_one_line_that_helps() {
        for (line, expected) in [
            ("undp", "expected a move or a command, found 'undp'; did you mean undo?"),
            ("xyzzy", "expected a move or a command, found 'xyzzy'; help lists the commands"),
            ("--help", "expected a move or a command, found '--help'; help lists the commands"),
            ("s", "found 's'; "),
            ("level -1", "invalid value '-1' for '[N]'"),
            ("undo 3", "unexpected argument '3' found"),
            ("level 31", "invalid value '31' for '[N]': 31 is not in 0..=30"),
            ("help rulse", "a similar value exists: 'rules'"),
        ] {
            let error = parse(line).unwrap_err();
            assert!(error.contains(expected) && !error.contains('\n'), "{line}: {error}");
        }
    }

    #[test]
    fn choices_are_read_in_either_case() {
        assert_eq!(choose("BOTH"), Ok(HumanSides::Both));
        let error = "expected white, black, both, none, found 'b'";
        assert_eq!(choose::<HumanSides>("b").unwrap_err(), error);
    }

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
