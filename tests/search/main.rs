//! The search: what it finds, how it ends, and what it may cost.

#[path = "../common/client.rs"]
mod client;
#[path = "../common/critical_positions.rs"]
mod critical_positions;
#[path = "../common/mailbox/mod.rs"]
mod mailbox;
#[path = "../common/random_rules.rs"]
mod random_rules;
#[path = "../common/size.rs"]
mod size;

mod agrees;
mod algorithms;
mod behaves;
mod bench;
mod broken_off;
mod critical;
mod games;
mod graph_history;
mod levels;
mod lines;
mod memory;
mod minimax;
mod positions;
mod table;
mod threads;
