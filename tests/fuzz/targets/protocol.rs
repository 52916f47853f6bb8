//! Sessions of the protocol, which begin in the UCI dialect.

use std::io;

use millstone::protocol::{self, Command, Dialect, Effect, Options};
use millstone::rules::RuleSet;

/// A session that touches no file and little memory.
const BEGINNING: &[u8] =
    b"setoption name UsePerfectDatabase value false\nsetoption name Hash value 1\n";
const MOST_THREADS: u32 = 4;

pub fn run(bytes: &[u8]) {
    let lines = bytes.split_inclusive(|&byte| byte == b'\n').filter(|line| is_harmless(line));
    let input = lines.fold(BEGINNING.to_vec(), |input, line| [&input, line].concat());
    let served = protocol::serve(&input[..], io::sink(), &RuleSet::default(), Dialect::Uci);
    served.expect("a session that can write ends well");
}

/// Whether a line does nothing that takes its time, as it should, or reaches beyond the session.
fn is_harmless(line: &[u8]) -> bool {
    let Ok(line) = str::from_utf8(line) else { return true };
    let commands = Dialect::ALL.map(|dialect| Command::read(line, dialect));
    commands.into_iter().flatten().all(|(command, arguments)| match command {
        Command::Bench | Command::Perft => false,
        Command::SetOption => is_harmless_option(arguments),
        _ => true,
    })
}

fn is_harmless_option(arguments: &str) -> bool {
    let mut options = Options::default();
    let effect = options.assign(arguments);
    let reaches_out = matches!(
        effect,
        Ok(Effect::ResizeTable
            | Effect::OpenTablebase
            | Effect::OpenLearningFile
            | Effect::OpenLog)
    );
    !reaches_out && options.threads <= MOST_THREADS
}
