//! `millstone learn forget`: lessons that shall not count any more.

use std::io::{self, Write};

use millstone::learning::{LearningFile, Lesson, Lessons, Subject};
use millstone::position::Position;
use millstone::rules::RuleSet;
use millstone::whole_file::with_suffix;
use serde::Serialize;

use super::Chosen;
use crate::commands::{CommandResult, json};

/// Take lessons out of the file.
///
/// They are put into a file of their own, with .forgotten added to the name, from which merge can
/// take them back. An engine that has read the file before still knows them until it ends.
#[derive(clap::Args)]
pub struct Arguments {
    #[command(flatten)]
    chosen: Chosen,
    #[command(flatten)]
    what: What,
    #[command(flatten)]
    format: json::Format,
}

/// What was forgotten, as JSON.
#[derive(Serialize)]
struct Outcome {
    file: String,
    forgotten: usize,
    left: usize,
    /// The file that has them now.
    aside: String,
}

/// What to forget.
#[derive(clap::Args)]
#[group(required = true, multiple = false)]
struct What {
    /// Forget the lesson about a position and all symmetric ones, given as position text
    #[arg(long, value_name = "FEN")]
    position: Option<String>,
    /// Forget everything, of every game
    #[arg(long)]
    all: bool,
}

/// Forgets and says what was forgotten.
pub fn run(arguments: &Arguments, rules: &RuleSet) -> CommandResult {
    let file = arguments.chosen.existing()?;
    let position = arguments.what.position.as_deref();
    let subject = match position.map(|text| Position::from_text(text, *rules)) {
        Some(position) => Some(Subject::of(&position?).0),
        None => None,
    };
    let is_meant =
        |lesson: &Lesson| subject.as_ref().is_none_or(|subject| lesson.subject == *subject);
    let aside = LearningFile::new(with_suffix(file.path(), ".forgotten"));
    let (forgotten, reading) = file.change(|lessons| {
        let forgotten: Lessons = lessons.iter().filter(is_meant).collect();
        // What cannot be kept aside is not forgotten.
        let kept = if forgotten.is_empty() { Ok(()) } else { aside.add(&forgotten).map(drop) };
        if kept.is_ok() {
            for lesson in forgotten.iter() {
                lessons.remove(&lesson.subject);
            }
        }
        kept.map(|()| forgotten.len())
    })?;
    let forgotten = forgotten?;
    if forgotten == 0 {
        return Err(
            format!("expected such a lesson in {}, found none", file.path().display()).into()
        );
    }
    let [file, aside] = [file, aside].map(|file| file.path().display().to_string());
    let left = reading.lessons.len();
    if arguments.format.json {
        json::write(&mut io::stdout(), &Outcome { file, forgotten, left, aside })?;
    } else {
        writeln!(
            io::stdout(),
            "{file}: lessons forgotten: {forgotten}, left: {left}; see {aside}"
        )?;
    }
    Ok(())
}
