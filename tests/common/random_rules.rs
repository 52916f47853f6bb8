//! Rules of any game of the family, by the options of the protocol.

use crate::random::{IndexedRandom, Random, RngExt};
use millstone::protocol::{Dialect, Effect, Kind, OptionSpec, Options};
use millstone::rules::{PRESETS, RuleSet};

/// Any rules.
pub fn random_rules(rng: &mut Random) -> RuleSet {
    let mut options = Options::default();
    for (name, value) in random_options(rng) {
        options.set(name, Some(&value)).expect("a value of the option");
    }
    options.rules
}

/// The rules of a game with a name half of the time, or else any.
pub fn named_or_random_rules(rng: &mut Random) -> RuleSet {
    if rng.random() {
        return PRESETS.choose(rng).unwrap().rules;
    }
    random_rules(rng)
}

/// Every option of the rules with a random value, as names and values; about half of them have
/// the value of the standard game, so that each combination of a few occurs.
pub fn random_options(rng: &mut Random) -> Vec<(&'static str, String)> {
    let specs = OptionSpec::of(Dialect::Uci).filter(|spec| spec.effect == Effect::NewRules);
    specs.filter_map(|spec| Some((spec.name, random_value(&spec.kind, rng)?))).collect()
}

/// Numbers of men with which each number that a side has to keep can be played; twelve fill the board.
const MEN: [u8; 4] = [5, 10, 11, 12];

/// A value of the option, or none where the standard one is kept.
fn random_value(kind: &Kind, rng: &mut Random) -> Option<String> {
    let is_changed: bool = rng.random();
    match kind {
        Kind::Rule(rule) => {
            let value = is_changed.then(|| match rule.option {
                "PiecesCount" => MEN[rng.random_range(0..MEN.len())],
                _ => rng.random_range(rule.values.range()),
            })?;
            Some(rule.values.setting(value))
        }
        Kind::Check(..) => is_changed.then(|| rng.random::<bool>().to_string()),
        Kind::Spin([min, max], ..) => is_changed.then(|| rng.random_range(*min..=*max).to_string()),
        _ => None,
    }
}
