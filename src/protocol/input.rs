//! Lines from a stream that may hold anything.

use std::io::{BufRead, Read};

use super::error::Error;

/// The most bytes of a line; the longest games need a fraction of it.
const LIMIT: usize = 1 << 20;

/// One line, or why there is none.
pub(super) enum Line {
    Text(String),
    /// What is wrong, and what the line begins with.
    Bad(Error, String),
    End,
}

/// Reads lines of limited length.
pub(super) struct Input<B>(B);

impl<B: BufRead> Input<B> {
    pub(super) fn new(stream: B) -> Self {
        Self(stream)
    }

    /// The next line, without blanks at its ends; a stream that fails has ended.
    pub(super) fn next_line(&mut self) -> Line {
        let mut bytes = Vec::new();
        match self.0.by_ref().take(LIMIT as u64 + 1).read_until(b'\n', &mut bytes) {
            Ok(0) | Err(_) => return Line::End,
            Ok(_) => {}
        }
        if bytes.len() > LIMIT {
            if bytes.last() != Some(&b'\n') && self.0.skip_until(b'\n').is_err() {
                return Line::End;
            }
            return Line::Bad(Error::LineTooLong { limit: LIMIT }, beginning(&bytes));
        }
        match str::from_utf8(&bytes) {
            Ok(text) => Line::Text(text.trim().to_owned()),
            Err(_) => Line::Bad(Error::NotUtf8, beginning(&bytes)),
        }
    }
}

fn beginning(bytes: &[u8]) -> String {
    const LENGTH: usize = 40;
    String::from_utf8_lossy(&bytes[..bytes.len().min(LENGTH)]).trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bad_lines_are_named_and_the_next_one_is_read() {
        let long = "x".repeat(LIMIT + 1);
        let stream = format!("  uci \r\n{long}\n{}\nisready", "y".repeat(LIMIT - 1));
        let mut bytes = stream.into_bytes();
        bytes.extend(b"\n\xFF\xFE\nquit");
        let mut input = Input::new(&bytes[..]);
        let mut next = || match input.next_line() {
            Line::Text(text) if text.len() > 100 => "long".to_owned(),
            Line::Text(text) => text,
            Line::Bad(error, _) => error.to_string(),
            Line::End => "end".to_owned(),
        };
        assert_eq!(next(), "uci");
        assert_eq!(next(), "expected a line of at most 1048576 bytes");
        assert_eq!(next(), "long");
        assert_eq!(next(), "isready");
        assert_eq!(next(), "expected text in UTF-8");
        assert_eq!(next(), "quit");
        assert_eq!(next(), "end");
    }
}
