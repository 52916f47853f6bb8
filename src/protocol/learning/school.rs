//! What a session knows from its own games and from those that others have saved.

use std::mem;
use std::sync::{Arc, Mutex, MutexGuard};
use std::thread::{self, JoinHandle};

use crate::learning::{LearningError, LearningFile, Lesson, Lessons, Pupil, Reading, Stamp};
use crate::protocol::error::Error;
use crate::protocol::output::Output;

/// What the session shares with the threads that search and save.
#[derive(Default)]
pub(super) struct School {
    pub(super) file: Option<LearningFile>,
    /// What the file was when it was last read or written.
    stamp: Option<Stamp>,
    /// All that is known.
    pub(super) lessons: Lessons,
    /// What the file lacks.
    unsaved: Lessons,
    /// What the engine lacks.
    pub(super) untaught: Lessons,
    /// Whether something about the file was wrong and has been told.
    is_told: bool,
    pub(super) pupil: Pupil,
    /// How often the pupil has turned to a position.
    pub(super) turns: u64,
    saver: Option<JoinHandle<()>>,
}

impl School {
    pub(super) fn learn(&mut self, lesson: Lesson) {
        if self.lessons.insert(lesson.clone()) {
            self.unsaved.insert(lesson.clone());
            self.untaught.insert(lesson);
        }
    }

    /// Reads the file, unless it is as it was, and tells what is wrong with it.
    pub(super) fn read(&mut self, output: &Output) {
        let Some(file) = self.file.clone().filter(|file| file.stamp() != self.stamp) else {
            return;
        };
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

/// Begins to save what was learned, unless that goes on already; a file that is busy has to wait.
pub(super) fn start_saving(school: &Arc<Mutex<School>>, output: &Output) {
    let mut there = lock(school);
    let is_saving = there.saver.as_ref().is_some_and(|saver| !saver.is_finished());
    if is_saving || there.unsaved.is_empty() {
        return;
    }
    let (school, output) = (Arc::clone(school), output.clone());
    there.saver = thread::Builder::new().spawn(move || save_if_free(&school, &output)).ok();
}

/// Waits for what is being saved.
pub(super) fn finish_saving(school: &Mutex<School>) {
    let saver = lock(school).saver.take();
    if let Some(saver) = saver {
        saver.join().expect("saving does not panic");
    }
}

/// Saves what was learned, or keeps it for another time if the file is busy.
pub(super) fn save_if_free(school: &Mutex<School>, output: &Output) {
    match save(school, LearningFile::add_at_once) {
        Ok(()) | Err(LearningError::Busy { .. }) => {}
        Err(error) => lock(school).tell(&error, output),
    }
}

/// Saves what was learned, for which there is no other time.
pub(super) fn save_at_last(school: &Mutex<School>, output: &Output) {
    finish_saving(school);
    if let Err(error) = save(school, LearningFile::add) {
        lock(school).tell(&error, output);
    }
}

/// Saves what was learned, without keeping anybody from learning meanwhile.
fn save(
    school: &Mutex<School>,
    add: impl FnOnce(&LearningFile, &Lessons) -> Result<Reading, LearningError>,
) -> Result<(), LearningError> {
    let (file, lessons) = {
        let mut school = lock(school);
        let Some(file) = school.file.clone().filter(|_| !school.unsaved.is_empty()) else {
            return Ok(());
        };
        (file, mem::take(&mut school.unsaved))
    };
    let added = add(&file, &lessons);
    let mut school = lock(school);
    match added {
        Ok(reading) => school.take(&reading),
        Err(error) => {
            school.unsaved.extend(lessons.iter());
            return Err(error);
        }
    }
    Ok(())
}

pub(super) fn lock(school: &Mutex<School>) -> MutexGuard<'_, School> {
    school.lock().expect("no thread panics while it holds the lock")
}
