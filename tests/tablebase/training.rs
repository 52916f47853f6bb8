//! Training on small sectors: it predicts held-out positions, and can be repeated.

use std::fs;

use crate::sectors::sectors;
use crate::tablebases;
use millstone::training::Training;

const MOST_MEN: usize = 7;

#[test]
fn training_beats_the_constant_and_can_be_repeated() {
    let folder = tablebases::solve("training", MOST_MEN);
    let tablebase = tablebases::open(&folder);
    let training = Training { seed: 7, positions: 20_000, placing_only: false };
    let train = |name: &str| {
        let trained = training.run(&tablebase, &|| ());
        let path = folder.join(name);
        trained.write(&path).expect("the file can be written");
        (trained, fs::read(path).expect("the file is there"))
    };
    let (trained, bytes) = train("first.bin");
    assert_eq!(trained.sets.len(), sectors(MOST_MEN).len());
    for set in &trained.sets {
        assert!(set.metrics.log_loss < set.metrics.constant_log_loss, "{set:?}");
    }
    assert!(trained.mean().log_loss < trained.mean().constant_log_loss);
    assert!(train("second.bin").1 == bytes, "the same seed gives the same weights");
}
