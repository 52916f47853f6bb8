//! The program: the protocol loop, or one of the subcommands.

mod commands;

use std::error::Error;
use std::io;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// An engine for Nine Men's Morris and its family.
///
/// Without a subcommand it speaks a UCI-like protocol on standard input and output; the protocol
/// command `help` lists what it understands.
#[derive(Parser)]
#[command(version)]
struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    variant: commands::Variant,
}

#[derive(Subcommand)]
enum Command {
    Perft(commands::perft::Arguments),
    Bench(commands::bench::Arguments),
    Rules(commands::rules::Arguments),
}

fn main() -> ExitCode {
    env_logger::Builder::from_env(env_logger::Env::default().default_filter_or("off")).init();
    let arguments = Arguments::parse();
    let result = match arguments.command {
        Some(Command::Perft(arguments)) => commands::perft::run(&arguments),
        Some(Command::Bench(arguments)) => commands::bench::run(&arguments),
        Some(Command::Rules(arguments)) => commands::rules::run(&arguments),
        None => millstone::protocol::run(&arguments.variant.rules()).map_err(Into::into),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) if is_closed_pipe(error.as_ref()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("millstone: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Whether whoever read the output has read enough.
fn is_closed_pipe(error: &(dyn Error + 'static)) -> bool {
    let error = error.downcast_ref::<io::Error>();
    error.is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
}
