//! UCI in its mill forms.

use super::Told;
use crate::protocol::{Command, Effect, OptionSpec, Options, Start};
use crate::rules::{Preset, RuleSet};

/// The option that sets all rules at once, where an engine has it.
const VARIANT: &str = "Variant";

/// The options that lead from Nine Men's Morris, which every engine plays, to other rules.
pub(super) fn rule_options(rules: &RuleSet, known: &[String]) -> Vec<(String, String)> {
    let has_variants = known.iter().any(|name| name == VARIANT);
    if let Some(preset) = Preset::of(rules)
        && has_variants
    {
        return vec![(VARIANT.to_owned(), preset.name.to_owned())];
    }
    let usual = Options::default();
    let wanted = Options { rules: *rules, ..usual.clone() };
    let changed = OptionSpec::all()
        .filter(|spec| spec.effect == Effect::NewRules && spec.name != VARIANT)
        .map(|spec| (spec, spec.value(&usual), spec.value(&wanted)))
        .filter(|(_, usual, wanted)| usual != wanted);
    changed.map(|(spec, _, wanted)| (spec.name.to_owned(), wanted)).collect()
}

pub(super) fn position(game: &Told<'_>) -> Command {
    let start = game.start.map_or(Start::Initial, |start| Start::Text(start.text()));
    let moves = game.moves.iter().map(|(_, mv)| mv.to_string()).collect();
    Command::Position { start, moves }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_are_told_by_name_or_one_by_one() {
        let lasker = Preset::named("lasker").unwrap().rules;
        let named = [("Variant".to_owned(), "Lasker Morris".to_owned())];
        assert_eq!(rule_options(&lasker, &["Hash".into(), "Variant".into()]), named);
        let single = [("PiecesCount", "10"), ("MayMoveInPlacingPhase", "true")];
        let single = single.map(|(name, value)| (name.to_owned(), value.to_owned()));
        assert_eq!(rule_options(&lasker, &[]), single);
        assert!(rule_options(&RuleSet::default(), &[]).is_empty());
    }
}
