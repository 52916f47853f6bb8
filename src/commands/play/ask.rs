//! Questions to the player.

use std::io;

use super::complete::Offers;
use super::nearest::choose;
use super::session::Session;
use super::words::{self, Verb};

/// The answers to a question after which something is lost.
pub const NO_YES: [(&str, bool); 2] = [("no", false), ("yes", true)];

impl Session {
    /// Asks until one of the choices is typed; none if the player leaves.
    ///
    /// An empty line takes the first choice. Help is given here too.
    pub(super) fn ask<T: Copy>(
        &mut self,
        question: &str,
        choices: &[(&'static str, T)],
    ) -> io::Result<Option<T>> {
        let words: Vec<&'static str> = choices.iter().map(|&(word, _)| word).collect();
        let prompt = format!("{question} ({}) [{}]> ", words.join(", "), words[0]);
        loop {
            let Some(line) = self.input.read(&prompt, Offers::Choice(words.clone()))? else {
                return Ok(None);
            };
            let typed = if line.is_empty() { words[0] } else { &line };
            match (choose(typed, choices.iter().copied()), words::parse(typed)) {
                (Ok(choice), _) => return Ok(Some(choice)),
                (Err(_), Ok((Verb::Quit, _))) => return Ok(None),
                (Err(_), Ok((Verb::Help, topic))) => self.help(topic)?,
                (Err(error), _) => self.screen.say(error)?,
            }
        }
    }
}
