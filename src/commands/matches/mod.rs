//! `millstone match`: plays two engines against each other and prints the result, as a table or as JSON. Log and game
//! records can be resumed after Ctrl-C.

mod arguments;

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;
use std::time::Duration;

use comfy_table::{CellAlignment, Table, presets};
use indicatif::ProgressBar;
use millstone::api::json::Both;
use millstone::matches::{
    self, EngineErrorKind, Forfeit, Log, LogEntry, LogHeader, MatchSettings, Openings, Processes,
    Sprt, SprtState, Tally, opening,
};
use millstone::rules::RuleSet;
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
            Log::of_records(path, &contents.header, &contents.games)?;
        }
        let tally = Tally::of(&contents.games);
        return Score { header: &contents.header, tally, sprt: *sprt }.print(*json);
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
    let plies = playing.opening_plies.map(usize::from);
    let Some(path) = &playing.openings else {
        return Ok(Openings::Random { plies: plies.unwrap_or(Openings::RANDOM_PLIES) });
    };
    let text = read_text(path, "openings")?;
    let mut openings = Vec::new();
    for (number, record) in (1_usize..).zip(text.games(rules)) {
        let record = record?;
        let opening = expect_rules(&record.rules, Some(rules))
            .and_then(|()| record.history().map_err(|error| error.to_string()))
            .and_then(|game| opening(&game, plies.unwrap_or(usize::MAX)));
        openings.push(opening.map_err(|error| format!("{}: game {number}: {error}", text.name))?);
    }
    ensure(!openings.is_empty(), format!("{}: it has no openings", text.name))?;
    Ok(Openings::Listed(openings))
}

/// Plays the remaining games and prints the result.
fn play(arguments: &Arguments, settings: &MatchSettings) -> CommandResult {
    let Arguments { words: Words { sprt, .. }, playing, .. } = arguments;
    let processes = Processes::default();
    let on_signal = processes.clone();
    terminal::stop_with(move || on_signal.end_all())?;
    let how = if playing.log.is_some() { "; the same command resumes it" } else { "" };
    let warn = &mut |name: &str, warning: &str| complain(format_args!("{name}: {warning}"));
    let header = settings.header(&processes, warn).map_err(|error| {
        if processes.is_closed() { format!("interrupted{how}") } else { error.to_string() }
    })?;
    let (mut files, mut played) = (Vec::new(), Vec::new());
    if let Some(path) = &playing.log {
        let (log, games, was_cut) = Log::open(path, &header)?;
        if was_cut {
            complain(at(path)(CUT));
        }
        files.push(log);
        played = games;
    }
    if let Some(path) = &arguments.records {
        files.push(Log::of_records(path, &header, &played)?);
    }
    let numbers: BTreeSet<u64> = played.iter().map(|game| game.game).collect();
    let games = playing.shard.count(playing.games);
    let bar = terminal::bar(games, "{bar:30} {pos}/{len} games  {msg}  {eta} left");
    let mut scorer = Scorer {
        score: Score { header: &header, tally: Tally::of(&played), sprt: *sprt },
        files,
        failures: [0; 2],
        max_failures: playing.max_failures,
        bar: bar.with_position(played.len() as u64),
    };
    let mut flow = ControlFlow::Continue(());
    if !scorer.score.is_decided() {
        let on_game = &mut |game| match scorer.add(&game) {
            Ok(false) => ControlFlow::Continue(()),
            end => ControlFlow::Break(end.map(drop)),
        };
        flow = settings.play(&numbers, playing.concurrency.into(), &processes, on_game)?;
    }
    scorer.bar.finish_and_clear();
    let printed = scorer.score.print(arguments.json);
    match flow {
        ControlFlow::Break(end) => end.and(printed),
        ControlFlow::Continue(()) if processes.is_closed() => {
            let games = scorer.score.tally.games();
            Err(format!("interrupted after {games} games{how}").into())
        }
        ControlFlow::Continue(()) => printed,
    }
}

/// Keeps the score, the log and the game records.
struct Scorer<'a> {
    score: Score<'a>,
    /// The log and the game records, if the match has them.
    files: Vec<Log>,
    /// The games in a row that each engine has forfeited, other than on time.
    failures: [u64; 2],
    max_failures: u64,
    bar: ProgressBar,
}

