//! A game as a record, and a record as a game.

use millstone::board::{BySide, Side};
use millstone::position::Move;
use millstone::records::{AnnotatedMove, GameRecord, GameResult, Notation};
use millstone::rules::DrawRules;
use millstone::search::Skill;

use super::clock::{self, Clocks, TimeControl};
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
    /// What it was read from, with all that is said about it there.
    pub origin: Option<GameRecord>,
}

/// The name of a side that a person plays, and how those of the engine begin.
const PERSON: &str = "Person";
const ENGINE: &str = "Millstone";
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
        let Self { course, seats, skill, clocks, .. } = self;
        let mut record = self.record();
        for side in Side::ALL {
            let tag = side.to_string();
            let is_own = |name: &str| name == PERSON || name.starts_with(ENGINE);
            if record.tag(&tag).is_none_or(is_own) {
                let engine = || format!("{ENGINE}, level {}", skill.level());
                let name = if seats.is_person(side) { PERSON.to_owned() } else { engine() };
                record.set_tag(&tag, name);
            }
        }
        record.set_tag(SEATS, seats.name());
        record.set_tag(LEVEL, skill.level().to_string());
        record.tags.retain(|tag| !LEFT.contains(&tag.name.as_str()));
        if let Some(clocks) = clocks {
            record.set_tag(CONTROL, clocks.control().to_string());
            for side in Side::ALL {
                let left = clocks.left(side, course.game().to_move());
                record.set_tag(LEFT[side as usize], format!("{:.3}", left.as_secs_f64()));
            }
        }
        record.write(Notation::Sanmill).map_err(|error| error.to_string())
    }

    /// The moves and the result, in the record that the game was read from.
    fn record(&self) -> GameRecord {
        let course = &self.course;
        let moves: Vec<Move> = course.played().iter().map(|&(_, mv)| mv).collect();
        let result = course.verdict().map(Verdict::result).unwrap_or_default();
        let Some(origin) = &self.origin else {
            let start = course.start_text().map(str::to_owned);
            return GameRecord::new(*course.rules(), start, &moves, result);
        };
        let mut record = origin.clone();
        let same = origin.moves().zip(&moves).take_while(|(old, new)| old == *new).count();
        record.main_line.moves.truncate(same);
        record.main_line.moves.extend(moves[same..].iter().copied().map(AnnotatedMove::from));
        record.result = result;
        record
    }

    /// The first game of a text in any notation; what its tags do not tell stays as it was.
    ///
    /// # Errors
    ///
    /// What is wrong with the text, or where the game cannot go on like this.
    pub fn read(&self, text: &str) -> Result<Self, String> {
        let records = GameRecord::read_all_by(text, self.course.rules());
        let records = records.map_err(|error| error.to_string())?;
        let record = records.into_iter().next().ok_or("expected a game, found none")?;
        let seats = record.tag(SEATS).and_then(|name| choose(name, Seats::choices()).ok());
        let level = record.tag(LEVEL).and_then(|level| level.parse().ok());
        Ok(Self {
            course: course(&record)?,
            seats: seats.unwrap_or(self.seats),
            skill: level.map_or(self.skill, Skill::of_level),
            clocks: clocks(&record),
            origin: Some(record),
        })
    }
}

/// The game of a record; without draws by history where it goes on after one.
fn course(record: &GameRecord) -> Result<Course, String> {
    course_by(record, DrawRules::default()).or_else(|_| course_by(record, DrawRules::OFF))
}

fn course_by(record: &GameRecord, draws: DrawRules) -> Result<Course, String> {
    let mut course = match &record.start {
        Some(text) => Course::from_text(text, &record.rules, draws).map_err(|e| e.to_string())?,
        None => Course::start(&record.rules, draws),
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
fn clocks(record: &GameRecord) -> Option<Clocks> {
    let number = |text: &str| text.parse::<f64>().ok();
    let (base, increment) = record.tag(CONTROL)?.split_once('+')?;
    let control = TimeControl::of_seconds(number(base)?, number(increment)?)?;
    let left = |side| clock::seconds(number(record.tag(LEFT[side as usize])?)?);
    Some(Clocks::with_left(control, BySide([left(Side::White)?, left(Side::Black)?])))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use millstone::rules::{Preset, RuleSet};

    use super::*;

    fn new(rules: &RuleSet) -> Match {
        let (seats, skill) = (Seats::Black, Skill::of_level(4));
        let course = Course::start(rules, DrawRules::default());
        Match { course, seats, skill, clocks: None, origin: None }
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
    fn what_a_file_says_about_a_game_is_written_again() {
        let text = "[White \"Erika\"]\n[Annotator \"Uwe\"]\n\n\
                    1. d6 {a crossing} f4! (1... a1 2. a4) 2. d5 a1?? *";
        let new = new(&RuleSet::NINE_MENS_MORRIS);
        let mut played = new.read(text).unwrap();
        assert!(played.course.take_back(|_| true));
        played.course.play("d2".parse().unwrap()).unwrap();
        let written = GameRecord::read_all(&played.write().unwrap()).unwrap().remove(0);
        let mut expected = GameRecord::read_all(text).unwrap().remove(0);
        expected.main_line.moves[3] = AnnotatedMove::from("d2".parse::<Move>().unwrap());
        assert_eq!(written.main_line, expected.main_line);
        let tags = ["White", "Black", "Annotator"].map(|name| written.tag(name));
        assert_eq!(tags, [Some("Erika"), Some("Person"), Some("Uwe")]);
    }

    #[test]
    fn the_usual_rules_are_those_of_the_game_before() {
        let mora = Preset::named("morabaraba").unwrap().rules;
        assert_eq!(*new(&mora).read("1. d6 f4").unwrap().course.rules(), mora);
    }

    #[test]
    fn a_game_that_went_on_after_a_draw_goes_on_without_draws() {
        let text = "[FEN \"@*******/***@**@*/**O*OO** w m s 3 0 3 0 0 0 0 0 0 0 0 0 30\"]\n\n";
        let moves = ["g4-d3", "d5-e5", "d3-g4", "e5-d5"].repeat(3).join(" ");
        let new = new(&RuleSet::NINE_MENS_MORRIS);
        let read = new.read(&format!("{text}{moves}")).unwrap();
        assert_eq!((read.course.played().len(), read.course.verdict()), (12, None));
        let read = new.read(&read.write().unwrap()).unwrap();
        assert_eq!(read.course.game().draw_rules(), DrawRules::OFF);
    }

    #[test]
    fn clocks_beyond_all_measure_are_none() {
        let tags = "[TimeControl \"600+600000\"]\n[BlackClock \"1\"]\n";
        let text = format!("{tags}[WhiteClock \"18446744073709549568\"]\n\n1. d6 f4 *");
        assert!(new(&RuleSet::NINE_MENS_MORRIS).read(&text).unwrap().clocks.is_none());
    }

    #[test]
    fn a_text_without_a_game_is_refused() {
        assert!(new(&RuleSet::NINE_MENS_MORRIS).read("1. d6 d6").is_err());
    }
}
