//! The commands that a player types.

use millstone::quote::quote;

use super::nearest::nearest;

/// What a player asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verb {
    Undo,
    Redo,
    Hint,
    Analyse,
    Moves,
    Board,
    Flip,
    Swap,
    Side,
    Level,
    New,
    Save,
    Load,
    Draw,
    Resign,
    Help,
    Quit,
}

/// A command as it is typed and explained.
pub struct Word {
    pub verb: Verb,
    pub name: &'static str,
    /// Other names, shown nowhere.
    aliases: &'static [&'static str],
    /// What may follow, as the help shows it.
    pub argument: &'static str,
    pub help: &'static str,
}

impl Word {
    /// What was typed after it, if anything may be.
    fn argument<'a>(&self, rest: &'a str) -> Result<&'a str, String> {
        let rest = rest.trim();
        if self.argument.is_empty() && !rest.is_empty() {
            return Err(format!("expected {} alone, found '{}' after it", self.name, quote(rest)));
        }
        Ok(rest)
    }
}

macro_rules! words {
    ($($verb:ident $name:literal $aliases:expr, $argument:literal, $help:literal;)*) => {
        &[$(Word {
            verb: Verb::$verb, name: $name, aliases: &$aliases, argument: $argument, help: $help,
        }),*]
    };
}

/// All commands in the order in which they are explained.
pub const WORDS: &[Word] = words! {
    Undo "undo" ["u", "back", "takeback"], "", "take your last turn back; as often as you like";
    Redo "redo" [], "", "play what was taken back again";
    Hint "hint" ["?"], "", "ask the engine for a good turn";
    Analyse "analyse" ["analyze"], "", "the best turns, scores, and how play would go on";
    Moves "moves" ["legal"], "", "list what may be played now";
    Board "board" ["show", "d"], "", "show the board again, as does an empty line";
    Flip "flip" [], "", "see the board from the other side";
    Swap "swap" ["switch"], "", "change sides with the engine";
    Side "side" ["play"], "white|black|both|none", "say who plays: you, two people, or nobody";
    Level "level" [], "0-30", "set the strength of the engine";
    New "new" ["restart"], "", "begin another game";
    Save "save" ["write"], "FILE", "write the game to a file";
    Load "load" ["open"], "FILE", "go on with the game of a file, in any notation";
    Draw "draw" [], "", "offer a draw to the other side";
    Resign "resign" ["giveup"], "", "give the game up";
    Help "help" ["h", "man"], "TOPIC", "explain rules, mills, moves, commands, ...";
    Quit "quit" ["exit", "bye"], "", "leave; the game is kept for the next time";
};

/// The command that a line begins with, and the rest of the line.
///
/// Names may be cut short.
///
/// # Errors
///
/// One line that says what may have been meant.
pub fn parse(line: &str) -> Result<(Verb, &str), String> {
    let (typed, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let wanted = typed.to_lowercase();
    let is_called = |word: &&Word| word.name == wanted || word.aliases.contains(&&*wanted);
    let is_cut = |word: &&Word| !wanted.is_empty() && word.name.starts_with(&wanted);
    let cut: Vec<&Word> = WORDS.iter().filter(is_cut).collect();
    match (WORDS.iter().find(is_called), &cut[..]) {
        (Some(word), _) | (None, &[word]) => Ok((word.verb, word.argument(rest)?)),
        (None, []) => Err(unknown(typed)),
        (None, several) => {
            let names: Vec<&str> = several.iter().map(|word| word.name).collect();
            Err(format!("'{}' could mean {}", quote(typed), names.join(" or ")))
        }
    }
}

fn unknown(typed: &str) -> String {
    let names = WORDS.iter().flat_map(|word| word.aliases.iter().copied().chain([word.name]));
    let guess = nearest(typed, names.filter(|name| name.len() > 1));
    let guess = guess.map(|name| format!("did you mean {name}?"));
    let guess = guess.unwrap_or("help explains them".to_owned());
    format!("expected a move or a command, found '{}'; {guess}", quote(typed))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_may_be_cut_short() {
        assert_eq!(parse("und"), Ok((Verb::Undo, "")));
        assert_eq!(parse("sa  my game.txt "), Ok((Verb::Save, "my game.txt")));
        assert_eq!(parse("ANALYZE"), Ok((Verb::Analyse, "")));
        assert_eq!(parse("s").unwrap_err(), "'s' could mean swap or side or save");
    }

    #[test]
    fn nothing_follows_a_command_that_takes_nothing() {
        assert_eq!(parse("undo 3").unwrap_err(), "expected undo alone, found '3' after it");
    }

    #[test]
    fn slips_get_a_guess() {
        assert!(parse("undp").unwrap_err().ends_with("found 'undp'; did you mean undo?"));
        assert!(parse("xyzzy").unwrap_err().ends_with("found 'xyzzy'; help explains them"));
    }

    #[test]
    fn no_two_commands_share_a_name() {
        let names = WORDS.iter().flat_map(|word| word.aliases.iter().chain([&word.name]));
        let mut names: Vec<_> = names.collect();
        let count = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), count);
    }
}
