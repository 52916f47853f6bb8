//! Matches between programs.

mod contests;
#[cfg(unix)]
mod faults;
mod logs;
#[cfg(unix)]
mod results;
