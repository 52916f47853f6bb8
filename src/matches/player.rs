//! A player: a running engine that is asked for moves.

use std::sync::mpsc::RecvTimeoutError;
use std::time::{Duration, Instant};

use super::dialect::{self, best_move};
use super::engine_config::EngineConfig;
use super::log_entry::{EngineError, EngineErrorKind};
use super::process::{EngineProcess, Line};
use super::process_group::Processes;
use crate::game::History;
use crate::position::Move;
use crate::protocol::{Command, Dialect, Go, SHUFFLE_SEED};
use crate::quote::quote;
use crate::rules::RuleSet;

/// How long to wait for a reply to a greeting in the UCI dialect before trying GBGP.
const DETECTION: Duration = Duration::from_secs(3);
/// The most options that an engine may have.
const MAX_OPTIONS: usize = 1000;
/// The most lines that are kept while an engine gets ready.
const MAX_LINES: usize = 1000;

/// A running engine whose options are set.
#[derive(Debug)]
pub(super) struct Player {
    process: EngineProcess,
    pub(super) dialect: Dialect,
    /// The name it reports.
    pub(super) id: String,
    takes_seeds: bool,
    /// Problems with its options.
    pub(super) warnings: Vec<String>,
    patience: Duration,
}

impl Player {
    /// Starts an engine and sets its options. Warns of those that it lacks and of errors that it reports.
    pub(super) fn start(
        config: &EngineConfig,
        rules: &RuleSet,
        patience: Duration,
        processes: &Processes,
    ) -> Result<Self, EngineError> {
        let process = EngineProcess::start(config, processes).map_err(|error| {
            let program = config.command.first().map_or("", String::as_str);
            let message = format!("cannot start {program}: {error}");
            EngineError { kind: EngineErrorKind::Crash, message, last_lines: Vec::new() }
        })?;
        let mut player = Self {
            process,
            dialect: config.dialect.unwrap_or(Dialect::Uci),
            id: config.name.clone(),
            takes_seeds: false,
            warnings: Vec::new(),
            patience,
        };
        let known = player.greet(config)?;
        let rules = dialect::rule_options(player.dialect, rules, &known);
        let rules = rules.map_err(EngineError::unable)?;
        for (name, value) in rules.into_iter().chain(config.options.iter().cloned()) {
            player.set_option(&name, &value);
        }
        for (name, _) in &config.options {
            if !known.iter().any(|known| known.eq_ignore_ascii_case(name)) {
                player.warnings.push(format!("it has no option '{}'", quote(name)));
            }
        }
        let lines = player.wait_until_ready("after the options")?;
        let errors = lines.iter().filter_map(|line| line.strip_prefix("info string error"));
        let errors = errors.map(|error| quote(error.trim_start_matches([':', ' '])));
        player.warnings.extend(errors.take(config.options.len() + 1));
        let is_seeded =
            config.options.iter().any(|(name, _)| name.eq_ignore_ascii_case(SHUFFLE_SEED));
        player.takes_seeds = !is_seeded && known.iter().any(|name| name == SHUFFLE_SEED);
        Ok(player)
    }

    /// Detects the dialect of the engine, if it is not configured, and reads the names of its options.
    ///
    /// If it understands the greetings of both dialects, the last one counts.
    fn greet(&mut self, config: &EngineConfig) -> Result<Vec<String>, EngineError> {
        let dialects = match config.dialect {
            Some(dialect) => &[(dialect, self.patience)][..],
            None => &[(Dialect::Uci, self.patience.min(DETECTION)), (Dialect::Gbgp, self.patience)],
        };
        let mut known = Vec::new();
        let mut understood = None;
        let mut pending = 0;
        for &(dialect, patience) in dialects {
            self.dialect = dialect;
            self.send(dialect.greeting());
            self.send(Command::IsReady);
            pending += 1;
            let deadline = Instant::now() + patience;
            while let Some(Line { text: line, .. }) = self.line_by(deadline)? {
                if let Some(id) = line.strip_prefix("id name ") {
                    self.id = quote(id);
                } else if let Some(option) = line.strip_prefix("option name ") {
                    let name = option.split_once(" type ").map_or(option, |(name, _)| name);
                    known.push(name.to_owned());
                    if known.len() > MAX_OPTIONS {
                        let message = format!("lists more than {MAX_OPTIONS} options");
                        return Err(self.error(EngineErrorKind::Garbage, message));
                    }
                }
                let is_end = |dialect: &Dialect| line == dialect.greeting().reply(*dialect);
                understood = Dialect::ALL.into_iter().find(is_end).or(understood);
                pending -= u32::from(line == self.ready_word());
                if pending == 0 {
                    break;
                }
            }
            if let Some(dialect) = understood.filter(|_| pending == 0) {
                self.dialect = dialect;
                return Ok(known);
            }
        }
        let (end, ready) = (self.dialect.greeting().reply(self.dialect), self.ready_word());
        Err(self.error(EngineErrorKind::Hang, format!("no {end} and {ready} at the start")))
    }

