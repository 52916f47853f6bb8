//! The record of a game, with its players and clocks in tags, and the file in which it survives a crash.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use millstone::board::{BySide, Side};
use millstone::build_info::NAME;
use millstone::records::{GameRecord, GameResult, Notation};
use millstone::rules::RuleSet;
use millstone::search::Skill;
use millstone::system::{locks, regular_file, whole_file};

use super::commands::{choose, word};
use super::game::{Clocks, Declared, PlayedGame, control, time};
use crate::commands::arguments::read_regular_text;
use crate::commands::{CommandResult, at};

/// The name of a human in records, and the start of the engine's name.
const PERSON: &str = "Person";
const ENGINE: &str = "Millstone, level ";
/// The tag for the sides that humans play.
const HUMANS: &str = "People";
/// The tag for the level of the engine.
const LEVEL: &str = "Level";
/// The tag for the time control, in seconds.
const CONTROL: &str = "TimeControl";
/// The tag for the reason of an end that the rules do not give.
const TERMINATION: &str = "Termination";
/// The tags for the seconds that each side has left.
const LEFT: [&str; 2] = ["WhiteClock", "BlackClock"];

impl PlayedGame {
    /// Writes the game as a record with players, level and clocks in tags.
    ///
    /// The notation is SGF if the path ends in `.sgf` or only SGF can hold the game, and Sanmill's otherwise.
    pub fn write(&self, path: &Path) -> io::Result<String> {
        let Self { history, humans, skill, clocks, .. } = self;
        let mut record = self.record();
        let engine = format!("{ENGINE}{}", skill.level());
        for side in Side::ALL {
            let tag = side.to_string();
            let is_own = |name: &str| name == PERSON || name.starts_with(ENGINE);
            if record.tag(&tag).is_none_or(is_own) {
                record.set_tag(&tag, if humans.is_human(side) { PERSON } else { &engine });
            }
        }
        record.set_tag(HUMANS, word(humans));
        record.set_tag(LEVEL, skill.level().to_string());
        record.tags.retain(|tag| !LEFT.contains(&tag.name.as_str()));
        if let Some(clocks) = clocks {
            record.set_tag(CONTROL, clocks.control.to_string());
            for side in Side::ALL {
                let left = clocks.left(side, history.game().to_move());
                record.set_tag(LEFT[side as usize], format!("{:.3}", left.as_secs_f64()));
            }
        }
        let is_sgf = path.extension().is_some_and(|end| end.eq_ignore_ascii_case("sgf"))
            || !record.losses(Notation::Sanmill, &record.rules).is_empty();
        let notation = if is_sgf { Notation::Sgf } else { Notation::Sanmill };
        record.write(notation).map_err(io::Error::other)
    }

    /// The game as a record, with the tags and annotations of its origin.
    fn record(&self) -> GameRecord {
        let mut record = GameRecord::from(&self.history);
        record.result = self.end().map(|(result, _)| result).unwrap_or_default();
        let mut reason = self.declared.as_ref().and_then(|end| end.reason.as_deref());
        if let Some(origin) = &self.origin {
            let is_same = origin.result == record.result && record.moves().eq(origin.moves());
            if self.declared.is_none() && is_same {
                reason = origin.tag(TERMINATION);
            }
            record.tags.clone_from(&origin.tags);
            record.main_line.comment.clone_from(&origin.main_line.comment);
            record.main_line.properties.clone_from(&origin.main_line.properties);
            let moves = record.main_line.moves.iter_mut().zip(&origin.main_line.moves);
            let same = moves.take_while(|(own, old)| own.mv == old.mv);
            same.for_each(|(own, old)| own.clone_from(old));
        }
        match reason {
            Some(reason) => record.set_tag(TERMINATION, reason),
            None => record.tags.retain(|tag| tag.name != TERMINATION),
        }
        record
    }

