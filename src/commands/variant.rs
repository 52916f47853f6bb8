//! The flag that chooses a game.

use millstone::rules::{PRESETS, Preset, RuleSet};

/// The game to play.
#[derive(clap::Args)]
pub struct Variant {
    /// Game to play, by its name as `millstone rules` lists it or the beginning of it
    #[arg(long = "variant", value_name = "GAME", value_parser = parse, default_value = PRESETS[0].name)]
    preset: &'static Preset,
}

impl Variant {
    /// The rules of the game.
    pub fn rules(&self) -> RuleSet {
        self.preset.rules
    }
}

pub fn parse(name: &str) -> Result<&'static Preset, String> {
    let names = || PRESETS.map(|preset| preset.name).join(", ");
    Preset::named(name).ok_or_else(|| format!("expected one of {}", names()))
}
