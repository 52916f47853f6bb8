//! What a session learns from its searches, and when it is read and saved.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::command::Start;
use super::error::Error;
use super::go::Go;
use super::options::Options;
use super::output::Output;
use crate::any_game::AnyGame;
use crate::knowledge::learning::{
    self, Finding, LearningError, LearningFile, Lesson, Lessons, Pupil, Reading, Stamp, Subject,
};
use crate::position::{Move, Position, Turn};
use crate::score::Bound;
use crate::search::{Algorithm, Engine, Report};

/// The learning file of a session, opened by the first `isready` or search that may use it, and saved
/// after each game and at the end of the session.
pub(super) struct Learning {
    output: Output,
    school: Arc<Mutex<School>>,
}

/// What the session and the thread of a search share.
#[derive(Default)]
struct School {
    file: Option<LearningFile>,
    /// What the file was when it was last read or written.
    stamp: Option<Stamp>,
    /// All that is known.
    lessons: Lessons,
    /// What the file lacks.
    unsaved: Lessons,
    /// What the engine lacks.
    untaught: Lessons,
    /// Whether something about the file was wrong and has been told.
    is_told: bool,
    pupil: Pupil,
    /// How often the pupil has turned to a position.
    turns: u64,
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
        let file = school.file.insert(LearningFile::new(path)).clone();
        school.read(&file, &self.output);
        let (count, path) = (school.lessons.len(), file.path().display());
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
        let school = &mut *lock(&self.school);
        school.turns += 1;
        let goes_on = school.pupil.follow(start, &moves);
        if !goes_on || game.outcome().is_some() {
            school.save(&self.output);
        }
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
        let school = &mut *lock(&self.school);
        school.save(&self.output);
        if let Some(file) = school.file.clone().filter(|file| file.stamp() != school.stamp) {
            school.read(&file, &self.output);
        }
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
        let school = &mut *lock(&self.school);
        school.save(&self.output);
        engine.unteach();
        *school = School { turns: school.turns + 1, ..School::default() };
    }
}

impl Drop for Learning {
    /// Saves what was learned, however the session ends.
    fn drop(&mut self) {
        lock(&self.school).save(&self.output);
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

impl School {
    fn learn(&mut self, lesson: Lesson) {
        if self.lessons.insert(lesson.clone()) {
            self.unsaved.insert(lesson.clone());
            self.untaught.insert(lesson);
        }
    }

    /// Reads the file and tells what is wrong with it.
    fn read(&mut self, file: &LearningFile, output: &Output) {
        match file.read() {
            Ok(reading) => {
                self.take(&reading);
                if let Some(damage) = reading.damage {
                    let path = file.path().to_owned();
                    self.tell(&LearningError::Damaged { path, damage }, output);
                }
            }
            Err(error) => self.tell(&error, output),
        }
    }

    fn save(&mut self, output: &Output) {
        let Some(file) = self.file.clone().filter(|_| !self.unsaved.is_empty()) else { return };
        match file.add(&self.unsaved) {
            Ok(reading) => {
                self.unsaved = Lessons::default();
                self.take(&reading);
            }
            Err(error) => self.tell(&error, output),
        }
    }

    /// Takes in what the file has.
    fn take(&mut self, reading: &Reading) {
        self.stamp = reading.stamp;
        for lesson in reading.lessons.iter() {
            if self.lessons.insert(lesson.clone()) {
                self.untaught.insert(lesson);
            }
        }
    }

    /// Tells what is wrong with the file, once.
    fn tell(&mut self, error: &LearningError, output: &Output) {
        if !self.is_told {
            self.is_told = true;
            output.error(&Error::refused(format_args!("{error}; nothing is saved there")));
        }
    }
}

fn lock(school: &Mutex<School>) -> MutexGuard<'_, School> {
    school.lock().unwrap_or_else(PoisonError::into_inner)
}
