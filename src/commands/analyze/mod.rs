//! `millstone analyze`: judging positions and games.

mod collection;
mod engine;
mod game;
mod game_json;
mod graph;
mod legend;
mod position;
mod score;
mod scoresheet;
mod source;

use std::io::Write;
use std::path::PathBuf;

use clap::ValueHint;
use millstone::analysis::Analyst;
use millstone::records::{Notation, ReadError, Record};
use millstone::rules::RuleSet;

use super::arguments::notation_parser;
use super::{CommandResult, json};
use collection::Collection;
use engine::Engine;
use game::Review;
use legend::Legend;
use position::Question;
use source::{Input, Place, Source};

/// Analyze positions, or games turn by turn.
///
/// A position is a position text or the word startpos, with moves after the word moves. A list of
/// positions has one a line; the best moves of each are shown with their scores and how play goes
/// on. Game records, in any notation that millstone reads, are searched at each turn: what a turn
/// gives away is the difference between what could be expected before and after it, a share of the
/// point that a win is worth.
///
/// Lines that begin with # or ; are passed over. What is wrong is reported, the rest analyzed all the
/// same. All scores are White's: +1.00 is a man ahead, +#5 a win in 5 of White's turns, -#5 one in 5
/// of Black's, +won a win that may take long, +won? one that the n-move rule may turn into a draw.
#[derive(clap::Args)]
#[command(after_long_help = Legend.to_string())]
pub struct Arguments {
    #[command(flatten)]
    input: Input,
    /// Take positions with moves for games, to review them turn by turn
    #[arg(long)]
    game: bool,
    #[command(flatten)]
    engine: Engine,
    /// File to write annotated games to
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    output: Option<PathBuf>,
    /// Notation of the annotated games
    #[arg(long, requires = "output", value_name = "NOTATION", default_value = Notation::Wmd.name())]
    #[arg(value_parser = notation_parser(Notation::COMMENTED))]
    notation: Notation,
    #[command(flatten)]
    format: json::Format,
}

/// Analyzes all that is asked for.
pub fn run(arguments: &Arguments, rules: &RuleSet) -> CommandResult {
    let analyst = arguments.engine.analyst()?;
    let output = arguments.output.as_deref();
    let games = output.map(|path| Collection::new(path, arguments.notation));
    let mut work = Work { arguments, rules, analyst, games, all: 0, wrong: 0 };
    let done = work.take_all(&mut anstream::stdout().lock());
    // What was found out is written even if nobody reads on.
    work.games.as_mut().map_or(Ok(()), Collection::save).and(done)?;
    match work {
        Work { wrong: 0, games: Some(games), .. } if games.is_empty() => {
            Err("expected games to write, found none".into())
        }
        Work { wrong: 0, .. } => Ok(()),
        Work { wrong, all, .. } => Err(format!("{wrong} of {all} not analyzed").into()),
    }
}

/// The work on all sources.
struct Work<'a> {
    arguments: &'a Arguments,
    rules: &'a RuleSet,
    analyst: Analyst,
    /// Where annotated games go, if the user wants them.
    games: Option<Collection>,
    /// How many positions and games there were, and how many were wrong.
    all: usize,
    wrong: usize,
}

impl Work<'_> {
    fn take_all(&mut self, out: &mut impl Write) -> CommandResult {
        for source in self.arguments.input.sources() {
            match source {
                Ok(source) if source.has_positions => self.take_positions(&source, out)?,
                Ok(source) => self.take_games(&source, out)?,
                Err(error) => self.refuse(&error),
            }
        }
        Ok(())
    }

    /// Analyzes the positions of a source, or how they came about.
    fn take_positions(&mut self, source: &Source, out: &mut impl Write) -> CommandResult {
        for (number, line) in source.lines() {
            let place = Place { source: source.name.clone(), line: Some(number) };
            match Question::parse(line, self.rules) {
                Ok(question) if self.arguments.game => {
                    self.review(question.into_record(), place, out)?;
                }
                Ok(question) => {
                    self.all += 1;
                    question.answer(place, &mut self.analyst, out, self.arguments.format)?;
                }
                Err(error) => self.refuse(&format!("{}:{number}: {error}", source.name)),
            }
        }
        Ok(())
    }

    /// Reviews the games of a source.
    fn take_games(&mut self, source: &Source, out: &mut impl Write) -> CommandResult {
        match Record::read_all_by(&source.text, self.rules) {
            Ok(records) => records.into_iter().try_for_each(|record| {
                let place = Place { source: source.name.clone(), line: None };
                self.review(record, place, out)
            }),
            Err(ReadError { line, column, message }) => {
                self.refuse(&format!("{}:{line}:{column}: {message}", source.name));
                Ok(())
            }
        }
    }

    fn review(&mut self, record: Record, place: Place, out: &mut impl Write) -> CommandResult {
        self.all += 1;
        let review = Review::of(record, place, self.all, &mut self.analyst)?;
        if let Some(games) = &mut self.games {
            games.add(&review.annotated())?;
        }
        if self.arguments.format.json { review.write_json(out) } else { review.write_text(out) }?;
        Ok(())
    }

    /// Tells of something wrong, and goes on.
    fn refuse(&mut self, error: &str) {
        eprintln!("millstone: {error}");
        self.all += 1;
        self.wrong += 1;
    }
}
