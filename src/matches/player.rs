//! A player: a running engine that plays moves in response to commands in either dialect.

use std::sync::mpsc::RecvTimeoutError;
use std::time::{Duration, Instant};

use super::process::{EngineProcess, Line};
use super::{EngineConfig, EngineError, EngineErrorKind, Processes};
use crate::position::Turn;
use crate::protocol::{
    Command, Dialect, Go, OptionSpec, Options, SHUFFLE_SEED, TWELVE_MENS_MORRIS, VARIANT,
};
use crate::quote::quote;
use crate::rules::{Preset, RuleSet};

/// How long to wait for a reply to a greeting in the UCI dialect before trying GBGP.
const DETECTION: Duration = Duration::from_secs(3);
/// The maximum number of lines that an engine may send before it is ready.
const MAX_LINES: usize = 10_000;

/// A running engine whose options are set.
#[derive(Debug)]
pub(super) struct Player {
    process: EngineProcess,
    pub(super) dialect: Dialect,
    /// The name that the engine reports.
    pub(super) id: String,
    takes_seeds: bool,
    /// The number of answers to `isready` that are still due.
    pending: u32,
    /// Problems with the engine's options.
    pub(super) warnings: Vec<String>,
    patience: Duration,
}

impl Player {
    /// Starts an engine and sets its options. Collects warnings about missing options and reported errors.
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
            pending: 0,
            warnings: Vec::new(),
            patience,
        };
        let known = player.greet(config)?;
        let rules = rule_options(player.dialect, rules, &known).map_err(EngineError::unable)?;
        for (name, value) in rules.into_iter().chain(config.options.iter().cloned()) {
            player.set_option(&name, &value);
        }
        let is_missing = |name| !known.iter().any(|known| known.eq_ignore_ascii_case(name));
        let missing = config.options.iter().map(|(name, _)| name).filter(|name| is_missing(name));
        player.warnings.extend(missing.map(|name| format!("it has no option '{}'", quote(name))));
        let lines = player.wait_until_ready("after the options")?;
        let errors = lines.iter().filter_map(|line| line.strip_prefix("info string error"));
        let errors = errors.map(|error| quote(error.trim_start_matches([':', ' '])));
        player.warnings.extend(errors.take(config.options.len() + 1));
        let is_seeded =
            config.options.iter().any(|(name, _)| name.eq_ignore_ascii_case(SHUFFLE_SEED));
        player.takes_seeds = !is_seeded && known.iter().any(|name| name == SHUFFLE_SEED);
        Ok(player)
    }

    /// Detects the dialect of the engine, unless it is configured. Returns the names of the engine's options.
    ///
    /// If the engine understands the greetings of both dialects, the last one counts.
    fn greet(&mut self, config: &EngineConfig) -> Result<Vec<String>, EngineError> {
        let dialects = match config.dialect {
            Some(dialect) => &[(dialect, self.patience)][..],
            None => &[(Dialect::Uci, self.patience.min(DETECTION)), (Dialect::Gbgp, self.patience)],
        };
        let mut lines = Vec::new();
        for &(dialect, patience) in dialects {
            self.dialect = dialect;
            self.send(dialect.greeting());
            let is_ready = self.get_ready(&mut lines, patience)?;
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

    /// Waits until the engine is ready. Returns the lines sent until then.
    fn wait_until_ready(&mut self, when: &str) -> Result<Vec<String>, EngineError> {
        let mut lines = Vec::new();
        if self.get_ready(&mut lines, self.patience)? {
            return Ok(lines);
        }
        Err(self.error(EngineErrorKind::Hang, format!("no {} {when}", self.ready_word())))
    }

    /// Sends `isready`, and reads lines until the engine has answered each one. Returns whether it did in time.
    fn get_ready(&mut self, lines: &mut Vec<String>, limit: Duration) -> Result<bool, EngineError> {
        self.send(Command::IsReady);
        self.pending += 1;
        let deadline = Instant::now() + limit;
        while self.pending > 0 {
            let Some((text, _)) = self.line_by(deadline)? else { return Ok(false) };
            if text == self.ready_word() {
                self.pending -= 1;
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
                let ended = |status| format!("ended by itself ({status})");
                let message = self.process.end_of_crash().map(ended);
                let message = message.unwrap_or_else(|| "closed its output".to_owned());
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

    /// Asks for a move. Returns the reply and the time that it took.
    ///
    /// * `allowed`: the time within which the reply must arrive, if there is a limit.
    pub(super) fn go(
        &mut self,
        position: &str,
        go: &Go,
        allowed: Option<Duration>,
    ) -> Result<(Turn, Duration), EngineError> {
        self.process.skip_lines();
        self.process.send(position);
        let start = Instant::now();
        self.process.send(&Command::Go.line(self.dialect, go));
        let deadline = start + allowed.unwrap_or_default() + self.patience;
        let (word, arrived) = self.wait_for_best_move(deadline)?;
        let time = arrived.saturating_duration_since(start);
        if ["none", "draw"].contains(&&*word) {
            let message = format!("'{word}' is not a move, and the game is not over");
            return Err(self.error(EngineErrorKind::IllegalMove, message));
        }
        let turn = self.dialect.read_turn(&word).map_err(|_| self.garbage(&word))?;
        if let Some(allowed) = allowed.filter(|&allowed| time > allowed) {
            let (time, allowed) = (time.as_millis(), allowed.as_millis());
            let message = format!("moved after {time} ms, with {allowed} ms left");
            return Err(self.error(EngineErrorKind::TimeLoss, message));
        }
        Ok((turn, time))
    }

    /// The word after `bestmove` and its time of arrival.
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

    /// An error of the engine, with its last lines.
    pub(super) fn error(&self, kind: EngineErrorKind, message: impl Into<String>) -> EngineError {
        EngineError { kind, message: message.into(), last_lines: self.process.last_lines() }
    }

    fn garbage(&self, found: &str) -> EngineError {
        let message = format!("expected bestmove MOVE, found '{}'", quote(found));
        self.error(EngineErrorKind::Garbage, message)
    }
}

/// Names and values of options.
type Settings = Vec<(String, String)>;

/// The options that set the rules of an engine.
///
/// * `known`: the names of the options that the engine has.
///
/// # Errors
///
/// If the dialect cannot express the rules.
fn rule_options(dialect: Dialect, rules: &RuleSet, known: &[String]) -> Result<Settings, String> {
    let has = |option: &str| known.iter().any(|name| name == option);
    if dialect == Dialect::Gbgp {
        let is_twelve = rules.canonical() == RuleSet::TWELVE_MENS_MORRIS.canonical();
        let option = Some(TWELVE_MENS_MORRIS.to_owned()).filter(|option| has(option));
        if !(rules.is_standard() || is_twelve && option.is_some()) {
            return Err(format!("cannot play {} in GBGP", rules.name()));
        }
        return Ok(option.map(|option| (option, is_twelve.to_string())).into_iter().collect());
    }
    if let Some(preset) = Preset::of(rules).filter(|_| has(VARIANT)) {
        return Ok(vec![(VARIANT.to_owned(), preset.name.to_owned())]);
    }
    // Every engine plays Nine Men's Morris by default.
    let usual = Options::default();
    let wanted = Options { rules: *rules, ..usual.clone() };
    let single = OptionSpec::of(Dialect::Uci).filter(|spec| spec.name != VARIANT);
    let changed = single.filter(|spec| spec.value(&usual) != spec.value(&wanted));
    Ok(changed.map(|spec| (spec.name.to_owned(), spec.value(&wanted))).collect())
}

/// The word after `bestmove` in a result line of any style.
pub(super) fn best_move(dialect: Dialect, line: &str) -> Option<&str> {
    let best_move = Command::Go.reply(dialect);
    let words: Vec<&str> = line.split_whitespace().collect();
    let is_result = ["info", best_move].contains(words.first()?);
    let is_result = is_result && !words.starts_with(&["info", "string"]);
    let at = words.iter().position(|word| *word == best_move).filter(|_| is_result)?;
    Some(words.get(at + 1).copied().unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::History;
    use crate::protocol::position_line;

    const NINE: RuleSet = RuleSet::NINE_MENS_MORRIS;

    #[test]
    fn moves_are_found_in_each_form_of_the_result_line() {
        for (line, mv) in [
            ("bestmove d6", Some("d6")),
            ("bestmove d6-f6xa1 ponder none", Some("d6-f6xa1")),
            ("info depth 3 score cp 5 nodes 40 bestmove xb4", Some("xb4")),
            ("info score -5 bestmove draw", Some("draw")),
            ("info score 0 aimovetype perfect bestmove d6-d5", Some("d6-d5")),
            ("bestmove", Some("")),
            ("info string bestmove d6", None),
            ("IDS: Algorithm bestMove = d5", None),
            ("", None),
        ] {
            for dialect in Dialect::ALL {
                assert_eq!(best_move(dialect, line), mv, "{line}");
            }
        }
    }

    #[test]
    fn only_one_dialect_has_whole_turns() {
        assert_eq!(Dialect::Gbgp.read_turn("d6-f6xa1").unwrap().moves().len(), 2);
        assert!(Dialect::Uci.read_turn("d6-f6xa1").is_err());
        assert_eq!(Dialect::Uci.read_turn("xa1").unwrap().moves().len(), 1);
    }

    fn gbgp_line(start: Option<&str>, moves: &[&str]) -> Result<String, String> {
        let moves = moves.iter().map(|mv| mv.parse().unwrap());
        position_line(Dialect::Gbgp, &History::replay(start, &NINE, moves).unwrap())
    }

    #[test]
    fn gbgp_positions_have_points_and_a_number() {
        assert_eq!(gbgp_line(None, &[]).unwrap(), "position startpos");
        for (text, position) in [
            ("********/O*******/******** b p p 1 8 0 9 0 0 0 0 0 0 0 0 1", "b:wd6:b:1"),
            ("********/O*@*****/******** w p p 1 8 1 8 0 0 0 0 0 0 0 0 2", "w:wd6:bf4:2"),
            (
                "@**O****/*O**@***/O***@*@O w m s 4 0 4 0 0 0 0 0 0 0 0 0 10",
                "w:we3,f6,d7,a7:bd5,d2,d1,a4:10",
            ),
        ] {
            assert_eq!(gbgp_line(Some(text), &[]).unwrap(), format!("position pos {position}"));
        }
        let owed = "********/********/OO**@@*O w p r 3 6 2 7 1 0 0 0 0 0 0 0 3";
        assert!(gbgp_line(Some(owed), &[]).unwrap_err().contains("GBGP"));
    }

    #[test]
    fn gbgp_moves_are_whole_turns() {
        let text = gbgp_line(None, &["d6", "a1", "d5", "a4", "d7", "xa1", "a7"]).unwrap();
        assert_eq!(text, "position startpos moves d6 a1 d5 a4 d7xa1 a7");
    }

    #[test]
    fn gbgp_has_two_games() {
        let twelve = RuleSet::TWELVE_MENS_MORRIS;
        let known = ["TwelveMensMorris".to_owned()];
        assert_eq!(rule_options(Dialect::Gbgp, &NINE, &known).unwrap()[0].1, "false");
        assert_eq!(rule_options(Dialect::Gbgp, &twelve, &known).unwrap()[0].1, "true");
        assert!(rule_options(Dialect::Gbgp, &NINE, &[]).unwrap().is_empty());
        assert!(rule_options(Dialect::Gbgp, &twelve, &[]).is_err());
        assert!(
            rule_options(Dialect::Gbgp, &Preset::named("lasker").unwrap().rules, &known).is_err()
        );
    }

    #[test]
    fn uci_rules_are_set_by_name_or_one_by_one() {
        let lasker = Preset::named("lasker").unwrap().rules;
        let named = [("Variant".to_owned(), "Lasker Morris".to_owned())];
        assert_eq!(
            rule_options(Dialect::Uci, &lasker, &["Hash".into(), "Variant".into()]).unwrap(),
            named
        );
        let single = [("PiecesCount", "10"), ("MayMoveInPlacingPhase", "true")];
        let single = single.map(|(name, value)| (name.to_owned(), value.to_owned()));
        assert_eq!(rule_options(Dialect::Uci, &lasker, &[]).unwrap(), single);
        assert!(rule_options(Dialect::Uci, &NINE, &[]).unwrap().is_empty());
    }
}
