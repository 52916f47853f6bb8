//! `millstone completions`: what a shell needs to complete commands.

use std::io::{self, Write};

use clap_complete::Shell;

use super::CommandResult;

/// Print a script with which a shell completes the commands and options of this program.
///
/// For bash: `millstone completions bash > ~/.local/share/bash-completion/completions/millstone`.
#[derive(clap::Args)]
pub struct Arguments {
    /// Shell to print it for
    shell: Shell,
}

/// Prints the script for a program.
pub fn run(arguments: &Arguments, mut program: clap::Command) -> CommandResult {
    let name = program.get_name().to_owned();
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut program, name, &mut script);
    Ok(io::stdout().write_all(&script)?)
}
