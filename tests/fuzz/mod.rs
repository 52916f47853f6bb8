//! What a user or another program can send, as bytes that need not make sense: no input may end in a
//! panic, a hang or a broken promise.
//!
//! Each target takes any bytes. Here it takes those of its folder in `corpora/`, which hold an example
//! of each kind and what once went wrong. `tests/fuzz/run TARGET SECONDS` looks for more, led by the
//! code that an input reaches; what it finds in `target/fuzz/` is added to the folder with its mend.

pub mod targets;

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::{fs, io, panic, thread};

use targets::TARGETS;

/// Whether a thread that a target started has panicked: those of tests are named after them.
static HAS_PANICKED: AtomicBool = AtomicBool::new(false);

fn corpora() -> io::Result<Vec<fs::DirEntry>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fuzz/corpora");
    fs::read_dir(folder)?.collect()
}

#[test]
fn no_input_of_the_corpora_does_harm() {
    let report = panic::take_hook();
    panic::set_hook(Box::new(move |info| {
        let is_of_test = thread::current().name().is_some_and(|name| name.contains("::"));
        HAS_PANICKED.fetch_or(!is_of_test, Relaxed);
        report(info);
    }));
    for target in TARGETS {
        let folders = corpora().unwrap();
        let folder = folders.iter().find(|folder| folder.file_name() == target.name);
        let inputs = fs::read_dir(folder.expect(target.name).path()).unwrap();
        let paths: Vec<_> = inputs.map(|input| input.unwrap().path()).collect();
        assert!(!paths.is_empty(), "{}", target.name);
        for path in paths {
            let input = fs::read(&path).unwrap();
            let ended = panic::catch_unwind(|| (target.run)(&input));
            assert!(ended.is_ok() && !HAS_PANICKED.load(Relaxed), "{}", path.display());
        }
    }
}

#[test]
fn every_corpus_has_a_target_and_a_small_size() {
    for folder in corpora().unwrap() {
        let name = folder.file_name().into_string().unwrap();
        assert!(TARGETS.iter().any(|target| target.name == name), "{name}");
        let inputs = fs::read_dir(folder.path()).unwrap();
        let bytes: u64 = inputs.map(|input| input.unwrap().metadata().unwrap().len()).sum();
        assert!(bytes <= 32 << 10, "{name}: {bytes} bytes");
    }
}
