//! Learning in a session: which searches count, and when the learning file is read and saved.
//!
//! The session, the search thread and the saving thread share one state, which is unlocked while the
//! file is written, so no search waits for the file.

use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::Duration;
use std::{io, mem};

use super::{Error, Go, Options, Output};
use crate::game::{Game, History};
use crate::learning::{
    CanonicalPosition, Contents, LearnedPosition, LearnedPositions, Learner, LearningFile,
    SearchResult, Stamp, is_worth_learning,
};
use crate::position::Move;
use crate::search::{Algorithm, Engine, Report, Variation};
use crate::system::locks::lock;

/// How long a session waits at its end for other programs to release the file.
const PATIENCE: Duration = Duration::from_secs(5);

/// The learning of a session.
///
/// The file is opened by the first `isready`, `position` or `go` while learning is on, and saved after
/// each game and at the end of the session.
pub(super) struct Learning {
    pub(super) shared: Arc<Shared>,
    /// The files that were closed while another program was writing them, with the positions not yet saved there.
    closed: Vec<Arc<Shared>>,
}

/// Learns from one search when it ends.
pub(super) struct SearchLearner {
    shared: Arc<Shared>,
    /// The number of the position that is searched.
    position_number: u64,
}

pub(super) struct Shared {
    output: Output,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    file: Option<LearningFile>,
    /// The stamp of the file when it was last read or written.
    stamp: Option<Stamp>,
    /// All positions, from the file and from this session.
    known: LearnedPositions,
    /// The positions not yet in the file.
    unsaved: LearnedPositions,
    /// The positions not yet in the engine.
    unloaded: LearnedPositions,
    /// Whether an error of the file has been reported.
    is_reported: bool,
    learner: Learner,
    /// Counts the positions that the learner has been set to.
    position_number: u64,
    saver: Option<JoinHandle<()>>,
}

impl Learning {
    pub(super) fn new(output: Output) -> Self {
        Self { shared: Shared::new(output), closed: Vec::new() }
    }

    /// Loads new positions into the engine, after opening the file if necessary. Does nothing if learning
    /// is off or the engine plays below full strength.
    pub(super) fn load(&self, options: &Options, engine: &mut Engine) {
        if !options.learning || !options.skill().is_full() {
            return;
        }
        let state = &mut *lock(&self.shared.state);
        let named = Some(&options.learning_file).filter(|path| !path.is_empty());
        if state.file.is_none()
            && let Some(path) = named.map(PathBuf::from).or_else(LearningFile::default_path)
        {
            state.file = Some(LearningFile::new(&path));
            self.shared.read(state);
            let (count, path, output) = (state.known.len(), path.display(), &self.shared.output);
            output.line(format_args!("info string learning file {path}, positions: {count}"));
        }
        let unloaded = mem::take(&mut state.unloaded);
        if !unloaded.is_empty() {
            engine.add_learned(&unloaded, &options.rules, options.draw_rules);
        }
    }

    /// Follows a `position` command. Starts a thread that saves, unless one is running, if a game has
    /// ended or another one begins.
    pub(super) fn follow(&self, history: &History) {
        let start = history.start_text().unwrap_or_default();
        let moves: Vec<Move> = history.moves().collect();
        let mut state = lock(&self.shared.state);
        state.position_number += 1;
        let continues = state.learner.follow(&start, &moves);
        let has_ended = !continues || history.game().outcome().is_some();
        let is_saving = state.saver.as_ref().is_some_and(|saver| !saver.is_finished());
        if has_ended && !is_saving && !state.unsaved.is_empty() {
            let shared = Arc::clone(&self.shared);
            state.saver = thread::Builder::new().spawn(move || shared.save(Duration::ZERO)).ok();
        }
    }

    /// The learner of a search; `None` if learning is off or the result would say little about the
    /// position.
    pub(super) fn search_learner(&self, options: &Options, go: &Go) -> Option<SearchLearner> {
        let looks_ahead = !matches!(options.algorithm, Algorithm::MonteCarlo | Algorithm::Random);
        let is_whole = options.skill().is_full() && go.search_moves.is_empty() && looks_ahead;
        let position_number = lock(&self.shared.state).position_number;
        let learner = SearchLearner { shared: Arc::clone(&self.shared), position_number };
        (options.learning && is_whole).then_some(learner)
    }

    /// Saves new positions and reads the positions that other programs have saved.
    pub(super) fn start_new_game(&mut self) {
        self.save_closed();
        self.shared.finish_saving();
        self.shared.save(Duration::ZERO);
        let state = &mut *lock(&self.shared.state);
        self.shared.read(state);
        state.begin_game();
    }

    /// Clears the engine for other rules, and begins another game.
    pub(super) fn change_rules(&self, engine: &mut Engine) {
        self.unload(engine);
        lock(&self.shared.state).begin_game();
    }

