//! Reading files of game records and of positions, and standard input in their place.

use std::fs::File;
use std::io::{self, IsTerminal, Read};
use std::path::Path;

use millstone::system::regular_file;

use super::complain;

/// The most MiB of a file, some hundred thousand games: what is read of it needs many times its size.
const MOST_MEBIBYTES: u64 = 64;

/// What a person presses to end the input.
const END: &str = if cfg!(windows) { "Ctrl-Z and Enter end" } else { "Ctrl-D ends" };

/// Whether a path stands for standard input.
pub fn is_input(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// Reads a file, or standard input if the path is `-`; a person at a terminal is told what to type.
pub fn read(path: &Path, what: &str) -> io::Result<Vec<u8>> {
    if !is_input(path) {
        return read_bounded(File::open(path)?);
    }
    let input = io::stdin().lock();
    if input.is_terminal() {
        complain(format_args!("type {what}; {END} them"));
    }
    read_bounded(input)
}

/// Reads a regular file, so that nothing else keeps the program waiting.
pub fn read_regular(path: &Path) -> io::Result<Vec<u8>> {
    read_bounded(regular_file::open(path)?)
}

fn read_bounded(source: impl Read) -> io::Result<Vec<u8>> {
    let most = MOST_MEBIBYTES << 20;
    let mut bytes = Vec::new();
    source.take(most + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        let message = format!("longer than {MOST_MEBIBYTES} MiB, the most that is read");
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, message));
    }
    Ok(bytes)
}
