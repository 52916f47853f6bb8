//! A session: what each command does.

use std::fmt::Display;
use std::io::BufRead;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::{mem, thread};

use super::arguments::{SEARCH_MOVES, seed};
use super::learning::Learning;
use super::options::parse_number;
use super::position::{legal_moves, set_up};
use super::task::{Search, Task};
use super::{Command, Dialect, Effect, Error, GbgpPosition, Go, Options, Output, next_line, reply};
use crate::clusters::SizeError;
use crate::game::Game;
use crate::position::MoveLine;
use crate::rules::RuleSet;
use crate::search::{Engine, MAX_DEPTH, Settings};
use crate::system::locks::lock;
use crate::tablebase::{EngineTablebase, Solvable, Sources, Tablebase};
use crate::{bench, perft};

/// A session with a front end.
pub(super) struct Session {
    output: Output,
    dialect: Dialect,
    options: Options,
    engine: Arc<Mutex<Engine>>,
    game: Game,
    /// Whether the last `position` was rejected.
    is_refused: bool,
    tablebase: EngineTablebase,
    learning: Learning,
    task: Option<Task>,
    searches: u64,
}

impl Session {
    /// A session at the start position, with all other options at their defaults.
    ///
    /// # Errors
    ///
    /// If the transposition table cannot be allocated.
    pub(super) fn new(output: Output, rules: RuleSet, dialect: Dialect) -> Result<Self, SizeError> {
        let options = Options { rules, ..Options::default() };
        Ok(Self {
            learning: Learning::new(output.clone()),
            output,
            dialect,
            engine: Arc::new(Mutex::new(Engine::new(options.hash as usize)?)),
            game: Game::start(options.rules, options.draw_rules),
            options,
            is_refused: false,
            tablebase: EngineTablebase::default(),
            task: None,
            searches: 0,
        })
    }

    /// Serves a stream of lines until `quit` or its end.
    ///
    /// At the end of the stream a search is stopped, while a bench or perft runs to its end.
    pub(super) fn serve(mut self, mut lines: impl BufRead) {
        while let Some((line, read)) = next_line(&mut lines) {
            if self.handle(&line, read) || lock(&self.output.0).failure.is_some() {
                return self.stop();
            }
        }
        if let Some(task) = self.task.take() {
            if task.is_search { task.stop() } else { task.wait() }
        }
    }

    /// Runs the command in a line, or reports its error. Returns whether the session ends.
    ///
    /// A rejected `position` is noted, since the board is then not the one that the user means. A rejected
    /// `go` is answered by `bestmove none`, so that no front end waits forever, unless a running search
    /// will print its own.
    fn handle(&mut self, line: &str, read: Result<(), Error>) -> bool {
        lock(&self.output.0).log(">>", line);
        if read.is_ok() {
            log::debug!("command: {line}");
            if line.is_empty() {
                return false;
            }
        }
        let command = Command::read(line, self.dialect);
        let run =
            |()| command.clone().and_then(|(command, arguments)| self.run(command, arguments));
        let error = match read.and_then(run) {
            Ok(is_end) => return is_end,
            Err(error) => error,
        };
        self.output.error(&error);
        let is_answering = |task: &Task| task.is_search && !task.has_replied();
        match command {
            Ok((Command::Position, _)) => self.is_refused = true,
            Ok((Command::Go, _)) if !self.task.as_ref().is_some_and(is_answering) => {
                self.output.line(format_args!("{} none", Command::Go.reply(self.dialect)));
            }
            _ => {}
        }
        false
    }

    /// Stops a running task, which prints its result.
    fn stop(&mut self) {
        if let Some(task) = self.task.take() {
            task.stop();
        }
    }

