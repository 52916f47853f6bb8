//! `millstone learn stats`: what is there.

use std::io::{self, Write};

use millstone::learning::{Lesson, Lessons, game_of};
use millstone::rules::Identity;
use millstone::score::ScoreKind;
use serde::Serialize;

use super::{Chosen, read};
use crate::commands::{CommandResult, json};

/// Count the lessons of each game: wins and losses proven, estimates, how deep they look.
#[derive(clap::Args)]
pub struct Arguments {
    #[command(flatten)]
    chosen: Chosen,
    #[command(flatten)]
    format: json::Format,
}

/// A file as JSON.
#[derive(Serialize)]
struct Summary {
    file: String,
    lessons: usize,
    most: usize,
    games: Vec<Game>,
}

/// The lessons of a game.
#[derive(Serialize)]
struct Game {
    identity: String,
    name: Option<&'static str>,
    lessons: usize,
    wins: usize,
    losses: usize,
    estimates: usize,
    mean_depth: f64,
    deepest: u8,
}

/// Prints the counts.
pub fn run(arguments: &Arguments) -> CommandResult {
    let file = arguments.chosen.existing()?;
    let lessons = read(&file)?;
    let games = lessons.games().into_iter().map(|game| Game::of(&lessons, game)).collect();
    let summary = Summary {
        file: file.path().display().to_string(),
        lessons: lessons.len(),
        most: Lessons::MOST,
        games,
    };
    let mut out = io::stdout().lock();
    if arguments.format.json {
        json::write(&mut out, &summary)?;
    } else {
        summary.write(&mut out)?;
    }
    Ok(())
}

impl Summary {
    fn write(&self, out: &mut impl Write) -> io::Result<()> {
        writeln!(out, "{}: lessons: {}, at most {}", self.file, self.lessons, self.most)?;
        if self.games.is_empty() {
            return Ok(());
        }
        let title = ["lessons", "won", "lost", "estimates", "depth", "deepest"];
        write!(out, "{:<20}", "game")?;
        title.iter().try_for_each(|column| write!(out, " {column:>9}"))?;
        writeln!(out)?;
        for game in &self.games {
            let name = game.name.unwrap_or(&game.identity);
            let Game { lessons, wins, losses, estimates, mean_depth, deepest, .. } = game;
            write!(out, "{name:<20} {lessons:>9} {wins:>9} {losses:>9} {estimates:>9} ")?;
            writeln!(out, "{mean_depth:>9.1} {deepest:>9}")?;
        }
        Ok(())
    }
}

impl Game {
    fn of(lessons: &Lessons, identity: Identity) -> Self {
        let of_game: Vec<Lesson> =
            lessons.iter().filter(|lesson| lesson.subject.game == identity).collect();
        let count = |is_kind: fn(ScoreKind) -> bool| {
            of_game.iter().filter(|lesson| is_kind(lesson.finding.score.kind())).count()
        };
        let depths = || of_game.iter().map(|lesson| lesson.finding.depth);
        Self {
            identity: identity.to_string(),
            name: game_of(identity).map(|preset| preset.name),
            lessons: of_game.len(),
            wins: count(|kind| matches!(kind, ScoreKind::MateIn(_))),
            losses: count(|kind| matches!(kind, ScoreKind::MatedIn(_))),
            estimates: count(|kind| matches!(kind, ScoreKind::Estimate(_))),
            mean_depth: depths().map(f64::from).sum::<f64>() / of_game.len().max(1) as f64,
            deepest: depths().max().unwrap_or_default(),
        }
    }
}
