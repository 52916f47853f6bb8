//! Games of few men, solved whole: every value follows from those of the moves, by the rules of the engine for
//! all positions, and by the rules of the mailbox for as many as there is time for.

use std::fs;
use std::path::Path;

use super::values::check_values;
use crate::random::{Random, RngExt, seeded};
use crate::size::usual_or_full;
use crate::tablebases::{self, solvable};
use millstone::rules::{MillAction, PRESETS, Preset, Rule, RuleSet};
use millstone::tablebase::{
    Build, Distances, Sample, Scope, Solvable, Unobserved, Verifier, sector_path,
};
use tempfile::TempDir;

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
        let mut random = seeded(seed);
        let men = if seed < 300 { 3 } else { 4 };
        check(&random_rules(&mut random), men, Distances::Moving);
    }
}

/// Rules of which about a third are not those of Nine Men's Morris, and whose positions have no memory.
fn random_rules(random: &mut Random) -> RuleSet {
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

/// Solves a game with so many men a side and checks it, with the distances that are kept.
fn check(rules: &RuleSet, men: u8, distances: Distances) {
    let game = solvable(RuleSet { men, least_men: rules.least_men.min(men), ..*rules });
    let name = game.rules().name();
    let folder = TempDir::new_in(env!("CARGO_TARGET_TMPDIR")).expect("a folder can be made");
    tablebases::build(game, folder.path(), [game.men(); 2], distances);
    let checked = check_folder(game, folder.path());
    assert!(checked > 1000, "{name}: {checked}");
}

/// With as little memory as there has to be, files take what it has no room for.
#[test]
fn little_memory_leaves_the_same_files() {
    for name in ["Nine Men's Morris", "Morabaraba", "Lasker Morris", "Dooz"] {
        let game = solvable(RuleSet { men: 3, ..Preset::named(name).expect("a game").rules });
        let scope = Scope::UpTo { men: game.men(), in_hand: game.men() };
        let files = |most_memory| {
            let folder = TempDir::new_in(env!("CARGO_TARGET_TMPDIR")).expect("a folder");
            let (path, distances) = (folder.path().to_owned(), Distances::Moving);
            let build = Build { game, folder: path, scope, distances, most_memory };
            build.run(&Unobserved).unwrap_or_else(|error| panic!("{name}: {error}"));
            let sectors = game.sectors();
            // Beside them there is the lock.
            assert_eq!(fs::read_dir(folder.path()).unwrap().count(), sectors.len() + 1, "{name}");
            let read = |&sector| fs::read(sector_path(folder.path(), sector)).expect("its file");
            sectors.iter().map(read).collect::<Vec<_>>()
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

/// Returns the number of positions of which the mailbox thinks the same.
fn check_folder(game: Solvable, folder: &Path) -> usize {
    let name = game.rules().name();
    let tablebase = tablebases::open_of(game, folder);
    let sectors = game.sectors();
    assert_eq!(tablebase.files().count(), sectors.len());
    let mut verifier = Verifier::new(&tablebase, &Unobserved);
    for &sector in &sectors {
        let sample = usual_or_full(Some(Sample { positions: 500, seed: 1 }), None);
        let result = verifier.verify(sector, sample);
        result.unwrap_or_else(|error| panic!("{name}: {error}"));
    }
    let of_each = usual_or_full(3000 / sectors.len() + 10, 400);
    check_values(&tablebase, &sectors, of_each)
}
