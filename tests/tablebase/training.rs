//! Training on small sectors and small games: it predicts held-out positions, and can be repeated.

use std::fs;
use std::path::Path;

use crate::tablebases::{self, sectors, solvable, solved};
use millstone::rules::{Preset, RuleSet};
use millstone::tablebase::{Distances, Solvable, Tablebase};
use millstone::training::{TrainedWeights, Training};

const MOST_MEN: usize = 7;

/// Trains twice, to the same file, and gives its size.
fn train(training: Training, tablebase: &Tablebase, folder: &Path) -> (TrainedWeights, usize) {
    let train = |name: &str| {
        let trained = training.run(tablebase, &|| ());
        let path = folder.join(name);
        trained.write(&path).expect("the file can be written");
        (trained, fs::read(path).expect("the file is there"))
    };
    let (trained, bytes) = train("first.bin");
    assert!(train("second.bin").1 == bytes, "the same seed gives the same weights");
    (trained, bytes.len())
}

fn size_of(name: &str) -> usize {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/evaluate").join(name);
    fs::metadata(path).expect("the weights of the program").len() as usize
}

#[test]
fn training_beats_the_constant_and_can_be_repeated() {
    let training = Training { seed: 7, positions: 20_000, placing_only: false };
    let folder = tablebases::fresh_folder("training");
    let (trained, size) = train(training, &tablebases::open(solved(MOST_MEN)), &folder);
    assert_eq!(trained.sets.len(), sectors(MOST_MEN).len());
    assert_eq!(training.count_sets(&Solvable::STANDARD), 67);
    for set in &trained.sets {
        assert!(set.metrics.log_loss < set.metrics.constant_log_loss, "{set:?}");
    }
    assert!(trained.mean().log_loss < trained.mean().constant_log_loss);
    assert_eq!(size, size_of("weights.bin"));
}

/// One sector and a stage for each turn of placing; in Lasker Morris hands may differ by more.
#[test]
fn other_games_are_trained_by_their_own_rules() {
    for (name, file) in
        [("Morabaraba", "weights_with_diagonals.bin"), ("Lasker Morris", "weights.bin")]
    {
        let rules = Preset::named(name).expect("a game").rules;
        let game = solvable(RuleSet { men: 3, ..rules });
        let folder = tablebases::fresh_folder(&format!("training {name}"));
        tablebases::build(game, &folder, [game.men(); 2], Distances::Moving);
        let tablebase = tablebases::open_of(game, &folder);
        let training = Training { seed: 7, positions: 5_000, placing_only: false };
        let (trained, size) = train(training, &tablebase, &folder);
        assert_eq!(training.count_sets(&game), 7, "{name}");
        assert_eq!(trained.sets.len(), 7, "{name}");
        let [moving, last] = [&trained.sets[0], &trained.sets[1]];
        assert_eq!([moving, last].map(|set| set.name.as_str()), ["3-3", "hand 1-"]);
        for set in [moving, last] {
            assert!(set.metrics.log_loss < set.metrics.constant_log_loss, "{name}: {set:?}");
        }
        assert_eq!(size, size_of(file), "{name}");
    }
}

/// Pairs of 3 men and more, and two stages for each man, less those that a game does not have.
#[test]
fn the_sets_of_a_game_follow_from_its_rules() {
    let training = Training { seed: 1, positions: 10, placing_only: false };
    let count =
        |name: &str| training.count_sets(&solvable(Preset::named(name).expect("a game").rules));
    assert_eq!(count("Cheng San Qi"), 67);
    assert_eq!(count("Twelve Men's Morris"), 124);
    assert_eq!(count("Lasker Morris"), 67);
}
