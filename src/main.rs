//! The program: the protocol loop, or one of the subcommands.

mod commands;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// An engine for Nine Men's Morris.
///
/// Without a subcommand it speaks a UCI-like protocol on standard input and output; the protocol
/// command `help` lists what it understands.
#[derive(Parser)]
#[command(version)]
struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand)]
enum Command {
    Perft(commands::perft::Arguments),
}

fn main() -> ExitCode {
    env_logger::init();
    let result = match Arguments::parse().command {
        Some(Command::Perft(arguments)) => commands::perft::run(&arguments),
        None => Ok(()),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("millstone: {error}");
            ExitCode::FAILURE
        }
    }
}