    /// Reads the first game of a file.
    ///
    /// * `usual`: the rules of a game without a `Variant` tag.
    ///
    /// # Errors
    ///
    /// If the file cannot be read or has no valid first game: one line that names the file.
    pub fn read_file(&self, path: &Path, usual: &RuleSet) -> Result<Self, String> {
        self.read(&read_regular_text(path)?.text, usual).map_err(at(path))
    }

    /// Reads the first game of a text in any notation; this game supplies what its tags lack.
    fn read(&self, text: &str, usual: &RuleSet) -> CommandResult<Self> {
        let mut records = GameRecord::read_each_by(text, usual);
        let record = records.next().ok_or("there is no game in it")??;
        let humans = record.tag(HUMANS).and_then(|name| choose(name).ok());
        let level = record.tag(LEVEL).and_then(|level| level.parse().ok());
        let history = record.history()?;
        let is_declared =
            record.result != GameResult::Unknown && history.game().outcome().is_none();
        let reason = record.tag(TERMINATION).map(str::to_owned);
        let declared = is_declared.then_some(Declared { result: record.result, reason });
        Ok(Self {
            history,
            declared,
            humans: humans.unwrap_or(self.humans),
            skill: level.map_or(self.skill, Skill::of_level),
            clocks: clocks(&record),
            origin: Some(record),
        })
    }
}

/// Reads the clocks from the tags; `None` if they are missing or invalid.
fn clocks(record: &GameRecord) -> Option<Clocks> {
    let (base, increment) = record.tag(CONTROL)?.split_once('+')?;
    let control = control(base, 1.0, increment)?;
    let left = |side| time(record.tag(LEFT[side as usize])?, 1.0);
    Some(Clocks::with_left(control, BySide([left(Side::White)?, left(Side::Black)?])))
}

/// The file that saves the current game, locked by this program.
///
/// Each running program has a slot: a number with a file and a lock, which the system releases when the
/// program ends. A file in an unlocked slot is an unfinished game.
pub struct Autosave {
    pub path: PathBuf,
    /// Held while the game is played.
    _lock: File,
}

/// The number of slots.
const SLOTS: u32 = 1000;

/// Returns the folder of saved games.
pub fn autosave_folder() -> Result<PathBuf, String> {
    let data = dirs::data_dir().ok_or("this system has no data folder")?;
    Ok(data.join(NAME).join("play"))
}

impl Autosave {
    /// Locks a free slot.
    ///
    /// # Errors
    ///
    /// If the folder cannot be written, or no slot is free.
    pub fn claim(folder: &Path) -> io::Result<Self> {
        fs::create_dir_all(folder)?;
        let full = || format!("more than {SLOTS} games in {}", folder.display());
        let slot = (1..=SLOTS).find_map(|number| Self::lock(folder, number, false).transpose());
        slot.unwrap_or_else(|| Err(io::Error::other(full())))
    }

    /// Locks the latest unfinished game, if there is one.
    pub fn last_unfinished(folder: &Path) -> io::Result<Option<Self>> {
        let mut games = Vec::new();
        for number in 1..=SLOTS {
            let path = path(folder, number);
            let modified = fs::metadata(&path).and_then(|file| file.modified());
            games.extend(regular_file::if_there(modified)?.map(|modified| (modified, number)));
        }
        games.sort_unstable();
        let mut latest = games.into_iter().rev();
        latest.find_map(|(_, number)| Self::lock(folder, number, true).transpose()).transpose()
    }

    /// Locks a slot with or without a saved game; `None` if another program holds it or `has_game` does not match.
    fn lock(folder: &Path, number: u32, has_game: bool) -> io::Result<Option<Self>> {
        let lock = locks::lock_file(&folder.join(format!("{number}.lock")), Duration::ZERO)?;
        let path = path(folder, number);
        let lock = lock.filter(|_| path.exists() == has_game);
        Ok(lock.map(|lock| Self { path, _lock: lock }))
    }

    /// Saves the game atomically.
    pub fn save(&self, text: &str) -> io::Result<()> {
        whole_file::write(&self.path, |mut file| file.write_all(text.as_bytes()))
    }

