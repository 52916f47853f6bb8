//! `millstone rules`: the games that have a name.

use std::io::{self, Write};

use millstone::rules::{PRESETS, Preset};

use super::CommandResult;

/// List the games, or say the rules of one.
#[derive(clap::Args)]
pub struct Arguments {
    /// Game whose rules to say, as with --variant
    #[arg(value_name = "GAME", value_parser = super::parse_game)]
    game: Option<&'static Preset>,
}

/// Prints the table or the rules.
pub fn run(arguments: &Arguments, variant: Option<&Preset>) -> CommandResult {
    let mut out = io::stdout().lock();
    match arguments.game.or(variant) {
        Some(Preset { name, rules }) => {
            writeln!(out, "{name} ({})\n\n{}", rules.identity(), rules.sentences())?;
        }
        None => write_table(&mut out)?,
    }
    Ok(())
}

fn write_table(out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "{:<20} {:<16}  rules", "game", "identity")?;
    for Preset { name, rules } in &PRESETS {
        writeln!(out, "{name:<20} {}  {}", rules.identity(), rules.summary())?;
    }
    Ok(())
}
