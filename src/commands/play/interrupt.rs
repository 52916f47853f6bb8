//! Ctrl-C: it hurries the engine while that thinks, and leaves the game at any other time.

use std::process;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};

/// Whether the engine thinks, so that Ctrl-C means to move at once.
static IS_THINKING: AtomicBool = AtomicBool::new(false);
/// Whether Ctrl-C was pressed since it began.
static IS_HURRIED: AtomicBool = AtomicBool::new(false);
/// Whether the game is kept.
static IS_KEPT: AtomicBool = AtomicBool::new(false);

/// What is said when a game is left that is not over.
pub const KEPT: &str = "The game is kept; millstone play --resume goes on with it.";
/// The exit code of programs that Ctrl-C ended.
const INTERRUPTED: i32 = 130;

/// Minds Ctrl-C from now on. Line editors that read the key themselves do so apart from this.
pub fn catch() -> Result<(), ctrlc::Error> {
    ctrlc::set_handler(|| {
        if !IS_THINKING.load(SeqCst) || IS_HURRIED.swap(true, SeqCst) {
            let said = if IS_KEPT.load(SeqCst) { KEPT } else { "" };
            eprintln!("\n{said}");
            process::exit(INTERRUPTED);
        }
    })
}

/// Tells whether leaving now loses nothing.
pub fn set_kept(is_kept: bool) {
    IS_KEPT.store(is_kept, SeqCst);
}

/// The time in which the engine thinks.
pub struct Thinking(());

impl Thinking {
    /// The engine begins.
    pub fn begin() -> Self {
        IS_HURRIED.store(false, SeqCst);
        IS_THINKING.store(true, SeqCst);
        Self(())
    }

    /// Whether it has to end at once.
    #[allow(clippy::unused_self, reason = "it is asked of this time alone")]
    pub fn is_hurried(&self) -> bool {
        IS_HURRIED.load(SeqCst)
    }
}

impl Drop for Thinking {
    fn drop(&mut self) {
        IS_THINKING.store(false, SeqCst);
    }
}
