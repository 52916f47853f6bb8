//! Learning from small sectors: it explains positions kept apart, and does so again.

use std::fs;

use crate::endgames;
use millstone::training::Plan;

const MOST_MEN: usize = 7;

#[test]
fn learning_beats_the_constant_and_can_be_repeated() {
    let folder = endgames::solve("training", MOST_MEN);
    let tablebase = endgames::open(&folder);
    let plan = Plan { seed: 7, positions: 20_000 };
    let learn = |name: &str| {
        let lessons = plan.run(&tablebase, &|| ());
        let path = folder.join(name);
        lessons.write(&path).expect("the file can be written");
        (lessons, fs::read(path).expect("the file is there"))
    };
    let (lessons, bytes) = learn("first.bin");
    assert_eq!(lessons.sets.len(), endgames::sectors(MOST_MEN).len());
    for lesson in &lessons.sets {
        assert!(lesson.figures.loss < lesson.figures.constant_loss, "{lesson:?}");
    }
    assert!(lessons.mean().loss < lessons.mean().constant_loss);
    assert!(learn("second.bin").1 == bytes, "the same seed gives the same weights");
}
