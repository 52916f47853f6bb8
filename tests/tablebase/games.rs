//! Games of few men, solved whole: every value follows from those of the moves, by the rules of the engine for
//! all positions, and by the rules of the mailbox for as many as there is time for.

use std::fs;
use std::path::Path;

use crate::mailbox::{DrawRules as MailboxDrawRules, Mailbox, Outcome, Rules as MailboxRules};
use crate::size::usual_or_full;
use millstone::board::Side;
use millstone::position::Position;
use millstone::rules::{MillAction, PRESETS, Preset, Rule, RuleSet};
use millstone::tablebase::{
    Build, Distances, Sample, Scope, Sector, Solvable, Tablebase, Unobserved, Value, Verifier, Wdl,
    sector_path,
};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use rayon::prelude::*;
use tempfile::TempDir;

const NO_DRAWS: MailboxDrawRules =
    MailboxDrawRules { n_move: 100_000, endgame_n_move: 100_000, threefold: false };

#[test]
fn every_named_game() {
    let games: Vec<RuleSet> = PRESETS.iter().map(|preset| preset.rules).collect();
    let solvable: Vec<_> = games.iter().filter(|rules| rules.check_solvable().is_ok()).collect();
    assert_eq!(solvable.len(), PRESETS.len() - 2);
    for rules in solvable {
        for men in 3..=usual_or_full(3, 5) {
            check(rules, men, Distances::All);
        }
    }
}

/// Lasker Morris as others have solved it.
#[test]
fn lasker_morris_in_which_men_in_hand_count_for_flying() {
    let lasker = Preset::named("lasker").expect("a game").rules;
    for men in 3..=usual_or_full(3, 6) {
        check(&RuleSet { flying_counts_hand: true, ..lasker }, men, Distances::All);
    }
}

#[test]
fn games_by_random_rules() {
    for seed in 0..usual_or_full(6, 320) {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
        let men = if seed < 300 { 3 } else { 4 };
        check(&random_rules(&mut random), men, Distances::Moving);
    }
}

/// Rules of which about a third are not those of Nine Men's Morris, and whose positions have no memory.
fn random_rules(random: &mut Xoshiro256PlusPlus) -> RuleSet {
    let mut rules = RuleSet::NINE_MENS_MORRIS;
    loop {
        for rule in Rule::all() {
            if random.random_ratio(1, 3) {
                (rule.set)(&mut rules, random.random_range(rule.values.range()));
            }
        }
        if rules.check_solvable().is_ok() {
            return rules;
        }
        rules = RuleSet { mill_action: MillAction::RemoveFromBoard, ..RuleSet::NINE_MENS_MORRIS };
    }
}

/// Solves a game with so many men a side and checks it, with the distances that are kept. Returns the number of
/// positions of which the mailbox thinks the same.
fn check(rules: &RuleSet, men: u8, distances: Distances) -> u64 {
    let rules = RuleSet { men, least_men: rules.least_men.min(men), ..*rules };
    let game = Solvable::of(&rules).expect("no position has a memory");
    let name = game.rules().name();
    let folder = TempDir::new_in(env!("CARGO_TARGET_TMPDIR")).expect("a folder can be made");
    let build = Build {
        game,
        folder: folder.path().to_owned(),
        scope: Scope::UpTo { men: game.men(), in_hand: game.men() },
        distances,
        most_memory: None,
    };
    build.run(&Unobserved).unwrap_or_else(|error| panic!("{name}: {error}"));
    let checked = check_folder(game, folder.path());
    assert!(checked > 1000, "{name}: {checked}");
    checked
}

/// With as little memory as there has to be, files take what it has no room for.
#[test]
fn little_memory_leaves_the_same_files() {
    for name in ["Nine Men's Morris", "Morabaraba", "Lasker Morris", "Dooz"] {
        let rules = Preset::named(name).expect("a game").rules;
        let game = Solvable::of(&RuleSet { men: 3, ..rules }).expect("no position has a memory");
        let scope = Scope::UpTo { men: game.men(), in_hand: game.men() };
        let files = |most_memory| {
            let folder = TempDir::new_in(env!("CARGO_TARGET_TMPDIR")).expect("a folder");
            build(game, folder.path(), scope, most_memory);
            let sectors = game.sectors();
            // Beside them there is the lock.
            assert_eq!(fs::read_dir(folder.path()).unwrap().count(), sectors.len() + 1, "{name}");
            sectors.iter().map(|sector| read(folder.path(), *sector)).collect::<Vec<_>>()
        };
        assert!(files(Some(least_memory(game, scope))) == files(None), "{name}");
    }
}

/// The least memory with which sectors are solved, in bytes; some of them use files then.
fn least_memory(game: Solvable, scope: Scope) -> u64 {
    let mut graph = scope.jobs(game);
    graph.most_memory = Some(0);
    let (_, least) = graph.memory().expect("a job");
    graph.most_memory = Some(least);
    let name = game.rules().name();
    assert!(graph.jobs.iter().any(|job| graph.uses_scratch(job)), "{name}");
    least
}