    /// Removes the saved game, if there is one.
    pub fn remove(&self) -> io::Result<()> {
        regular_file::if_there(fs::remove_file(&self.path)).map(drop)
    }
}

fn path(folder: &Path, number: u32) -> PathBuf {
    folder.join(format!("{number}.pgn"))
}

#[cfg(test)]
mod tests {
    use millstone::game::Game;
    use millstone::position::Move;
    use millstone::records::AnnotatedMove;
    use millstone::rules::{DrawRules, Preset};

    use super::*;
    use crate::commands::play::game::{HumanSides, RESIGNATION, read_control};

    const NINE: RuleSet = RuleSet::NINE_MENS_MORRIS;

    fn new(rules: &RuleSet) -> PlayedGame {
        let (humans, skill) = (HumanSides::Black, Skill::of_level(4));
        let history = Game::start(*rules, DrawRules::default()).into();
        PlayedGame::new(history, humans, skill, None)
    }

    fn written(played: &PlayedGame) -> String {
        played.write(Path::new("1.pgn")).unwrap()
    }

    #[test]
    fn a_game_comes_back_with_all_that_belongs_to_it() {
        let lasker = Preset::named("lasker").unwrap().rules;
        let mut played = new(&lasker);
        for mv in ["d6", "a1", "d6-d5", "a4", "d6", "g1", "d7", "xg1"] {
            played.history.play(mv.parse().unwrap()).unwrap();
        }
        let control = read_control("5+2").unwrap();
        let left = BySide([250.5, 0.25].map(Duration::from_secs_f64));
        played.clocks = Some(Clocks::with_left(control, left));
        let read = new(&NINE).read(&written(&played), &NINE).unwrap();
        assert_eq!(read.history.game().text(), played.history.game().text());
        assert_eq!((read.humans, read.skill), (played.humans, played.skill));
        let clocks = read.clocks.unwrap();
        assert_eq!(clocks.control, control);
        assert!(clocks.left(Side::White, Side::Black) >= Duration::from_secs(250));
    }

    #[test]
    fn a_result_that_the_rules_do_not_give_stays() {
        let mut played = new(&NINE);
        played.history.play("d6".parse().unwrap()).unwrap();
        let reason = Some(RESIGNATION.to_owned());
        played.declared = Some(Declared { result: GameResult::BlackWins, reason });
        let mut read = played.read(&written(&played), &NINE).unwrap();
        assert_eq!(read.end(), played.end());
        assert_eq!(written(&read), written(&played));
        assert!(read.undo() && !written(&read).contains("Termination"));
        let mut read = played.read("[Termination \"Arbiter.\"]\n\n1. d6 0-1", &NINE).unwrap();
        assert_eq!(read.end().unwrap().1, "Black has won: Arbiter.");
        assert!(written(&read).contains("\"Arbiter.\"") && read.undo());
        read.declared = played.declared.clone();
        assert!(written(&read).contains(RESIGNATION));
    }

    #[test]
    fn what_a_file_says_about_a_game_is_written_again() {
        let text = "[White \"Erika\"]\n[Annotator \"Uwe\"]\n\n\
                    1. d6 {a crossing} f4! (1... a1 2. a4) 2. d5 a1?? *";
        let new = new(&NINE);
        let mut played = new.read(text, &NINE).unwrap();
        assert!(played.history.undo(|_| true));
        played.history.play("d2".parse().unwrap()).unwrap();
        let written = GameRecord::read_all(&written(&played)).unwrap().remove(0);
        let mut expected = GameRecord::read_all(text).unwrap().remove(0);
        expected.main_line.moves[3] = AnnotatedMove::from("d2".parse::<Move>().unwrap());
        assert_eq!(written.main_line, expected.main_line);
        let tags = ["White", "Black", "Annotator"].map(|name| written.tag(name));
        assert_eq!(tags, [Some("Erika"), Some("Person"), Some("Uwe")]);
    }

