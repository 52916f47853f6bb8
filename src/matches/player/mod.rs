//! An engine at the table: how it is started, told of a game and asked for moves.

mod greeting;

use std::time::{Duration, Instant};

use super::dialect::{self, Told, best_move};
use super::fault::{Fault, FaultKind};
use super::process::{EngineProcess, NoLine};
use super::processes::Processes;
use super::spec::EngineSpec;
use crate::position::Move;
use crate::protocol::{Command, Dialect, Go};
use crate::quote::quote;
use crate::rules::RuleSet;

/// How long an engine may take to get ready for a game.
const READINESS: Duration = Duration::from_secs(30);
/// The answer to `isready`.
const READY: &str = "readyok";
/// The option from which an engine draws its random choices.
const SEED: &str = "SearchShuffleSeed";

/// A running engine that has been told how to play.
#[derive(Debug)]
pub(super) struct Player {
    process: EngineProcess,
    dialect: Dialect,
    /// What it calls itself.
    id: String,
    has_seed: bool,
    /// What it says against its options.
    warnings: Vec<String>,
    patience: Duration,
}

/// What an engine wants to play.
#[derive(Debug)]
pub(super) struct Answer {
    pub(super) moves: Vec<Move>,
    pub(super) time: Duration,
}

impl Player {
    /// Starts an engine and sets its options.
    pub(super) fn start(
        spec: &EngineSpec,
        rules: &RuleSet,
        patience: Duration,
        processes: &Processes,
    ) -> Result<Self, Fault> {
        let process = EngineProcess::start(spec, processes).map_err(|error| {
            let program = spec.command.first().map_or("", String::as_str);
            let message = format!("expected a program that starts: {program}: {error}");
            Fault::silent(FaultKind::Crash, message)
        })?;
        let mut player = Self {
            process,
            dialect: spec.dialect.unwrap_or(Dialect::Uci),
            id: spec.name.clone(),
            has_seed: false,
            warnings: Vec::new(),
            patience,
        };
        let known = player.greet(spec)?;
        let rules = dialect::rule_options(player.dialect, rules, &known);
        let rules = rules.map_err(|message| Fault::silent(FaultKind::Unable, message))?;
        for (name, value) in rules.into_iter().chain(spec.options.iter().cloned()) {
            player.set_option(&name, value);
        }
        player.hear_warnings(spec, &known)?;
        let is_seeded = spec.options.iter().any(|(name, _)| name.eq_ignore_ascii_case(SEED));
        player.has_seed = !is_seeded && known.iter().any(|name| name == SEED);
        Ok(player)
    }

    /// What the engine calls itself.
    pub(super) fn id(&self) -> &str {
        &self.id
    }

    /// What is wrong with its options.
    pub(super) fn warnings(&self) -> &[String] {
        &self.warnings
    }

    /// The name of what it speaks.
    pub(super) fn dialect(&self) -> String {
        dialect::greeting(self.dialect).line(self.dialect).to_string()
    }

    /// Whether an answer of the engine includes the removals that a move earns.
    pub(super) fn plays_whole_turns(&self) -> bool {
        self.dialect == Dialect::Gbgp
    }

    /// The next line, none when it is late.
    fn line_by(&self, deadline: Instant) -> Result<Option<String>, Fault> {
        match self.process.next_line(deadline) {
            Ok(line) => Ok(Some(line.text)),
            Err(NoLine::Late) => Ok(None),
            Err(NoLine::Closed) => Err(self.crash()),
        }
    }

    fn send(&self, command: &Command) {
        self.process.send(&command.line(self.dialect).to_string());
    }

    fn set_option(&self, name: &str, value: String) {
        self.send(&Command::SetOption { name: name.to_owned(), value: Some(value) });
    }

    /// Has the engine forget earlier games and waits until it is ready.
    pub(super) fn new_game(&mut self, seed: u64) -> Result<(), Fault> {
        self.send(&Command::NewGame);
        if self.has_seed {
            self.set_option(SEED, u32::try_from(seed >> 32).unwrap_or_default().to_string());
        }
        self.process.skip_lines();
        self.send(&Command::IsReady);
        let deadline = Instant::now() + READINESS;
        while let Some(line) = self.line_by(deadline)? {
            if line == READY {
                return Ok(());
            }
        }
        Err(self.fault(FaultKind::Hang, format!("expected {READY} before the game")))
    }

    /// The command that tells the engine of a game.
    ///
    /// # Errors
    ///
    /// What is wrong when its dialect has no words for the game.
    pub(super) fn position(&self, game: &Told<'_>) -> Result<Command, String> {
        dialect::position(self.dialect, game)
    }

    /// Asks for a move, which has to be there when the time that is `allowed` is over, if it ever is.
    pub(super) fn answer(
        &mut self,
        position: &Command,
        go: Go,
        allowed: Option<Duration>,
    ) -> Result<Answer, Fault> {
        self.process.skip_lines();
        self.send(position);
        let start = Instant::now();
        self.send(&Command::Go(go));
        let deadline = start + allowed.unwrap_or_default() + self.patience;
        let (word, time) = self.wait_for_best_move(start, deadline)?;
        let moves = self.read_answer(&word)?;
        match allowed {
            Some(allowed) if time > allowed => {
                let (time, allowed) = (time.as_millis(), allowed.as_millis());
                let message =
                    format!("expected an answer after {allowed} ms, found it after {time} ms");
                Err(self.fault(FaultKind::TimeLoss, message))
            }
            _ => Ok(Answer { moves, time }),
        }
    }

    /// The word after `bestmove` and how long it took.
    fn wait_for_best_move(
        &self,
        start: Instant,
        deadline: Instant,
    ) -> Result<(String, Duration), Fault> {
        let mut nonsense = None;
        loop {
            match self.process.next_line(deadline) {
                Ok(line) => {
                    if let Some(word) = best_move(&line.text) {
                        return Ok((
                            word.to_owned(),
                            line.arrived.saturating_duration_since(start),
                        ));
                    }
                    if !line.text.is_empty() && !line.text.starts_with("info") {
                        nonsense.get_or_insert(line.text);
                    }
                }
                Err(NoLine::Closed) => return Err(self.crash()),
                Err(NoLine::Late) => {
                    return Err(match nonsense {
                        Some(text) => self.garbage(&text),
                        None => self.fault(FaultKind::Hang, "expected bestmove after go"),
                    });
                }
            }
        }
    }

    fn read_answer(&self, word: &str) -> Result<Vec<Move>, Fault> {
        match word {
            "" => Err(self.garbage(word)),
            "none" | "draw" => {
                Err(self.illegal(format!("expected a move, as the game goes on, found '{word}'")))
            }
            _ => dialect::read_answer(self.dialect, word).map_err(|_| self.garbage(word)),
        }
    }

    /// A fault of the engine with what it said last.
    pub(super) fn fault(&self, kind: FaultKind, message: impl Into<String>) -> Fault {
        Fault { kind, message: message.into(), last_lines: self.process.last_lines() }
    }

    /// A move that cannot be played.
    pub(super) fn illegal(&self, message: String) -> Fault {
        self.fault(FaultKind::IllegalMove, message)
    }

    fn garbage(&self, found: &str) -> Fault {
        self.fault(FaultKind::Garbage, format!("expected bestmove MOVE, found '{}'", quote(found)))
    }

    fn crash(&self) -> Fault {
        let message = match self.process.end_of_crash() {
            Some(status) => format!("ended by itself ({status})"),
            None => "closed its output".to_owned(),
        };
        self.fault(FaultKind::Crash, message)
    }
}