fn build(game: Solvable, folder: &Path, scope: Scope, most_memory: Option<u64>) {
    let folder = folder.to_owned();
    let build = Build { game, folder, scope, distances: Distances::Moving, most_memory };
    build.run(&Unobserved).unwrap_or_else(|error| panic!("{}: {error}", game.rules().name()));
}

fn read(folder: &Path, sector: Sector) -> Vec<u8> {
    fs::read(sector_path(folder, sector)).expect("the file of a sector")
}

fn check_folder(game: Solvable, folder: &Path) -> u64 {
    let name = game.rules().name();
    let report = &mut |error| panic!("{error}");
    let tablebase = Tablebase::open(folder, game, report).expect("a tablebase");
    let sectors = game.sectors();
    assert_eq!(tablebase.files().count(), sectors.len());
    let mut verifier = Verifier::new(&tablebase, &Unobserved);
    for &sector in &sectors {
        let sample = usual_or_full(Some(Sample { positions: 500, seed: 1 }), None);
        let result = verifier.verify(sector, sample);
        result.unwrap_or_else(|error| panic!("{name}: {error}"));
    }
    let plain = mailbox_rules(game.rules());
    let of_each = usual_or_full(3000 / sectors.len() + 10, 400);
    let positions = sectors.par_iter().flat_map(|&sector| {
        let step = 1 + sector.len() / of_each;
        (0..sector.len()).into_par_iter().step_by(step).map(move |index| (sector, index))
    });
    let checked = positions.filter(|&(sector, index)| compare(&tablebase, &plain, sector, index));
    checked.count() as u64
}

fn mailbox_rules(rules: &RuleSet) -> MailboxRules {
    let mut plain = MailboxRules::default();
    for rule in Rule::all() {
        plain.set(rule.option, &rule.values.setting((rule.get)(rules)));
    }
    plain
}

/// Compares the value of a position with what follows from its moves by the mailbox; not if the game is
/// over, which a text does not tell by whom it was won.
fn compare(tablebase: &Tablebase, plain: &MailboxRules, sector: Sector, index: usize) -> bool {
    let rules = tablebase.game().rules();
    let (own, opponent) = sector.position(index);
    let position = sector.set_up(&Position::start(*rules), own, opponent);
    let text = position.to_string();
    if position.ending().is_some() {
        return false;
    }
    let mailbox = Mailbox::from_text(&text, plain.clone(), NO_DRAWS);
    assert_eq!(mailbox.text(), text, "{}", rules.name());
    let has_distances = tablebase.file(sector).expect("the sector is there").has_distances();
    let derived = best(tablebase, &mailbox);
    if has_distances {
        assert_eq!(tablebase.probe_value(&position), Some(derived), "{text} {}", rules.name());
    } else {
        assert_eq!(tablebase.probe(&position), Some(Wdl::from(derived)), "{text} {}", rules.name());
    }
    true
}

/// The best value that a move leads to, for the side to act.
fn best(tablebase: &Tablebase, game: &Mailbox) -> Value {
    let text = game.text();
    let side = side_of(&text);
    let values = game.legal_moves().into_iter().map(|mv| {
        let mut after = game.clone();
        after.play(&mv);
        value_after(tablebase, side, &after)
    });
    values.max().unwrap_or_else(|| panic!("no move in {text}"))
}

/// The value for the side that has just acted. A turn that passes is a turn.
fn value_after(tablebase: &Tablebase, side: Side, after: &Mailbox) -> Value {
    let text = after.text();
    match after.outcome() {
        Some(Outcome::Win(winner, _)) if winner as usize == side as usize => Value::ends_in(1),
        Some(Outcome::Win(..)) => Value::LOST,
        Some(Outcome::Draw(_)) => Value::DRAW,
        Some(Outcome::Untold) => panic!("{text} tells nothing"),
        None => {
            let owes = text.split(' ').nth(3) == Some("r");
            let value = if owes { best(tablebase, after) } else { stored(tablebase, &text) };
            let has_turn = side_of(&text) == side;
            let rules = *tablebase.game().rules();
            let position = Position::from_text(&text, rules).expect("a position");
            match () {
                () if !has_turn => value.before_move(),
                () if position.is_passed_back(side) => value.before_move().before_move(),
                () => value,
            }
        }
    }
}

/// The stored value of a position, with distance where there is one.
fn stored(tablebase: &Tablebase, text: &str) -> Value {
    let position = Position::from_text(text, *tablebase.game().rules()).expect("a position");
    let wdl = tablebase.probe(&position).map(Value::without_distance);
    tablebase.probe_value(&position).or(wdl).unwrap_or_else(|| panic!("no value of {text}"))
}

/// The side to act of a position text.
fn side_of(text: &str) -> Side {
    if text.split(' ').nth(1) == Some("w") { Side::White } else { Side::Black }
}
