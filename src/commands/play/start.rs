//! Sitting down: from the command line to the first move.

use std::error::Error;
use std::io::{self, IsTerminal};
use std::path::Path;
use std::time::Duration;

use millstone::rules::{DrawRules, Preset, RuleSet};
use millstone::search::Skill;

use super::archive::Match;
use super::clock::Clocks;
use super::course::Course;
use super::databases::Databases;
use super::input::Input;
use super::kept::{self, Kept};
use super::screen::Screen;
use super::seats::Seats;
use super::session::{Session, Watch};
use super::theme::Theme;
use super::thinker::Thinker;
use super::{Arguments, files};
use crate::commands::terminal;

/// A session with the game that the arguments ask for; none if the player leaves at once.
pub fn session(arguments: &Arguments, rules: &RuleSet) -> Result<Option<Session>, Box<dyn Error>> {
    let is_rich = is_rich();
    let theme = Theme::of_terminal(arguments.ascii, is_rich);
    let move_time = Duration::from_millis(arguments.movetime);
    let seed = arguments.seed.unwrap_or_else(rand::random);
    let databases = Databases::new(arguments.databases.clone());
    let mut session = Session {
        played: new_match(arguments, rules)?,
        thinker: Thinker::new(databases, move_time, seed, is_rich.then_some(theme))?,
        screen: Screen::new(theme),
        input: Input::open(is_rich)?,
        kept: None,
        time_control: arguments.clock,
        is_stale: true,
        watch: Watch::default(),
        is_saved: false,
    };
    if !session.sit_down(arguments)? {
        return Ok(None);
    }
    Ok(Some(session))
}

/// Whether the terminal is one in which lines can be edited.
fn is_rich() -> bool {
    io::stdin().is_terminal() && io::stdout().is_terminal() && !terminal::is_dumb()
}

fn new_match(arguments: &Arguments, rules: &RuleSet) -> Result<Match, Box<dyn Error>> {
    let draws = DrawRules::default();
    let course = match &arguments.from {
        Some(text) => Course::from_text(text, rules, draws)?,
        None => Course::start(rules, draws),
    };
    let new = Match {
        course,
        seats: arguments.side.unwrap_or(Seats::White),
        skill: Skill::of_level(arguments.level.unwrap_or(super::LEVEL)),
        clocks: arguments.clock.map(Clocks::new),
        origin: None,
    };
    match &arguments.load {
        Some(path) => Ok(overruled(files::read(path, &new)?, arguments)),
        None => Ok(new),
    }
}

/// A game from a file, with what the arguments say instead of it.
fn overruled(mut read: Match, arguments: &Arguments) -> Match {
    read.seats = arguments.side.unwrap_or(read.seats);
    read.skill = arguments.level.map_or(read.skill, Skill::of_level);
    read.clocks = arguments.clock.map(Clocks::new).or(read.clocks);
    read
}

impl Session {
    /// Settles which game is played and by whom; whether the player stays.
    fn sit_down(&mut self, arguments: &Arguments) -> Result<bool, Box<dyn Error>> {
        let Some(folder) = kept::folder() else {
            if arguments.resume {
                return Err("--resume: this system names no folder for data".into());
            }
            return Ok(self.choose_side(arguments)?);
        };
        let is_new = arguments.from.is_none() && arguments.load.is_none();
        if arguments.resume || (is_new && self.input.is_interactive()) {
            match self.offer(&folder, arguments)? {
                Offer::Accepted => return Ok(true),
                Offer::Left => return Ok(false),
                Offer::Nothing if arguments.resume => {
                    return Err("--resume: expected a game that was left, found none".into());
                }
                Offer::Nothing => {}
            }
        }
        match Kept::claim(&folder) {
            Ok(place) => self.kept = Some(place),
            Err(error) => {
                let folder = folder.display();
                self.screen.say(format_args!("The game cannot be kept: {folder}: {error}"))?;
            }
        }
        if arguments.load.is_some() {
            self.take_up()?;
            self.is_saved = true;
        }
        Ok(self.choose_side(arguments)?)
    }

    /// Offers to go on with the game that was left last, without asking if that was asked for.
    fn offer(&mut self, folder: &Path, arguments: &Arguments) -> Result<Offer, Box<dyn Error>> {
        let place = match Kept::broken_off(folder) {
            Ok(Some(place)) => place,
            Ok(None) => return Ok(Offer::Nothing),
            Err(error) => {
                let error = format!("{}: {error}", folder.display());
                if arguments.resume {
                    return Err(error.into());
                }
                self.screen.say(format_args!("No game that was left can be reached: {error}"))?;
                return Ok(Offer::Nothing);
            }
        };
        let read = place.read().map_err(|error| error.to_string());
        let played = match read.and_then(|text| self.played.read(&text)) {
            Ok(played) => played,
            Err(error) => {
                let aside = match place.set_aside() {
                    Ok(aside) => format!("kept as {}", aside.display()),
                    Err(error) => format!("and cannot be set aside ({error})"),
                };
                self.screen
                    .say(format_args!("A game that was left is damaged, {aside}: {error}"))?;
                return Ok(Offer::Nothing);
            }
        };
        if !arguments.resume {
            let question = question(&played);
            match self.ask(&question, &ANSWERS)? {
                Some(Answer::Yes) => {}
                Some(Answer::Later) => return Ok(Offer::Nothing),
                Some(Answer::Never) => {
                    place.forget().map_err(|error| format!("{}: {error}", folder.display()))?;
                    return Ok(Offer::Nothing);
                }
                None => return Ok(Offer::Left),
            }
        }
        self.played = overruled(played, arguments);
        self.kept = Some(place);
        self.take_up()?;
        Ok(Offer::Accepted)
    }

    fn choose_side(&mut self, arguments: &Arguments) -> io::Result<bool> {
        let is_told = arguments.side.is_some() || arguments.load.is_some();
        if !is_told && self.input.is_interactive() {
            self.screen.say("Welcome to Millstone. help explains everything, quit leaves.")?;
            let Some(seats) = self.ask_side()? else { return Ok(false) };
            self.played.seats = seats;
        }
        self.hold_clock();
        Ok(true)
    }
}

/// What became of a game that was left.
enum Offer {
    Accepted,
    Nothing,
    Left,
}

#[derive(Clone, Copy)]
enum Answer {
    Yes,
    Later,
    Never,
}

const ANSWERS: [(&str, Answer); 3] =
    [("yes", Answer::Yes), ("later", Answer::Later), ("never", Answer::Never)];

fn question(played: &Match) -> String {
    let name = Preset::of(played.course.rules()).map_or("a game", |preset| preset.name);
    let moves = played.course.played().len();
    let plural = if moves == 1 { "" } else { "s" };
    format!("{name} was left after {moves} move{plural} ({}); go on with it?", played.seats)
}
