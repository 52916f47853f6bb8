//! `millstone analyze`: the best moves of positions, and games reviewed turn by turn.

mod engine;
mod graph;
mod json;
mod source;
mod text;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use clap::ValueHint;
use indicatif::ProgressBar;
use millstone::analysis::{Analyst, annotate};
use millstone::game::History;
use millstone::records::{GameRecord, Notation, ReadError};
use millstone::rules::RuleSet;
use millstone::search::Silent;
use millstone::system::whole_file;

use super::arguments::notation_parser;
use super::json::Format;
use super::position_input;
use super::{CommandResult, complain, save, terminal};
use engine::Engine;
use json::Legend;
use source::{Input, Origin, Source};

/// Analyze positions, or games turn by turn.
///
/// A position is a position text, MFEN or the word startpos, with moves after the word moves. A list
/// of positions has one a line; the best moves of each are shown with scores and lines of play. Game
/// records, in any notation that millstone convert reads, are reviewed turn by turn: each move is
/// compared with the best one, searched to the same depth, or judged by the tablebase where it has
/// the positions. The loss of a turn is a share of the point that a win is worth. A review shows
/// better turns, a graph of the scores and a summary of each side; --output writes the game with
/// scores as comments, marks as glyphs and better play as variations.
///
/// Lines that begin with # or ; are skipped. Errors are reported, and the rest is analyzed. All scores
/// are from White's view: +1.00 is a man ahead (an expected score of 73 %), +#5 a win in 5 of White's
/// turns, -#5 one in 5 of Black's, +won a win of unknown length, +won? one that the n-move rule may
/// turn into a draw.
#[derive(clap::Args)]
#[command(after_long_help = Legend.to_string())]
pub struct Arguments {
    #[command(flatten)]
    input: Input,
    /// Review positions with moves as games, turn by turn
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
    format: Format,
}

/// Analyzes everything that the arguments name.
pub fn run(arguments: &Arguments, rules: &RuleSet) -> CommandResult {
    let analyst = arguments.engine.analyst(rules)?;
    let output = arguments.output.as_deref();
    let games = output.map(|path| AnnotatedGames::new(path, arguments.notation, rules));
    let mut work = Work { arguments, rules, analyst, games, count: 0, failed: 0 };
    let done = work.analyze_all(&mut anstream::stdout().lock());
    // The games are saved even if the reader of the output has closed it.
    work.games.as_mut().map_or(Ok(()), AnnotatedGames::save).and(done)?;
    match work {
        Work { failed: 0, games: Some(games), .. } if games.is_empty() => {
            Err("there are no games to write".into())
        }
        Work { failed: 0, .. } => Ok(()),
        Work { failed, count, .. } => Err(format!("{failed} of {count} not analyzed").into()),
    }
}

/// The work on all sources.
struct Work<'a> {
    arguments: &'a Arguments,
    rules: &'a RuleSet,
    analyst: Analyst,
    /// The annotated games, if the user wants them.
    games: Option<AnnotatedGames>,
    /// How many positions and games there were, and how many could not be analyzed.
    count: usize,
    failed: usize,
}

impl Work<'_> {
    fn analyze_all(&mut self, out: &mut impl Write) -> CommandResult {
        for source in self.arguments.input.sources() {
            match source {
                Ok(source) if source.has_positions => self.analyze_positions(&source, out)?,
                Ok(source) => self.review_games(&source, out)?,
                Err(error) => self.fail(&error),
            }
        }
        Ok(())
    }

    /// Analyzes the positions of a source, or the games that led to them.
    fn analyze_positions(&mut self, source: &Source, out: &mut impl Write) -> CommandResult {
        for (number, line) in source.lines() {
            let origin = Origin { source: source.name.clone(), line: Some(number) };
            match position_input::read(line, self.rules) {
                Ok(position) if self.arguments.game => {
                    self.review(&GameRecord::from(&position), &origin, out)?;
                }
                Ok(position) => self.analyze_position(&position, &origin, out)?,
                Err(error) => self.fail(&format!("{}:{number}: {error}", source.name)),
            }
        }
        Ok(())
    }

    fn analyze_position(
        &mut self,
        position: &History,
        origin: &Origin,
        out: &mut impl Write,
    ) -> CommandResult {
        self.count += 1;
        let game = position.game();
        self.analyst.clear();
        let assessment = self.analyst.assess(game, &mut Silent);
        if self.arguments.format.json {
            json::write_position(origin, game, &assessment, out)?;
        } else {
            text::write_position(game, &assessment, out)?;
        }
        Ok(())
    }

    /// Reviews the games of a source.
    fn review_games(&mut self, source: &Source, out: &mut impl Write) -> CommandResult {
        for record in GameRecord::read_each_by(&source.text, self.rules) {
            match record {
                Ok(record) => {
                    let origin = Origin { source: source.name.clone(), line: None };
                    self.review(&record, &origin, out)?;
                }
                Err(ReadError { line, column, message }) => {
                    self.fail(&format!("{}:{line}:{column}: {message}", source.name));
                }
            }
        }
        Ok(())
    }

    /// Reviews a game, with a progress bar in a terminal.
    fn review(
        &mut self,
        record: &GameRecord,
        origin: &Origin,
        out: &mut impl Write,
    ) -> CommandResult {
        self.count += 1;
        let bar = ProgressBar::new(record.history()?.turns().len() as u64);
        bar.set_style(terminal::bar_style("{bar:30} {pos} of {len} turns  {eta} left"));
        let turns = self.analyst.review(record, &mut Silent, |_| bar.inc(1))?;
        bar.finish_and_clear();
        if let Some(games) = &mut self.games {
            let mut annotated = record.clone();
            annotate(&mut annotated, &turns);
            games.add(&annotated)?;
        }
        if self.arguments.format.json {
            json::write_review(self.count, origin, record, &turns, out)?;
        } else {
            text::write_review(record, &turns, out)?;
        }
        Ok(())
    }

    /// Reports an error; the work goes on.
    fn fail(&mut self, error: &str) {
        complain(error);
        self.count += 1;
        self.failed += 1;
    }
}

/// How much work an interruption may cost. Writing after each game would take time that grows with
/// the square of the number of games.
const INTERVAL: Duration = Duration::from_secs(3);

/// The file of annotated games.
pub struct AnnotatedGames {
    path: PathBuf,
    notation: Notation,
    /// The rules of games that do not name theirs.
    usual: RuleSet,
    text: String,
    /// When they were last written to the file.
    saved: Option<Instant>,
}

impl AnnotatedGames {
    /// No games yet; the file is not touched.
    pub fn new(path: &Path, notation: Notation, usual: &RuleSet) -> Self {
        Self { path: path.to_owned(), notation, usual: *usual, text: String::new(), saved: None }
    }

    /// Adds a game, and writes all of them if that is due. The first time is at once, so that an error
    /// of the file is reported early.
    pub fn add(&mut self, record: &GameRecord) -> CommandResult {
        self.text += &record.write_by(self.notation, &self.usual)?;
        let is_due = self.saved.is_none_or(|saved| saved.elapsed() >= INTERVAL);
        // A pipe cannot be written again.
        if is_due && whole_file::is_replaced(&self.path) { self.save() } else { Ok(()) }
    }

    /// Whether no game was added.
    pub fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// Writes all games to the file, if there are some.
    pub fn save(&mut self) -> CommandResult {
        if self.is_empty() {
            return Ok(());
        }
        save(&self.path, &self.text)?;
        self.saved = Some(Instant::now());
        Ok(())
    }
}
