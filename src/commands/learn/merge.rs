//! `millstone learn merge`: one file of several.

use std::io::{self, Write};
use std::path::PathBuf;

use millstone::learning::{LearningFile, Lessons};
use serde::Serialize;

use super::{Chosen, read};
use crate::commands::{CommandResult, json};

/// Add the lessons of files to a file, which may be new.
///
/// Of two lessons about a position the better one stays: what is proven, then what looks deeper.
/// Engines that use the file at the same time lose nothing. Bad lines of the files are told and left
/// out, so a damaged file merged into a new one is mended.
#[derive(clap::Args)]
pub struct Arguments {
    /// Files to take lessons from
    #[arg(value_name = "FILE", required = true)]
    from: Vec<PathBuf>,
    /// File to add them to [default: where the engine looks for it]
    #[arg(short, long, value_name = "FILE")]
    out: Option<PathBuf>,
    #[command(flatten)]
    format: json::Format,
}

/// What is there then, as JSON.
#[derive(Serialize)]
struct Merged {
    file: String,
    lessons: usize,
}

/// Merges and says what is there then.
pub fn run(arguments: &Arguments) -> CommandResult {
    let mut lessons = Lessons::default();
    for path in &arguments.from {
        let chosen = Chosen { file: Some(path.clone()) };
        lessons.extend(read(&chosen.existing()?)?.iter());
    }
    let out: LearningFile = Chosen { file: arguments.out.clone() }.file()?;
    let lessons = out.add(&lessons)?.lessons.len();
    let merged = Merged { file: out.path().display().to_string(), lessons };
    if arguments.format.json {
        json::write(&mut io::stdout(), &merged)?;
    } else {
        writeln!(io::stdout(), "{}: lessons: {lessons}", merged.file)?;
    }
    Ok(())
}
