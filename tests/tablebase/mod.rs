//! Tablebases: solving, files, probing, and play by them.

mod book;
mod bouts;
mod build;
mod compact;
mod comparison;
mod counts;
mod critical;
mod draw_rules;
mod draws;
mod elsewhere;
mod files;
mod games;
mod known_root;
mod malom;
mod malom_in_use;
pub mod placing;
mod protocol;
mod tasks;
mod teach;
mod training;
mod values;
mod without_distances;
