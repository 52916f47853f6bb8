//! The game of a session: players, moves, declared ends and clocks; its game record, and the file in which it survives
//! a crash.

use std::collections::BTreeMap;
use std::fmt;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use clap::ValueEnum;
use millstone::board::{BySide, Side};
use millstone::build_info::NAME;
use millstone::game::{History, Outcome};
use millstone::matches::TimeControl;
use millstone::quote::{printable, quote};
use millstone::records::{GameRecord, GameResult, Notation};
use millstone::search::Skill;
use millstone::system::locks::lock_file;
use millstone::system::regular_file::if_there;
use millstone::system::whole_file;

use super::commands::{choose, word};
use crate::commands::arguments::{Text, read_regular_text};
use crate::commands::at;

/// The sides that humans play; the engine plays the other sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum HumanSides {
    /// You play White and place first
    White,
    /// You play Black
    Black,
    /// Two people play each other
    Both,
    /// The engine plays itself, and you watch
    None,
}

impl HumanSides {
    /// Whether a human plays a side.
    pub fn is_human(self, side: Side) -> bool {
        self == Self::Both || self == [Self::White, Self::Black][side as usize]
    }

    /// The same players with sides swapped.
    pub fn swapped(self) -> Self {
        [Self::Black, Self::White, Self::Both, Self::None][self as usize]
    }
}

impl fmt::Display for HumanSides {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::White => "you play White",
            Self::Black => "you play Black",
            Self::Both => "two people play",
            Self::None => "the engine plays itself",
        })
    }
}

/// An end that the players declare, such as resignation.
#[derive(Clone, Debug)]
pub struct Declared {
    pub result: GameResult,
    /// The reason, as in game records.
    pub reason: Option<String>,
}

/// The reasons for declared ends in game records.
pub const RESIGNATION: &str = "resignation";
pub const TIME_LOSS: &str = "time loss";
pub const AGREEMENT: &str = "agreement";

impl Declared {
    fn sentence(&self) -> String {
        let winner = Side::ALL.into_iter().find(|&side| GameResult::won_by(side) == self.result);
        let reason = self.reason.as_deref().map(|reason| reason.trim().trim_end_matches('.'));
        let word = reason.unwrap_or_default().to_lowercase();
        match (winner, &*word) {
            (Some(winner), RESIGNATION | "r" | "resign") => {
                format!("{winner} wins: {} resigns.", !winner)
            }
            (Some(winner), TIME_LOSS | "time forfeit" | "t" | "time") => {
                format!("{winner} wins on time.")
            }
            (Some(winner), "forfeit" | "f") => format!("{winner} wins: {} forfeits.", !winner),
            (None, AGREEMENT) => "Draw by agreement.".to_owned(),
            _ => {
                let drawn = || "The game is drawn".to_owned();
                let end = winner.map_or_else(drawn, |winner| format!("{winner} has won"));
                let tells = !["", "?", "normal"].contains(&&*word);
                let reason =
                    reason.filter(|_| tells).map(|reason| format!(": {}", printable(reason)));
                format!("{end}{}.", reason.unwrap_or_default())
            }
        }
    }
}

/// A game with everything needed to continue it.
pub struct PlayedGame {
    pub history: History,
    /// How the game ended, if not by its rules.
    pub declared: Option<Declared>,
    pub humans: HumanSides,
    pub skill: Skill,
    pub clocks: Option<Clocks>,
    /// The record that the game was read from, with tags and annotations.
    pub origin: Option<GameRecord>,
}

impl PlayedGame {
    /// Returns the result of a finished game, and a sentence with the result and its reason.
    pub fn end(&self) -> Option<(GameResult, String)> {
        let declared = self.declared.as_ref().map(|end| (end.result, end.sentence()));
        let game = self.history.game();
        let sentence = |outcome: Outcome| outcome.sentence(game.draw_rules());
        declared.or_else(|| game.outcome().map(|end| (Some(end).into(), sentence(end))))
    }

    /// Takes back a declared end or else the last turn of a human and all later turns. Returns whether there
    /// was anything to take back.
    pub fn undo(&mut self) -> bool {
        let humans = self.humans;
        let is_undone = |side| humans == HumanSides::None || humans.is_human(side);
        self.declared.take().is_some() || self.history.undo(is_undone)
    }

