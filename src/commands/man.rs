//! `millstone man` and `millstone completions`: manual pages and shell completion scripts, generated from the command
//! line definitions.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::builder::PossibleValuesParser;
use clap::{Command, ValueHint};
use clap_complete::Shell;
use clap_mangen::Man;
use clap_mangen::roff::{Roff, bold, roman};
use millstone::build_info::VERSION;

use super::{CommandResult, EXIT_STATUSES, at, save};

/// Print the manual page of the program or of a subcommand, or write all pages to a folder.
///
/// `millstone man db probe | man -l -` shows a page; with --dir DIR/man1 all pages are found by
/// `man -M DIR millstone-db-probe`.
#[derive(clap::Args)]
pub struct Arguments {
    /// Subcommand to document, such as `db probe` [default: the program]
    #[arg(value_name = "SUBCOMMAND", conflicts_with = "dir")]
    subcommand: Vec<String>,
    /// Folder to write all pages to, created if necessary
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    dir: Option<PathBuf>,
}

/// Prints or writes manual pages of a program.
pub fn run(arguments: &Arguments, program: Command) -> CommandResult {
    // The pages have their own section on exit statuses instead of the end of the help.
    let mut program = program.disable_help_subcommand(true).after_help(None::<&str>);
    program.build();
    if let Some(folder) = &arguments.dir {
        fs::create_dir_all(folder).map_err(at(folder))?;
        return write_pages(&program, folder);
    }
    let mut command = &program;
    for name in &arguments.subcommand {
        command = command.find_subcommand(name).ok_or_else(|| {
            let names: Vec<&str> = shown_subcommands(command).map(Command::get_name).collect();
            match names[..] {
                [] => format!("expected nothing after '{}', found '{name}'", command.get_name()),
                _ => format!("expected one of {}, found '{name}'", names.join(", ")),
            }
        })?;
    }
    Ok(io::stdout().write_all(&page(command)?)?)
}

/// The subcommands that the help lists.
fn shown_subcommands(command: &Command) -> impl Iterator<Item = &Command> {
    command.get_subcommands().filter(|command| !command.is_hide_set())
}

/// Writes the pages of a command and its subcommands.
fn write_pages(command: &Command, folder: &Path) -> CommandResult {
    let path = folder.join(Man::new(command.clone()).get_filename());
    save(&path, page(command)?)?;
    shown_subcommands(command).try_for_each(|command| write_pages(command, folder))
}

/// A page that ends with the exit statuses.
fn page(command: &Command) -> io::Result<Vec<u8>> {
    let mut page = Vec::new();
    let man = Man::new(command.clone()).source(format!("millstone {VERSION}"));
    man.render(&mut page)?;
    let mut exit_status = Roff::new();
    exit_status.control("SH", ["EXIT STATUS"]);
    for (code, meaning) in EXIT_STATUSES {
        exit_status.control("TP", []);
        exit_status.text([bold(code.to_string())]);
        exit_status.text([roman(meaning)]);
    }
    exit_status.to_writer(&mut page)?;
    Ok(page)
}

/// Print a script that lets a shell complete the commands and options of this program.
///
/// For bash: `millstone completions bash > ~/.local/share/bash-completion/completions/millstone`.
#[derive(clap::Args)]
pub struct CompletionsArguments {
    /// Shell to print the script for
    shell: Shell,
}

/// Prints the script for a program.
pub fn run_completions(arguments: &CompletionsArguments, program: Command) -> CommandResult {
    let name = program.get_name().to_owned();
    let subcommands = PossibleValuesParser::new(names(&program));
    let mut program = program.mut_subcommand("man", |man| {
        man.mut_arg("subcommand", |subcommand| subcommand.value_parser(subcommands))
    });
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut program, name, &mut script);
    Ok(io::stdout().write_all(&script)?)
}

/// The names of all subcommands, nested ones included.
fn names(command: &Command) -> Vec<String> {
    let below = command.get_subcommands();
    below.flat_map(|below| [vec![below.get_name().to_owned()], names(below)].concat()).collect()
}
