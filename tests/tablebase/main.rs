//! Tablebases: solving, files, probing, and play by them.

#[path = "../common/client.rs"]
mod client;
#[path = "../common/critical_positions.rs"]
mod critical_positions;
#[path = "../common/endgames.rs"]
mod endgames;
#[path = "../common/mailbox/mod.rs"]
mod mailbox;
#[path = "../common/size.rs"]
mod size;

mod bouts;
mod build;
mod counts;
mod critical;
mod draw_rules;
mod files;
mod look;
mod play;
mod protocol;
mod sectors;
mod training;
mod without_distances;
