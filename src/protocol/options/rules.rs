//! The options that choose the game.
//!
//! Each rule that [`Rule::all`] declares is an option. Setting one sets the start position of its
//! game; see [`Effect::NewRules`].

use std::ops::RangeInclusive;
use std::sync::LazyLock;

use super::engine::index_of;
use super::spec::{Effect, Kind, OptionSpec, Options};
use crate::protocol::command::Dialect;
use crate::rules::{DrawRules, PRESETS, Rule};

/// The names of the games, in the order of [`PRESETS`].
const VARIANTS: [&str; PRESETS.len()] = {
    let mut names = [""; PRESETS.len()];
    let mut index = 0;
    while index < names.len() {
        names[index] = PRESETS[index].name;
        index += 1;
    }
    names
};

/// The option that sets all rules at once.
pub(super) const VARIANT: OptionSpec = option(
    Some(Dialect::Uci),
    "Variant",
    "sets all rules to those of a game with a name",
    Kind::Combo {
        choices: &VARIANTS,
        get: |options| index_of(&PRESETS.map(|preset| preset.rules), &options.rules),
        set: |options, at| options.rules = PRESETS[at].rules,
    },
);

/// An option for each rule.
pub(super) static RULE_OPTIONS: LazyLock<Vec<OptionSpec>> = LazyLock::new(|| {
    Rule::all()
        .map(|rule| option(Some(Dialect::Uci), rule.option, rule.about, Kind::Rule(rule)))
        .collect()
});

/// The draws by the moves before.
pub(super) const DRAW_OPTIONS: &[OptionSpec] = &[
    option(
        None,
        "NMoveRule",
        "slides without a placement or removal that draw the game",
        spin(
            DrawRules::N_MOVE_RANGE,
            |options| options.draw_rules.n_move.into(),
            |options, value| options.draw_rules.n_move = value as u16,
        ),
    ),
    option(
        None,
        "EndgameNMoveRule",
        "the same while a side has three men, if it is less",
        spin(
            DrawRules::ENDGAME_N_MOVE_RANGE,
            |options| options.draw_rules.endgame_n_move.into(),
            |options, value| options.draw_rules.endgame_n_move = value as u16,
        ),
    ),
    option(
        None,
        "ThreefoldRepetitionRule",
        "the third occurrence of a position draws the game",
        Kind::Check {
            get: |options| options.draw_rules.threefold_repetition,
            set: |options, value| options.draw_rules.threefold_repetition = value,
        },
    ),
];

/// An option of the rules. GBGP has two games, so of these it lists only those that draw a game.
const fn option(
    only: Option<Dialect>,
    name: &'static str,
    help: &'static str,
    kind: Kind,
) -> OptionSpec {
    OptionSpec { name, help, kind, effect: Effect::NewRules, only }
}

/// A number of a range.
const fn spin(
    range: RangeInclusive<u16>,
    get: fn(&Options) -> u32,
    set: fn(&mut Options, u32),
) -> Kind {
    Kind::Spin { min: *range.start() as u32, max: *range.end() as u32, get, set }
}
