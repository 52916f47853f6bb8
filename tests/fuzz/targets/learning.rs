//! Learning files.

use millstone::board::Symmetry;
use millstone::learning::{LearnedPosition, LearningFile, preset_of};

use super::file_of;

pub fn run(bytes: &[u8]) {
    let file = LearningFile::new(file_of(bytes));
    let Ok(contents) = file.read() else { return };
    for learned in contents.positions.iter() {
        let line = learned.to_string();
        assert_eq!(line.parse::<LearnedPosition>().as_ref(), Ok(&learned), "{line}");
        if let Some(preset) = preset_of(learned.position.game) {
            let images = learned.position.images(&preset.rules).expect("a position of the game");
            let best = learned.result.best;
            let leads_back = |&(_, symmetry): &(u64, Symmetry)| {
                best.map(|mv| mv.image(symmetry).image(symmetry.inverse())) == best
            };
            assert!(!images.is_empty() && images.iter().all(leads_back));
        }
    }
}
