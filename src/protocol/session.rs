//! The conversation: what each command does.

use std::ops::ControlFlow;
use std::sync::{Arc, Mutex, MutexGuard};

use super::command::{Command, Start};
use super::databases::Databases;
use super::dialect::Dialect;
use super::error::Error;
use super::gbgp::TurnLine;
use super::go::Go;
use super::job::{Job, JobKind, Quiet, Signals};
use super::learning::Learning;
use super::options::{Effect, Options};
use super::output::Output;
use super::plan;
use super::reply::{Compiler, Explanation, Help, Identity};
use super::setup::{self, start_game};
use super::thinking::{Thinking, Voice};
use crate::any_game::AnyGame;
use crate::bench;
use crate::clusters::SizeError;
use crate::perft::Count;
use crate::position::Turn;
use crate::rules::RuleSet;
use crate::search::{Budget, Clock, Engine, Limits, Skill};
use crate::tablebase::Tablebase;

/// A conversation with one front end.
pub struct Session {
    output: Output,
    dialect: Dialect,
    options: Options,
    engine: Arc<Mutex<Engine>>,
    game: Box<dyn AnyGame>,
    /// Whether the last `position` was refused.
    is_refused: bool,
    databases: Databases,
    learning: Learning,
    job: Option<Job>,
    /// The clock of the last search, which waits while the engine ponders.
    clock: Arc<Clock>,
    searches: u64,
}

impl Session {
    /// A session at the start position of a game, with all other options at their defaults.
    ///
    /// # Errors
    ///
    /// When the memory for the table cannot be had.
    pub(super) fn new(
        output: Output,
        rules: &RuleSet,
        dialect: Dialect,
    ) -> Result<Self, SizeError> {
        let options = Options { rules: *rules, ..Options::default() };
        Ok(Self {
            learning: Learning::new(output.clone()),
            output,
            dialect,
            engine: Arc::new(Mutex::new(Engine::new(options.hash)?)),
            game: start_game(&options),
            options,
            is_refused: false,
            databases: Databases::default(),
            job: None,
            clock: Arc::new(Clock::started(Budget::UNLIMITED)),
            searches: 0,
        })
    }

    /// Does what a line asks for; breaks when the session is to end.
    pub(super) fn handle(&mut self, line: &str) -> ControlFlow<()> {
        self.output.log_input(line);
        log::debug!("command: {line}");
        if line.is_empty() {
            return ControlFlow::Continue(());
        }
        match Command::parse(line, self.dialect) {
            Ok(Command::Quit) => ControlFlow::Break(()),
            Ok(command) => match self.execute(command) {
                Ok(()) => ControlFlow::Continue(()),
                Err(error) => self.answer_refusal(line, &error),
            },
            Err(error) => self.answer_refusal(line, &error),
        }
    }

    /// Tells what is wrong with a line that could not be read whole.
    pub(super) fn refuse(&mut self, line: &str, error: &Error) -> ControlFlow<()> {
        self.output.log_input(line);
        self.answer_refusal(line, error)
    }

    /// Tells what is wrong with a command.
    ///
    /// After a refused `position` the board is not the one that the user means. A `go` that is
    /// refused gets an answer, so that no front end waits for ever, unless the answer of the
    /// search that runs is still to come.
    fn answer_refusal(&mut self, line: &str, error: &Error) -> ControlFlow<()> {
        self.output.error(error);
        match line.split_whitespace().next() {
            Some("position") => self.is_refused = true,
            Some("go") if !self.is_searching() => {
                self.output.line(format_args!("bestmove none"));
            }
            _ => {}
        }
        ControlFlow::Continue(())
    }

    /// Whether nobody reads the replies any more.
    pub(super) fn is_output_closed(&self) -> bool {
        self.output.is_closed()
    }

    /// Breaks off what still runs; its result is printed.
    pub(super) fn stop(&mut self) {
        if let Some(job) = self.job.take() {
            job.stop();
        }
    }

    /// Breaks off a search, whose result is printed, and waits for a bench or perft.
    pub(super) fn end_of_input(&mut self) {
        match self.job.take() {
            Some(job) if job.is_search() => job.stop(),
            Some(job) => job.wait(),
            None => {}
        }
    }

