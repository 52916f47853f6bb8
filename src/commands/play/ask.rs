//! Questions to the player.

use std::io;

use super::complete::Offers;
use super::input::Input;
use super::nearest::choose;
use super::screen::Screen;

/// The answers to a question after which something is lost.
pub const NO_YES: [(&str, bool); 2] = [("no", false), ("yes", true)];

/// Asks until one of the choices is typed; none at the end of input. An empty line takes the first.
pub fn ask<T: Copy>(
    input: &mut Input,
    screen: &Screen,
    question: &str,
    choices: &[(&'static str, T)],
) -> io::Result<Option<T>> {
    let words: Vec<&'static str> = choices.iter().map(|&(word, _)| word).collect();
    let prompt = format!("{question} ({}) [{}]> ", words.join(", "), words[0]);
    loop {
        let Some(line) = input.read(&prompt, Offers::Choice(words.clone()))? else {
            return Ok(None);
        };
        let typed = if line.is_empty() { words[0] } else { &line };
        match choose(typed, choices.iter().copied()) {
            Ok(choice) => return Ok(Some(choice)),
            Err(error) => screen.say(error)?,
        }
    }
}
