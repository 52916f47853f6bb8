//! `games` and `record`, which read and write annotated game records; and `review`, which compares a game with best
//! play, turn by turn.

use std::collections::BTreeMap;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::json;

use super::json::{self, Both};
use super::{
    GameText, Job, LimitsText, Purpose, Refusal, Role, Site, check, ensure, is_played, rules,
};
use crate::Error;
use crate::analysis::{ReviewedTurn, annotate};
use crate::position::Move;
use crate::records::{
    AnnotatedMoves, GameRecord, GameResult, Notation, Property, ReadError, add_comment, is_field,
    is_tag_name,
};
use crate::rules::RuleSet;

/// The most games to read from a text.
pub const MOST_GAMES: usize = 200;

/// A request to read a text in any notation.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Text {
    text: String,
    variant: Option<String>,
}

/// Reads the games of a text.
pub fn read(request: &Text, site: &dyn Site) -> Result<Job, Refusal> {
    let usual = rules(request.variant.as_deref(), site.rules())?;
    let mut records = GameRecord::read_each_by(&request.text, &usual);
    let (mut games, mut errors) = (Vec::new(), Vec::new());
    for index in 0..MOST_GAMES {
        let line = records.line();
        let Some(record) = records.next() else { break };
        match record {
            Ok(record) if !is_played(&record.rules, site.rules()) => {
                errors.push(ReadError { line, column: 1, message: UNNAMED.to_owned() });
            }
            Ok(record) => {
                // Its place in the text, from 0, and the game.
                let game = json::game_record(&record).map_err(Refusal::bad)?;
                games.push(Both { first: json!({"index": index}), second: game });
            }
            Err(error) => errors.push(error),
        }
    }
    let has_more = records.next().is_some();
    Ok(Job::Answer(json!({"games": games, "errors": errors, "has_more": has_more})))
}

/// A request to write a game in a notation.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Written {
    record: RecordSource,
    to: String,
}

/// Writes a game in a notation.
pub fn write(asked: &Written, site: &dyn Site) -> Result<Job, Refusal> {
    let notation = asked.to.parse::<Notation>().map_err(Refusal::bad)?;
    let record = asked.record.record(site.rules())?;
    let text = record.write_by(notation, site.rules()).map_err(Refusal::bad)?;
    let losses = record.losses(notation, site.rules());
    Ok(Job::Answer(json!({"text": text, "losses": losses})))
}

/// A request to review a game, with the limits for each move.
#[derive(Deserialize)]
#[serde(rename = "Request", deny_unknown_fields)]
pub struct Reviewed {
    record: RecordSource,
    #[serde(default)]
    limits: LimitsText,
}

/// The most time that a review may ask for, summed over its moves.
pub const LONGEST: Duration = Duration::from_secs(10 * 60);
/// The most turns of a game to review.
pub const MOST_TURNS: usize = 1_000;

/// Reviews a game and sends each turn; the answer is the annotated game.
pub fn review(request: &Reviewed, site: &dyn Site) -> Result<Job, Refusal> {
    let mut record = request.record.record(site.rules())?;
    let effort = request.limits.effort()?;
    let count = record.history().map_err(Refusal::bad)?.turns().len();
    check("turns", count, 0..=MOST_TURNS)?;
    let time = effort.time.unwrap_or_default().as_millis() * record.moves().count() as u128;
    check("time of all moves", time, 0..=LONGEST.as_millis())?;
    let purpose = Purpose::review(&record.rules);
    Ok(Job::search(Role::Analyst, purpose, true, move |analyst, site, client| {
        client.send("game", &json::heading(&record).to_string());
        analyst.effort = effort;
        analyst.engine.tablebase = site.tablebase(&record.rules, &|| false);
        let follow = |turn: &ReviewedTurn| client.send("turn", &json::text(turn));
        let turns = analyst.review(&record, &mut |_: u64| client.is_gone(), follow);
        // The record may go on after a draw, so other searches must not use the table.
        analyst.engine.clear();
        let turns = turns.map_err(Refusal::bad)?;
        client.send("summary", &json::text(&json::summary(&turns)));
        annotate(&mut record, &turns);
        let text = record.write_by(Notation::Wmd, site.rules()).map_err(Refusal::bad)?;
        Ok(json!({"text": text}))
    }))
}

