//! An engine at the table: how it is greeted, told of a game and asked for moves.

use std::time::{Duration, Instant};

use super::dialect::{self, Told, best_move};
use super::fault::{Fault, FaultKind};
use super::process::{EngineProcess, NoLine, Processes};
use super::spec::EngineSpec;
use crate::position::Move;
use crate::protocol::{Command, Dialect, Go};
use crate::quote::quote;
use crate::rules::RuleSet;

/// How long an engine that is asked in one dialect may be silent before it is asked in another.
const DETECTION: Duration = Duration::from_secs(3);
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
    margin: Duration,
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
        let process = EngineProcess::start(spec, processes).map_err(|error| Fault {
            kind: FaultKind::Crash,
            message: format!("expected a program that starts: {}: {error}", spec.command[0]),
            last_lines: Vec::new(),
        })?;
        let mut player = Self {
            process,
            dialect: spec.dialect.unwrap_or(Dialect::Uci),
            id: spec.name.clone(),
            has_seed: false,
            margin: spec.margin,
            patience,
        };
        let known = player.greet(spec)?;
        let rules = dialect::rule_options(player.dialect, rules, &known);
        let rules = rules.map_err(|message| player.fault(FaultKind::Garbage, message))?;
        for (name, value) in rules.into_iter().chain(spec.options.iter().cloned()) {
            player.set_option(&name, value);
        }
        let is_seeded = spec.options.iter().any(|(name, _)| name.eq_ignore_ascii_case(SEED));
        player.has_seed = !is_seeded && known.iter().any(|name| name == SEED);
        Ok(player)
    }

    /// What the engine calls itself.
    pub(super) fn id(&self) -> &str {
        &self.id
    }

    /// Whether an answer of the engine includes the removals that a move earns.
    pub(super) fn plays_whole_turns(&self) -> bool {
        self.dialect == Dialect::Gbgp
    }

    /// Finds out what the engine speaks, if that is not known, and which options it has.
    fn greet(&mut self, spec: &EngineSpec) -> Result<Vec<String>, Fault> {
        let mut known = Vec::new();
        let patience = if spec.dialect.is_some() { self.patience } else { DETECTION };
        match self.introduce(&mut known, Instant::now() + patience) {
            Ok(true) => Ok(known),
            Ok(false) | Err(NoLine::Late) if spec.dialect.is_none() => {
                self.dialect = Dialect::Gbgp;
                match self.introduce(&mut known, Instant::now() + self.patience) {
                    Ok(true) => Ok(known),
                    answer => Err(self.no_greeting(answer.err())),
                }
            }
            answer => Err(self.no_greeting(answer.err())),
        }
    }

    /// Whether the engine knows the word that begins the conversation; one that does not says only
    /// that it is ready.
    fn introduce(&mut self, known: &mut Vec<String>, deadline: Instant) -> Result<bool, NoLine> {
        let end = self.end_of_greeting();
        self.send(&dialect::greeting(self.dialect));
        self.send(&Command::IsReady);
        let mut is_understood = false;
        loop {
            let line = self.process.next_line(deadline)?.text;
            if let Some(id) = line.strip_prefix("id name ") {
                id.clone_into(&mut self.id);
            } else if let Some(option) = line.strip_prefix("option name ") {
                let name = option.split_once(" type ").map_or(option, |(name, _)| name);
                known.push(name.to_owned());
            }
            match line.as_str() {
                "readyok" => return Ok(is_understood),
                line => is_understood |= line == end,
            }
        }
    }

    fn no_greeting(&self, error: Option<NoLine>) -> Fault {
        match error {
            Some(NoLine::Closed) => self.crash(),
            _ => {
                let expected = format!("expected {} and readyok", self.end_of_greeting());
                self.fault(FaultKind::Hang, expected)
            }
        }
    }

    /// The word that ends the answer to the greeting.
    fn end_of_greeting(&self) -> String {
        format!("{}ok", dialect::greeting(self.dialect).line(self.dialect))
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
        let deadline = Instant::now() + self.patience;
        loop {
            match self.process.next_line(deadline) {
                Ok(line) if line.text == "readyok" => return Ok(()),
                Ok(_) => {}
                Err(NoLine::Closed) => return Err(self.crash()),
                Err(NoLine::Late) => {
                    return Err(self.fault(FaultKind::Hang, "expected readyok after isready"));
                }
            }
        }
    }

    /// Asks for a move, which has to be there after `limit` if that is given.
    pub(super) fn answer(
        &mut self,
        game: &Told<'_>,
        go: Go,
        limit: Option<Duration>,
    ) -> Result<Answer, Fault> {
        let position = dialect::position(self.dialect, game);
        let position = position.map_err(|message| self.fault(FaultKind::Garbage, message))?;
        self.process.skip_lines();
        self.send(&position);
        let start = Instant::now();
        self.send(&Command::Go(go));
        let allowed = limit.map(|limit| limit + self.margin);
        let deadline = start + allowed.unwrap_or_default() + self.patience;
        let (word, time) = self.wait_for_best_move(start, deadline)?;
        let moves = self.read_answer(&word)?;
        match allowed {
            Some(allowed) if time > allowed => {
                let (time, limit) = (time.as_millis(), limit.unwrap_or_default().as_millis());
                let message = format!("answered after {time} ms and had {limit} ms");
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
        let status = self.process.end_of_crash();
        self.fault(FaultKind::Crash, format!("ended by itself ({status})"))
    }
}
