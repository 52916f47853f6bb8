//! The program: runs the protocol loop or a subcommand; its exit statuses, and the colours of its help. Each
//! subcommand is in the file or folder of its name, `perft` in `bench`, `completions` in `man`; what they share is
//! here.

mod actions;
mod analyze;
pub mod arguments;
mod bench;
mod convert;
mod db;
mod learn;
mod man;
mod matches;
mod play;
mod puzzles;
mod rules;
mod serve;
pub mod terminal;
mod train;

use std::io::{self, Write};
use std::path::Path;
use std::process::{self, ExitCode};
use std::{env, fmt, panic};

use clap::builder::styling::{AnsiColor, Styles};
use clap::{CommandFactory, Parser, Subcommand};
use millstone::api::json;
use millstone::build_info;
use millstone::protocol::{self, Dialect};
use millstone::rules::RuleSet;
use millstone::system::whole_file;
use millstone::tablebase::BuildError;
use rayon::ThreadPoolBuilder;
use serde::Serialize;
use serde_json::Value;

use arguments::GameParser;

/// An engine for Nine Men's Morris and its family.
///
/// Without a subcommand it speaks a UCI-like protocol on standard input and output; the protocol command
/// `help` lists the others.
#[derive(Parser)]
#[command(version, long_version = build_info::details())]
#[command(styles = STYLES, after_help = exit_status_help())]
struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
    /// Game to play: a name that `millstone rules` lists, or its beginning. Rules that differ may follow as
    /// KEY=VALUE, as in `--variant "twelve board_full_action=Draw"`
    #[arg(long, global = true, value_name = "GAME", hide_possible_values = true)]
    #[arg(value_parser = GameParser)]
    variant: Option<RuleSet>,
}

#[derive(Subcommand)]
enum Command {
    Play(play::Arguments),
    Puzzles(puzzles::Arguments),
    Serve(serve::Arguments),
    Analyze(analyze::Arguments),
    Match(matches::Arguments),
    Convert(convert::Arguments),
    Actions(actions::Arguments),
    #[command(subcommand)]
    Learn(learn::Command),
    #[command(subcommand)]
    Db(db::Command),
    Rules(rules::Arguments),
    Perft(bench::PerftArguments),
    Bench(bench::Arguments),
    Train(train::Arguments),
    /// Speak the UCI-like protocol, as without a subcommand; this is how Sanmill's scripts start engines.
    Uci,
    /// Speak the UCI-like protocol, as `millstone mill uci`.
    #[command(subcommand, hide = true)]
    Mill(Mill),
    /// Speak the Generic Board Game Protocol, which Nine-Morris-3D uses.
    ///
    /// Without this subcommand the protocol command `gbgp` does the same.
    Gbgp,
    Completions(man::CompletionsArguments),
    Man(man::Arguments),
}

/// The second word of Sanmill's command for engines.
#[derive(Subcommand)]
enum Mill {
    /// Speak the UCI-like protocol
    Uci,
}

/// The colours of help and errors: headings and literals stand out.
const STYLES: Styles = Styles::styled()
    .header(AnsiColor::Yellow.on_default().bold())
    .usage(AnsiColor::Yellow.on_default().bold())
    .literal(AnsiColor::Green.on_default().bold())
    .placeholder(AnsiColor::Cyan.on_default())
    .error(AnsiColor::Red.on_default().bold())
    .valid(AnsiColor::Green.on_default())
    .invalid(AnsiColor::Red.on_default());

/// The exit status after Ctrl-C.
pub const INTERRUPTED: u8 = 130;

/// The exit status of a build task that lacks sectors of other tasks.
const LACKING: u8 = 3;

/// All exit statuses with their meanings; `clap` itself exits with the one for wrong usage.
pub const EXIT_STATUSES: [(u8, &str); 5] = [
    (0, "success, also when the reader of the output closes it early"),
    (1, "failure; standard error says why"),
    (2, "wrong usage"),
    (LACKING, "db build --sector: required sectors are missing; build them first"),
    (
        INTERRUPTED,
        "interrupted by Ctrl-C; a game in the terminal is saved, a build or match can be resumed",
    ),
];

/// The exit statuses as shown at the end of the help.
fn exit_status_help() -> String {
    let (heading, literal) = (STYLES.get_header(), STYLES.get_literal());
    let statuses = EXIT_STATUSES
        .map(|(code, meaning)| format!("\n  {literal}{code:<3}{literal:#}  {meaning}"));
    format!("{heading}Exit status:{heading:#}{}", statuses.concat())
}

