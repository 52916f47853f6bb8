//! The result of a match: a table for people, JSON for scripts.

use std::collections::BTreeMap;

use comfy_table::{CellAlignment, Table, presets};
use millstone::api::json::Both;
use millstone::matches::{EngineErrorKind, LogHeader, Sprt, SprtState, Tally};
use serde_json::json;

use crate::commands::terminal::percent;
use crate::commands::{CommandResult, Format};

/// Shown for missing values.
const UNKNOWN: &str = "-";

/// Prints the result on standard output.
pub fn print(json: bool, header: &LogHeader, tally: &Tally, sprt: Option<Sprt>) -> CommandResult {
    let engines = header.engines.each_ref().map(|engine| engine.name.as_str());
    let state = sprt.map(|sprt| sprt.state(&tally.pentanomial));
    let heading = json!({"engines": engines, "rules": header.rules});
    let test = json!({"sprt": state});
    let summary = Both { first: heading, second: Both { first: tally, second: test } };
    Ok(Format { json }.write(&summary, result(header, tally, sprt))?)
}

/// The result as a table with a column for each engine, and a line about both.
fn result(header: &LogHeader, tally: &Tally, sprt: Option<Sprt>) -> String {
    let mut table = Table::new();
    table.load_style(presets::ASCII_MARKDOWN);
    let [first, second] = header.engines.each_ref().map(|engine| engine.name.clone());
    table.set_header(vec![format!("{} games", tally.games()), first, second]);
    let rows = rows(header, tally).into_iter();
    table.add_rows(rows.map(|(label, [first, second])| [label.to_owned(), first, second]));
    for column in table.column_iter_mut().skip(1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    let test = sprt.map(|sprt| {
        let SprtState { log_likelihood_ratio, lower, upper, accepted, .. } =
            sprt.state(&tally.pentanomial);
        let verdict = accepted.map_or("not decided".to_owned(), |elo| format!("{elo} accepted"));
        let ratio = format!("LLR {log_likelihood_ratio:.2} ({lower:.2} to {upper:.2})");
        format!("\nSPRT {sprt}: {ratio}, {verdict}")
    });
    let plies = tally.average_plies().map_or(UNKNOWN.to_owned(), |plies| format!("{plies:.1}"));
    let [drawn, white] = [tally.draw_share(), tally.white_share()].map(percent);
    let both = format!(
        "{drawn} of the games drawn, {white} of the points for White, {plies} plies a game"
    );
    format!("{table}\n\n{}: {both}{}", header.rules, test.unwrap_or_default())
}

/// The score so far in one line.
pub fn score(tally: &Tally, sprt: Option<Sprt>) -> String {
    let Tally { wins, draws, losses, .. } = tally;
    let elo = rating(tally.elo(), tally.elo_error());
    let ratio = sprt.map(|sprt| sprt.state(&tally.pentanomial).log_likelihood_ratio);
    let ratio = ratio.map(|ratio| format!("  LLR {ratio:.2}")).unwrap_or_default();
    format!("+{wins} ={draws} -{losses}  Elo {elo}{ratio}")
}

/// The rows of the table.
fn rows(header: &LogHeader, tally: &Tally) -> Vec<(&'static str, [String; 2])> {
    let games = tally.games() as f64;
    let points = [tally.points(), games - tally.points()];
    let superiority = tally.likelihood_of_superiority();
    let mirrored = |value: Option<f64>| [percent(value), percent(value.map(|value| 1.0 - value))];
    let elo = tally.elo();
    let ratings = [elo, elo.map(|elo| 0.0 - elo)].map(|elo| rating(elo, tally.elo_error()));
    let pairs = |counts: &mut dyn Iterator<Item = &u64>| {
        counts.map(ToString::to_string).collect::<Vec<_>>().join(" ")
    };
    let counts = &tally.pentanomial;
    let mut rows = vec![
        ("Calls itself", header.engines.each_ref().map(|engine| engine.id.clone())),
        ("Speaks", header.engines.each_ref().map(|engine| engine.dialect.to_uppercase())),
        ("Limit", header.engines.each_ref().map(|engine| engine.limit.clone())),
        ("Points", points.map(|points| points.to_string())),
        ("Share of the points", mirrored(tally.share())),
        ("Wins", [tally.wins, tally.losses].map(|count| count.to_string())),
        ("Draws", [tally.draws; 2].map(|count| count.to_string())),
        ("Losses", [tally.losses, tally.wins].map(|count| count.to_string())),
        ("Elo, 95 % error", ratings),
        ("Likelihood of superiority", mirrored(superiority)),
        (
            "Pairs with 0, 1/2, 1, 3/2, 2 points",
            [pairs(&mut counts.iter()), pairs(&mut counts.iter().rev())],
        ),
    ];
    if tally.forfeits.iter().any(|forfeits| !forfeits.is_empty()) {
        rows.push(("Games lost by an error", tally.forfeits.each_ref().map(forfeits)));
    }
    rows
}

fn forfeits(forfeits: &BTreeMap<EngineErrorKind, u64>) -> String {
    let each: Vec<_> = forfeits.iter().map(|(kind, count)| format!("{count} {kind}")).collect();
    if each.is_empty() { UNKNOWN.to_owned() } else { each.join(", ") }
}

fn rating(elo: Option<f64>, error: Option<f64>) -> String {
    match (elo, error) {
        (None, _) => UNKNOWN.to_owned(),
        (Some(elo), Some(error)) if error.is_finite() => format!("{elo:+.1} +- {error:.1}"),
        (Some(elo), _) => format!("{elo:+.1}"),
    }
}
