//! Games in the Smart Game Format, version 4, with `GM[5]` for Nine Men's Morris.
//!
//! See: Arno Hollosi, "SGF File Format", version 4, 1999.

pub(super) mod read;
mod write;

/// The number of Nine Men's Morris among the games of the format.
const GAME: &str = "5";

/// Properties of the root and the tags that say the same.
const TAGS: [(&str, &str); 12] = [
    ("EV", "Event"),
    ("PC", "Site"),
    ("DT", "Date"),
    ("RO", "Round"),
    ("PW", "White"),
    ("PB", "Black"),
    ("WR", "WhiteElo"),
    ("BR", "BlackElo"),
    ("AN", "Annotator"),
    ("ON", "Opening"),
    ("SO", "Source"),
    ("CP", "Copyright"),
];

/// Our own properties: the position text of the start, tags as `Name:value`, and numbers of glyphs.
const FEN: &str = "FEN";
const TAG: &str = "TAG";
const GLYPH: &str = "GLYPH";

/// The property for the rules, by their name.
const RULES: &str = "SU";
const RESULT: &str = "RE";

/// Why a game was won, after `W+` or `B+`, or has no result, and the tag that says it.
const REASONS: [&str; 6] = ["R", "Resign", "T", "Time", "F", "Forfeit"];
const VOID: &str = "Void";
const TERMINATION: &str = "Termination";

const COMMENT: &str = "C";

/// The properties for the glyphs `!`, `?`, `!!`, `??`, `!?` and `?!`, which have the numbers from 1.
const GLYPHS: [(&str, &str); 6] =
    [("TE", "1"), ("BM", "1"), ("TE", "2"), ("BM", "2"), ("IT", ""), ("DO", "")];

/// Properties for men on the board and the side to move.
const SET_UP: [&str; 4] = ["AB", "AW", "AE", "PL"];

/// Whether a property stands in the first node alone.
fn is_of_root(name: &str) -> bool {
    ["FF", "GM", "CA", FEN, RULES, RESULT, TAG].contains(&name)
        || TAGS.iter().any(|(property, _)| *property == name)
}

/// Whether a property has a meaning for the record, so that none of that name is kept as it is.
pub(super) fn is_understood(name: &str) -> bool {
    is_of_root(name)
        || ["W", "B", COMMENT, GLYPH].contains(&name)
        || SET_UP.contains(&name)
        || GLYPHS.iter().any(|(sign, _)| *sign == name)
}

/// Whether a text can stand between brackets as it is.
pub(super) fn is_value(text: &str) -> bool {
    let mut is_escaped = false;
    let has_end = text.chars().any(|c| {
        let is_end = c == ']' && !is_escaped;
        is_escaped = c == '\\' && !is_escaped;
        is_end
    });
    !has_end && !is_escaped
}
