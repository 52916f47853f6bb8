//! The program `millstone`.

use std::process::ExitCode;

#[cfg(target_arch = "x86_64")]
mod processor;

fn main() -> ExitCode {
    millstone::run_program()
}