    /// Plays again what `undo` took back last, unless the game is over. Returns whether there was anything to
    /// play.
    pub fn redo(&mut self) -> bool {
        self.end().is_none() && self.history.redo()
    }
}

/// The longest time on a clock, in minutes.
const MOST_MINUTES: f64 = 10_000.0;

/// Parses a time control; `None` if a time is malformed or out of range.
///
/// * `base`: the time for the game, in units of `unit` seconds.
/// * `increment`: the seconds added after each turn.
pub fn control(base: &str, unit: f64, increment: &str) -> Option<TimeControl> {
    let (base, increment) = (time(base, unit)?, time(increment, 1.0)?);
    (!base.is_zero()).then_some(TimeControl { turns: None, base, increment })
}

/// Parses a time on a clock, in units of `unit` seconds; `None` if it is malformed or out of range.
pub fn time(text: &str, unit: f64) -> Option<Duration> {
    let seconds = text.parse::<f64>().ok()? * unit;
    let range = 0.0..=MOST_MINUTES * 60.0;
    range.contains(&seconds).then(|| Duration::from_secs_f64(seconds))
}

/// Parses a time control such as `10+5`: minutes for the game, and optionally seconds for each turn.
pub fn read_control(text: &str) -> Result<TimeControl, String> {
    let (minutes, seconds) = text.split_once('+').unwrap_or((text, "0"));
    control(minutes.trim(), 60.0, seconds.trim()).ok_or_else(|| {
        format!("expected minutes and seconds per turn, such as 10+5, found '{}'", quote(text))
    })
}

/// The clocks while a game is played.
#[derive(Clone, Debug)]
pub struct Clocks {
    pub control: TimeControl,
    /// The time that each side had when the turn began.
    left: BySide<Duration>,
    /// The time when the turn began.
    since: Instant,
    /// The values of `left` for other turns, by the number of moves before the turn.
    earlier: BTreeMap<usize, BySide<Duration>>,
}

impl Clocks {
    /// Starts both clocks with the full time.
    pub fn new(control: TimeControl) -> Self {
        Self::with_left(control, BySide::both(control.base))
    }

    /// Starts the clocks with given times.
    pub fn with_left(control: TimeControl, left: BySide<Duration>) -> Self {
        Self { control, left, since: Instant::now(), earlier: BTreeMap::new() }
    }

    /// Returns the time that a side has left.
    pub fn left(&self, side: Side, to_move: Side) -> Duration {
        let spent = if side == to_move { self.since.elapsed() } else { Duration::ZERO };
        self.left[side].saturating_sub(spent)
    }

    /// Whether the side to move has no time left.
    pub fn is_out(&self, to_move: Side) -> bool {
        self.left(to_move, to_move).is_zero()
    }

    /// Stops the clock of a side at the end of its turn.
    ///
    /// * `moves_before`: the number of moves in the game before the turn.
    pub fn end_turn(&mut self, side: Side, moves_before: usize) {
        self.earlier.insert(moves_before, self.left);
        let most = Duration::from_secs_f64(MOST_MINUTES * 60.0);
        self.left[side] = (self.left(side, side) + self.control.increment).min(most);
        self.restart();
    }

    /// Stores the present times under the number of moves played, for a redo.
    pub fn remember(&mut self, moves: usize, to_move: Side) {
        let left = BySide(Side::ALL.map(|side| self.left(side, to_move)));
        self.earlier.insert(moves, left);
    }

    /// Restores the times after `moves` moves, if known.
    pub fn go_to(&mut self, moves: usize) {
        self.left = self.earlier.get(&moves).copied().unwrap_or(self.left);
        self.restart();
    }

    /// Starts the clock of the side to move.
    pub fn restart(&mut self) {
        self.since = Instant::now();
    }
}