    /// Waits until the engine is ready. Returns the lines that it sends before, up to a limit.
    fn wait_until_ready(&mut self, when: &str) -> Result<Vec<String>, EngineError> {
        self.send(Command::IsReady);
        let deadline = Instant::now() + self.patience;
        let mut lines = Vec::new();
        while let Some(Line { text: line, .. }) = self.line_by(deadline)? {
            if line == self.ready_word() {
                return Ok(lines);
            }
            if lines.len() < MAX_LINES {
                lines.push(line);
            }
        }
        Err(self.error(EngineErrorKind::Hang, format!("no {} {when}", self.ready_word())))
    }

    /// Whether its moves include removals.
    pub(super) fn plays_whole_turns(&self) -> bool {
        self.dialect == Dialect::Gbgp
    }

    /// The next line; `None` if it is late.
    fn line_by(&self, deadline: Instant) -> Result<Option<Line>, EngineError> {
        match self.process.next_line(deadline) {
            Ok(line) => Ok(Some(line)),
            Err(RecvTimeoutError::Timeout) => Ok(None),
            Err(RecvTimeoutError::Disconnected) => {
                let message = match self.process.end_of_crash() {
                    Some(status) => format!("ended by itself ({status})"),
                    None => "closed its output".to_owned(),
                };
                Err(self.error(EngineErrorKind::Crash, message))
            }
        }
    }

    fn send(&self, command: Command) {
        self.process.send(command.word(self.dialect));
    }

    fn ready_word(&self) -> &'static str {
        Command::IsReady.reply(self.dialect)
    }

    fn set_option(&self, name: &str, value: &str) {
        let arguments = format_args!("name {name} value {value}");
        self.process.send(&Command::SetOption.line(self.dialect, arguments));
    }

    /// Announces a new game and waits until the engine is ready.
    pub(super) fn new_game(&mut self, seed: u64) -> Result<(), EngineError> {
        self.send(Command::NewGame);
        if self.takes_seeds {
            self.set_option(SHUFFLE_SEED, &(seed >> 32).to_string());
        }
        self.process.skip_lines();
        self.wait_until_ready("before the game").map(drop)
    }

    /// The line that sends the engine a game.
    ///
    /// # Errors
    ///
    /// If its dialect cannot express the start.
    pub(super) fn position(&self, game: &History) -> Result<String, EngineError> {
        dialect::position_line(self.dialect, game).map_err(EngineError::unable)
    }

    /// Asks for a move. Returns it with the time it took.
    ///
    /// * `allowed`: the time within which it must arrive, if there is a limit.
    pub(super) fn go(
        &mut self,
        position: &str,
        go: &Go,
        allowed: Option<Duration>,
    ) -> Result<(Vec<Move>, Duration), EngineError> {
        self.process.skip_lines();
        self.process.send(position);
        let start = Instant::now();
        self.process.send(&Command::Go.line(self.dialect, go));
        let deadline = start + allowed.unwrap_or_default() + self.patience;
        let (word, arrived) = self.wait_for_best_move(deadline)?;
        let time = arrived.saturating_duration_since(start);
        let moves = match word.as_str() {
            "" => Err(self.garbage(&word)),
            "none" | "draw" => {
                Err(self.illegal(format!("'{word}' is not a move, and the game is not over")))
            }
            _ => dialect::read_moves(self.dialect, &word).map_err(|_| self.garbage(&word)),
        }?;
        match allowed {
            Some(allowed) if time > allowed => {
                let (time, allowed) = (time.as_millis(), allowed.as_millis());
                let message = format!("moved after {time} ms, with {allowed} ms left");
                Err(self.error(EngineErrorKind::TimeLoss, message))
            }
            _ => Ok((moves, time)),
        }
    }

    /// The word after `bestmove` and when it arrived.
    fn wait_for_best_move(&self, deadline: Instant) -> Result<(String, Instant), EngineError> {
        let mut garbage = None;
        while let Some(Line { text, arrived }) = self.line_by(deadline)? {
            if let Some(word) = best_move(self.dialect, &text) {
                return Ok((word.to_owned(), arrived));
            }
            if !text.is_empty() && !text.starts_with("info") {
                garbage.get_or_insert(text);
            }
        }
        Err(match garbage {
            Some(text) => self.garbage(&text),
            None => self.error(EngineErrorKind::Hang, "no bestmove after go"),
        })
    }

    /// An error of the engine, with the lines that it printed last.
    pub(super) fn error(&self, kind: EngineErrorKind, message: impl Into<String>) -> EngineError {
        EngineError { kind, message: message.into(), last_lines: self.process.last_lines() }
    }

    /// A move that cannot be played.
    pub(super) fn illegal(&self, message: String) -> EngineError {
        self.error(EngineErrorKind::IllegalMove, message)
    }

    fn garbage(&self, found: &str) -> EngineError {
        self.error(
            EngineErrorKind::Garbage,
            format!("expected bestmove MOVE, found '{}'", quote(found)),
        )
    }
}
