//! Names of notations on the command line, which shells complete.

use clap::builder::{PossibleValuesParser, TypedValueParser};
use millstone::records::Notation;

/// A parser of the names of some notations.
pub fn parser(
    notations: impl IntoIterator<Item = Notation>,
) -> impl TypedValueParser<Value = Notation> {
    let names = notations.into_iter().map(Notation::name);
    PossibleValuesParser::new(names).try_map(|name| name.parse())
}