/// Runs the program with the arguments of the process.
pub fn run() -> ExitCode {
    // `CI` turns colours on even in a dumb terminal.
    if terminal::is_dumb() && env::var_os("CLICOLOR_FORCE").is_none() {
        anstream::ColorChoice::Never.write_global();
    }
    env_logger::Builder::from_env(env_logger::Env::default().default_filter_or("off")).init();
    // A write beyond the limit of file sizes fails with an error instead of ending the program. A handler, since a
    // signal that is ignored would be ignored by the engines of a match too.
    #[cfg(unix)]
    if let Err(error) =
        signal_hook::flag::register(signal_hook::consts::SIGXFSZ, std::sync::Arc::default())
    {
        log::warn!("a file that exceeds a limit will end the program: {error}");
    }
    let Arguments { command, variant } = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => return print_usage(&error),
    };
    let command = command.unwrap_or(Command::Uci);
    if !matches!(command, Command::Serve(_)) {
        // A panic in any thread ends the program, so that no other thread waits for it forever.
        let report = panic::take_hook();
        panic::set_hook(Box::new(move |panic| {
            report(panic);
            process::abort();
        }));
    }
    let Err(error) = execute(&command, variant.as_ref()) else { return ExitCode::SUCCESS };
    // The reader of the output closed it early.
    if error.downcast_ref().map(io::Error::kind) == Some(io::ErrorKind::BrokenPipe) {
        return ExitCode::SUCCESS;
    }
    let status = match error.downcast_ref() {
        Some(BuildError::Lacking { .. }) => LACKING.into(),
        _ if terminal::has_stopped() => INTERRUPTED.into(),
        _ => ExitCode::FAILURE,
    };
    complain(error);
    status
}

fn execute(command: &Command, variant: Option<&RuleSet>) -> CommandResult {
    let game = &variant.copied().unwrap_or_default();
    match command {
        Command::Play(arguments) => play::run(arguments, variant),
        Command::Puzzles(arguments) => puzzles::run(arguments, game),
        Command::Serve(arguments) => serve::run(arguments, game),
        Command::Analyze(arguments) => analyze::run(arguments, game),
        Command::Match(arguments) => matches::run(arguments, game),
        Command::Convert(arguments) => convert::run(arguments, game),
        Command::Actions(arguments) => actions::run(arguments, game),
        Command::Learn(command) => learn::run(command),
        Command::Db(command) => db::run(command, game),
        Command::Rules(arguments) => rules::run(arguments, variant),
        Command::Perft(arguments) => bench::run_perft(arguments, game),
        Command::Bench(arguments) => bench::run(arguments, game),
        Command::Train(arguments) => train::run(arguments, game),
        Command::Completions(arguments) => man::run_completions(arguments, Arguments::command()),
        Command::Man(arguments) => man::run(arguments, Arguments::command()),
        Command::Gbgp => Ok(protocol::run(game, Dialect::Gbgp)?),
        Command::Uci | Command::Mill(Mill::Uci) => Ok(protocol::run(game, Dialect::Uci)?),
    }
}

/// Prints help, the version or an error in the arguments.
fn print_usage(error: &clap::Error) -> ExitCode {
    match error.print().and_then(|()| io::stdout().flush()) {
        Err(print_error) if print_error.kind() != io::ErrorKind::BrokenPipe => {
            complain(print_error);
            ExitCode::FAILURE
        }
        _ => ExitCode::from(error.exit_code() as u8),
    }
}

/// The result of a subcommand or a part of one; an error is a one-line message to the user.
pub type CommandResult<T = ()> = Result<T, Box<dyn std::error::Error>>;

/// Replaces a file as a whole; errors name it.
pub fn save(path: &Path, bytes: impl AsRef<[u8]>) -> Result<(), String> {
    whole_file::save(path, |mut file| file.write_all(bytes.as_ref())).map_err(at(path))
}

/// Fails with an error unless a condition holds.
pub fn ensure(holds: bool, otherwise: impl Into<Box<dyn std::error::Error>>) -> CommandResult {
    if holds { Ok(()) } else { Err(otherwise.into()) }
}

/// Prefixes an error with the path it is about.
pub fn at<E: fmt::Display>(path: &Path) -> impl Fn(E) -> String {
    move |error| format!("{}: {error}", path.display())
}

/// Starts the threads that share the work of a command; 0 means one for each processor.
fn start_threads(threads: u16) -> Result<(), String> {
    let started = ThreadPoolBuilder::new().num_threads(threads.into()).build_global();
    started.map_err(|error| format!("cannot start threads: {error}"))
}

/// Reports a problem on standard error, after the name of the program.
pub fn complain(what: impl fmt::Display) {
    say(format_args!("millstone: {what}"));
}

/// Writes a line to standard error in one piece. Ignores failures, such as a full disk or a closed pipe, which
/// could not be reported anywhere.
pub fn say(line: impl fmt::Display) {
    let _ = io::stderr().write_all(format!("{line}\n").as_bytes());
}

/// The choice between output for people and for programs.
#[derive(Clone, Copy, clap::Args)]
pub struct Format {
    /// Print JSON, one object a line
    #[arg(long)]
    pub json: bool,
}

impl Format {
    /// Writes to standard output: a line of JSON or text.
    pub fn write(self, json: &impl Serialize, text: impl fmt::Display) -> io::Result<()> {
        if self.json { write_json(json) } else { writeln!(io::stdout(), "{text}") }
    }

    /// Writes rows to standard output: a line of JSON each, or one table.
    pub fn write_table<const COLUMNS: usize>(
        self,
        titles: [&str; COLUMNS],
        rows: impl IntoIterator<Item = (Value, [String; COLUMNS])>,
    ) -> io::Result<()> {
        let (json, cells): (Vec<Value>, Vec<_>) = rows.into_iter().unzip();
        if self.json {
            return json.iter().try_for_each(write_json);
        }
        writeln!(io::stdout(), "{}", terminal::table(&titles, cells))
    }
}

/// Writes a line of JSON to standard output.
pub fn write_json(value: &impl Serialize) -> io::Result<()> {
    writeln!(io::stdout(), "{}", json::text(value))
}