/// Why a game under rules that the site does not play is refused.
const UNNAMED: &str = "only games that have a name are played here";

/// A game, or the text of one.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RecordSource {
    game: Option<GameText>,
    text: Option<String>,
    /// The index of the game in the text, from 0.
    #[serde(default)]
    index: usize,
    /// The name of the variant, for a text that names none.
    variant: Option<String>,
    /// The players of `game`, and how it ended.
    played: Option<Played>,
    /// The annotations of `game`.
    notes: Option<Notes>,
}

/// The players of a game, and how it ended if not by its rules.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Played {
    white: Option<String>,
    black: Option<String>,
    /// The winner of a game that ended otherwise than by its rules: a side, or Draw.
    winner: Option<String>,
    /// The reason, such as time loss.
    termination: Option<String>,
}

impl Played {
    /// The most bytes of a name or reason.
    const MOST_BYTES: usize = 100;

    /// Adds the players and the end to the record of the game.
    fn tell(&self, record: &mut GameRecord) -> Result<(), Refusal> {
        let tells_end = self.winner.is_some() || self.termination.is_some();
        let is_open = !tells_end || record.result == GameResult::Unknown;
        ensure(is_open, "winner, termination: the game is over by its rules")?;
        let tags =
            [("White", &self.white), ("Black", &self.black), ("Termination", &self.termination)];
        for (name, value) in tags {
            let Some(value) = value else { continue };
            let key = name.to_lowercase();
            check(&key, value.len(), 0..=Self::MOST_BYTES)?;
            ensure(!value.chars().any(char::is_control), format_args!("{key}: expected one line"))?;
            record.set_tag(name, value.as_str());
        }
        if let Some(winner) = &self.winner {
            // In the order of the results; an unknown one has no winner.
            let mut ends = ["White", "Black", "Draw"].into_iter().zip(GameResult::ALL);
            let end = ends.find(|(name, _)| name == winner);
            let wrong = || Refusal::bad(Error::found("winner", "White, Black or Draw", winner));
            record.result = end.ok_or_else(wrong)?.1;
        }
        Ok(())
    }
}

impl RecordSource {
    /// Reads the record of the game.
    fn record(&self, usual: &RuleSet) -> Result<GameRecord, Refusal> {
        match (&self.game, &self.text) {
            (Some(game), None) if self.variant.is_none() => {
                let mut record = GameRecord::from(&game.play(usual)?);
                self.played.iter().try_for_each(|played| played.tell(&mut record))?;
                self.notes.iter().try_for_each(|notes| notes.tell(&mut record))?;
                record.sort_tags();
                Ok(record)
            }
            (None, Some(text)) if self.played.is_none() && self.notes.is_none() => {
                let rules = rules(self.variant.as_deref(), usual)?;
                let record = GameRecord::read_each_by(text, &rules).nth(self.index);
                let missing = || Refusal::bad(format!("the text has no game {}", self.index));
                let record = record.ok_or_else(missing)?.map_err(Refusal::bad)?;
                ensure(is_played(&record.rules, usual), UNNAMED)?;
                Ok(record)
            }
            _ => Err(Refusal::bad(
                "expected either game and perhaps played and notes, or text and perhaps index and variant",
            )),
        }
    }
}

/// Tags, comments, glyphs, variations and properties of a game.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Notes {
    #[serde(default)]
    tags: BTreeMap<String, String>,
    #[serde(flatten)]
    notes: MoveNotes,
}

