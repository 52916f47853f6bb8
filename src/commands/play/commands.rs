//! The commands that a player types, and guesses at what was meant by mistyped words.

use millstone::quote::quote;

/// A command of the player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Command {
    Undo,
    Redo,
    Hint,
    Analyse,
    Teach,
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

/// How a command is typed and explained.
pub struct CommandText {
    pub command: Command,
    pub name: &'static str,
    /// Other names, which the help does not show.
    aliases: &'static [&'static str],
    /// What may follow, as the help shows it.
    pub argument: &'static str,
    pub help: &'static str,
}

impl CommandText {
    /// Checks what was typed after the name.
    fn argument<'a>(&self, rest: &'a str) -> Result<&'a str, String> {
        let rest = rest.trim();
        if self.argument.is_empty() && !rest.is_empty() {
            return Err(format!("expected {} alone, found '{}' after it", self.name, quote(rest)));
        }
        Ok(rest)
    }
}

macro_rules! commands {
    ($($command:ident $name:literal $aliases:expr, $argument:literal, $help:literal;)*) => {
        &[$(CommandText {
            command: Command::$command, name: $name, aliases: &$aliases, argument: $argument, help: $help,
        }),*]
    };
}

/// All commands, in the order of the help.
pub const COMMANDS: &[CommandText] = commands! {
    Undo "undo" ["u", "back", "takeback"], "", "take your last turn back; as often as you like";
    Redo "redo" [], "", "play again what was taken back";
    Hint "hint" ["?"], "", "ask the engine for a good turn";
    Analyse "analyse" ["analyze"], "", "the best turns, scores, and how play would go on";
    Teach "teach" ["learn"], "", "a sentence about each turn, or no more of them";
    Moves "moves" ["legal"], "", "list what may be played now";
    Board "board" ["show", "d"], "", "show the board again, as does an empty line";
    Flip "flip" [], "", "turn the board round";
    Swap "swap" ["switch"], "", "change sides with the engine";
    Side "side" ["play"], "white|black|both|none", "choose who plays: you, two people, or nobody";
    Level "level" [], "0-30", "set the strength of the engine";
    New "new" ["restart"], "", "start another game";
    Save "save" ["write"], "FILE", "write the game to a file";
    Load "load" ["open"], "FILE", "continue the game of a file, in any notation";
    Draw "draw" [], "", "offer a draw to the other side";
    Resign "resign" ["giveup"], "", "resign the game";
    Help "help" ["h", "man"], "TOPIC", "explain rules, mills, moves, commands, ...";
    Quit "quit" ["exit", "bye"], "", "leave; the game is saved for the next time";
};

/// The command that a line begins with, and the rest of the line.
///
/// Names may be abbreviated.
///
/// # Errors
///
/// One line that says what may have been meant.
pub fn parse(line: &str) -> Result<(Command, &str), String> {
    let (typed, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let wanted = typed.to_lowercase();
    let is_called = |text: &&CommandText| text.name == wanted || text.aliases.contains(&&*wanted);
    let is_short = |text: &&CommandText| !wanted.is_empty() && text.name.starts_with(&wanted);
    let short: Vec<&CommandText> = COMMANDS.iter().filter(is_short).collect();
    match (COMMANDS.iter().find(is_called), &short[..]) {
        (Some(text), _) | (None, &[text]) => Ok((text.command, text.argument(rest)?)),
        (None, []) => Err(unknown(typed)),
        (None, several) => {
            let names: Vec<&str> = several.iter().map(|text| text.name).collect();
            Err(format!("'{}' could mean {}", quote(typed), names.join(" or ")))
        }
    }
}

fn unknown(typed: &str) -> String {
    let names = COMMANDS.iter().flat_map(|text| text.aliases.iter().copied().chain([text.name]));
    let guess = nearest(typed, names.filter(|name| name.len() > 1));
    let guess = guess.map(|name| format!("did you mean {name}?"));
    let guess = guess.unwrap_or("help explains them".to_owned());
    format!("expected a move or a command, found '{}'; {guess}", quote(typed))
}

/// The word nearest to what was typed, if it is near enough to be a typing error.
pub fn nearest<'a>(typed: &str, words: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let typed = typed.to_lowercase();
    let distance = |word: &str| strsim::damerau_levenshtein(&typed, &word.to_lowercase());
    let near = words.into_iter().map(|word| (distance(word), word));
    let (distance, word) = near.min_by_key(|(distance, _)| *distance)?;
    (distance <= 1 + word.chars().count() / 4).then_some(word)
}

/// The choice that was typed, perhaps abbreviated.
///
/// # Errors
///
/// One line that says what was expected, and what may have been meant.
pub fn choose<'a, T>(
    typed: &str,
    choices: impl IntoIterator<Item = (&'a str, T)>,
) -> Result<T, String> {
    let mut choices: Vec<(&str, T)> = choices.into_iter().collect();
    let wanted = typed.to_lowercase();
    let fits = |(word, _): &(&str, T)| word.starts_with(&wanted);
    let exact = choices.iter().position(|(word, _)| *word == wanted);
    let only =
        choices.iter().position(fits).filter(|_| choices.iter().filter(|c| fits(c)).count() == 1);
    if let Some(index) = exact.or(only.filter(|_| !wanted.is_empty())) {
        return Ok(choices.swap_remove(index).1);
    }
    let words: Vec<&str> = choices.iter().map(|(word, _)| *word).collect();
    let guess = nearest(&wanted, words.iter().copied());
    let guess = guess.map(|word| format!("; did you mean {word}?")).unwrap_or_default();
    Err(format!("expected {}, found '{}'{guess}", words.join(", "), quote(typed)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_may_be_abbreviated() {
        assert_eq!(parse("und"), Ok((Command::Undo, "")));
        assert_eq!(parse("sa  my game.txt "), Ok((Command::Save, "my game.txt")));
        assert_eq!(parse("ANALYZE"), Ok((Command::Analyse, "")));
        assert_eq!(parse("s").unwrap_err(), "'s' could mean swap or side or save");
    }

    #[test]
    fn nothing_follows_a_command_that_takes_nothing() {
        assert_eq!(parse("undo 3").unwrap_err(), "expected undo alone, found '3' after it");
    }

    #[test]
    fn typing_errors_get_a_guess() {
        assert!(parse("undp").unwrap_err().ends_with("found 'undp'; did you mean undo?"));
        assert!(parse("xyzzy").unwrap_err().ends_with("found 'xyzzy'; help explains them"));
    }

    #[test]
    fn no_two_commands_share_a_name() {
        let names = COMMANDS.iter().flat_map(|text| text.aliases.iter().chain([&text.name]));
        let mut names: Vec<_> = names.collect();
        let count = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), count);
    }

    #[test]
    fn near_words_are_found_and_others_are_not() {
        let words = ["undo", "redo", "quit", "analyse"];
        for (typed, meant) in [("undp", "undo"), ("anaylse", "analyse"), ("QIUT", "quit")] {
            assert_eq!(nearest(typed, words), Some(meant));
        }
        assert_eq!(nearest("xyzzy", words), None);
    }

    #[test]
    fn choices_may_be_abbreviated_where_that_is_clear() {
        let choices = [("yes", 1), ("yesterday", 2), ("no", 3)];
        assert_eq!(choose("YES", choices), Ok(1));
        assert_eq!(choose("n", choices), Ok(3));
        assert!(choose("y", choices).is_err() && choose("", choices).is_err());
        let error = choose("nol", choices).unwrap_err();
        assert_eq!(error, "expected yes, yesterday, no, found 'nol'; did you mean no?");
    }
}
