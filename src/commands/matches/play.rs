//! Playing a match from the command line: the log, the bar, the reports, Ctrl-C.

use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::panic;

use indicatif::ProgressBar;
use millstone::matches::{
    Contest, Decision, FaultKind, GameRecord, Header, Log, LogError, Processes, Sprt, Tally,
};

use super::collection::Collection;
use super::{Arguments, table};
use crate::commands::{CommandResult, terminal};

/// Plays what is still to be played and prints the result.
pub fn run(arguments: &Arguments, contest: &Contest, sprt: Option<Sprt>) -> CommandResult {
    let processes = Processes::default();
    end_with_the_program(&processes)?;
    let warn = &mut |name: &str, warning: &str| eprintln!("millstone: {name}: {warning}");
    let header = contest.header(&processes, warn).map_err(|error| {
        if processes.is_closed() { interrupted(arguments, 0) } else { error.to_string() }
    })?;
    let (log, played) = open_log(arguments, &header)?;
    let records = arguments.records.as_deref();
    let records = records.map(|path| Collection::begin(path, &header, &played)).transpose()?;
    let numbers: BTreeSet<u64> = played.iter().map(|game| game.game).collect();
    let pairs = arguments.shard.missing(arguments.games, &numbers);
    let mut scorer = Scorer {
        log,
        records,
        header: &header,
        sprt,
        tally: Tally::of(&played),
        failures: [0; 2],
        max_failures: arguments.max_failures,
        bar: bar(arguments.shard.count(arguments.games), played.len() as u64),
        end: None,
    };
    if !scorer.is_decided() {
        let hear = &mut |game| scorer.hear(&game);
        contest.play(&pairs, arguments.concurrency.into(), &processes, hear)?;
    }
    scorer.bar.finish_and_clear();
    super::print(arguments, &header, &scorer.tally, sprt)?;
    match scorer.end {
        Some(End::Trouble(error)) => Err(error),
        None if processes.is_closed() => Err(interrupted(arguments, scorer.tally.games()).into()),
        Some(End::Decided) | None => Ok(()),
    }
}

/// Makes sure that no engine survives Ctrl-C, the end of a job or a panic.
fn end_with_the_program(processes: &Processes) -> Result<(), ctrlc::Error> {
    let on_panic = processes.clone();
    let usual = panic::take_hook();
    panic::set_hook(Box::new(move |info| {
        on_panic.abandon_all();
        usual(info);
    }));
    let on_signal = processes.clone();
    ctrlc::set_handler(move || on_signal.end_all())
}

fn interrupted(arguments: &Arguments, games: u64) -> String {
    let how = match &arguments.log {
        Some(_) => "; the same command goes on",
        None => "",
    };
    format!("interrupted after {games} games{how}")
}

fn open_log(
    arguments: &Arguments,
    header: &Header,
) -> Result<(Option<Log>, Vec<GameRecord>), LogError> {
    let Some(path) = &arguments.log else { return Ok((None, Vec::new())) };
    let (log, games, was_cut) = Log::open(path, header)?;
    if was_cut {
        eprintln!("millstone: {}: a last game only half there is played again", path.display());
    }
    Ok((Some(log), games))
}

fn bar(games: u64, played: u64) -> ProgressBar {
    let style = terminal::bar_style("{bar:30} {pos}/{len} games  {msg}  {eta} left");
    ProgressBar::new(games).with_style(style).with_position(played)
}

/// Why a match ends before all games are played.
enum End {
    Decided,
    Trouble(Box<dyn std::error::Error>),
}

/// Who keeps the score.
struct Scorer<'a> {
    log: Option<Log>,
    records: Option<Collection>,
    header: &'a Header,
    sprt: Option<Sprt>,
    tally: Tally,
    /// Games in a row that each engine lost by what no sound engine does.
    failures: [u64; 2],
    max_failures: u64,
    bar: ProgressBar,
    end: Option<End>,
}

impl Scorer<'_> {
    /// Notes a game down; breaks when no other has to be played.
    fn hear(&mut self, game: &GameRecord) -> ControlFlow<()> {
        if let Err(error) = self.write(game) {
            self.end = Some(End::Trouble(error));
            return ControlFlow::Break(());
        }
        self.tally.add(game);
        self.report_fault(game);
        self.bar.inc(1);
        self.bar.set_message(table::score(&self.tally, self.sprt));
        let failed = (0..2).find(|&engine| self.failures[engine] >= self.max_failures);
        if let Some(engine) = failed {
            let name = &self.header.engines[engine].name;
            let times = self.failures[engine];
            let error = format!("{name} failed in {times} games in a row; the match is broken off");
            self.end = Some(End::Trouble(error.into()));
        } else if self.is_decided() {
            self.end = Some(End::Decided);
        }
        if self.end.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn write(&mut self, game: &GameRecord) -> Result<(), Box<dyn std::error::Error>> {
        if let Some(log) = &mut self.log {
            log.append(game)?;
        }
        self.records.as_mut().map_or(Ok(()), |records| records.add(game))
    }

    fn report_fault(&mut self, game: &GameRecord) {
        let failed = game.fault.as_ref().filter(|fault| fault.fault.kind != FaultKind::TimeLoss);
        for engine in 0..2 {
            let has_failed = failed.is_some_and(|fault| fault.engine == engine);
            self.failures[engine] = if has_failed { self.failures[engine] + 1 } else { 0 };
        }
        if let Some(fault) = &game.fault {
            let name = &self.header.engines[fault.engine].name;
            self.bar.suspend(|| eprintln!("game {}: {name}: {}", game.game + 1, fault.fault));
        }
    }

    fn is_decided(&self) -> bool {
        let decision = self.sprt.map(|sprt| sprt.decide(&self.tally.pentanomial));
        matches!(decision, Some(Decision::First | Decision::Second))
    }
}