impl Scorer<'_> {
    /// Counts and records a game. Returns whether the match is decided.
    fn add(&mut self, game: &LogEntry) -> CommandResult<bool> {
        let header = self.score.header;
        self.files.iter_mut().try_for_each(|file| file.append(game, header))?;
        self.score.tally.add(game);
        let failures = std::mem::take(&mut self.failures);
        if let Some(Forfeit { engine, error }) = &game.forfeit {
            let (number, name) = (game.game + 1, &header.engines[*engine].name);
            self.bar.suspend(|| say(format_args!("game {number}: {name}: {error}")));
            if error.kind != EngineErrorKind::TimeLoss {
                self.failures[*engine] = failures[*engine] + 1;
            }
        }
        self.bar.inc(1);
        self.bar.set_message(self.score.line());
        let failed = self.failures.iter().position(|&times| times >= self.max_failures);
        let Some(engine) = failed else { return Ok(self.score.is_decided()) };
        let (name, times) = (&header.engines[engine].name, self.failures[engine]);
        Err(format!("{name} failed in {times} games in a row; the match is stopped").into())
    }
}

/// The text for missing values.
const UNKNOWN: &str = "-";

/// The score of a match, and the test that may decide it.
struct Score<'a> {
    header: &'a LogHeader,
    tally: Tally,
    sprt: Option<Sprt>,
}

impl Score<'_> {
    fn test(&self) -> Option<SprtState> {
        self.sprt.map(|sprt| sprt.state(&self.tally.pentanomial))
    }

    fn is_decided(&self) -> bool {
        self.test().is_some_and(|test| test.accepted.is_some())
    }

    /// Prints the result on standard output.
    fn print(&self, json: bool) -> CommandResult {
        let engines = self.header.engines.each_ref().map(|engine| engine.name.as_str());
        let heading = json!({"engines": engines, "rules": self.header.rules});
        let test = json!({"sprt": self.test()});
        let summary = Both { first: heading, second: Both { first: &self.tally, second: test } };
        Ok(Format { json }.write(&summary, self.table())?)
    }

    /// The result as a table with a column for each engine, and a line about the match.
    fn table(&self) -> String {
        let Self { header, tally, .. } = self;
        let mut table = Table::new();
        table.load_style(presets::ASCII_MARKDOWN);
        let [first, second] = header.engines.each_ref().map(|engine| engine.name.clone());
        table.set_header(vec![format!("{} games", tally.games()), first, second]);
        table.add_rows(self.rows().iter().map(|(label, [first, second])| [*label, first, second]));
        for column in table.column_iter_mut().skip(1) {
            column.set_cell_alignment(CellAlignment::Right);
        }
        let test =
            self.test().map(|SprtState { test, log_likelihood_ratio, lower, upper, accepted }| {
                let verdict =
                    accepted.map_or("not decided".to_owned(), |elo| format!("{elo} accepted"));
                let ratio = format!("LLR {log_likelihood_ratio:.2} ({lower:.2} to {upper:.2})");
                format!("\nSPRT {test}: {ratio}, {verdict}")
            });
        let plies = tally.average_plies().map_or(UNKNOWN.to_owned(), |plies| format!("{plies:.1}"));
        let [drawn, white] = [tally.draw_share(), tally.white_share()].map(percent);
        let both = format!(
            "{drawn} of the games drawn, {white} of the points for White, {plies} plies a game"
        );
        format!("{table}\n\n{}: {both}{}", header.rules, test.unwrap_or_default())
    }

    /// The score so far in one line.
    fn line(&self) -> String {
        let Tally { wins, draws, losses, .. } = &self.tally;
        let elo = rating(self.tally.elo(), self.tally.elo_error());
        let ratio = self.test().map(|test| format!("  LLR {:.2}", test.log_likelihood_ratio));
        format!("+{wins} ={draws} -{losses}  Elo {elo}{}", ratio.unwrap_or_default())
    }

    /// The rows of the table.
    fn rows(&self) -> Vec<(&'static str, [String; 2])> {
        let Self { header, tally, .. } = self;
        let games = tally.games() as f64;
        let points = [tally.points(), games - tally.points()];
        let mirrored =
            |value: Option<f64>| [percent(value), percent(value.map(|value| 1.0 - value))];
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
            ("Likelihood of superiority", mirrored(tally.likelihood_of_superiority())),
            ("Pairs with 0, 1/2, 1, 3/2, 2 points", [counts, reversed].map(pairs)),
        ];
        if tally.forfeits.iter().any(|forfeits| !forfeits.is_empty()) {
            rows.push(("Games lost by an error", tally.forfeits.each_ref().map(forfeits)));
        }
        rows
    }
}

fn forfeits(forfeits: &BTreeMap<EngineErrorKind, u64>) -> String {
    let each: Vec<_> = forfeits.iter().map(|(kind, count)| format!("{count} {kind}")).collect();
    if each.is_empty() { UNKNOWN.to_owned() } else { each.join(", ") }
}

fn rating(elo: Option<f64>, error: Option<f64>) -> String {
    let error = error.filter(|error| error.is_finite()).map(|error| format!(" +- {error:.1}"));
    elo.map_or(UNKNOWN.to_owned(), |elo| format!("{elo:+.1}{}", error.unwrap_or_default()))
}
