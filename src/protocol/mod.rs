//! The protocol on standard input and output, in two dialects: text in, text out.
//!
//! This is the only part of the library that knows commands and options by name, reads and prints.

mod command;
mod databases;
mod dialect;
mod error;
mod gbgp;
mod go;
mod input;
mod job;
mod learning;
mod options;
mod output;
mod plan;
mod reply;
mod session;
mod setup;
mod thinking;

pub use command::{COMMANDS, Command, CommandHelp, CommandLine, Start};
pub use dialect::Dialect;
pub use error::Error;
pub use gbgp::GbgpPosition;
pub use go::Go;
pub use options::{Effect, Kind, OptionSpec, Options, ResultStyle};
pub use session::Session;

use std::io::{self, BufRead, IsTerminal};

use crate::rules::RuleSet;
use input::{Input, Line};
use output::Output;

/// Serves standard input until `quit` or its end, with a game by these rules and in this dialect to
/// begin with.
///
/// # Errors
///
/// When the transposition table of the default size cannot be had.
pub fn run(rules: &RuleSet, dialect: Dialect) -> Result<(), crate::clusters::SizeError> {
    let output = Output::stdout();
    if io::stdin().is_terminal() {
        output.line(format_args!("{}", reply::GREETING));
    }
    let mut session = Session::new(output, rules, dialect)?;
    serve(&mut session, io::stdin().lock());
    Ok(())
}

/// Serves a stream of lines until `quit` or its end; a search that still runs then is broken off
/// and prints its result, a bench or perft is waited for.
fn serve(session: &mut Session, lines: impl BufRead) {
    let mut input = Input::new(lines);
    loop {
        let flow = match input.next_line() {
            Line::Text(line) => session.handle(&line),
            Line::Bad(error, line) => session.refuse(&line, &error),
            Line::End => return session.end_of_input(),
        };
        if flow.is_break() || session.is_output_closed() {
            return session.stop();
        }
    }
}
