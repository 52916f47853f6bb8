//! Where positions and games come from.

use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use clap::ValueHint;
use millstone::records;

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
    /// The name of the file, or what stands for it.
    pub name: String,
    pub text: String,
}

impl Input {
    /// The texts, read one after the other, or why one cannot be read.
    pub fn sources(&self) -> impl Iterator<Item = Result<Source, String>> {
        let is_silent = self.files.is_empty() && self.fen.is_empty();
        let positions =
            self.fen.iter().map(|text| Ok(Source { name: "--fen".to_owned(), text: text.clone() }));
        let files = self.files.iter().map(PathBuf::as_path);
        let files = files.chain(is_silent.then_some(Path::new("-")));
        positions.chain(files.map(Source::read))
    }
}

impl Source {
    fn read(path: &Path) -> Result<Self, String> {
        let is_input = path == Path::new("-");
        let name = if is_input { "standard input".into() } else { path.display().to_string() };
        let bytes = if is_input { read_input() } else { fs::read(path) };
        let text = match bytes.map(records::decode) {
            Ok(text) => text.map_err(|error| error.to_string()),
            Err(error) => Err(error.to_string()),
        };
        match text {
            Ok(text) => Ok(Self { name, text: text.trim_start_matches('\u{feff}').to_owned() }),
            Err(error) => Err(format!("{name}: {error}")),
        }
    }

    /// The lines that are neither empty nor remarks, with their numbers.
    pub fn lines(&self) -> impl Iterator<Item = (usize, &str)> {
        let lines = (1..).zip(self.text.lines().map(str::trim));
        lines.filter(|(_, line)| !line.is_empty() && !line.starts_with(['#', ';']))
    }

    /// Whether the text is a list of positions; else it holds games.
    pub fn has_positions(&self) -> bool {
        let first = self.lines().next().and_then(|(_, line)| line.split_whitespace().next());
        let is_start = |word| ["position", "startpos", "fen"].contains(&word);
        first.is_none_or(|word| is_start(word) || word.matches('/').count() == 2)
    }
}

fn read_input() -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    io::stdin().read_to_end(&mut bytes)?;
    Ok(bytes)
}