    /// Runs a command. Returns whether the session ends.
    fn run(&mut self, command: Command, arguments: &str) -> Result<bool, Error> {
        let (dialect, output) = (self.dialect, &self.output);
        let word = command.reply(dialect);
        let answer = |text: &dyn Display| output.line(format_args!("{word} {text}"));
        match command {
            Command::Uci => self.speak(Dialect::Uci)?,
            Command::Gbgp => self.speak(Dialect::Gbgp)?,
            Command::IsReady => self.get_ready(),
            Command::NewGame => self.start_new_game()?,
            Command::SetOption => self.set_option(arguments)?,
            Command::Position => self.set_position(arguments)?,
            Command::Go => self.go(Go::parse(arguments, dialect)?)?,
            Command::Stop => self.stop(),
            Command::PonderHit => self.task.iter_mut().for_each(Task::ponder_hit),
            Command::Debug if !["on", "off"].contains(&arguments) => {
                return Err(Error::argument(command.word(dialect), "on or off", arguments));
            }
            Command::Quit | Command::Debug => {}
            Command::Board => output.line(&self.game),
            Command::Fen => match dialect {
                Dialect::Uci => answer(&self.game.text()),
                Dialect::Gbgp => answer(&GbgpPosition::of(&self.game)),
            },
            Command::Eval => output.line(reply::eval(&self.game)),
            Command::Moves => {
                output.line(format_args!("{word}{}", MoveLine(&legal_moves(dialect, &self.game))));
            }
            Command::Key => answer(&self.game.position().key()),
            Command::Bench | Command::Perft => self.count(command, arguments)?,
            Command::Compiler => output.line(reply::compiler()),
            Command::Help => output.line(reply::help(dialect)),
        }
        Ok(command == Command::Quit)
    }

    /// Switches to a dialect.
    fn speak(&mut self, dialect: Dialect) -> Result<(), Error> {
        if dialect != self.dialect {
            self.expect_idle(dialect.greeting())?;
        }
        self.dialect = dialect;
        self.output.line(reply::identity(dialect));
        Ok(())
    }

    fn get_ready(&mut self) {
        let _ = self.open_tablebase();
        self.learning.shared.finish_saving();
        if !self.is_busy() {
            let engine = &mut lock(&self.engine);
            self.learning.load(&self.options, engine);
            engine.get_ready();
        }
        self.output.line(Command::IsReady.reply(self.dialect));
    }

    /// The tablebase that the options ask for, opened if necessary.
    fn open_tablebase(&mut self) -> Option<Arc<Tablebase>> {
        let options = &self.options;
        let game = Solvable::of(&options.rules).ok()?;
        let (has_book, has_files) = (options.own_book, options.use_tablebase);
        if !has_book && !has_files {
            return None;
        }
        let path = &options.tablebase_path;
        let folder = (!path.is_empty()).then(|| Path::new(path));
        let is_new = !self.tablebase.is_open(&game);
        let report = &mut |error: &dyn std::error::Error| self.output.error(&Error::refused(error));
        let tablebase = self.tablebase.open(Sources { game, folder, has_book, has_files }, report);
        if is_new && has_files {
            warm(Arc::clone(&tablebase), options.tablebase_cache as usize);
        }
        let is_any = has_files || tablebase.files().next().is_some();
        is_any.then_some(tablebase)
    }

    fn is_busy(&self) -> bool {
        self.task.as_ref().is_some_and(|task| !task.has_replied())
    }

    fn expect_idle(&self, command: Command) -> Result<(), Error> {
        let reason = "a search, bench or perft is running; stop it first";
        if self.is_busy() { Err(command.refused(self.dialect, reason)) } else { Ok(()) }
    }

    fn start_new_game(&mut self) -> Result<(), Error> {
        self.expect_idle(Command::NewGame)?;
        self.learning.start_new_game();
        lock(&self.engine).clear();
        self.game = Game::start(self.options.rules, self.options.draw_rules);
        self.is_refused = false;
        Ok(())
    }

    fn set_option(&mut self, arguments: &str) -> Result<(), Error> {
        let mut options = self.options.clone();
        let effect = options.assign(arguments)?;
        if !matches!(effect, Effect::None | Effect::RestartShuffle | Effect::OpenLog) {
            self.expect_idle(Command::SetOption)?;
        }
        let acts_again =
            matches!(effect, Effect::RestartShuffle | Effect::ClearTable | Effect::OpenLog);
        let lifts_refusal = matches!(effect, Effect::NewRules) && self.is_refused;
        if options == self.options && !acts_again && !lifts_refusal {
            return Ok(());
        }
        let old = mem::replace(&mut self.options, options);
        self.take_effect(effect, &old).inspect_err(|_| self.options = old)
    }

