//! Games at a terminal, word for word.
//!
//! In `transcripts/`, a line `$ --side both` begins a game with these arguments, in one folder for those of a file.
//! `> d6` types a line, `^ lev TAB` keys, of which `KILL` is a power cut and `D` ends the game, and `< Black` waits
//! for a text. A program that was told to quit must end well. `= FILE TEXT` makes a file. Lines that start with `#`
//! are for the reader.

use std::fs;

use super::home;
use super::person::Terminal;
use crate::patterns::transcripts;

/// What keys with a name send.
const KEYS: [(&str, &str); 7] = [
    ("C", "\u{3}"),
    ("D", "\u{4}"),
    ("KILL", ""),
    ("ENTER", "\r"),
    ("SPACE", " "),
    ("TAB", "\t"),
    ("UP", "\u{1b}[A"),
];

fn play(transcript: &str) {
    let home = home();
    let mut playing = None;
    for line in transcript.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let (mark, text) = line.split_at(1);
        let text = text.strip_prefix(' ').unwrap_or(text);
        match (mark, &mut playing) {
            ("$", _) => playing = Some(Terminal::play(home.path(), text)),
            ("=", _) => {
                let (name, text) = text.split_once(' ').expect("a name and a text");
                fs::write(home.path().join(name), text).expect("a file");
            }
            (">", Some(terminal)) => terminal.enter(text),
            ("<", Some(terminal)) => drop(terminal.wait_for(text)),
            ("^", Some(terminal)) => {
                for word in text.split(' ') {
                    let named = KEYS.iter().find(|(name, _)| *name == word);
                    terminal.press(named.map_or(word, |(_, keys)| keys));
                }
            }
            _ => panic!("unknown: {line}"),
        }
        match line {
            "> quit" => assert!(playing.take().is_some_and(|it| it.finish().1.success())),
            "^ KILL" => playing.take().expect("a game").kill(),
            "^ D" => drop(playing.take().expect("a game").finish()),
            _ => {}
        }
    }
}

#[test]
fn games_go_word_for_word() {
    for (_, transcript) in transcripts("terminal/transcripts") {
        play(&transcript);
    }
}
