//! The result of a match for people.

use std::collections::BTreeMap;

use comfy_table::{CellAlignment, Table, presets};
use millstone::matches::{Decision, FaultKind, Header, Sprt, Tally};

/// What stands where nothing can be told.
const UNKNOWN: &str = "-";

/// The result as a table with a column an engine, and what concerns both below it.
pub fn result(header: &Header, tally: &Tally, sprt: Option<Sprt>) -> String {
    let mut table = Table::new();
    table.load_style(presets::ASCII_MARKDOWN);
    let [first, second] = header.engines.each_ref().map(|engine| engine.name.clone());
    table.set_header(vec![format!("{} games", tally.games()), first, second]);
    for (label, [first, second]) in rows(header, tally) {
        table.add_row(vec![label.to_owned(), first, second]);
    }
    for column in table.column_iter_mut().skip(1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    let test = sprt.map(|sprt| format!("\nSPRT {sprt}: {}", verdict(sprt, tally)));
    format!("{table}\n\n{}: {}{}", header.rules, both(tally), test.unwrap_or_default())
}

/// The score so far in one line.
pub fn score(tally: &Tally, sprt: Option<Sprt>) -> String {
    let Tally { wins, draws, losses, .. } = tally;
    let elo = rating(tally.elo(), tally.elo_error());
    let ratio = sprt.map(|sprt| sprt.log_likelihood_ratio(&tally.pentanomial));
    let ratio = ratio.map(|ratio| format!("  LLR {ratio:.2}")).unwrap_or_default();
    format!("+{wins} ={draws} -{losses}  Elo {elo}{ratio}")
}

/// What is told of each engine.
fn rows(header: &Header, tally: &Tally) -> Vec<(&'static str, [String; 2])> {
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
    if tally.faults.iter().any(|faults| !faults.is_empty()) {
        rows.push(("Games lost by a fault", tally.faults.each_ref().map(faults)));
    }
    rows
}

fn faults(faults: &BTreeMap<FaultKind, u64>) -> String {
    let each: Vec<_> = faults.iter().map(|(kind, count)| format!("{count} {kind}")).collect();
    if each.is_empty() { UNKNOWN.to_owned() } else { each.join(", ") }
}

/// What concerns both engines.
fn both(tally: &Tally) -> String {
    let plies = tally.average_plies().map_or(UNKNOWN.to_owned(), |plies| format!("{plies:.1}"));
    format!(
        "{} of the games drawn, {} of the points for White, {plies} moves and removals a game",
        percent(tally.draw_share()),
        percent(tally.white_share()),
    )
}

fn verdict(sprt: Sprt, tally: &Tally) -> String {
    let (low, high) = sprt.bounds();
    let ratio = sprt.log_likelihood_ratio(&tally.pentanomial);
    let verdict = match sprt.decide(&tally.pentanomial) {
        Decision::First => "elo0 accepted",
        Decision::Second => "elo1 accepted",
        Decision::Open => "not decided",
    };
    format!("LLR {ratio:.2} ({low:.2} to {high:.2}), {verdict}")
}

fn percent(share: Option<f64>) -> String {
    share.map_or(UNKNOWN.to_owned(), |share| format!("{:.1} %", 100.0 * share))
}

fn rating(elo: Option<f64>, error: Option<f64>) -> String {
    match (elo, error) {
        (None, _) => UNKNOWN.to_owned(),
        (Some(elo), Some(error)) if error.is_finite() => format!("{elo:+.1} +- {error:.1}"),
        (Some(elo), _) => format!("{elo:+.1}"),
    }
}