    /// Carries out the effect of a changed option, or changes nothing if that fails.
    fn take_effect(&mut self, effect: Effect, old: &Options) -> Result<(), Error> {
        let options = &self.options;
        let refused = |reason: &dyn Display| Command::SetOption.refused(self.dialect, reason);
        match effect {
            Effect::None => {}
            Effect::RestartShuffle => self.searches = 0,
            Effect::ResizeTable => {
                let resized = lock(&self.engine).resize(options.hash as usize);
                resized.map_err(|error| refused(&error))?;
            }
            Effect::NewSkill if options.skill() == old.skill() => {}
            Effect::NewSkill => self.learning.unload(&mut lock(&self.engine)),
            Effect::ClearTable => lock(&self.engine).clear(),
            Effect::OpenTablebase => {
                self.tablebase.close();
                lock(&self.engine).clear();
            }
            Effect::OpenLearningFile => self.learning.close(&mut lock(&self.engine)),
            Effect::OpenLog => {
                let path = &options.debug_log_file;
                let opened = self.output.log_to(path);
                opened.map_err(|error| refused(&format_args!("{path}: {error}")))?;
            }
            Effect::NewRules => {
                options.rules.check().map_err(|error| refused(&error))?;
                self.learning.change_rules(&mut lock(&self.engine));
                self.game = Game::start(options.rules, options.draw_rules);
                self.is_refused = false;
            }
        }
        Ok(())
    }

    /// Sets the position, or changes nothing if there is an error.
    fn set_position(&mut self, arguments: &str) -> Result<(), Error> {
        let history = set_up(arguments, self.dialect, &self.options)?;
        self.game = history.game().clone();
        self.learning.follow(&history);
        // Done here so that no search waits for the file.
        if !self.is_busy() {
            self.learning.load(&self.options, &mut lock(&self.engine));
        }
        self.is_refused = false;
        Ok(())
    }

    fn go(&mut self, go: Go) -> Result<(), Error> {
        self.expect_idle(Command::Go)?;
        if self.is_refused {
            let reason = "there is no position, as the last one was rejected";
            return Err(Command::Go.refused(self.dialect, reason));
        }
        let legal = legal_moves(self.dialect, &self.game);
        if let Some(mv) = go.search_moves.iter().find(|mv| !legal.contains(mv))
            && self.game.outcome().is_none()
        {
            let (word, legal) = (Command::Go.word(self.dialect), MoveLine(&legal));
            let reason = format_args!("{mv} is not a legal move; legal moves:{legal}");
            return Err(Error::refused(format_args!("{word} {SEARCH_MOVES}: {reason}")));
        }
        let limits = go.limits(&self.options, self.dialect, self.game.to_move());
        let tablebase = if self.options.skill().is_full() { self.open_tablebase() } else { None };
        let Options { algorithm, shuffling, threads, use_tablebase, .. } = self.options;
        if tablebase.is_some() && use_tablebase {
            // Searches do not wait for small sectors that are missing.
            self.tablebase.solve_small_in_background();
        }
        let seed = seed(&self.options, self.searches);
        let mut engine = lock(&self.engine);
        let (shuffle, threads) = (shuffling.then_some(seed), threads as usize);
        engine.settings = Settings { algorithm, shuffle, threads };
        engine.tablebase = tablebase;
        self.learning.load(&self.options, &mut engine);
        drop(engine);
        self.searches += 1;
        let search = Search {
            engine: Arc::clone(&self.engine),
            game: self.game.clone(),
            options: self.options.clone(),
            learner: self.learning.search_learner(&self.options, &go),
            go,
            limits,
            seed,
            dialect: self.dialect,
            output: self.output.clone(),
        };
        self.stop();
        self.task = Some(Task::search(search));
        Ok(())
    }

    /// Starts a bench or a perft.
    fn count(&mut self, command: Command, arguments: &str) -> Result<(), Error> {
        let is_bench = command == Command::Bench;
        let most = if is_bench { MAX_DEPTH } else { perft::MAX_DEPTH };
        let usual = (is_bench && arguments.is_empty()).then_some(bench::DEPTH);
        let expected = format!("a depth from 1 to {most}");
        let wrong = || Error::argument(command.word(self.dialect), expected, arguments);
        let depth = usual.or_else(|| parse_number(arguments, [1, most])).ok_or_else(wrong)?;
        self.expect_idle(command)?;
        self.stop();
        self.task = Some(if is_bench {
            Task::bench(self.output.clone(), self.options.rules, depth)
        } else {
            Task::perft(&self.output, self.game.clone(), depth)
        });
        Ok(())
    }
}

/// Preloads values on another thread.
fn warm(tablebase: Arc<Tablebase>, mebibytes: usize) {
    if mebibytes > 0 {
        let warm = move || tablebase.warm(mebibytes << 20).unwrap_or_else(warn_not_preloaded);
        thread::Builder::new().spawn(warm).map_or_else(warn_not_preloaded, drop);
    }
}

fn warn_not_preloaded(error: impl Display) {
    log::warn!("the tablebase is not preloaded: {error}");
}
