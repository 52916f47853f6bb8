//! What a session learns from its searches, and when it is read and saved.

mod school;

use std::sync::{Arc, Mutex};

use super::command::Start;
use super::go::Go;
use super::options::Options;
use super::output::Output;
use crate::any_game::AnyGame;
use crate::learning::{self, Finding, LearningFile, Lesson, Pupil, Subject};
use crate::position::{Move, Position, Turn};
use crate::score::Bound;
use crate::search::{Algorithm, Engine, Report};
use school::{School, lock};

/// The learning file of a session, opened by the first `isready` or `position` while learning is on,
/// and saved after each game, while the session goes on, and at its end.
pub(super) struct Learning {
    output: Output,
    school: Arc<Mutex<School>>,
}

/// Waits for the end of a search, to learn from it.
pub(super) struct Hearing {
    school: Arc<Mutex<School>>,
    turn: u64,
}

impl Learning {
    pub(super) fn new(output: Output) -> Self {
        Self { output, school: Arc::default() }
    }

    /// Teaches the engine what is known, after opening the file if that has not been done; one that
    /// plays below full strength learns nothing.
    pub(super) fn prepare(&self, options: &Options, engine: &mut Engine) {
        if !options.learning || !options.skill().is_full() {
            return;
        }
        let school = &mut *lock(&self.school);
        if school.file.is_none() {
            self.open(school, options);
        }
        let untaught = std::mem::take(&mut school.untaught);
        if !untaught.is_empty() {
            engine.teach(&untaught, &options.rules, options.draw_rules);
        }
    }

    fn open(&self, school: &mut School, options: &Options) {
        let path = match options.learning_file.as_str() {
            "" => learning::default_path(),
            path => Some(path.into()),
        };
        let Some(path) = path else { return };
        school.file = Some(LearningFile::new(&path));
        school.read(&self.output);
        let (count, path) = (school.lessons.len(), path.display());
        self.output.line(format_args!("info string learning from {path}, lessons: {count}"));
    }

    /// Turns to the position of a `position` command; when a game is over or another begins, what was
    /// learned is saved.
    pub(super) fn follow(&self, start: &Start, moves: &[String], game: &dyn AnyGame) {
        let turns = moves.iter().filter_map(|word| word.parse::<Turn>().ok());
        let moves: Vec<Move> = turns.flat_map(|turn| turn.moves().to_vec()).collect();
        let start = match start {
            Start::Initial => "",
            Start::Text(text) => text,
        };
        let goes_on = {
            let school = &mut *lock(&self.school);
            school.turns += 1;
            school.pupil.follow(start, &moves)
        };
        if !goes_on || game.outcome().is_some() {
            school::start_saving(&self.school, &self.output);
        }
    }

    /// Waits until what was learned is saved.
    pub(super) fn settle(&self) {
        school::finish_saving(&self.school);
    }

    /// Gets ready to learn from a search, unless its result says little about the position.
    pub(super) fn hearing(&self, options: &Options, go: &Go) -> Option<Hearing> {
        let looks_ahead = !matches!(options.algorithm, Algorithm::MonteCarlo | Algorithm::Random);
        let is_whole = options.skill().is_full() && go.search_moves.is_empty() && looks_ahead;
        let turn = lock(&self.school).turns;
        let hearing = Hearing { school: Arc::clone(&self.school), turn };
        (options.learning && is_whole).then_some(hearing)
    }

    /// Saves what was learned, and has the next search begin with what others have saved meanwhile.
    pub(super) fn start_new_game(&self) {
        self.settle();
        school::save_if_free(&self.school, &self.output);
        let school = &mut *lock(&self.school);
        school.read(&self.output);
        school.pupil = Pupil::default();
        school.turns += 1;
    }

    /// Has the engine learn everything anew, as for another game or strength.
    pub(super) fn unteach(&self, engine: &mut Engine) {
        engine.unteach();
        let school = &mut *lock(&self.school);
        school.untaught = school.lessons.clone();
    }

    /// Saves what was learned, and has the next search open the file anew.
    pub(super) fn close(&self, engine: &mut Engine) {
        school::save_at_last(&self.school, &self.output);
        engine.unteach();
        let school = &mut *lock(&self.school);
        let turns = school.turns + 1;
        *school = School::default();
        school.turns = turns;
    }
}

impl Drop for Learning {
    /// Saves what was learned, however the session ends.
    fn drop(&mut self) {
        school::save_at_last(&self.school, &self.output);
    }
}

impl Hearing {
    /// Learns from the result of a search.
    pub(super) fn end(self, game: &dyn AnyGame, report: &Report) {
        let position = Position::from_text(&game.text(), *game.rules());
        let (Ok(position), true) = (position, report.depth > 0) else { return };
        let finding = Finding {
            score: report.score,
            bound: Bound::Exact,
            depth: report.depth.try_into().unwrap_or(u8::MAX),
            best: report.best(),
        };
        let school = &mut *lock(&self.school);
        let side = position.to_move();
        let is_of_line = school.turns == self.turn;
        let by_line = school.pupil.expected(side).filter(|_| is_of_line);
        let by_lesson = school.lessons.find(&Subject::of(&position).0).map(|lesson| lesson.score);
        let expected = [by_line, by_lesson].into_iter().flatten();
        if let Some(lesson) = Lesson::learned(&position, finding, game.draw_rules(), expected) {
            school.learn(lesson);
        }
        if is_of_line {
            school.pupil.remember(side, report.score);
        }
    }
}
