//! `millstone analyze`: finds the best moves of positions, and reviews games turn by turn.

mod output;

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use clap::{ValueHint, value_parser};
use millstone::analysis::{Analyst, Effort, annotate};
use millstone::api::json::{self, Both};
use millstone::game::Game;
use millstone::position::{FEN_WORD, POSITION_WORD, START_WORD, Turn, is_position_text};
use millstone::protocol::Options;
use millstone::records::{GameRecord, Notation};
use millstone::rules::RuleSet;
use millstone::search::{Engine, MAX_DEPTH, MAX_LINES, MAX_TABLE, MAX_THREADS, Settings, Silent};
use millstone::system::whole_file;
use serde_json::{Value, json};

use super::arguments::{OptionalTablebase, Text, notation_parser, read_position, read_text};
use super::convert::report_losses;
use super::{CommandResult, Format, complain, ensure, save, terminal, write_json};

/// Analyze positions, or games turn by turn.
///
/// A position is a position text, MFEN or the word startpos; the word moves and moves may follow. A list of
/// positions has one a line; the best moves of each are shown with scores and lines of play. Game records,
/// in any notation that millstone convert reads, are reviewed turn by turn: each move is compared with the
/// best one, searched to the same depth, or judged by the tablebase if it has the positions. The loss of a
/// turn is a share of the point that a win is worth. A review shows better turns, a graph of the scores and
/// a summary for each side; --output writes the game with scores as comments, marks as glyphs and better
/// play as variations.
///
/// In a list, lines that begin with # or ; are skipped. Errors are reported, and the rest is analyzed. All
/// scores are from White's view: +1.00 is a man ahead (an expected score of 73 %), +#5 a win in 5 of
/// White's turns, -#5 a win in 5 of Black's, +won a win of unknown length, +won? a win that the n-move rule
/// may turn into a draw.
#[derive(clap::Args)]
#[command(after_long_help = output::legend())]
pub struct Arguments {
    /// Files to read; - is standard input [default: - without --fen]
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    files: Vec<PathBuf>,
    /// Position to analyze; may be given several times
    #[arg(long, value_name = "POSITION", value_parser = some_text)]
    fen: Vec<String>,
    /// Review the moves after each position as a game, turn by turn
    #[arg(long)]
    game: bool,
    /// Deepest iteration of each search
    #[arg(long, value_name = "PLIES")]
    #[arg(value_parser = value_parser!(u32).range(1..=i64::from(MAX_DEPTH)))]
    depth: Option<u32>,
    /// Most positions to visit in each search
    #[arg(long, value_name = "N", value_parser = value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Longest time of each search in milliseconds [default: 1000 without --depth and --nodes]
    #[arg(long, value_name = "MS", value_parser = value_parser!(u64).range(1..))]
    time: Option<u64>,
    /// Best moves to show, each with its score and principal variation
    #[arg(long, value_name = "N", default_value_t = Options::default().multi_pv as u8)]
    #[arg(value_parser = value_parser!(u8).range(1..=i64::from(MAX_LINES)))]
    multipv: u8,
    /// Threads of a search; results are reproducible only with one
    #[arg(long, value_name = "N", default_value_t = Options::default().threads as u16)]
    #[arg(value_parser = value_parser!(u16).range(1..=MAX_THREADS as i64))]
    threads: u16,
    /// Size of the transposition table
    #[arg(long, value_name = "MIB", default_value_t = Options::default().hash as u32)]
    #[arg(value_parser = value_parser!(u32).range(1..=i64::from(MAX_TABLE)))]
    hash: u32,
    #[command(flatten)]
    tablebase: OptionalTablebase,
    /// File to write annotated games to
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    output: Option<PathBuf>,
    /// Notation of the annotated games
    #[arg(long, requires = "output", value_name = "NOTATION", default_value = Notation::Wmd.name())]
    #[arg(value_parser = notation_parser(Notation::ALL.into_iter().filter(|it| it.is_commented())))]
    notation: Notation,
    #[command(flatten)]
    format: Format,
}

