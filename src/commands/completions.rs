//! `millstone completions`: completion scripts for shells.

use std::io::{self, Write};

use clap::Command;
use clap::builder::PossibleValuesParser;
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
pub fn run(arguments: &Arguments, program: Command) -> CommandResult {
    let name = program.get_name().to_owned();
    let subcommands = PossibleValuesParser::new(subcommands(&program));
    let mut program = program.mut_subcommand("man", |man| {
        man.mut_arg("subcommand", |subcommand| subcommand.value_parser(subcommands))
    });
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut program, name, &mut script);
    Ok(io::stdout().write_all(&script)?)
}

/// The names of all subcommands, in depth.
fn subcommands(command: &Command) -> Vec<String> {
    let below = command.get_subcommands();
    below
        .flat_map(|below| [vec![below.get_name().to_owned()], subcommands(below)].concat())
        .collect()
}
