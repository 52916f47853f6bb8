//! What is said on standard error, where a full disk or a closed pipe may keep it from being said.

use std::fmt;
use std::io::{self, Write};

/// Reports what is wrong, after the name of the program.
pub fn complain(what: impl fmt::Display) {
    say(format_args!("millstone: {what}"));
}

/// Writes a line to standard error in one piece; an error of that has nowhere to be told.
pub fn say(line: impl fmt::Display) {
    let _ = io::stderr().write_all(format!("{line}\n").as_bytes());
}
