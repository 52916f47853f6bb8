//! What the Tab key offers.

use rustyline::completion::{Completer, FilenameCompleter, Pair};
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::validate::Validator;
use rustyline::{Context, Helper, Result};

use super::help::TOPICS;
use super::seats::Seats;
use super::words::{self, Verb, WORDS};

/// What may be typed at a prompt.
#[derive(Debug)]
pub enum Offers {
    /// A turn, any of these, or a command.
    Turn(Vec<String>),
    /// One of some words.
    Choice(Vec<&'static str>),
    /// The name of a file.
    File,
}

/// Offers what fits to what is typed.
pub struct Offerer {
    pub offers: Offers,
    files: FilenameCompleter,
}

impl Default for Offerer {
    fn default() -> Self {
        Self { offers: Offers::Choice(Vec::new()), files: FilenameCompleter::new() }
    }
}

impl Helper for Offerer {}

impl Highlighter for Offerer {}

impl Hinter for Offerer {
    type Hint = String;
}

impl Validator for Offerer {}

impl Completer for Offerer {
    type Candidate = Pair;

    fn complete(&self, line: &str, at: usize, context: &Context<'_>) -> Result<(usize, Vec<Pair>)> {
        let typed = &line[..at];
        let start = typed.find(|letter: char| !letter.is_whitespace()).unwrap_or(at);
        let argument = typed[start..].find(char::is_whitespace).map(|blank| start + blank + 1);
        let verb = argument.and_then(|_| words::parse(&typed[start..]).ok()).map(|(verb, _)| verb);
        match (&self.offers, argument, verb) {
            (Offers::File, ..) | (Offers::Turn(_), _, Some(Verb::Save | Verb::Load)) => {
                self.files.complete(line, at, context)
            }
            (Offers::Choice(words), ..) => Ok((start, fitting(&typed[start..], words))),
            (Offers::Turn(turns), None, _) => Ok((start, first_words(&typed[start..], turns))),
            (Offers::Turn(_), Some(argument), Some(Verb::Help)) => {
                let topics = TOPICS.map(|topic| topic.name);
                Ok((argument, fitting(&typed[argument..], &topics)))
            }
            (Offers::Turn(_), Some(argument), Some(Verb::Side)) => {
                let sides = Seats::choices().map(|(name, _)| name);
                Ok((argument, fitting(&typed[argument..], &sides)))
            }
            (Offers::Turn(_), Some(_), _) => Ok((at, Vec::new())),
        }
    }
}

/// Commands and turns; the removals of a turn only when it has come to them.
fn first_words(typed: &str, turns: &[String]) -> Vec<Pair> {
    let removes = |turn: &str| turn.find('x').is_some_and(|at| at > 0);
    let shows_removals = removes(&typed.to_lowercase());
    let turns = turns.iter().map(String::as_str).filter(|turn| shows_removals || !removes(turn));
    let names = WORDS.iter().map(|word| word.name).filter(|_| !typed.is_empty());
    fitting(typed, &turns.chain(names).collect::<Vec<_>>())
}

fn fitting(typed: &str, words: &[&str]) -> Vec<Pair> {
    let typed = typed.to_lowercase();
    let fitting = words.iter().filter(|word| word.starts_with(&typed));
    let pair = |&word: &&str| Pair { display: word.to_owned(), replacement: word.to_owned() };
    let mut pairs: Vec<Pair> = fitting.map(pair).collect();
    pairs.sort_by(|first, second| first.display.cmp(&second.display));
    pairs
}

#[cfg(test)]
mod tests {
    use rustyline::history::MemHistory;

    use super::*;

    fn offered(offers: Offers, line: &str) -> Vec<String> {
        let offerer = Offerer { offers, ..Offerer::default() };
        let history = MemHistory::new();
        let (_, pairs) = offerer.complete(line, line.len(), &Context::new(&history)).unwrap();
        pairs.into_iter().map(|pair| pair.replacement).collect()
    }

    #[test]
    fn turns_commands_and_their_arguments_are_offered() {
        let turn = || Offers::Turn(["d6-d5", "d6-d5xa1", "d6-d7"].map(str::to_owned).to_vec());
        assert_eq!(offered(turn(), ""), ["d6-d5", "d6-d7"]);
        assert_eq!(offered(turn(), "D6-d5x"), ["d6-d5xa1"]);
        assert_eq!(offered(turn(), "res"), ["resign"]);
        assert_eq!(offered(turn(), "side w"), ["white"]);
        assert_eq!(offered(turn(), "help mi"), ["mills"]);
        assert_eq!(offered(turn(), "undo "), [""; 0]);
        assert_eq!(offered(Offers::Choice(vec!["yes", "no"]), "y"), ["yes"]);
    }
}
