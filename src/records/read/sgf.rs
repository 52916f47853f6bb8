//! Reading games in the Smart Game Format.

use std::mem;

use super::games::ReadTags;
use super::{Cursor, Flaw, Item, MovesBuilder, Origin};
use crate::board::Side;
use crate::quote::quote;
use crate::records::record::{self, GameResult, Property, Tag, add_comment, is_field, is_tag_name};
use crate::records::sgf::{
    COMMENT, FEN, GAME, GLYPH, GLYPHS, RESULT, RULES, SET_UP, TAG, TAGS, TERMINATION, find,
    is_of_root, is_understood,
};
use crate::rules::RuleSet;

/// Whether a text begins with a game in this format.
pub(super) fn is_tree(text: &str) -> bool {
    text.trim_start().strip_prefix('(').is_some_and(|rest| rest.trim_start().starts_with(';'))
}

/// The byte after an invalid game: after the `)` that ends it, or the end of the text. A text that does not begin
/// like a game is skipped up to the next one.
pub(super) fn after_flaw(text: &str, begin: usize) -> usize {
    if !is_tree(&text[begin..]) {
        let mut starts = text[begin..].match_indices('(').map(|(at, _)| begin + at);
        return starts.find(|&at| at > begin && is_tree(&text[at..])).unwrap_or(text.len());
    }
    let (mut depth, mut at) = (0, begin);
    while let Some(found) = text[at..].find(['(', ')', '[']) {
        at += found + 1;
        match &text[at - 1..at] {
            "(" => depth += 1,
            ")" if depth == 1 => return at,
            ")" => depth -= 1,
            _ => at = find(&text[at..], ']').map_or(text.len(), |end| at + end + 1),
        }
    }
    text.len()
}

/// An open tree.
struct Tree {
    at: usize,
    /// The line from which a variation branches; `None` for the first branch, which continues the moves before it.
    outer: Option<MovesBuilder>,
    /// The origin of the first move of each branch; `None` until there is a branch.
    end: Option<Origin>,
}

/// A property of a node, with its values in escaped form and their byte offsets.
struct Read<'a> {
    at: usize,
    name: String,
    values: Vec<(usize, &'a str)>,
}

impl<'a> Cursor<'a> {
    /// Reads the next game, if there is one. The first branch of a tree continues the moves before it, any other is a
    /// variation.
    pub(super) fn read_tree(&mut self, usual: &RuleSet) -> Result<Item, Flaw> {
        if self.peek().is_none() {
            return Ok(Item::End(String::new()));
        }
        let begin = self.at;
        self.expect('(')?;
        let (tags, rest) = read_root(self.read_node()?, begin)?;
        let (mut game, start) = tags.begin(usual)?;
        let mut line = MovesBuilder::main(start, String::new());
        self.add_node(rest, &mut line)?;
        let mut depth = 0;
        let mut trees = vec![Tree { at: begin, outer: None, end: None }];
        while let Some(tree) = trees.last_mut() {
            let (next, at) = (self.peek(), self.at);
            match next {
                Some('(') => {
                    self.at += 1;
                    let is_variation = tree.end.is_some();
                    let replaced = *tree.end.get_or_insert_with(|| line.end());
                    depth += usize::from(is_variation);
                    self.size.add_variation(depth).map_err(|error| Flaw::new(at, error))?;
                    let branch = MovesBuilder::branch(replaced);
                    let outer = is_variation.then(|| mem::replace(&mut line, branch));
                    trees.push(Tree { at, outer, end: None });
                    let node = self.read_node()?;
                    self.add_node(node, &mut line)?;
                }
                Some(')') => {
                    self.at += 1;
                    let Some(Tree { at, outer: Some(outer), .. }) = trees.pop() else { continue };
                    depth -= 1;
                    let variation = mem::replace(&mut line, outer);
                    let no_move = || Flaw::new(at, "expected a move in the branch before this one");
                    line.add_variation(variation).ok_or_else(no_move)?;
                }
                Some(';') if tree.end.is_none() => {
                    let node = self.read_node()?;
                    self.add_node(node, &mut line)?;
                }
                Some(';') => {
                    return Err(Flaw::new(at, "expected ( or ) after a variation, found ;"));
                }
                Some(c) => {
                    let c = quote(&c.to_string());
                    return Err(Flaw::new(at, format!("expected one of ; ( ), found '{c}'")));
                }
                None => return Err(Flaw::new(tree.at, "expected a ) that closes this")),
            }
        }
        game.main_line = line.played;
        Ok(Item::Game(game))
    }

