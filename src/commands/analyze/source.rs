//! Where positions and games come from.

use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use clap::ValueHint;

/// What to analyze.
#[derive(clap::Args)]
pub struct Input {
    /// Files to read; - is standard input, which is also read if nothing else is named
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    files: Vec<PathBuf>,
    /// Position to analyze; may be given several times
    #[arg(long, value_name = "POSITION")]
    fen: Vec<String>,
}

/// A text to analyze.
pub struct Source {
    /// The name of the file; none for what stands on the command line.
    name: Option<String>,
    pub text: String,
}

impl Input {
    /// The texts, read one after the other, or why one cannot be read.
    pub fn sources(&self) -> impl Iterator<Item = Result<Source, String>> {
        let is_silent = self.files.is_empty() && self.fen.is_empty();
        let positions = self.fen.iter().map(|text| Ok(Source { name: None, text: text.clone() }));
        let files = self.files.iter().map(PathBuf::as_path);
        let files = files.chain(is_silent.then_some(Path::new("-")));
        positions.chain(files.map(Source::read))
    }
}

impl Source {
    fn read(path: &Path) -> Result<Self, String> {
        let is_input = path == Path::new("-");
        let name = if is_input { "standard input".into() } else { path.display().to_string() };
        let text = if is_input { read_input() } else { fs::read_to_string(path) };
        match text {
            Ok(text) => Ok(Self { name: Some(name), text }),
            Err(error) => Err(format!("{name}: {error}")),
        }
    }

    /// How errors name a line.
    pub fn place(&self, line: usize) -> String {
        match &self.name {
            Some(name) => format!("{name}:{line}"),
            None => "--fen".to_owned(),
        }
    }
}

fn read_input() -> io::Result<String> {
    let mut text = String::new();
    io::stdin().read_to_string(&mut text)?;
    Ok(text)
}
