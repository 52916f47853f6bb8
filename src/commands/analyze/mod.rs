//! `millstone analyze`: judging positions.

mod engine;
mod position;
mod score;
mod source;

use std::io;

use millstone::rules::RuleSet;

use super::{CommandResult, json};
use engine::Engine;
use position::Question;
use source::{Input, Source};

/// Analyze positions: the best moves, each with its score and how play goes on.
///
/// A position is a position text or the word startpos, with moves after the word moves. Input has
/// one a line; empty lines and those that begin with # are passed over. A line that is wrong is
/// reported, the others are analyzed all the same.
///
/// All scores are White's: +1.00 is a man ahead, +#5 a win in 5 of White's turns, -#5 one in 5 of
/// Black's.
#[derive(clap::Args)]
pub struct Arguments {
    #[command(flatten)]
    input: Input,
    #[command(flatten)]
    engine: Engine,
    #[command(flatten)]
    format: json::Format,
}

/// Analyzes all that is asked for.
pub fn run(arguments: &Arguments, rules: &RuleSet) -> CommandResult {
    let mut analyst = arguments.engine.analyst(rules)?;
    let mut out = io::stdout().lock();
    let (mut all, mut wrong) = (0, 0);
    for source in arguments.input.sources() {
        let questions = match &source {
            Ok(source) => source.questions(rules),
            Err(error) => vec![Err(error.clone())],
        };
        for question in questions {
            match question {
                Ok(question) => question.answer(&mut analyst, &mut out, arguments.format)?,
                Err(error) => {
                    eprintln!("millstone: {error}");
                    wrong += 1;
                }
            }
            all += 1;
        }
    }
    match wrong {
        0 => Ok(()),
        wrong => Err(format!("{wrong} of {all} positions not analyzed").into()),
    }
}

impl Source {
    /// The positions of the input.
    fn questions(&self, rules: &RuleSet) -> Vec<Result<Question, String>> {
        let lines = self.text.lines().map(str::trim).enumerate();
        let lines = lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
        let question = |(index, line): (usize, &str)| {
            let place = |error| format!("{}: {error}", self.place(index + 1));
            Question::parse(line, rules).map_err(place)
        };
        lines.map(question).collect()
    }
}
