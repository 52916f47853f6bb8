//! The syntax of turns and commands, and the pages of help for beginners. Each command is declared once for parsing,
//! completion and help; illegal turns get an explanation.

use std::collections::BTreeSet;

use clap::builder::PossibleValue;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{CommandFactory, Parser, ValueEnum, ValueHint};
use millstone::Error;
use millstone::game::Game;
use millstone::position::{Move, MoveKind, MoveLine};
use millstone::quote::{printable, quote};
use millstone::rules::{Preset, RuleSet};

use super::game::HumanSides;
use crate::commands::arguments::level_parser;

/// A command of the player. Names may be abbreviated.
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
        #[arg(value_name = "N", allow_hyphen_values = true, value_parser = level_parser())]
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

/// Parses a command. Everything after its name is one argument, so that file names may have blanks.
///
/// # Errors
///
/// If the line is not a valid command: one line that says why, or suggests a command.
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

/// The text of an error before the usage, in one line.
fn first_paragraphs(error: &clap::Error) -> String {
    let text = error.to_string();
    let lines = text.lines().map(str::trim).take_while(|line| !line.starts_with("Usage: "));
    let lines: Vec<&str> = lines.filter(|line| !line.is_empty()).collect();
    printable(lines.join(" ").trim_start_matches("error: "))
}

/// Lists the commands with their arguments and explanations, one a line.
pub fn overview() -> String {
    let program = Command::command();
    let line = |command: &clap::Command| {
        let typed = format!("{} {}", command.get_name(), argument(command).unwrap_or_default());
        format!("  {typed:<28} {}", command.get_about().unwrap_or_default())
    };
    program.get_subcommands().map(line).collect::<Vec<_>>().join("\n")
}

/// The argument of a command as shown in help: its possible values, or its name.
fn argument(command: &clap::Command) -> Option<String> {
    let argument = command.get_positionals().next()?;
    let words = argument.get_possible_values();
    let words: Vec<&str> = words.iter().map(PossibleValue::get_name).collect();
    let name = argument.get_value_names().and_then(|names| names.first());
    let is_named = words.is_empty() || argument.is_hide_possible_values_set();
    Some(if is_named { name?.to_string() } else { words.join("|") })
}

/// Returns the word for a choice.
pub fn word<T: ValueEnum>(choice: &T) -> String {
    choice.to_possible_value().map(|value| value.get_name().to_owned()).unwrap_or_default()
}

/// Returns the words for all choices.
pub fn words<T: ValueEnum>() -> Vec<String> {
    T::value_variants().iter().map(word).collect()
}

/// Parses a choice, ignoring case.
///
/// # Errors
///
/// If the text is none of the words: one line that lists them.
pub fn choose<T: ValueEnum>(typed: &str) -> Result<T, String> {
    let expected = || format!("expected {}, found '{}'", words::<T>().join(", "), quote(typed));
    T::from_str(typed, true).map_err(|_| expected())
}

/// The pages of help, in reading order for a beginner.
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

/// The most columns of a line of help.
const COLUMNS: usize = 79;

