//! The rules: counts, move lists and games of other programs, and an engine of another make.

#[path = "../common/mailbox/mod.rs"]
mod mailbox;
#[path = "../common/random_rules.rs"]
mod random_rules;
#[path = "../common/size.rs"]
mod size;

mod agree;
mod checked;
mod keys;
mod mailbox_examples;
mod mailbox_vectors;
mod mfen;
mod playouts;
mod readings;
mod texts;
mod vectors;
