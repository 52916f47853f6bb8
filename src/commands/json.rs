//! Output for programs: JSON, one object a line.

use std::io::{self, Write};

use millstone::tablebase::{Value, Wdl};
use serde::Serialize;

/// Whether output is for people or for programs.
#[derive(Clone, Copy, clap::Args)]
pub struct Format {
    /// Print JSON, one object a line
    #[arg(long)]
    pub json: bool,
}

/// Writes a line.
pub fn write(out: &mut impl Write, value: &impl Serialize) -> io::Result<()> {
    serde_json::to_writer(&mut *out, value)?;
    writeln!(out)
}

/// What a position is worth by the databases.
#[derive(Serialize)]
pub struct Worth {
    /// `win`, `draw` or `loss`.
    result: String,
    /// The plies to the end, if there is one and it is known.
    plies: Option<u8>,
}

impl From<Value> for Worth {
    fn from(value: Value) -> Self {
        Self { plies: value.plies(), ..Wdl::from(value).into() }
    }
}

impl From<Wdl> for Worth {
    fn from(wdl: Wdl) -> Self {
        Self { result: wdl.to_string(), plies: None }
    }
}