    fn execute(&mut self, command: Command) -> Result<(), Error> {
        match command {
            Command::Uci => return self.speak(Dialect::Uci),
            Command::Gbgp => return self.speak(Dialect::Gbgp),
            Command::IsReady => {
                let _ = self.databases.open(&self.options, &self.output);
                self.learning.wait_until_saved();
                self.load_learned();
                self.output.line(format_args!("readyok"));
            }
            Command::NewGame => return self.start_new_game(),
            Command::SetOption { name, value } => return self.set_option(&name, value.as_deref()),
            Command::Position { start, moves } => return self.set_position(&start, &moves),
            Command::Go(go) => return self.go(&go),
            Command::Stop => self.stop(),
            Command::PonderHit => self.ponder_hit(),
            Command::Quit | Command::Debug(_) => {}
            Command::Draw => self.output.line(format_args!("{}", self.game.description())),
            Command::Fen => {
                let (word, text) = (self.dialect.text_word(), self.dialect.text(&*self.game));
                self.output.line(format_args!("{word} {text}"));
            }
            Command::Eval => {
                let (terms, to_move) = (self.game.terms(), self.game.to_move());
                let score = self.game.estimate();
                self.output.line(format_args!("{}", Explanation { terms, to_move, score }));
            }
            Command::Moves => {
                let moves = self.dialect.moves(&*self.game);
                self.output.line(format_args!("moves{}", TurnLine(&moves)));
            }
            Command::Key => self.output.line(format_args!("key {}", self.game.key())),
            Command::Bench { depth } => return self.bench(depth.unwrap_or(bench::DEPTH)),
            Command::Perft { depth } => return self.perft(depth),
            Command::Compiler => self.output.line(format_args!("{Compiler}")),
            Command::Help => self.output.line(format_args!("{}", Help(self.dialect))),
        }
        Ok(())
    }

    /// Goes on in a dialect.
    fn speak(&mut self, dialect: Dialect) -> Result<(), Error> {
        if dialect != self.dialect {
            self.expect_idle(dialect.word())?;
        }
        self.dialect = dialect;
        self.output.line(format_args!("{}", Identity(dialect)));
        Ok(())
    }

    fn is_busy(&self) -> bool {
        self.job.as_ref().is_some_and(|job| !job.is_answered())
    }

    fn is_searching(&self) -> bool {
        self.job.as_ref().is_some_and(|job| job.is_search() && !job.is_answered())
    }

    fn expect_idle(&self, command: &'static str) -> Result<(), Error> {
        if self.is_busy() { Err(Error::Busy(command)) } else { Ok(()) }
    }

