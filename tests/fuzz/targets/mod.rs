//! The table of targets.

pub mod database;
mod learning;
mod logs;
mod malom;
mod moves;
mod positions;
mod protocol;
pub mod records;
mod reviews;

use std::fs;
use std::path::PathBuf;
use std::sync::LazyLock;

use millstone::rules::{PRESETS, Rule, RuleSet};
use tempfile::TempDir;

/// A part of the program that reads what others wrote.
pub struct Target {
    /// Its name, that of its corpus too.
    pub name: &'static str,
    /// Reads any bytes; panics where the program breaks a promise.
    pub run: fn(&[u8]),
}

/// All targets.
pub const TARGETS: &[Target] = &[
    Target { name: "database", run: database::run },
    Target { name: "learning", run: learning::run },
    Target { name: "logs", run: logs::run },
    Target { name: "malom", run: malom::run },
    Target { name: "moves", run: moves::run },
    Target { name: "positions", run: positions::run },
    Target { name: "protocol", run: protocol::run },
    Target { name: "records", run: records::run },
    Target { name: "reviews", run: reviews::run },
];

/// The rules that the first line chooses, and the other lines.
///
/// Its first letter is a preset, `a` Nine Men's Morris; each further one gives a rule its next value.
fn rules_and_rest(bytes: &[u8]) -> Option<(RuleSet, &[u8])> {
    let end = bytes.iter().position(|&byte| byte == b'\n')?;
    let (preset, changes) = bytes[..end].split_first()?;
    let number = |letter: &u8| usize::from(letter.wrapping_sub(b'a'));
    let mut rules = PRESETS[number(preset) % PRESETS.len()].rules;
    for change in changes {
        let rule = Rule::all().nth(number(change) % Rule::all().count())?;
        let (values, value) = (rule.values.range(), (rule.get)(&rules));
        let next = if values.end() == &value { *values.start() } else { value + 1 };
        (rule.set)(&mut rules, next);
    }
    // No program takes rules that contradict each other.
    rules.check().ok()?;
    Some((rules.canonical(), &bytes[end + 1..]))
}

/// As [`rules_and_rest`], with lines of text.
fn rules_and_text(bytes: &[u8]) -> Option<(RuleSet, &str)> {
    let (rules, rest) = rules_and_rest(bytes)?;
    Some((rules, str::from_utf8(rest).ok()?))
}

/// A file of these bytes, which the next call overwrites.
fn file_of(bytes: &[u8]) -> PathBuf {
    static FOLDER: LazyLock<TempDir> = LazyLock::new(|| TempDir::new().expect("a folder"));
    let path = FOLDER.path().join("input");
    // A program that another test has just started may hold the lock of an older one a moment longer.
    let _ = fs::remove_file(&path);
    fs::write(&path, bytes).expect("a file can be written");
    path
}
