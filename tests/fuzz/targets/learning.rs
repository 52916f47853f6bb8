//! Learning files.

use millstone::learning::{LearnedPosition, LearningFile, preset_of};

use super::file_of;

pub fn run(bytes: &[u8]) {
    let file = LearningFile::new(file_of(bytes));
    let Ok(contents) = file.read() else { return };
    for learned in contents.positions.iter() {
        let line = learned.to_string();
        assert_eq!(line.parse::<LearnedPosition>().as_ref(), Ok(&learned), "{line}");
        if let Some(preset) = preset_of(learned.position.game) {
            let images = learned.position.images(&preset.rules);
            assert!(!images.expect("a position of the game").is_empty());
        }
    }
}
