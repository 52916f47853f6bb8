//! A game as a record, and a record as a game.

use std::time::Duration;

use millstone::board::{BySide, Side};
use millstone::position::Move;
use millstone::records::{GameResult, Notation, Record};
use millstone::search::Skill;

use super::clock::{Clocks, TimeControl};
use super::course::Course;
use super::nearest::choose;
use super::seats::Seats;
use super::verdict::Verdict;

/// A game with all that belongs to playing it on.
pub struct Match {
    pub course: Course,
    pub seats: Seats,
    pub skill: Skill,
    pub clocks: Option<Clocks>,
}

/// The tag with the sides that people play.
const SEATS: &str = "People";
/// The tag with the strength of the engine.
const LEVEL: &str = "Level";
/// The tag with the time control, in seconds.
const CONTROL: &str = "TimeControl";
/// The tags with the seconds that the sides have left.
const LEFT: [&str; 2] = ["WhiteClock", "BlackClock"];

impl Match {
    /// The game in Sanmill's notation, with the rest in tags.
    ///
    /// # Errors
    ///
    /// Why it cannot be written.
    pub fn write(&self) -> Result<String, String> {
        let Self { course, seats, skill, clocks } = self;
        let moves: Vec<Move> = course.played().iter().map(|&(_, mv)| mv).collect();
        let result = course.verdict().map(Verdict::result).unwrap_or_default();
        let start = course.start_text().map(str::to_owned);
        let mut record = Record::new(*course.rules(), start, &moves, result);
        for side in Side::ALL {
            let engine = || format!("Millstone, level {}", skill.level());
            let name = if seats.is_person(side) { "Person".to_owned() } else { engine() };
            record.set_tag(&side.to_string(), name);
        }
        record.set_tag(SEATS, seats.name());
        record.set_tag(LEVEL, skill.level().to_string());
        if let Some(clocks) = clocks {
            record.set_tag(CONTROL, clocks.control().to_string());
            for side in Side::ALL {
                let left = clocks.left(side, course.game().to_move());
                record.set_tag(LEFT[side as usize], format!("{:.3}", left.as_secs_f64()));
            }
        }
        record.write(Notation::Sanmill).map_err(|error| error.to_string())
    }

    /// The first game of a text in any notation; what its tags do not tell stays as it was.
    ///
    /// # Errors
    ///
    /// What is wrong with the text, or where the game cannot go on like this.
    pub fn read(&self, text: &str) -> Result<Self, String> {
        let records = Record::read_all(text).map_err(|error| error.to_string())?;
        let record = records.first().ok_or("expected a game, found none")?;
        let seats = record.tag(SEATS).and_then(|name| choose(name, Seats::choices()).ok());
        let level = record.tag(LEVEL).and_then(|level| level.parse().ok());
        Ok(Self {
            course: course(record)?,
            seats: seats.unwrap_or(self.seats),
            skill: level.map_or(self.skill, Skill::of_level),
            clocks: clocks(record),
        })
    }
}

fn course(record: &Record) -> Result<Course, String> {
    let mut course = match &record.start {
        Some(text) => Course::from_text(text, &record.rules).map_err(|error| error.to_string())?,
        None => Course::start(&record.rules),
    };
    for (index, mv) in record.moves().enumerate() {
        course.play(mv).map_err(|error| format!("move {}: {error}", index + 1))?;
    }
    if course.verdict().is_none() && record.result != GameResult::Unknown {
        course.declare(Verdict::Recorded(record.result));
    }
    Ok(course)
}

/// The clocks that the tags tell of; none if they make no sense.
fn clocks(record: &Record) -> Option<Clocks> {
    let seconds = |text: &str| text.parse::<f64>().ok();
    let (base, increment) = record.tag(CONTROL)?.split_once('+')?;
    let control = TimeControl::of_seconds(seconds(base)?, seconds(increment)?)?;
    let left = |side| Duration::try_from_secs_f64(seconds(record.tag(LEFT[side as usize])?)?).ok();
    Some(Clocks::with_left(control, BySide([left(Side::White)?, left(Side::Black)?])))
}

#[cfg(test)]
mod tests {
    use millstone::rules::{Preset, RuleSet};

    use super::*;

    fn new(rules: &RuleSet) -> Match {
        let (seats, skill) = (Seats::Black, Skill::of_level(4));
        Match { course: Course::start(rules), seats, skill, clocks: None }
    }

    #[test]
    fn a_game_comes_back_with_all_that_belongs_to_it() {
        let lasker = Preset::named("lasker").unwrap().rules;
        let mut played = new(&lasker);
        for mv in ["d6", "a1", "d6-d5", "a4", "d6", "g1", "d7", "xg1"] {
            played.course.play(mv.parse().unwrap()).unwrap();
        }
        let control = "5+2".parse().unwrap();
        let left = BySide([250.5, 0.25].map(Duration::from_secs_f64));
        played.clocks = Some(Clocks::with_left(control, left));
        let read = new(&RuleSet::NINE_MENS_MORRIS).read(&played.write().unwrap()).unwrap();
        assert_eq!(read.course.game().text(), played.course.game().text());
        assert_eq!((read.seats, read.skill), (played.seats, played.skill));
        let clocks = read.clocks.unwrap();
        assert_eq!(clocks.control(), control);
        assert!(clocks.left(Side::White, Side::Black) >= Duration::from_secs(250));
    }

    #[test]
    fn a_result_that_the_rules_do_not_give_stays() {
        let mut played = new(&RuleSet::NINE_MENS_MORRIS);
        played.course.play("d6".parse().unwrap()).unwrap();
        played.course.declare(Verdict::Resigned(Side::White));
        let read = played.read(&played.write().unwrap()).unwrap();
        assert_eq!(read.course.verdict().map(Verdict::result), Some(GameResult::BlackWins));
    }

    #[test]
    fn a_text_without_a_game_is_refused() {
        assert!(new(&RuleSet::NINE_MENS_MORRIS).read("1. d6 d6").is_err());
    }
}
