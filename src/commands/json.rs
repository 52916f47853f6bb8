//! Output for programs: JSON, one object a line.

use std::fmt::Display;
use std::io::{self, Write};

use serde::Serialize;

/// Whether output is for people or for programs.
#[derive(Clone, Copy, clap::Args)]
pub struct Format {
    /// Print JSON, one object a line
    #[arg(long)]
    pub json: bool,
}

impl Format {
    /// Writes a line: JSON for programs, text for people.
    pub fn write(
        self,
        out: &mut impl Write,
        json: &impl Serialize,
        text: impl Display,
    ) -> io::Result<()> {
        if self.json { write(out, json) } else { writeln!(out, "{text}") }
    }
}

/// Writes a line of JSON.
pub fn write(out: &mut impl Write, value: &impl Serialize) -> io::Result<()> {
    serde_json::to_writer(&mut *out, value)?;
    writeln!(out)
}
