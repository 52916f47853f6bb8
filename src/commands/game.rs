//! Reading the name of a game.

use std::ffi::OsStr;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use millstone::rules::{PRESETS, Preset};

/// Reads a name as `millstone rules` lists it, or its beginning; shells complete it.
#[derive(Clone)]
pub struct GameParser;

impl TypedValueParser for GameParser {
    type Value = &'static Preset;

    fn parse_ref(
        &self,
        command: &clap::Command,
        argument: Option<&clap::Arg>,
        value: &OsStr,
    ) -> Result<Self::Value, clap::Error> {
        if let Some(preset) = value.to_str().and_then(Preset::named) {
            return Ok(preset);
        }
        let name = PossibleValuesParser::new(names()).parse_ref(command, argument, value)?;
        let unknown = || clap::Error::raw(clap::error::ErrorKind::InvalidValue, &name);
        Preset::named(&name).ok_or_else(unknown)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(names().map(PossibleValue::new)))
    }
}

/// The names in the form that needs no quotes, such as `nine-mens-morris`.
fn names() -> impl Iterator<Item = String> {
    PRESETS.iter().map(|preset| preset.name.to_lowercase().replace('\'', "").replace(' ', "-"))
}
