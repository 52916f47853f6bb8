//! The program `millstone`.

use std::process::ExitCode;

fn main() -> ExitCode {
    millstone::run_program()
}
