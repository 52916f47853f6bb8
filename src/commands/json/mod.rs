//! Output for programs: JSON, one object a line; the shapes that several subcommands share.

pub mod analysis;
pub mod record;

use std::io::{self, Write};

use millstone::tablebase::{self, DrawValue, Wdl};
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

/// The value of a position by the tablebase.
#[derive(Serialize)]
pub struct Value {
    /// `win`, `draw` or `loss`.
    result: String,
    /// The distance in turns of both sides; none for a draw, or if it is not known.
    turns: Option<u8>,
}

impl From<tablebase::Value> for Value {
    fn from(value: tablebase::Value) -> Self {
        Self { turns: value.turns(), ..Wdl::from(value).into() }
    }
}

impl From<Wdl> for Value {
    fn from(wdl: Wdl) -> Self {
        Self { result: wdl.to_string(), turns: None }
    }
}

/// Where a draw comes to rest.
#[derive(Serialize)]
pub struct Rest {
    /// The men of the side to move and of the other, or `level`; none if it is no draw, or not known.
    rest: Option<String>,
    /// After how many turns of both sides, where that is known.
    rest_turns: Option<u8>,
}

impl From<Option<DrawValue>> for Rest {
    fn from(draw: Option<DrawValue>) -> Self {
        Self { rest: draw.map(DrawValue::place), rest_turns: draw.and_then(|draw| draw.turns) }
    }
}