/// Writes a time in minutes and seconds, with tenths below 20 seconds.
pub fn clock_time(left: Duration) -> String {
    let seconds = left.as_secs();
    let time = format!("{}:{:02}", seconds / 60, seconds % 60);
    if seconds < 20 { format!("{time}.{}", left.subsec_millis() / 100) } else { time }
}

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
        for side in Side::ALL {
            let tag = side.to_string();
            let is_own = |name: &str| name == PERSON || name.starts_with(ENGINE);
            if record.tag(&tag).is_none_or(is_own) {
                let engine = || format!("{ENGINE}{}", skill.level());
                let name = if humans.is_human(side) { PERSON.to_owned() } else { engine() };
                record.set_tag(&tag, name);
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
    /// # Errors
    ///
    /// If the file cannot be read or has no valid first game: one line that names the file.
    pub fn read_file(&self, path: &Path) -> Result<Self, String> {
        let Text { text, .. } = read_regular_text(path)?;
        self.read(&text).map_err(at(path))
    }

    /// Reads the first game of a text in any notation; this game supplies what its tags lack.
    fn read(&self, text: &str) -> Result<Self, String> {
        let mut records = GameRecord::read_each_by(text, self.history.rules());
        let record = records.next().ok_or("there is no game in it")?;
        let record = record.map_err(|error| error.to_string())?;
        let humans = record.tag(HUMANS).and_then(|name| choose(name).ok());
        let level = record.tag(LEVEL).and_then(|level| level.parse().ok());
        let history = record.history().map_err(|error| error.to_string())?;
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
            games.extend(if_there(modified)?.map(|modified| (modified, number)));
        }
        games.sort_unstable();
        let mut latest = games.into_iter().rev();
        latest.find_map(|(_, number)| Self::lock(folder, number, true).transpose()).transpose()
    }

    /// Locks a slot with or without a saved game; `None` if another program holds it or `has_game` does not match.
    fn lock(folder: &Path, number: u32, has_game: bool) -> io::Result<Option<Self>> {
        let lock = lock_file(&folder.join(format!("{number}.lock")), Duration::ZERO)?;
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
        if_there(fs::remove_file(&self.path)).map(drop)
    }
}