    #[test]
    fn marks_of_a_game_in_sgf_are_written_again() {
        let text = "(;GM[5]AP[Board:1];W[d6]TR[d6][f4](;B[f4])(;B[a1]MA[a1]))";
        let new = new(&NINE);
        let mut played = new.read(text, &NINE).unwrap();
        played.history.play("d2".parse().unwrap()).unwrap();
        let read = GameRecord::read_all(&written(&played)).unwrap();
        let mut expected = GameRecord::read_all(text).unwrap().remove(0);
        expected.main_line.moves.push(AnnotatedMove::from("d2".parse::<Move>().unwrap()));
        assert_eq!(read[0].main_line, expected.main_line);
        let plain = new.read("1. d6 f4", &NINE).unwrap();
        assert!(plain.write(Path::new("game.SGF")).unwrap().starts_with("(;FF[4]"));
        assert!(!written(&plain).starts_with('('));
    }

    #[test]
    fn a_game_that_went_on_after_a_draw_goes_on_without_draws() {
        let text = "[FEN \"@*******/***@**@*/**O*OO** w m s 3 0 3 0 0 0 0 0 0 0 0 0 30\"]\n\n";
        let moves = ["g4-d3", "d5-e5", "d3-g4", "e5-d5"].repeat(3).join(" ");
        let new = new(&NINE);
        let read = new.read(&format!("{text}{moves}"), &NINE).unwrap();
        assert_eq!((read.history.count_moves(), read.end()), (12, None));
        let read = new.read(&written(&read), &NINE).unwrap();
        assert_eq!(read.history.game().draw_rules(), DrawRules::OFF);
    }

    #[test]
    fn only_times_as_they_are_written_make_clocks() {
        for (control, white, is_clock) in [
            ("600+5", "1", true),
            ("600", "1", false),
            ("600 + 5", "1", false),
            ("600+5", " 1", false),
            ("600+600000", "18446744073709549568", false),
        ] {
            let tags = format!("[TimeControl \"{control}\"]\n[WhiteClock \"{white}\"]\n");
            let text = format!("{tags}[BlackClock \"1\"]\n\n1. d6 f4 *");
            let clocks = new(&NINE).read(&text, &NINE).unwrap().clocks;
            assert_eq!(clocks.is_some(), is_clock, "{tags}");
        }
    }

    #[test]
    fn a_text_without_a_game_is_refused() {
        assert!(new(&NINE).read("1. d6 d6", &NINE).is_err());
    }

    #[test]
    fn two_programs_have_two_slots_and_a_game_is_resumed_once() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        let first = Autosave::claim(folder).unwrap();
        let second = Autosave::claim(folder).unwrap();
        first.save("first").unwrap();
        second.save("second").unwrap();
        assert!(Autosave::last_unfinished(folder).unwrap().is_none(), "both are being played");
        drop(first);
        let again = Autosave::last_unfinished(folder).unwrap().unwrap();
        assert_eq!(fs::read_to_string(&again.path).unwrap(), "first");
        assert!(Autosave::last_unfinished(folder).unwrap().is_none());
        again.remove().unwrap();
        again.remove().unwrap();
        drop(again);
        assert!(Autosave::last_unfinished(folder).unwrap().is_none());
    }

    #[test]
    fn a_game_last_unfinished_keeps_its_place() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        Autosave::claim(folder).unwrap().save("old").unwrap();
        let new = Autosave::claim(folder).unwrap();
        new.save("new").unwrap();
        let left = Autosave::last_unfinished(folder).unwrap().unwrap();
        assert_eq!(fs::read_to_string(&left.path).unwrap(), "old");
        drop(left);
        let again = Autosave::last_unfinished(folder).unwrap().unwrap();
        let aside = whole_file::set_aside(&again.path).unwrap();
        assert_eq!(fs::read_to_string(aside).unwrap(), "old");
    }
}
