//! `millstone match`: plays two engines against each other and prints the result, as a table or as JSON. Log and game
//! records can be resumed after Ctrl-C.

mod arguments;

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::error::Error;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::Duration;

use comfy_table::{CellAlignment, Table, presets};
use indicatif::ProgressBar;
use millstone::api::json::Both;
use millstone::game::History;
use millstone::matches::{
    self, EngineErrorKind, Log, LogEntry, LogHeader, MatchSettings, Openings, Processes, Sprt,
    SprtState, Tally, opening,
};
use millstone::records::{GameRecord, Notation, ReadError};
use millstone::rules::RuleSet;
use millstone::system::{locks, regular_file};
use serde_json::json;

use super::arguments::{expect_rules, read_text};
use super::terminal::percent;
use super::{CommandResult, Format, at, complain, ensure, say, terminal};
pub use arguments::Arguments;
use arguments::{Playing, Words};

/// The warning about a truncated log.
const CUT: &str = "ignoring an incomplete last game";
/// The most missing pairs to list.
const MAX_MISSING: usize = 10;

/// Plays a match or merges logs, and prints the result.
pub fn run(arguments: &Arguments, rules: &RuleSet) -> CommandResult {
    let Arguments { words: Words { engines, sprt }, playing, records, merge, json } = arguments;
    if let Some(paths) = merge {
        let contents = matches::merge(paths, &mut |path| complain(at(path)(CUT)))?;
        let missing = contents.missing_pairs();
        if !missing.is_empty() {
            let numbers: Vec<_> = missing.iter().take(MAX_MISSING).map(u64::to_string).collect();
            let more = if missing.len() > MAX_MISSING { ", ..." } else { "" };
            let (count, numbers) = (missing.len(), numbers.join(", "));
            complain(format_args!("{count} pairs are missing: {numbers}{more}"));
        }
        if let Some(path) = records {
            Collection::begin(path, &contents.header, &contents.games)?;
        }
        return print(*json, &contents.header, &Tally::of(&contents.games), *sprt);
    }
    let engines = engines.as_deref().ok_or("give --engine twice, or --merge")?;
    let settings = MatchSettings {
        engines: engines.clone(),
        rules: *rules,
        seed: playing.seed,
        openings: choose_openings(playing, rules)?,
        max_plies: playing.max_plies as usize,
        shard: playing.shard,
        games: playing.games,
        patience: Duration::from_secs_f64(playing.patience),
    };
    play(arguments, &settings)
}

/// Chooses random openings, or reads a file of openings.
fn choose_openings(playing: &Playing, rules: &RuleSet) -> CommandResult<Openings> {
    let plies = playing.opening_plies;
    let Some(path) = &playing.openings else {
        let plies = plies.map_or(Openings::RANDOM_PLIES, usize::from);
        return Ok(Openings::Random { plies });
    };
    let text = read_text(path, "openings")?;
    let plies = plies.map_or(usize::MAX, usize::from);
    let read = |(number, record): (usize, Result<GameRecord, ReadError>)| {
        let record = record.map_err(|ReadError { line, column, message }| {
            format!("{}: {line}:{column}: {message}", text.name)
        })?;
        let opening = expect_rules(&record.rules, Some(rules))
            .and_then(|()| record.history().map_err(|error| error.to_string()))
            .and_then(|game| opening(&game, plies));
        opening.map_err(|error| format!("{}: game {number}: {error}", text.name))
    };
    let records = (1..).zip(GameRecord::read_each_by(&text.text, rules));
    let openings: Vec<History> = records.map(read).collect::<Result<_, _>>()?;
    ensure(!openings.is_empty(), format!("{}: it has no openings", text.name))?;
    Ok(Openings::Listed(openings))
}

