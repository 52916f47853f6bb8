//! The result of a match for scripts.

use std::collections::BTreeMap;

use millstone::matches::{Decision, FaultKind, Header, Sprt, Tally};
use serde::Serialize;

/// The result as the first engine sees it; what cannot be told is null.
#[derive(Serialize)]
pub struct Summary<'a> {
    engines: [&'a str; 2],
    rules: &'a str,
    games: u64,
    wins: u64,
    draws: u64,
    losses: u64,
    points: f64,
    share: Option<f64>,
    /// Infinite ratings are null.
    elo: Option<f64>,
    elo_error: Option<f64>,
    likelihood_of_superiority: Option<f64>,
    pentanomial: [u64; 5],
    draw_share: Option<f64>,
    white_share: Option<f64>,
    average_plies: Option<f64>,
    faults: [&'a BTreeMap<FaultKind, u64>; 2],
    sprt: Option<Test>,
}

#[derive(Serialize)]
struct Test {
    elo0: f64,
    elo1: f64,
    log_likelihood_ratio: f64,
    lower: f64,
    upper: f64,
    accepted: Option<&'static str>,
}

impl<'a> Summary<'a> {
    /// The summary of a match.
    pub fn new(header: &'a Header, tally: &'a Tally, sprt: Option<Sprt>) -> Self {
        Self {
            engines: header.engines.each_ref().map(|engine| engine.name.as_str()),
            rules: &header.rules,
            games: tally.games(),
            wins: tally.wins,
            draws: tally.draws,
            losses: tally.losses,
            points: tally.points(),
            share: tally.share(),
            elo: tally.elo().filter(|elo| elo.is_finite()),
            elo_error: tally.elo_error().filter(|error| error.is_finite()),
            likelihood_of_superiority: tally.likelihood_of_superiority(),
            pentanomial: tally.pentanomial,
            draw_share: tally.draw_share(),
            white_share: tally.white_share(),
            average_plies: tally.average_plies(),
            faults: tally.faults.each_ref(),
            sprt: sprt.map(|sprt| Test::new(sprt, tally)),
        }
    }
}

impl Test {
    fn new(sprt: Sprt, tally: &Tally) -> Self {
        let (lower, upper) = sprt.bounds();
        Self {
            elo0: sprt.elo0,
            elo1: sprt.elo1,
            log_likelihood_ratio: sprt.log_likelihood_ratio(&tally.pentanomial),
            lower,
            upper,
            accepted: match sprt.decide(&tally.pentanomial) {
                Decision::First => Some("elo0"),
                Decision::Second => Some("elo1"),
                Decision::Open => None,
            },
        }
    }
}
