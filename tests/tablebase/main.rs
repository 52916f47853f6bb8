//! Tablebases: solving, files, probing, and play by them.

#[path = "../common/client.rs"]
mod client;
#[path = "../common/critical_positions.rs"]
mod critical_positions;
#[path = "../common/mailbox/mod.rs"]
mod mailbox;
#[path = "../common/malom_files.rs"]
mod malom_files;
#[path = "../common/size.rs"]
mod size;
#[path = "../common/tablebases.rs"]
mod tablebases;

mod book;
mod bouts;
mod build;
mod counts;
mod critical;
mod draw_rules;
mod draws;
mod files;
mod games;
mod known_root;
mod look;
mod malom;
mod malom_in_use;
mod placing;
mod play;
mod protocol;
mod sectors;
mod tasks;
mod teach;
mod training;
mod value_kept;
mod without_distances;