/// Plays the remaining games and prints the result.
fn play(arguments: &Arguments, settings: &MatchSettings) -> CommandResult {
    let Arguments { words: Words { sprt, .. }, playing, .. } = arguments;
    let processes = Processes::default();
    let on_signal = processes.clone();
    terminal::stop_with(move || on_signal.end_all())?;
    let warn = &mut |name: &str, warning: &str| complain(format_args!("{name}: {warning}"));
    let header = settings.header(&processes, warn).map_err(|error| {
        if processes.is_closed() { interrupted(arguments, 0) } else { error.to_string() }
    })?;
    let (mut log, mut played) = (None, Vec::new());
    if let Some(path) = &playing.log {
        let (opened, games, was_cut) = Log::open(path, &header)?;
        if was_cut {
            complain(at(path)(CUT));
        }
        (log, played) = (Some(opened), games);
    }
    let records = arguments.records.as_deref();
    let records = records.map(|path| Collection::begin(path, &header, &played)).transpose()?;
    let numbers: BTreeSet<u64> = played.iter().map(|game| game.game).collect();
    let games = playing.shard.count(playing.games);
    let bar = terminal::bar(games, "{bar:30} {pos}/{len} games  {msg}  {eta} left");
    let mut scorer = Scorer {
        log,
        records,
        header: &header,
        sprt: *sprt,
        tally: Tally::of(&played),
        failures: [0; 2],
        max_failures: playing.max_failures,
        bar: bar.with_position(played.len() as u64),
    };
    let mut flow = ControlFlow::Continue(());
    if !scorer.is_decided() {
        let on_game = &mut |game| match scorer.add(&game) {
            Ok(false) => ControlFlow::Continue(()),
            end => ControlFlow::Break(end.map(drop)),
        };
        flow = settings.play(&numbers, playing.concurrency.into(), &processes, on_game)?;
    }
    scorer.bar.finish_and_clear();
    let printed = print(arguments.json, &header, &scorer.tally, *sprt);
    match flow {
        ControlFlow::Break(end) => end.and(printed),
        ControlFlow::Continue(()) if processes.is_closed() => {
            Err(interrupted(arguments, scorer.tally.games()).into())
        }
        ControlFlow::Continue(()) => printed,
    }
}

fn interrupted(arguments: &Arguments, games: u64) -> String {
    let is_logged = arguments.playing.log.is_some();
    let how = if is_logged { "; the same command resumes it" } else { "" };
    format!("interrupted after {games} games{how}")
}

/// Keeps the score, the log and the game records.
struct Scorer<'a> {
    log: Option<Log>,
    records: Option<Collection>,
    header: &'a LogHeader,
    sprt: Option<Sprt>,
    tally: Tally,
    /// The games in a row that each engine has forfeited, other than on time.
    failures: [u64; 2],
    max_failures: u64,
    bar: ProgressBar,
}

impl Scorer<'_> {
    /// Counts and records a game. Returns whether the match is decided.
    fn add(&mut self, game: &LogEntry) -> CommandResult<bool> {
        self.log.iter_mut().try_for_each(|log| log.append(game))?;
        self.records.iter_mut().try_for_each(|records| records.write(&text(game, self.header)?))?;
        self.tally.add(game);
        self.report_forfeit(game);
        self.bar.inc(1);
        self.bar.set_message(score(&self.tally, self.sprt));
        let failed = (0..2).find(|&engine| self.failures[engine] >= self.max_failures);
        let Some(engine) = failed else { return Ok(self.is_decided()) };
        let (name, times) = (&self.header.engines[engine].name, self.failures[engine]);
        Err(format!("{name} failed in {times} games in a row; the match is stopped").into())
    }

    fn report_forfeit(&mut self, game: &LogEntry) {
        let failed = game.forfeit.as_ref();
        let failed = failed.filter(|failed| failed.error.kind != EngineErrorKind::TimeLoss);
        for engine in 0..2 {
            let has_failed = failed.is_some_and(|failed| failed.engine == engine);
            self.failures[engine] = if has_failed { self.failures[engine] + 1 } else { 0 };
        }
        if let Some(forfeit) = &game.forfeit {
            let name = &self.header.engines[forfeit.engine].name;
            let (number, error) = (game.game + 1, &forfeit.error);
            self.bar.suspend(|| say(format_args!("game {number}: {name}: {error}")));
        }
    }

    fn is_decided(&self) -> bool {
        self.sprt.is_some_and(|sprt| sprt.state(&self.tally.pentanomial).accepted.is_some())
    }
}

