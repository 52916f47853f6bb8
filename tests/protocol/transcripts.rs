//! Conversations with the program, word for word.
//!
//! In `tests/transcripts`, a line `> uci` is sent and a line `< uciok` is what must come back next;
//! `...` in it stands for any text. Lines that start with `#` are for the reader. After the last
//! line the program must end by itself with nothing more to say.

use crate::client::Client;

/// Plays a transcript.
fn play(name: &str, transcript: &str) {
    let mut engine = Client::start();
    for (index, line) in transcript.lines().enumerate() {
        let place = format!("{name}.txt:{}", index + 1);
        match line.split_at_checked(1) {
            None | Some(("#", _)) => {}
            Some((">", text)) => engine.send(text.strip_prefix(' ').unwrap_or(text)),
            Some(("<", text)) => {
                let expected = text.strip_prefix(' ').unwrap_or(text);
                let found = engine.next_line();
                let is_same = found.as_ref().is_some_and(|found| matches(expected, found));
                assert!(is_same, "{place}: expected {expected:?}, found {found:?}");
            }
            _ => panic!("{place}: expected '>', '<' or '#', found {line:?}"),
        }
    }
    let (rest, status) = engine.finish();
    assert_eq!(rest, [""; 0], "{name}: expected no more lines");
    assert!(status.success(), "{name}: {status}");
}

/// Whether a text fits a pattern in which `...` stands for anything.
fn matches(pattern: &str, text: &str) -> bool {
    let parts: Vec<&str> = pattern.split("...").collect();
    let [first, middle @ .., last] = parts.as_slice() else { return pattern == text };
    let Some(inner) = text.strip_prefix(first).and_then(|text| text.strip_suffix(last)) else {
        return false;
    };
    let mut rest = Some(inner);
    for part in middle {
        rest = rest.and_then(|rest| rest.split_once(part)).map(|(_, rest)| rest);
    }
    rest.is_some()
}

macro_rules! transcripts {
    ($($name:ident)*) => {$(
        #[test]
        fn $name() {
            let name = stringify!($name);
            play(name, include_str!(concat!("transcripts/", stringify!($name), ".txt")));
        }
    )*};
}

transcripts! {
    bad_commands
    bad_gbgp
    bad_go
    bad_moves
    bad_options
    bad_positions
    finished_games
    games
    gbgp
    identity
    look
    mfen
    refusals
    search
    table_size
}

#[test]
fn patterns_fit_what_they_should() {
    for (pattern, text) in [("uciok", "uciok"), ("a...c", "abc"), ("...", ""), ("a...c...e", "ace")]
    {
        assert!(matches(pattern, text), "{pattern} {text}");
    }
    for (pattern, text) in [("uciok", "uciok "), ("ab...bc", "abc"), ("a...x...e", "abcde")] {
        assert!(!matches(pattern, text), "{pattern} {text}");
    }
}
