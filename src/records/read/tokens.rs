//! Splitting a text with tags, numbered moves, comments and variations into tokens.

use crate::records::error::Flaw;
use crate::records::record::{GameResult, Tag, is_tag_name};

/// A token and its byte.
pub(super) struct Token<'a> {
    pub(super) at: usize,
    pub(super) kind: TokenKind<'a>,
}

/// The kinds of tokens.
pub(super) enum TokenKind<'a> {
    /// A tag and the byte of its value.
    Tag(Tag, usize),
    /// A comment.
    Comment(String),
    /// `(`
    Open,
    /// `)`
    Close,
    /// `$1` or `!`
    Glyph(u8),
    /// `1.`, or `1...` with three dots.
    Number { number: u32, dots: usize },
    /// `1-0`
    Result(GameResult),
    /// Any other word, which should be a turn.
    Turn(&'a str),
}

/// The signs of the first glyphs, longest first.
const SIGNS: [(&str, u8); 6] = [("!!", 3), ("??", 4), ("!?", 5), ("?!", 6), ("!", 1), ("?", 2)];

/// The tokens of a text with plain line ends.
pub(super) struct Tokens<'a> {
    text: &'a str,
    /// Where the next token is looked for; a token is put back by its byte.
    pub(super) at: usize,
    /// The last `}` of the text.
    last_brace: Option<usize>,
}

impl<'a> Tokens<'a> {
    /// The tokens from a byte on.
    ///
    /// * `last_brace`: the last `}` of the text, so that a missing one is not searched for repeatedly.
    pub(super) const fn from(text: &'a str, at: usize, last_brace: Option<usize>) -> Self {
        Self { text, at, last_brace }
    }

    /// Whether only blanks precede a byte on its line.
    pub(super) fn begins_line(&self, at: usize) -> bool {
        self.text[..at].trim_end_matches([' ', '\t']).ends_with('\n')
    }

    /// Whether two bytes are on the same line.
    pub(super) fn share_line(&self, first: usize, second: usize) -> bool {
        !self.text[first..second].contains('\n')
    }

    /// Whether no token is left. Right only after `next` gave none or a token was put back, as blanks at the end
    /// count until then.
    pub(super) fn is_at_end(&self) -> bool {
        self.at == self.text.len()
    }