    /// Adds a node to a line. A node without a move annotates the previous move.
    fn add_node(&mut self, mut node: Vec<Read<'a>>, line: &mut MovesBuilder) -> Result<(), Flaw> {
        if let Some(index) = node.iter().position(|it| it.name == "W" || it.name == "B") {
            let Read { at, name, values } = node.remove(index);
            let side = if name == "W" { Side::White } else { Side::Black };
            let message = format_args!("expected a move of {}, found one of {side}", !side);
            Flaw::ensure(line.now.position.to_move() == side, at, message)?;
            let (at, word) = one_value(at, &values)?;
            line.play_turn(word.trim(), at, &mut self.size)?;
        }
        node.into_iter().try_for_each(|property| add_property(line, property))
    }

    /// Reads a node that begins with a semicolon.
    fn read_node(&mut self) -> Result<Vec<Read<'a>>, Flaw> {
        self.expect(';')?;
        let mut node: Vec<Read<'_>> = Vec::new();
        while self.peek().is_some_and(|c| c.is_ascii_alphabetic()) {
            let at = self.at;
            let word = self.take_while(|c| c.is_ascii_alphabetic());
            // Older versions of the format write GaMe for GM.
            let name: String = word.chars().filter(char::is_ascii_uppercase).collect();
            let is_there = is_understood(&name) && node.iter().any(|it| it.name == name);
            if name.is_empty() || is_there {
                let message = format!("expected another property, found '{}'", quote(word));
                return Err(Flaw::new(at, message));
            }
            let mut values = Vec::new();
            while self.peek() == Some('[') {
                let (at, value) = (self.at, &self.rest()[1..]);
                let end = find(value, ']');
                let end = end.ok_or_else(|| Flaw::new(at, "expected a value that ends with ]"))?;
                self.at += end + 2;
                values.push((at + 1, &value[..end]));
            }
            let message = format_args!("expected a value of {name} in brackets");
            Flaw::ensure(!values.is_empty(), self.at, message)?;
            node.push(Read { at, name, values });
        }
        Ok(node)
    }

    /// Takes a character.
    fn expect(&mut self, expected: char) -> Result<(), Flaw> {
        let found = match self.peek() {
            Some(found) if found == expected => {
                self.at += found.len_utf8();
                return Ok(());
            }
            Some(found) => format!("'{}'", quote(&found.to_string())),
            None => "the end of the text".to_owned(),
        };
        Err(Flaw::new(self.at, format!("expected {expected}, found {found}")))
    }
}

/// Splits the root into tags and other properties.
fn read_root(root: Vec<Read<'_>>, begin: usize) -> Result<(ReadTags, Vec<Read<'_>>), Flaw> {
    let (mut tags, mut rest) = (ReadTags::default(), Vec::new());
    let game = root.iter().find(|property| property.name == "GM").and_then(|it| it.values.first());
    let (at, game) = game.map_or((begin, "1"), |&(at, game)| (at, game.trim()));
    let found = quote(game);
    let message = format_args!("expected GM[{GAME}], Nine Men's Morris, found GM[{found}]");
    Flaw::ensure(game == GAME, at, message)?;
    let has_text = root.iter().any(|property| property.name == FEN);
    for property in root {
        let Read { at, name, values } = &property;
        let mut add = |name: &str, (at, value): (usize, &str)| {
            let value = unescaped(value).replace('\n', " ");
            tags.add(Tag { name: name.to_owned(), value }, at)
        };
        let tag = TAGS.iter().find(|(property, _)| property == name);
        match (name.as_str(), tag) {
            ("FF" | "GM" | "CA", _) => {}
            (name, _) if has_text && SET_UP.contains(&name) => {}
            (_, Some((_, tag))) => add(tag, one_value(*at, values)?)?,
            (RULES, _) => add(record::VARIANT, one_value(*at, values)?)?,
            (FEN, _) => add(record::FEN, one_value(*at, values)?)?,
            (RESULT, _) => {
                let (at, value) = one_value(*at, values)?;
                let (result, reason) = result(value.trim());
                add(record::RESULT, (at, result.word()))?;
                if !reason.is_empty() {
                    add(TERMINATION, (at, reason))?;
                }
            }
            (TAG, _) => {
                for &(at, value) in values {
                    let (name, value) = find(value, ':')
                        .map(|colon| (unescaped(&value[..colon]), &value[colon + 1..]))
                        .filter(|(name, _)| is_tag_name(name) && !is_field(name))
                        .ok_or_else(|| Flaw::new(at, "expected name:value"))?;
                    add(&name, (at, value))?;
                }
            }
            _ => rest.push(property),
        }
    }
    Ok((tags, rest))
}