    /// Clears the engine for another strength; the next search loads all positions again.
    pub(super) fn unload(&self, engine: &mut Engine) {
        engine.forget_learned();
        let state = &mut *lock(&self.shared.state);
        state.unloaded = state.known.clone();
    }

    /// Saves new positions, later if another program is writing the file, and clears the engine; the next search opens
    /// the file again.
    pub(super) fn close(&mut self, engine: &mut Engine) {
        self.shared.finish_saving();
        engine.forget_learned();
        let next = Shared::new(self.shared.output.clone());
        self.closed.push(mem::replace(&mut self.shared, next));
        self.save_closed();
    }

    /// Saves new positions to the files that have been closed, except those that another program is writing.
    fn save_closed(&mut self) {
        self.closed.retain(|closed| {
            closed.save(Duration::ZERO);
            !lock(&closed.state).unsaved.is_empty()
        });
    }
}

impl Drop for Learning {
    /// Saves new positions, however the session ends.
    fn drop(&mut self) {
        for shared in self.closed.iter().chain([&self.shared]) {
            shared.finish_saving();
            shared.save(PATIENCE);
        }
    }
}

impl SearchLearner {
    /// Learns from the report of the search.
    pub(super) fn learn(&self, game: &Game, report: &Report) {
        // A line that no iteration found comes from the tablebase.
        let line = report.lines.first().filter(|line| line.depth > 0 && report.known.is_none());
        let Some(&Variation { score, bound, .. }) = line else { return };
        let position = game.position();
        let depth = report.depth.try_into().unwrap_or(u8::MAX);
        let result = SearchResult { score, bound, depth, best: report.best() };
        let state = &mut *lock(&self.shared.state);
        let side = position.to_move();
        // A `position` command may have come during the search.
        let is_current = state.position_number == self.position_number;
        let in_game = state.learner.expected(side).filter(|_| is_current);
        let known = state.known.get(&CanonicalPosition::of(position).0).map(|known| known.score);
        if is_worth_learning(position, &result, game.draw_rules(), in_game.into_iter().chain(known))
        {
            let learned = LearnedPosition::new(position, result);
            if state.add(learned.clone()) {
                state.unsaved.insert(learned);
            }
        }
        if is_current {
            state.learner.remember(side, score);
        }
    }
}

impl State {
    /// Forgets the scores of the game so far.
    fn begin_game(&mut self) {
        self.learner = Learner::default();
        self.position_number += 1;
    }

    /// Adds a learned position that the engine lacks. Returns whether it was added.
    fn add(&mut self, learned: LearnedPosition) -> bool {
        self.known.insert(learned.clone()) && self.unloaded.insert(learned)
    }

    /// Adds the contents of the file.
    fn merge(&mut self, contents: &Contents) {
        self.stamp = contents.stamp;
        for learned in contents.positions.iter() {
            self.add(learned);
        }
    }
}

impl Shared {
    fn new(output: Output) -> Arc<Self> {
        Arc::new(Self { output, state: Mutex::default() })
    }

    /// Reads the file if it has changed, and reports its errors.
    fn read(&self, state: &mut State) {
        let Some(file) = state.file.clone().filter(|file| file.stamp() != state.stamp) else {
            return;
        };
        match file.read() {
            Ok(contents) => {
                state.merge(&contents);
                contents.damage.iter().for_each(|damage| self.report(state, damage));
            }
            Err(error) => self.report(state, &error),
        }
    }

    /// Reports an error of the file, unless one has been reported.
    fn report(&self, state: &mut State, error: &io::Error) {
        if !mem::replace(&mut state.is_reported, true) {
            self.output.error(&Error::refused(format_args!("{error}; nothing is saved there")));
        }
    }

    /// Waits for the saving thread.
    pub(super) fn finish_saving(&self) {
        let saver = lock(&self.state).saver.take();
        saver.map(JoinHandle::join).transpose().expect("saving does not panic");
    }

    /// Saves new positions, with the state unlocked while the file is written. If that fails they are kept for the
    /// next time; without patience, a busy file is not reported.
    fn save(&self, patience: Duration) {
        let mut state = lock(&self.state);
        let Some(file) = state.file.clone().filter(|_| !state.unsaved.is_empty()) else { return };
        let unsaved = mem::take(&mut state.unsaved);
        drop(state);
        let added = file.add(&unsaved, patience);
        let state = &mut *lock(&self.state);
        match added {
            Ok(contents) => state.merge(&contents),
            Err(error) => {
                state.unsaved.extend(unsaved.iter());
                if !patience.is_zero() || error.kind() != io::ErrorKind::ResourceBusy {
                    self.report(state, &error);
                }
            }
        }
    }
}