    /// Takes the next token; `None` at the end.
    pub(super) fn next(&mut self) -> Result<Option<Token<'a>>, Flaw> {
        self.skip_blanks();
        let at = self.at;
        let Some(first) = self.rest().chars().next() else { return Ok(None) };
        let kind = match first {
            '[' => self.read_tag()?,
            '{' => self.read_comment()?,
            ';' => self.read_line_comment(),
            '(' => self.skip(1, TokenKind::Open),
            ')' => self.skip(1, TokenKind::Close),
            '$' => self.read_glyph()?,
            '!' | '?' => self.read_sign(),
            _ => self.read_word()?,
        };
        Ok(Some(Token { at, kind }))
    }

    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn skip<T>(&mut self, bytes: usize, token: T) -> T {
        self.at += bytes;
        token
    }

    /// Skips blanks, dots without a number, and lines that begin with `%`.
    fn skip_blanks(&mut self) {
        loop {
            let rest = self.rest();
            let begins_line = self.at == 0 || self.text[..self.at].ends_with('\n');
            if begins_line && rest.starts_with('%') {
                self.at += line_end(rest);
            } else if let Some(blank) =
                rest.chars().next().filter(|c| c.is_whitespace() || *c == '.')
            {
                self.at += blank.len_utf8();
            } else {
                return;
            }
        }
    }

    fn read_tag(&mut self) -> Result<TokenKind<'a>, Flaw> {
        self.at += 1;
        let name = self.take_blanks_and(|c| !c.is_whitespace() && !"\"[]".contains(c));
        if !is_tag_name(name) {
            return Err(self.unexpected("the name of a tag after '['"));
        }
        self.take_blanks_and(|_| false);
        let value_at = self.at;
        if !self.rest().starts_with('"') {
            return Err(self.unexpected("the value of the tag in double quotes"));
        }
        self.at += 1;
        let value = self.read_value(value_at)?;
        self.take_blanks_and(|_| false);
        if !self.rest().starts_with(']') {
            return Err(self.unexpected("']' at the end of the tag"));
        }
        let tag = Tag { name: name.to_owned(), value };
        Ok(self.skip(1, TokenKind::Tag(tag, value_at)))
    }

    /// The rest of a value after its first quote; `\"` is a quote and `\\` a backslash.
    fn read_value(&mut self, value_at: usize) -> Result<String, Flaw> {
        let mut value = String::new();
        let mut chars = self.rest().char_indices();
        while let Some((at, c)) = chars.next() {
            let next = chars.as_str().chars().next();
            match c {
                '"' => return Ok(self.skip(at + 1, value)),
                '\n' => break,
                '\\' if matches!(next, Some('"' | '\\')) => {
                    value.extend(next);
                    chars.next();
                }
                c => value.push(c),
            }
        }
        Err(Flaw::new(value_at, "expected a value that ends with '\"' in its line"))
    }

    /// Skips blanks, then takes characters as long as they belong to a word.
    fn take_blanks_and(&mut self, belongs: impl Fn(char) -> bool) -> &'a str {
        let word = self.rest().trim_start();
        self.at = self.text.len() - word.len();
        let end = word.find(|c| !belongs(c)).unwrap_or(word.len());
        self.at += end;
        &word[..end]
    }

    fn read_comment(&mut self) -> Result<TokenKind<'a>, Flaw> {
        let has_end = self.last_brace.is_some_and(|last| self.at < last);
        let Some(end) = has_end.then(|| self.rest().find('}')).flatten() else {
            return Err(Flaw::new(self.at, "expected a comment that ends with '}'"));
        };
        let comment = self.rest()[1..end].trim().to_owned();
        Ok(self.skip(end + 1, TokenKind::Comment(comment)))
    }

    /// The rest of a line, and following lines that are comments too.
    fn read_line_comment(&mut self) -> TokenKind<'a> {
        let mut lines = Vec::new();
        while let Some(rest) = self.rest().trim_start().strip_prefix(';') {
            let line = &rest[..line_end(rest)];
            lines.push(line.strip_prefix(' ').unwrap_or(line));
            self.at = self.text.len() - rest.len() + line.len();
        }
        TokenKind::Comment(lines.join("\n").trim().to_owned())
    }

    fn read_glyph(&mut self) -> Result<TokenKind<'a>, Flaw> {
        let digits = &self.rest()[1..];
        let end = digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len());
        match digits[..end].parse() {
            Ok(glyph) => Ok(self.skip(1 + end, TokenKind::Glyph(glyph))),
            Err(_) => Err(self.unexpected("a glyph from $0 to $255")),
        }
    }

    fn read_sign(&mut self) -> TokenKind<'a> {
        let signs = SIGNS.iter().find(|(sign, _)| self.rest().starts_with(sign));
        let &(sign, glyph) = signs.expect("one of them is the sign found");
        self.skip(sign.len(), TokenKind::Glyph(glyph))
    }

    /// A number, a result or a turn.
    fn read_word(&mut self) -> Result<TokenKind<'a>, Flaw> {
        let rest = self.rest();
        let ends = |c: char| c.is_whitespace() || "[]{}();$!?\"".contains(c);
        let word = &rest[..rest.find(ends).unwrap_or(rest.len())];
        let digits = word.find(|c: char| !c.is_ascii_digit()).unwrap_or(word.len());
        let dots = word[digits..].bytes().take_while(|byte| *byte == b'.').count();
        if word.is_empty() {
            Err(self.unexpected("a move"))
        } else if digits > 0 && dots > 0 {
            let number = word[..digits].parse().unwrap_or(u32::MAX);
            Ok(self.skip(digits + dots, TokenKind::Number { number, dots }))
        } else if let Some(result) = GameResult::from_word(word) {
            Ok(self.skip(word.len(), TokenKind::Result(result)))
        } else {
            Ok(self.skip(word.len(), TokenKind::Turn(word)))
        }
    }

    fn unexpected(&self, expected: &str) -> Flaw {
        let line = &self.rest()[..line_end(self.rest())];
        Flaw::unexpected(self.at, expected, line.split_whitespace().next(), "line")
    }
}

fn line_end(text: &str) -> usize {
    text.find('\n').unwrap_or(text.len())
}
