//! The options that choose the game.
//!
//! Each sets the start position of its game; see [`Effect::NewRules`].

use super::engine::place;
use super::{Effect, Kind, OptionSpec, Options};
use crate::board::Diagonals;
use crate::rules::{BoardFullAction, DrawRules, MillAction, PRESETS, RuleSet, StalemateAction};

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

/// A rule that a game has or has not.
macro_rules! check {
    ($name:expr, $field:ident, $help:expr) => {
        option(
            $name,
            $help,
            Kind::Check {
                get: |options| options.rules.$field,
                set: |options, value| options.rules.$field = value,
            },
        )
    };
}

/// The least and the greatest value of a range.
macro_rules! ends {
    ($range:expr) => {
        (*$range.start() as u32, *$range.end() as u32)
    };
}

/// One of the three ways of capturing, with its switches.
macro_rules! captures {
    ($rule:ident, $name:literal, $help:literal) => {
        [
            captures!($rule, $name, "Enabled", is_on, $help),
            captures!($rule, $name, "OnSquareEdges", on_square_edges, "along sides of rings"),
            captures!($rule, $name, "OnCrossLines", on_cross_lines, "along spokes"),
            captures!($rule, $name, "OnDiagonalLines", on_diagonals, "along diagonals"),
            captures!($rule, $name, "InPlacingPhase", in_placing, "by a side that places"),
            captures!($rule, $name, "InMovingPhase", in_moving, "by a side that moves"),
            captures!(
                $rule,
                $name,
                "OnlyWhenOwnPiecesLeq3",
                only_with_few_men,
                "only with three men or fewer"
            ),
        ]
    };
    ($rule:ident, $name:literal, $switch:literal, $field:ident, $help:literal) => {
        option(
            concat!($name, $switch),
            $help,
            Kind::Check {
                get: |options| options.rules.$rule.$field,
                set: |options, value| options.rules.$rule.$field = value,
            },
        )
    };
}

/// All rules but the captures, in the order in which they are listed.
pub(super) const RULE_OPTIONS: &[OptionSpec] = &[
    option(
        "Variant",
        "sets all rules to those of a game with a name",
        Kind::Combo {
            choices: &VARIANTS,
            get: |options| place(&PRESETS.map(|preset| preset.rules), &options.rules),
            set: |options, at| options.rules = PRESETS[at].rules,
        },
    ),
    option(
        "PiecesCount",
        "men of each side",
        spin(
            ends!(RuleSet::MEN_RANGE),
            |options| options.rules.men.into(),
            |options, value| options.rules.men = value as u8,
        ),
    ),
    option(
        "flyPieceCount",
        "men on the board with which a side flies",
        spin(
            ends!(RuleSet::FLYING_MEN_RANGE),
            |options| options.rules.flying_men.into(),
            |options, value| options.rules.flying_men = value as u8,
        ),
    ),
    option(
        "PiecesAtLeastCount",
        "a side with fewer men has lost",
        spin(
            ends!(RuleSet::LEAST_MEN_RANGE),
            |options| options.rules.least_men.into(),
            |options, value| options.rules.least_men = value as u8,
        ),
    ),
    option(
        "HasDiagonalLines",
        "corners are joined by diagonals",
        Kind::Check {
            get: |options| options.rules.diagonals == Diagonals::With,
            set: |options, value| options.rules.diagonals = Diagonals::ALL[usize::from(value)],
        },
    ),
    option(
        "MillFormationActionInPlacingPhase",
        "what a mill closed by placing earns: 0 a man on the board, 1 one in hand, 2 one in hand and \
         another turn, 3 the opponent removes its own, 4 a man whose point is marked, 5 a count at \
         the end",
        choice(
            MillAction::ALL.len(),
            |options| place(&MillAction::ALL, &options.rules.mill_action) as u32,
            |options, value| options.rules.mill_action = MillAction::ALL[value as usize],
        ),
    ),
    check!("MayMoveInPlacingPhase", may_move_in_placing, "a side with men in hand may slide"),
    check!("IsDefenderMoveFirst", defender_moves_first, "Black moves first when all are placed"),
    check!("MayRemoveMultiple", may_remove_multiple, "two mills at once earn two men"),
    check!("MayRemoveFromMillsAlways", may_remove_from_mills, "mills protect no men"),
    check!(
        "RestrictRepeatedMillsFormation",
        restricts_repeated_mills,
        "a man may not go straight back to close a mill again"
    ),
    check!("OneTimeUseMill", uses_mills_once, "lines whose points were used are no mills"),
    option(
        "BoardFullAction",
        "what a full board leads to: 0 White loses, 1 each removes, White first, 2 each removes, \
         Black first, 3 one removes, 4 a draw",
        choice(
            BoardFullAction::ALL.len(),
            |options| place(&BoardFullAction::ALL, &options.rules.board_full_action) as u32,
            |options, value| options.rules.board_full_action = BoardFullAction::ALL[value as usize],
        ),
    ),
    check!(
        "StopPlacingWhenTwoEmptySquares",
        stops_placing_at_two_empty,
        "placing ends when two points are left"
    ),
    option(
        "StalemateAction",
        "a side that cannot move: 0 loses, 1 passes, 2 removes and moves, 3 removes and passes, \
         4 draws, 5 removes as does the opponent",
        choice(
            StalemateAction::ALL.len(),
            |options| place(&StalemateAction::ALL, &options.rules.stalemate_action) as u32,
            |options, value| options.rules.stalemate_action = StalemateAction::ALL[value as usize],
        ),
    ),
    check!("MayFly", may_fly, "a side with few men may go anywhere"),
];