/// Adds a property that annotates the last move or the start.
fn add_property(line: &mut MovesBuilder, property: Read<'_>) -> Result<(), Flaw> {
    let Read { at, name, values } = property;
    match name.as_str() {
        GLYPH => {
            for (at, value) in values {
                let glyph = value.trim().parse();
                let glyph = glyph.map_err(|_| Flaw::new(at, "expected a glyph from 0 to 255"))?;
                line.add_glyph(glyph, at)?;
            }
        }
        COMMENT => {
            let comment = unescaped(one_value(at, &values)?.1);
            add_comment(line.played.end_comment(), comment.trim());
        }
        "W" | "B" => return Err(Flaw::new(at, "expected one move in a node")),
        name if SET_UP.contains(&name) => {
            let expected = format!("expected {FEN}[position text]");
            let message = format!("{name} cannot say how many men are in hand: {expected}");
            return Err(Flaw::new(at, message));
        }
        name if is_of_root(name) => {
            return Err(Flaw::new(at, format!("expected {name} only in the first node")));
        }
        name if GLYPHS.iter().any(|(sign, _)| *sign == name) => {
            let is_double = values.first().is_some_and(|(_, value)| value.trim() == "2");
            let is_such = |(sign, _): &(&str, &str)| *sign == name;
            let mut signs = GLYPHS.iter();
            let sign = if is_double { signs.rposition(is_such) } else { signs.position(is_such) };
            line.add_glyph(sign.map_or(1, |sign| sign as u8 + 1), at)?;
        }
        _ => {
            let values = values.into_iter().map(|(_, value)| value.to_owned()).collect();
            let property = Property::new(name, values);
            let added = property.and_then(|it| it.add_to(line.played.end_properties()));
            added.ok_or_else(|| Flaw::new(at, "there are too many properties"))?;
        }
    }
    Ok(())
}

/// The result and the reason in a value of `RE`, such as `W+R`, `B+2`, `Draw` or `Void`.
fn result(value: &str) -> (GameResult, &str) {
    let after = |prefix: &str| {
        let begin = value.get(..prefix.len())?;
        begin.eq_ignore_ascii_case(prefix).then(|| &value[prefix.len()..])
    };
    if let Some(result) = GameResult::from_word(value) {
        (result, "")
    } else if let Some(reason) = after("W+") {
        (GameResult::WhiteWins, reason)
    } else if let Some(reason) = after("B+") {
        (GameResult::BlackWins, reason)
    } else if value == "0" || after("D").is_some() {
        (GameResult::Draw, "")
    } else {
        (GameResult::Unknown, if value == "?" { "" } else { value })
    }
}

/// The only value of a property that begins at a byte.
fn one_value<'a>(at: usize, values: &[(usize, &'a str)]) -> Result<(usize, &'a str), Flaw> {
    match values {
        [value] => Ok(*value),
        _ => Err(Flaw::new(at, "expected a single value")),
    }
}

/// Resolves the escapes of a value: a backslash makes the next character literal and drops a line end.
fn unescaped(value: &str) -> String {
    let mut text = String::with_capacity(value.len());
    let mut chars = value.chars();
    while let Some(c) = chars.next() {
        match c {
            '\\' => text.extend(chars.next().filter(|c| *c != '\n')),
            c => text.push(c),
        }
    }
    text
}