/// A file to append game records to, locked against other writers.
struct Collection {
    file: File,
    path: PathBuf,
}

impl Collection {
    /// Opens the file, and appends the games played so far that it lacks.
    ///
    /// # Errors
    ///
    /// If the file cannot be read or written, another match writes it, or it holds anything but games of this match.
    fn begin(path: &Path, header: &LogHeader, games: &[LogEntry]) -> CommandResult<Self> {
        let records = games.iter().map(|game| text(game, header));
        let mut missing = records.collect::<CommandResult<VecDeque<_>>>()?;
        let mut options = File::options();
        options.read(true).write(true).create(true).truncate(false);
        let file = regular_file::open_with(&mut options, path).map_err(at(path))?;
        let is_locked = locks::try_lock(&file).map_err(at(path))?;
        ensure(is_locked, at(path)("another match is writing it"))?;
        let mut content = Vec::new();
        (&file).read_to_end(&mut content).map_err(at(path))?;
        let mut rest = &content[..];
        while let Some(at) = missing.iter().position(|record| rest.starts_with(record.as_bytes())) {
            rest = &rest[missing.remove(at).map_or(0, |record| record.len())..];
        }
        // The last record may be truncated.
        let is_cut = |record: &String| record.as_bytes().starts_with(rest);
        let is_own = rest.is_empty() || missing.iter().any(is_cut);
        ensure(is_own, at(path)("contains something other than games of the log"))?;
        let mut collection = Self { file, path: path.to_owned() };
        let whole = (content.len() - rest.len()) as u64;
        collection.file.set_len(whole).map_err(at(path))?;
        collection.write(&String::from_iter(missing))?;
        Ok(collection)
    }

    /// Appends games and flushes them to disk.
    fn write(&mut self, records: &str) -> CommandResult {
        let mut file = &self.file;
        let written = file.seek(SeekFrom::End(0)).and_then(|_| file.write_all(records.as_bytes()));
        let written = written.and_then(|()| file.sync_data());
        Ok(written.map_err(at(&self.path))?)
    }
}

fn text(game: &LogEntry, header: &LogHeader) -> CommandResult<String> {
    let rules = RuleSet::from_name(&header.rules)?;
    let at = |error: &dyn Error| format!("game {}: {error}", game.game + 1);
    let record = game.to_record(header, &rules).map_err(|error| at(&error))?;
    Ok(record.write(Notation::Sanmill).map_err(|error| at(&error))?)
}

/// The text for missing values.
const UNKNOWN: &str = "-";

/// Prints the result on standard output.
fn print(json: bool, header: &LogHeader, tally: &Tally, sprt: Option<Sprt>) -> CommandResult {
    let engines = header.engines.each_ref().map(|engine| engine.name.as_str());
    let state = sprt.map(|sprt| sprt.state(&tally.pentanomial));
    let heading = json!({"engines": engines, "rules": header.rules});
    let test = json!({"sprt": state});
    let summary = Both { first: heading, second: Both { first: tally, second: test } };
    Ok(Format { json }.write(&summary, result(header, tally, sprt))?)
}