/// Annotations by move number, from 1.
#[derive(Default, Deserialize, Serialize)]
pub struct MoveNotes {
    #[serde(default)]
    comments: Vec<Note<String>>,
    #[serde(default)]
    glyphs: Vec<Note<u8>>,
    #[serde(default)]
    variations: Vec<Variation>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    properties: Vec<PropertyNote>,
}

/// An annotation after a move; `after` is 0 for the start of the game.
#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct Note<T> {
    after: usize,
    says: T,
}

/// An SGF property after a move; `after` is 0 for the start of the game.
#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct PropertyNote {
    after: usize,
    name: String,
    values: Vec<String>,
}

/// A variation that replaces a move.
#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct Variation {
    instead_of: usize,
    moves: Vec<String>,
    #[serde(flatten)]
    notes: MoveNotes,
}

impl Notes {
    /// Adds the tags and annotations to the record of the game.
    fn tell(&self, record: &mut GameRecord) -> Result<(), Refusal> {
        for (name, value) in &self.tags {
            let is_tag = is_tag_name(name) && !value.contains(['\n', '\r']);
            ensure(is_tag, "tags: expected a word and one line for each")?;
            ensure(!is_field(name), format_args!("tags: {name} is told by the game"))?;
            record.set_tag(name, value.as_str());
        }
        self.notes.tell(&mut record.main_line)
    }
}

impl MoveNotes {
    /// Collects the annotations of a line.
    pub fn of(line: &AnnotatedMoves) -> Self {
        let mut notes = Self::default();
        notes.add(0, &line.comment, &line.properties);
        for (number, mv) in (1..).zip(&line.moves) {
            notes.add(number, &mv.comment, &mv.properties);
            notes.glyphs.extend(mv.glyphs.iter().map(|&says| Note { after: number, says }));
            notes.variations.extend(mv.variations.iter().map(|instead| Variation {
                instead_of: number,
                moves: instead.moves.iter().map(|played| played.mv.to_string()).collect(),
                notes: Self::of(instead),
            }));
        }
        notes
    }

    fn add(&mut self, after: usize, comment: &str, properties: &[Property]) {
        let comment = Some(comment.to_owned()).filter(|comment| !comment.is_empty());
        self.comments.extend(comment.map(|says| Note { after, says }));
        self.properties.extend(properties.iter().map(|property| PropertyNote {
            after,
            name: property.name().to_owned(),
            values: property.values().to_vec(),
        }));
    }

    fn tell(&self, line: &mut AnnotatedMoves) -> Result<(), Refusal> {
        let count = line.moves.len();
        for Note { after, says } in &self.comments {
            check("after", *after, 0..=count)?;
            let target = after.checked_sub(1).map(|at| &mut line.moves[at].comment);
            add_comment(target.unwrap_or(&mut line.comment), says.trim());
        }
        for Note { after, says } in &self.glyphs {
            check("after", *after, 1..=count)?;
            line.moves[after - 1].glyphs.push(*says);
        }
        for PropertyNote { after, name, values } in &self.properties {
            check("after", *after, 0..=count)?;
            let expected = "properties: expected names such as TR, with values as SGF writes them";
            let property = Property::new(name.clone(), values.clone());
            let property = property.ok_or_else(|| Refusal::bad(expected))?;
            let target = after.checked_sub(1).map(|at| &mut line.moves[at].properties);
            let added = property.add_to(target.unwrap_or(&mut line.properties));
            added.ok_or_else(|| Refusal::bad("properties: there are too many"))?;
        }
        for Variation { instead_of, moves, notes } in &self.variations {
            check("instead_of", *instead_of, 1..=count)?;
            let moves = moves.iter().map(|text| text.parse::<Move>().map_err(Refusal::bad));
            let mut variation = moves.collect::<Result<AnnotatedMoves, _>>()?;
            notes.tell(&mut variation)?;
            line.moves[instead_of - 1].variations.push(variation);
        }
        Ok(())
    }
}