/// Returns the page of a topic, or the list of topics.
pub fn page(topic: Option<Topic>, rules: &RuleSet) -> String {
    let page = match topic {
        None => return topics(),
        Some(Topic::Rules) => {
            let name = Preset::of(rules).map_or("This game", |preset| preset.name);
            let sentences: Vec<String> = rules.sentences().lines().map(wrapped).collect();
            return format!("{name}\n{}", sentences.join("\n"));
        }
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

/// Breaks a sentence into lines that fit a terminal; all but the first are indented.
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

/// Whether a line begins like a turn: with a letter and a digit, perhaps after an x.
pub fn is_turn(line: &str) -> bool {
    let point = line.trim_start_matches(['x', 'X', ' ']).as_bytes();
    matches!(point, [file, rank, ..] if file.is_ascii_alphabetic() && rank.is_ascii_digit())
}

/// Parses a turn, such as `d6`, `d6-d5`, `d6d5`, `d6-d5xa1` or `xa1`, ignoring case, and checks that its moves are
/// legal. If a removal is due, the point alone is enough. Returns the moves and the game after them.
///
/// # Errors
///
/// If the turn is malformed or illegal: one line that says why, and lists legal moves.
pub fn read_turn(line: &str, game: &Game) -> Result<(Vec<Move>, Game), String> {
    let typed = line.to_lowercase().replace(['-', ' '], "");
    let (mut rest, mut after, mut moves) = (&typed[..], game.clone(), Vec::new());
    let must_remove = game.position().pending() > 0;
    while moves.is_empty() || !rest.is_empty() {
        let (mv, left) = split_move(rest, moves.is_empty() && must_remove)
            .map_err(|error| format!("'{}': {error}", quote(line)))?;
        if !moves.is_empty() && !after.is_within_turn(game.to_move()) {
            let turn: String = moves.iter().map(ToString::to_string).collect();
            return Err(format!("{turn} earns no removal, so {mv} cannot follow it"));
        }
        after.play(mv).map_err(|_| objection(mv, &after))?;
        moves.push(mv);
        rest = left;
    }
    Ok((moves, after))
}

/// Splits off the first move of a text without dashes and blanks.
///
/// * `must_remove`: whether a single point means a removal rather than a placement.
fn split_move(text: &str, must_remove: bool) -> Result<(Move, &str), Error> {
    let split = |text| str::split_at_checked(text, 2).unwrap_or((text, ""));
    let (first, rest) = split(text.trim_start_matches('x'));
    let first = first.parse()?;
    if text.starts_with('x') {
        return Ok((Move::remove(first), rest));
    }
    if rest.is_empty() || rest.starts_with('x') {
        let mv = if must_remove { Move::remove(first) } else { Move::place(first) };
        return Ok((mv, rest));
    }
    let (second, rest) = split(rest);
    Ok((Move::slide(first, second.parse()?), rest))
}

/// Explains why a move is illegal, and lists legal moves.
fn objection(mv: Move, game: &Game) -> String {
    let (side, to) = (game.to_move(), mv.target());
    let legal = game.moves();
    let marked = game.position().extras().marked;
    let own = game.position().men(side);
    let is_taken = own.contains(to) || game.position().men(!side).contains(to);
    let may_place = legal.iter().any(|mv| matches!(mv.kind(), MoveKind::Place(_)));
    let may_slide = legal.iter().any(|mv| mv.origin().is_some());
    let may_remove = legal.iter().any(|mv| mv.is_removal());
    let reason = match mv.kind() {
        MoveKind::Remove(_) if !may_remove => "no removal is due".to_owned(),
        MoveKind::Remove(_) if !is_taken => format!("there is no man on {to}"),
        MoveKind::Remove(_) => format!("the man on {to} is protected"),
        _ if !may_place && !may_slide => format!("{side} has to remove a man"),
        MoveKind::Place(_) if !may_place && own.contains(to) => "where to?".to_owned(),
        MoveKind::Place(_) if !may_place => format!("{side} has no man to place"),
        MoveKind::Slide { .. } if !may_slide => format!("{side} cannot slide yet"),
        MoveKind::Slide { from, .. } if !own.contains(from) => {
            format!("{side} has no man on {from}")
        }
        _ if is_taken => format!("{to} is taken"),
        _ if marked.contains(to) => format!("{to} is marked"),
        MoveKind::Place(_) => format!("{to} may not be used now"),
        MoveKind::Slide { from, .. } => format!("{from} and {to} are not joined by a line"),
    };
    let start = mv.origin().or(Some(to));
    let nearby: Vec<Move> = legal.iter().filter(|mv| mv.origin() == start).copied().collect();
    let shown = if mv.is_removal() || nearby.is_empty() { &legal[..] } else { &nearby[..] };
    format!("{mv} is illegal: {reason}; legal:{}", MoveLine(shown))
}

/// Returns the legal moves, and the legal turns with their removals.
pub fn turns(game: &Game) -> BTreeSet<String> {
    let whole = game.turns().into_iter().map(|(turn, _)| turn.to_string());
    game.moves().into_iter().map(|mv| mv.to_string()).chain(whole).collect()
}

#[cfg(test)]
mod tests {
    use millstone::rules::{DrawRules, PRESETS, Preset, RuleSet};

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

    fn game(moves: &[&str]) -> Game {
        let mut game = Game::start(RuleSet::NINE_MENS_MORRIS, DrawRules::default());
        for mv in moves {
            game.play(mv.parse().unwrap()).unwrap();
        }
        game
    }

    fn typed(line: &str, game: &Game) -> String {
        let moves = read_turn(line, game);
        moves.map_or_else(|error| error, |(moves, _)| MoveLine(&moves).to_string())
    }

    #[test]
    fn a_turn_is_understood_in_every_spelling() {
        let mill = game(&["d6", "a1", "d5", "a4"]);
        for line in ["d7xa1", "D7 x A1", " d7-xa1", "d7XA1"] {
            assert_eq!(typed(line, &mill), " d7 xa1");
        }
        let removal = game(&["d6", "a1", "d5", "a4", "d7"]);
        for line in ["a1", "xa1", "XA1", "x a1"] {
            assert_eq!(typed(line, &removal), " xa1");
        }
        let lasker = Preset::named("lasker").unwrap().rules;
        let mut lasker = Game::start(lasker, DrawRules::default());
        for mv in ["d6", "a1"] {
            lasker.play(mv.parse().unwrap()).unwrap();
        }
        for line in ["d6-d5", "d6d5", "D6 - D5", "d6 d5"] {
            assert_eq!(typed(line, &lasker), " d6-d5");
        }
    }

    #[test]
    fn a_mistake_is_named_with_what_could_be_played() {
        let placing = game(&["d6", "a1", "d5", "a4"]);
        assert!(typed("a1", &placing).starts_with("a1 is illegal: a1 is taken; legal: "));
        assert!(typed("d6-d7", &placing).contains("White cannot slide yet"));
        assert!(typed("xa1", &placing).contains("no removal is due"));
        assert!(
            typed("h9", &placing).contains("expected a point such as d6 (a1 to g7), found 'h9'")
        );
        assert_eq!(typed("g7xa1", &placing), "g7 earns no removal, so xa1 cannot follow it");
        assert!(typed("d7xg7", &placing).contains("there is no man on g7; legal: xa1 xa4"));
        let removal = game(&["d6", "a1", "d5", "a4", "d7"]);
        assert!(typed("xd6", &removal).contains("the man on d6 is protected"));
        assert!(typed("g7g4", &removal).contains("White has to remove a man"));
    }

    #[test]
    fn a_slide_is_listed_from_its_man() {
        let text = "@**O****/*O**@***/O***@*@O w m s 4 0 4 0 0 0 0 0 0 0 0 0 10";
        let rules = RuleSet::NINE_MENS_MORRIS;
        let game = Game::from_text(text, rules, DrawRules::default()).unwrap();
        assert_eq!(typed("f6", &game), "f6 is illegal: where to?; legal: f6-d6 f6-f4");
        assert!(
            typed("f6a1", &game).contains("f6 and a1 are not joined by a line; legal: f6-d6 f6-f4")
        );
        assert!(typed("a1a4", &game).contains("White has no man on a1"));
    }

    #[test]
    fn any_text_is_read_or_refused() {
        let game = game(&[]);
        for line in ["", "x", "é", "d6é", "xé1", "d", "d6-", "--", "d6d5d6", "€€€€"] {
            let _ = (is_turn(line), read_turn(line, &game));
        }
        assert!(is_turn("d6") && is_turn("X a1") && is_turn("h9"));
        assert!(!is_turn("undo") && !is_turn("") && !is_turn("x") && !is_turn("exit"));
    }

    #[test]
    fn turns_with_removals_are_offered() {
        let turns = turns(&game(&["d6", "a1", "d5", "a4"]));
        assert!(turns.contains("d7xa1") && turns.contains("d7") && turns.contains("g7"));
        assert!(!turns.contains("g7xa1"));
    }
}