/// The result as a table with a column for each engine, and a line about the match.
fn result(header: &LogHeader, tally: &Tally, sprt: Option<Sprt>) -> String {
    let mut table = Table::new();
    table.load_style(presets::ASCII_MARKDOWN);
    let [first, second] = header.engines.each_ref().map(|engine| engine.name.clone());
    table.set_header(vec![format!("{} games", tally.games()), first, second]);
    let rows = rows(header, tally).into_iter();
    table.add_rows(rows.map(|(label, [first, second])| [label.to_owned(), first, second]));
    for column in table.column_iter_mut().skip(1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    let test = sprt.map(|sprt| {
        let SprtState { log_likelihood_ratio, lower, upper, accepted, .. } =
            sprt.state(&tally.pentanomial);
        let verdict = accepted.map_or("not decided".to_owned(), |elo| format!("{elo} accepted"));
        let ratio = format!("LLR {log_likelihood_ratio:.2} ({lower:.2} to {upper:.2})");
        format!("\nSPRT {sprt}: {ratio}, {verdict}")
    });
    let plies = tally.average_plies().map_or(UNKNOWN.to_owned(), |plies| format!("{plies:.1}"));
    let [drawn, white] = [tally.draw_share(), tally.white_share()].map(percent);
    let both = format!(
        "{drawn} of the games drawn, {white} of the points for White, {plies} plies a game"
    );
    format!("{table}\n\n{}: {both}{}", header.rules, test.unwrap_or_default())
}

/// The score so far in one line.
fn score(tally: &Tally, sprt: Option<Sprt>) -> String {
    let Tally { wins, draws, losses, .. } = tally;
    let elo = rating(tally.elo(), tally.elo_error());
    let ratio = sprt.map(|sprt| sprt.state(&tally.pentanomial).log_likelihood_ratio);
    let ratio = ratio.map(|ratio| format!("  LLR {ratio:.2}")).unwrap_or_default();
    format!("+{wins} ={draws} -{losses}  Elo {elo}{ratio}")
}

/// The rows of the table.
fn rows(header: &LogHeader, tally: &Tally) -> Vec<(&'static str, [String; 2])> {
    let games = tally.games() as f64;
    let points = [tally.points(), games - tally.points()];
    let superiority = tally.likelihood_of_superiority();
    let mirrored = |value: Option<f64>| [percent(value), percent(value.map(|value| 1.0 - value))];
    let elo = tally.elo();
    let ratings = [elo, elo.map(|elo| 0.0 - elo)].map(|elo| rating(elo, tally.elo_error()));
    let pairs = |counts: [u64; 5]| counts.map(|count| count.to_string()).join(" ");
    let (counts, mut reversed) = (tally.pentanomial, tally.pentanomial);
    reversed.reverse();
    let mut rows = vec![
        ("Reported name", header.engines.each_ref().map(|engine| engine.id.clone())),
        ("Protocol", header.engines.each_ref().map(|engine| engine.dialect.to_uppercase())),
        ("Limit", header.engines.each_ref().map(|engine| engine.limit.clone())),
        ("Points", points.map(|points| points.to_string())),
        ("Share of the points", mirrored(tally.share())),
        ("Wins", [tally.wins, tally.losses].map(|count| count.to_string())),
        ("Draws", [tally.draws; 2].map(|count| count.to_string())),
        ("Losses", [tally.losses, tally.wins].map(|count| count.to_string())),
        ("Elo, 95 % error", ratings),
        ("Likelihood of superiority", mirrored(superiority)),
        ("Pairs with 0, 1/2, 1, 3/2, 2 points", [counts, reversed].map(pairs)),
    ];
    if tally.forfeits.iter().any(|forfeits| !forfeits.is_empty()) {
        rows.push(("Games lost by an error", tally.forfeits.each_ref().map(forfeits)));
    }
    rows
}

fn forfeits(forfeits: &BTreeMap<EngineErrorKind, u64>) -> String {
    let each: Vec<_> = forfeits.iter().map(|(kind, count)| format!("{count} {kind}")).collect();
    if each.is_empty() { UNKNOWN.to_owned() } else { each.join(", ") }
}

fn rating(elo: Option<f64>, error: Option<f64>) -> String {
    match (elo, error) {
        (None, _) => UNKNOWN.to_owned(),
        (Some(elo), Some(error)) if error.is_finite() => format!("{elo:+.1} +- {error:.1}"),
        (Some(elo), _) => format!("{elo:+.1}"),
    }
}
