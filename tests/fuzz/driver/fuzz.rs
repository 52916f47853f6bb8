//! Hands inputs of libFuzzer to the target that the variable `TARGET` names.

#![no_main]

#[path = "../targets/mod.rs"]
mod targets;

use std::env;
use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use targets::{TARGETS, Target};

static TARGET: LazyLock<&Target> = LazyLock::new(|| {
    let name = env::var("TARGET").expect("TARGET names a target");
    TARGETS.iter().find(|target| target.name == name).expect("a target of the table")
});

fuzz_target!(|input: &[u8]| (TARGET.run)(input));
