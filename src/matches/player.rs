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
/// The most lines that an engine may send before it is ready.
const MAX_LINES: usize = 10_000;

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
        let (mut pending, mut lines) = (0, Vec::new());
        for &(dialect, patience) in dialects {
            self.dialect = dialect;
            self.send(dialect.greeting());
            self.send(Command::IsReady);
            pending += 1;
            let is_ready = self.read_until_ready(&mut pending, &mut lines, patience)?;
            let end_of = |line: &String| {
                Dialect::ALL.into_iter().find(|dialect| line == dialect.greeting().reply(*dialect))
            };
            let understood = lines.iter().rev().find_map(end_of).filter(|_| is_ready);
            let Some(dialect) = understood else { continue };
            self.dialect = dialect;
            if let Some(id) = lines.iter().rev().find_map(|line| line.strip_prefix("id name ")) {
                self.id = quote(id);
            }
            let options = lines.iter().filter_map(|line| line.strip_prefix("option name "));
            let name = |option: &str| option.split(" type ").next().unwrap_or(option).to_owned();
            return Ok(options.map(name).collect());
        }
        let (end, ready) = (self.dialect.greeting().reply(self.dialect), self.ready_word());
        Err(self.error(EngineErrorKind::Hang, format!("no {end} and {ready} at the start")))
    }

    /// Waits until the engine is ready. Returns the lines that it sends before.
    fn wait_until_ready(&mut self, when: &str) -> Result<Vec<String>, EngineError> {
        self.send(Command::IsReady);
        let mut lines = Vec::new();
        if self.read_until_ready(&mut 1, &mut lines, self.patience)? {
            return Ok(lines);
        }
        Err(self.error(EngineErrorKind::Hang, format!("no {} {when}", self.ready_word())))
    }

    /// Reads lines until the engine has answered that it is ready. Returns whether it does in time.
    ///
    /// * `pending`: how many such answers it owes.
    fn read_until_ready(
        &self,
        pending: &mut u32,
        lines: &mut Vec<String>,
        patience: Duration,
    ) -> Result<bool, EngineError> {
        let deadline = Instant::now() + patience;
        while *pending > 0 {
            let Some((text, _)) = self.line_by(deadline)? else { return Ok(false) };
            if text == self.ready_word() {
                *pending -= 1;
            } else if lines.len() < MAX_LINES {
                lines.push(text);
            } else {
                let message = format!("sends more than {MAX_LINES} lines before it is ready");
                return Err(self.error(EngineErrorKind::Garbage, message));
            }
        }
        Ok(true)
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
                let message = format!("'{word}' is not a move, and the game is not over");
                Err(self.error(EngineErrorKind::IllegalMove, message))
            }
            _ => dialect::read_moves(self.dialect, &word).map_err(|_| self.garbage(&word)),
        }?;
        if let Some(allowed) = allowed.filter(|&allowed| time > allowed) {
            let (time, allowed) = (time.as_millis(), allowed.as_millis());
            let message = format!("moved after {time} ms, with {allowed} ms left");
            return Err(self.error(EngineErrorKind::TimeLoss, message));
        }
        Ok((moves, time))
    }

    /// The word after `bestmove` and when it arrived.
    fn wait_for_best_move(&self, deadline: Instant) -> Result<(String, Instant), EngineError> {
        let mut garbage = None;
        while let Some((text, arrived)) = self.line_by(deadline)? {
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

    fn garbage(&self, found: &str) -> EngineError {
        let message = format!("expected bestmove MOVE, found '{}'", quote(found));
        self.error(EngineErrorKind::Garbage, message)
    }
}