/// The man between the one that moved and another of its side.
pub(super) const CUSTODIAN_OPTIONS: [OptionSpec; 7] =
    captures!(custodian, "CustodianCapture", "a man between two may be captured");

/// The men at both sides of the one that moved.
pub(super) const INTERVENTION_OPTIONS: [OptionSpec; 7] =
    captures!(intervention, "InterventionCapture", "two men beside a third may be captured");

/// The man that another leapt over.
pub(super) const LEAP_OPTIONS: [OptionSpec; 7] =
    captures!(leap, "LeapCapture", "a man that is leapt over is captured");

/// The draws by the moves before.
pub(super) const DRAW_OPTIONS: &[OptionSpec] = &[
    option(
        "NMoveRule",
        "slides without a placement or removal that draw the game",
        spin(
            ends!(DrawRules::N_MOVE_RANGE),
            |options| options.draw_rules.n_move.into(),
            |options, value| options.draw_rules.n_move = value as u16,
        ),
    ),
    option(
        "EndgameNMoveRule",
        "the same while a side has three men, if it is less",
        spin(
            ends!(DrawRules::ENDGAME_N_MOVE_RANGE),
            |options| options.draw_rules.endgame_n_move.into(),
            |options, value| options.draw_rules.endgame_n_move = value as u16,
        ),
    ),
    option(
        "ThreefoldRepetitionRule",
        "the third occurrence of a position draws the game",
        Kind::Check {
            get: |options| options.draw_rules.threefold_repetition,
            set: |options, value| options.draw_rules.threefold_repetition = value,
        },
    ),
];

const fn option(name: &'static str, help: &'static str, kind: Kind) -> OptionSpec {
    OptionSpec { name, help, kind, effect: Effect::NewRules }
}

/// A number with its least and its greatest value.
const fn spin(
    (min, max): (u32, u32),
    get: fn(&Options) -> u32,
    set: fn(&mut Options, u32),
) -> Kind {
    Kind::Spin { min, max, get, set }
}

/// One of several actions, by number.
const fn choice(count: usize, get: fn(&Options) -> u32, set: fn(&mut Options, u32)) -> Kind {
    Kind::Spin { min: 0, max: count as u32 - 1, get, set }
}
