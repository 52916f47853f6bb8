//! The rules: counts, move lists and games of other programs, and an engine of another make.

mod agree;
mod checked;
mod keys;
mod mfen;
mod playouts;
mod readings;
mod texts;
mod vectors;