fn some_text(text: &str) -> Result<String, &'static str> {
    lines(text).next().map(|_| text.to_owned()).ok_or("expected a position")
}

/// Analyzes all sources.
pub fn run(arguments: &Arguments, rules: &RuleSet) -> CommandResult {
    let mut engine = Engine::new(arguments.hash as usize)?;
    engine.get_ready();
    engine.settings = Settings { threads: arguments.threads.into(), ..Settings::default() };
    let usual_time = Options::default().move_time.into();
    let is_limited = arguments.depth.is_some() || arguments.nodes.is_some();
    let time = arguments.time.or((!is_limited).then_some(usual_time));
    let effort = Effort {
        depth: arguments.depth.unwrap_or(MAX_DEPTH),
        nodes: arguments.nodes,
        time: time.map(Duration::from_millis),
        lines: arguments.multipv.into(),
    };
    let mut work = Work {
        arguments,
        rules,
        analyst: Analyst::new(engine, effort),
        annotated: String::new(),
        losses: Vec::new(),
        saved: None,
        count: 0,
        failed: 0,
    };
    let done = work.analyze_all();
    // Saves the games even if writing to standard output failed.
    work.save().and(done)?;
    report_losses(&work.losses, arguments.notation);
    ensure(work.failed == 0, format!("{} of {} not analyzed", work.failed, work.count))?;
    let is_written = arguments.output.is_none() || !work.annotated.is_empty();
    ensure(is_written, "there are no games to write")
}

/// The interval between saves: the most work that an interruption can cost. Saving after each game would take
/// time quadratic in the number of games.
const INTERVAL: Duration = Duration::from_secs(3);

/// The work on all sources.
struct Work<'a> {
    arguments: &'a Arguments,
    rules: &'a RuleSet,
    analyst: Analyst,
    /// The annotated games, with `--output`.
    annotated: String,
    /// For each annotated game, what its notation cannot hold.
    losses: Vec<Vec<&'static str>>,
    /// The time when the annotated games were last saved.
    saved: Option<Instant>,
    /// The number of positions and games, and how many of them could not be analyzed.
    count: usize,
    failed: usize,
}

