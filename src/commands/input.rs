//! Standard input, read whole.

use std::io::{self, IsTerminal, Read, Write};

/// What a person presses to end the input.
const END: &str = if cfg!(windows) { "Ctrl-Z and Enter end" } else { "Ctrl-D ends" };

/// Everything on standard input; a person who has to type it is told so.
pub fn read(what: &str) -> io::Result<Vec<u8>> {
    let mut input = io::stdin().lock();
    if input.is_terminal() {
        let _ = writeln!(io::stderr(), "millstone: type {what}; {END} them");
    }
    let mut bytes = Vec::new();
    input.read_to_end(&mut bytes)?;
    Ok(bytes)
}
