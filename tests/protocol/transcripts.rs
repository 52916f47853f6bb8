//! Conversations with the program, word for word.
//!
//! In `transcripts/`, a line `> uci` is sent and a line `< uciok` is what must come back next;
//! `...` in it stands for any text, and alone for any lines but the answer to a `go`. Lines that start with `#` are
//! for the reader, and `FOLDER` is one with the sectors up to seven men. After the last line the program must end by itself with nothing more to say.

use crate::client::Client;
use crate::patterns::{fits, transcripts};
use crate::program::plain;
use crate::tablebases::solved;

/// Plays a transcript.
fn play(name: &str, transcript: &str) {
    let mut engine = Client::start();
    let mut skips = false;
    for (index, line) in transcript.lines().enumerate() {
        let place = format!("{name}:{}", index + 1);
        match line.split_at_checked(1) {
            None | Some(("#", _)) => {}
            Some((">", text)) if text.contains("FOLDER") => {
                engine.send(&text.trim_start().replace("FOLDER", plain(solved(7))));
            }
            Some((">", text)) => engine.send(text.strip_prefix(' ').unwrap_or(text)),
            Some(("<", " ...")) => skips = true,
            Some(("<", text)) => {
                let expected = text.strip_prefix(' ').unwrap_or(text);
                let may_skip =
                    |found: &String| !fits(expected, found) && !found.starts_with("bestmove");
                let mut found = engine.next_line();
                while skips && found.as_ref().is_some_and(may_skip) {
                    found = engine.next_line();
                }
                let is_same = found.as_ref().is_some_and(|found| fits(expected, found));
                assert!(is_same, "{place}: expected {expected:?}, found {found:?}");
                skips = false;
            }
            _ => panic!("{place}: expected '>', '<' or '#', found {line:?}"),
        }
    }
    let (rest, status) = engine.finish();
    assert_eq!(rest, [""; 0], "{name}: expected no more lines");
    assert!(status.success(), "{name}: {status}");
}

#[test]
fn conversations_go_word_for_word() {
    for (name, transcript) in transcripts("protocol/transcripts") {
        play(&name, &transcript);
    }
}