impl Work<'_> {
    fn analyze_all(&mut self) -> CommandResult {
        let Arguments { files, fen, .. } = self.arguments;
        if !fen.is_empty() {
            let (name, text) = ("--fen".to_owned(), fen.join("\n"));
            self.analyze_positions(&Text { name, text })?;
        }
        let input = (files.is_empty() && fen.is_empty()).then_some(Path::new("-"));
        for path in files.iter().map(PathBuf::as_path).chain(input) {
            match read_text(path, "positions or games") {
                Ok(source) if has_positions(&source.text) => self.analyze_positions(&source)?,
                Ok(source) => self.review_games(&source)?,
                Err(error) => self.fail(&error),
            }
        }
        Ok(())
    }

    /// Analyzes the positions of a source, or with `--game` reviews the moves after them.
    fn analyze_positions(&mut self, source: &Text) -> CommandResult {
        for (number, line) in lines(&source.text) {
            let origin = json!({"source": source.name, "line": number});
            let at = |error: &str| format!("{}:{number}: {error}", source.name);
            if self.arguments.game {
                match GameRecord::read_all_by(line, self.rules) {
                    Ok(games) if games.is_empty() => self.fail(&at("expected a game")),
                    Ok(games) => games.iter().try_for_each(|game| self.review(game, &origin))?,
                    Err(error) => self.fail(&at(&error.message)),
                }
                continue;
            }
            match read_position(line, self.rules) {
                Ok(game) => self.analyze_position(&game, &origin)?,
                Err(error) => self.fail(&at(&error.to_string())),
            }
        }
        Ok(())
    }

    /// Opens the tablebase of a game, unless it is open; `--tablebase` is the folder of the usual game.
    fn open_tablebase(&mut self, rules: &RuleSet) {
        let tablebase = &mut self.analyst.engine.tablebase;
        if tablebase.as_ref().is_none_or(|tablebase| !tablebase.is_of(rules)) {
            let mut source = self.arguments.tablebase.clone();
            source.at.folder =
                source.at.folder.filter(|_| rules.canonical() == self.rules.canonical());
            // Closed first: both together may have more files than the system lets be open.
            *tablebase = None;
            *tablebase = source.open(rules);
        }
    }

    fn analyze_position(&mut self, game: &Game, origin: &Value) -> CommandResult {
        self.count += 1;
        self.open_tablebase(game.rules());
        self.analyst.engine.clear();
        let report = self.analyst.assess(game, &mut Silent);
        let known = self.analyst.result(game, &report);
        if self.arguments.format.json {
            let position = json::position(game, known, &report);
            write_json(&Both { first: origin, second: position })?;
        } else {
            output::write_position(game, known, &report)?;
        }
        Ok(())
    }

    /// Reviews the games of a source.
    fn review_games(&mut self, source: &Text) -> CommandResult {
        let origin = json!({"source": source.name, "line": null});
        for record in source.games(self.rules) {
            match record {
                Ok(record) => self.review(&record, &origin)?,
                Err(error) => self.fail(&error),
            }
        }
        Ok(())
    }

    /// Reviews a game, with a progress bar in a terminal.
    fn review(&mut self, record: &GameRecord, origin: &Value) -> CommandResult {
        self.count += 1;
        self.open_tablebase(&record.rules);
        let turns = record.history()?.turns().len() as u64;
        let bar = terminal::bar(turns, "{bar:30} {pos} of {len} turns  {eta} left");
        let turns = self.analyst.review(record, &mut Silent, |_| bar.inc(1))?;
        bar.finish_and_clear();
        if let Some(path) = &self.arguments.output {
            let mut annotated = record.clone();
            annotate(&mut annotated, &turns);
            self.annotated += &annotated.write_by(self.arguments.notation, self.rules)?;
            self.losses.push(annotated.losses(self.arguments.notation, self.rules));
            // The first save is at once, to report errors of the file early. A pipe can be written only once.
            let is_due = self.saved.is_none_or(|saved| saved.elapsed() >= INTERVAL);
            if is_due && whole_file::is_replaced(path) {
                self.save()?;
            }
        }
        if self.arguments.format.json {
            // A line each for the heading, the turns and the summary, all with the number of the game.
            let game = json!({"game": self.count});
            let heading = Both { first: origin, second: json::heading(record) };
            write_json(&Both { first: &game, second: heading })?;
            let mut turns_json = turns.iter().map(|turn| Both { first: &game, second: turn });
            turns_json.try_for_each(|turn| write_json(&turn))?;
            write_json(&Both { first: &game, second: json::summary(&turns) })?;
        } else {
            output::write_review(record, &turns)?;
        }
        Ok(())
    }

    /// Saves the annotated games, if there are any.
    fn save(&mut self) -> CommandResult {
        if let Some(path) = &self.arguments.output
            && !self.annotated.is_empty()
        {
            save(path, &self.annotated)?;
            self.saved = Some(Instant::now());
        }
        Ok(())
    }

    /// Reports and counts a source that could not be analyzed.
    fn fail(&mut self, error: &str) {
        complain(error);
        self.count += 1;
        self.failed += 1;
    }
}

/// Whether a text is a list of positions; otherwise it holds games.
fn has_positions(text: &str) -> bool {
    lines(text).find_map(|(_, line)| is_position(line)).unwrap_or(false)
}

/// The lines that are neither empty nor comments, with their numbers.
fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let lines = (1..).zip(text.lines().map(str::trim));
    lines.filter(|(_, line)| !line.is_empty() && !line.starts_with(['#', ';']))
}

/// Whether a line looks like a position (`true`) or a line of a game record (`false`); `None` if like neither.
fn is_position(line: &str) -> Option<bool> {
    let word = line.split_whitespace().next()?;
    if [POSITION_WORD, START_WORD, FEN_WORD].contains(&word) || is_position_text(line) {
        return Some(true);
    }
    let is_of_record = word.starts_with(['[', '{', '(']) || word.starts_with(char::is_numeric);
    (is_of_record || word.parse::<Turn>().is_ok()).then_some(false)
}