    fn engine(&self) -> MutexGuard<'_, Engine> {
        self.engine.lock().expect("no thread panics while it holds the lock")
    }

    fn start_new_game(&mut self) -> Result<(), Error> {
        self.expect_idle(self.dialect.new_game_word())?;
        self.learning.start_new_game();
        self.engine().clear();
        self.game = start_game(&self.options);
        self.is_refused = false;
        Ok(())
    }

    fn set_option(&mut self, name: &str, value: Option<&str>) -> Result<(), Error> {
        let mut options = self.options.clone();
        let effect = options.set(name, value)?;
        if !matches!(effect, Effect::None | Effect::RestartShuffle | Effect::OpenLog) {
            self.expect_idle("setoption")?;
        }
        match effect {
            Effect::None => {}
            Effect::RestartShuffle => self.searches = 0,
            Effect::ResizeTable if options.hash == self.options.hash => {}
            Effect::ResizeTable => {
                let resized = self.engine().resize(options.hash);
                resized.map_err(|error| Error::refused(format_args!("setoption Hash: {error}")))?;
            }
            Effect::NewSkill if options.skill() == self.options.skill() => {}
            Effect::NewSkill => self.learning.unload(&mut self.engine()),
            Effect::ClearTable => self.engine().clear(),
            Effect::OpenDatabases if options.has_databases_of(&self.options) => {}
            Effect::OpenDatabases => {
                self.databases.close();
                self.engine().clear();
            }
            Effect::OpenLearningFile if options.has_learning_of(&self.options) => {}
            Effect::OpenLearningFile => self.learning.close(&mut self.engine()),
            Effect::OpenLog => {
                let path = &options.debug_log_file;
                let opened = self.output.log_to(path);
                opened
                    .map_err(|error| Error::refused(format_args!("setoption: {path}: {error}")))?;
            }
            Effect::NewRules => {
                let checked = options.rules.check();
                checked.map_err(|error| Error::refused(format_args!("setoption: {error}")))?;
                self.learning.unload(&mut self.engine());
                self.game = start_game(&options);
                self.is_refused = false;
            }
        }
        self.options = options;
        Ok(())
    }

    /// Sets the position, or leaves everything as it was when anything is wrong.
    fn set_position(&mut self, start: &Start, moves: &[String]) -> Result<(), Error> {
        self.game = setup::read_game(self.dialect, &self.options, start, moves)?;
        self.learning.follow(start, moves, &*self.game);
        // A search does not wait for the file.
        self.load_learned();
        self.is_refused = false;
        Ok(())
    }

    fn load_learned(&self) {
        if !self.is_busy() {
            self.learning.load(&self.options, &mut self.engine());
        }
    }

    fn go(&mut self, go: &Go) -> Result<(), Error> {
        self.expect_idle("go")?;
        if self.is_refused {
            return Err(Error::NoPosition);
        }
        self.check_search_moves(&go.search_moves)?;
        let side = self.game.to_move();
        let voice = Voice::of(self.dialect, &self.options, go);
        let lines = voice.lines();
        let limits = Limits { multi_pv: lines, ..plan::limits(go, &self.options, side) };
        self.clock = Arc::clone(&limits.clock);
        let tablebase = match self.options.skill() {
            Skill::FULL => self.databases.for_search(&self.options, &self.output),
            _ => None,
        };
        let handicap = plan::handicap(&self.options, self.searches);
        self.prepare_engine(tablebase.clone());
        let learner = self.learning.search_learner(&self.options, go);
        let kind = match go {
            Go { infinite: true, .. } => JobKind::Infinite,
            Go { ponder: true, .. } => JobKind::Ponder,
            _ => JobKind::Search,
        };
        let thinking = Thinking {
            game: self.game.copy(),
            engine: Arc::clone(&self.engine),
            limits,
            handicap,
            tablebase,
            learner,
            voice,
            output: self.output.clone(),
        };
        self.start_job(kind, move |signals| thinking.run(signals))
    }

    fn prepare_engine(&mut self, tablebase: Option<Arc<Tablebase>>) {
        let mut engine = self.engine.lock().expect("no thread panics while it holds the lock");
        engine.settings = plan::settings(&self.options, self.searches);
        engine.tablebase = tablebase;
        self.learning.load(&self.options, &mut engine);
        self.searches += 1;
    }

    /// Checks that the moves to choose from are legal, if the game goes on at all.
    fn check_search_moves(&self, moves: &[Turn]) -> Result<(), Error> {
        if moves.is_empty() {
            return Ok(());
        }
        let legal = self.dialect.moves(&*self.game);
        match moves.iter().find(|mv| !legal.contains(mv)) {
            Some(mv) if self.game.outcome().is_none() => {
                let expected = format!("some of the legal moves{}", TurnLine(&legal));
                Err(Error::argument("go searchmoves", expected, &mv.to_string()))
            }
            _ => Ok(()),
        }
    }

    fn ponder_hit(&mut self) {
        self.clock.start();
        if let Some(job) = &self.job {
            job.ponder_hit();
        }
    }

    fn bench(&mut self, depth: u32) -> Result<(), Error> {
        self.expect_idle("bench")?;
        let rules = self.options.rules;
        self.start_job(JobKind::Count, move |signals| {
            match bench::run(&rules, depth, &mut Quiet(Arc::clone(signals))) {
                _ if signals.should_stop() => "info string bench stopped".to_owned(),
                Ok(summary) => summary.to_string(),
                Err(error) => format!("info string error bench: {error}"),
            }
        })
    }

    fn perft(&mut self, last: u32) -> Result<(), Error> {
        self.expect_idle("perft")?;
        let (game, output) = (self.game.copy(), self.output.clone());
        self.start_job(JobKind::Count, move |signals| {
            let should_stop = || signals.should_stop();
            output.line(format_args!("{}", Count::TITLE));
            for depth in 1..=last {
                let count = Count::of(depth, || game.perft(depth, &should_stop));
                match depth {
                    _ if signals.should_stop() => break,
                    _ if depth == last => return count.to_string(),
                    _ => output.line(format_args!("{count}")),
                }
            }
            "info string perft stopped".to_owned()
        })
    }

    fn start_job(
        &mut self,
        kind: JobKind,
        work: impl FnOnce(&Arc<Signals>) -> String + Send + 'static,
    ) -> Result<(), Error> {
        self.stop();
        let job = Job::start(self.output.clone(), kind, work);
        let refused = |error| Error::refused(format_args!("expected a thread to be had: {error}"));
        self.job = Some(job.map_err(refused)?);
        Ok(())
    }
}