fn path(folder: &Path, number: u32) -> PathBuf {
    folder.join(format!("{number}.pgn"))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use millstone::game::Game;
    use millstone::position::Move;
    use millstone::records::AnnotatedMove;
    use millstone::rules::{DrawRules, Preset, RuleSet};

    use super::*;

    #[test]
    fn a_declared_end_is_taken_back_alone_and_nothing_is_redone_before() {
        let rules = RuleSet::NINE_MENS_MORRIS;
        let moves = ["d6", "a1", "d5"].map(|mv| mv.parse().unwrap());
        let mut played = PlayedGame {
            history: History::replay(None, &rules, moves.into_iter()).unwrap(),
            declared: None,
            humans: HumanSides::Both,
            skill: Skill::FULL,
            clocks: None,
            origin: None,
        };
        assert!(played.undo());
        played.declared = Some(Declared { result: GameResult::Draw, reason: None });
        assert!(!played.redo());
        assert!(played.undo());
        assert_eq!((played.end(), played.history.count_moves()), (None, 2));
        assert!(played.redo());
    }

    #[test]
    fn time_controls_are_minutes_and_seconds() {
        let written = |text| read_control(text).map(|control| control.to_string());
        assert_eq!(written("10+5"), Ok("600+5".to_owned()));
        assert_eq!(written("0.5"), Ok("30+0".to_owned()));
        for text in ["", "+5", "0", "-1", "ten", "5+x", "nan", "inf", "1e9", "5+-1"] {
            assert!(written(text).is_err(), "{text}");
        }
    }

    #[test]
    fn only_the_clock_of_the_side_to_move_runs() {
        let control = control("1", 1.0, "60").unwrap();
        let mut clocks = Clocks::new(control);
        clocks.end_turn(Side::White, 0);
        assert!(clocks.left(Side::White, Side::Black) > Duration::from_secs(60));
        assert!(clocks.left(Side::Black, Side::Black) <= Duration::from_secs(1));
    }

    #[test]
    fn what_is_taken_back_gives_its_time_back() {
        let left = BySide([50.0, 40.0].map(Duration::from_secs_f64));
        let mut clocks = Clocks::with_left(read_control("1+60").unwrap(), left);
        clocks.end_turn(Side::White, 4);
        clocks.remember(5, Side::Black);
        let after = clocks.earlier[&5];
        assert!(after[Side::White] > left[Side::White] && after[Side::Black] < left[Side::Black]);
        clocks.go_to(4);
        assert_eq!(clocks.left, left);
        clocks.go_to(5);
        assert_eq!(clocks.left, after);
        clocks.go_to(0);
        assert_eq!(clocks.left, after, "what was before is not known");
    }

    #[test]
    fn short_times_show_tenths() {
        let shown = |millis| clock_time(Duration::from_millis(millis));
        assert_eq!(shown(598_900), "9:58");
        assert_eq!(shown(9_870), "0:09.8");
    }

    fn new(rules: &RuleSet) -> PlayedGame {
        let (humans, skill) = (HumanSides::Black, Skill::of_level(4));
        let history = Game::start(*rules, DrawRules::default()).into();
        PlayedGame { history, declared: None, humans, skill, clocks: None, origin: None }
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
        let read = new(&RuleSet::NINE_MENS_MORRIS).read(&written(&played)).unwrap();
        assert_eq!(read.history.game().text(), played.history.game().text());
        assert_eq!((read.humans, read.skill), (played.humans, played.skill));
        let clocks = read.clocks.unwrap();
        assert_eq!(clocks.control, control);
        assert!(clocks.left(Side::White, Side::Black) >= Duration::from_secs(250));
    }

    #[test]
    fn a_result_that_the_rules_do_not_give_stays() {
        let mut played = new(&RuleSet::NINE_MENS_MORRIS);
        played.history.play("d6".parse().unwrap()).unwrap();
        let reason = Some(RESIGNATION.to_owned());
        played.declared = Some(Declared { result: GameResult::BlackWins, reason });
        let mut read = played.read(&written(&played)).unwrap();
        assert_eq!(read.end(), played.end());
        assert_eq!(written(&read), written(&played));
        assert!(read.undo() && !written(&read).contains("Termination"));
        let mut read = played.read("[Termination \"Arbiter.\"]\n\n1. d6 0-1").unwrap();
        assert_eq!(read.end().unwrap().1, "Black has won: Arbiter.");
        assert!(written(&read).contains("\"Arbiter.\"") && read.undo());
        read.declared = played.declared.clone();
        assert!(written(&read).contains(RESIGNATION));
    }

    #[test]
    fn what_a_file_says_about_a_game_is_written_again() {
        let text = "[White \"Erika\"]\n[Annotator \"Uwe\"]\n\n\
                    1. d6 {a crossing} f4! (1... a1 2. a4) 2. d5 a1?? *";
        let new = new(&RuleSet::NINE_MENS_MORRIS);
        let mut played = new.read(text).unwrap();
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
        let new = new(&RuleSet::NINE_MENS_MORRIS);
        let mut played = new.read(text).unwrap();
        played.history.play("d2".parse().unwrap()).unwrap();
        let read = GameRecord::read_all(&written(&played)).unwrap();
        let mut expected = GameRecord::read_all(text).unwrap().remove(0);
        expected.main_line.moves.push(AnnotatedMove::from("d2".parse::<Move>().unwrap()));
        assert_eq!(read[0].main_line, expected.main_line);
        let plain = new.read("1. d6 f4").unwrap();
        assert!(plain.write(Path::new("game.SGF")).unwrap().starts_with("(;FF[4]"));
        assert!(!written(&plain).starts_with('('));
    }

    #[test]
    fn the_usual_rules_are_those_of_the_game_before() {
        let mora = Preset::named("morabaraba").unwrap().rules;
        assert_eq!(*new(&mora).read("1. d6 f4").unwrap().history.rules(), mora);
    }

    #[test]
    fn a_game_that_went_on_after_a_draw_goes_on_without_draws() {
        let text = "[FEN \"@*******/***@**@*/**O*OO** w m s 3 0 3 0 0 0 0 0 0 0 0 0 30\"]\n\n";
        let moves = ["g4-d3", "d5-e5", "d3-g4", "e5-d5"].repeat(3).join(" ");
        let new = new(&RuleSet::NINE_MENS_MORRIS);
        let read = new.read(&format!("{text}{moves}")).unwrap();
        assert_eq!((read.history.count_moves(), read.end()), (12, None));
        let read = new.read(&written(&read)).unwrap();
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
            let clocks = new(&RuleSet::NINE_MENS_MORRIS).read(&text).unwrap().clocks;
            assert_eq!(clocks.is_some(), is_clock, "{tags}");
        }
    }

    #[test]
    fn a_text_without_a_game_is_refused() {
        assert!(new(&RuleSet::NINE_MENS_MORRIS).read("1. d6 d6").is_err());
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
