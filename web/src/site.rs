//! The state that all requests share: the tablebases of the games requested so far.

use std::io;
use std::ops::Range;
use std::sync::{Arc, Mutex};

use millstone::api::Site;
use millstone::rules::RuleSet;
use millstone::tablebase::{Remote, Solvable, Tablebase, solve_small};

use super::{lock, page};

/// The tablebases of a browser: the opening book of Nine Men's Morris, small sectors once they are solved, and
/// parts of sectors fetched on demand, if the page has a source of sector files.
#[derive(Default)]
pub struct BrowserSite {
    opened: Mutex<Vec<Opened>>,
}

struct Opened {
    tablebase: Arc<Tablebase>,
    has_small: bool,
}

/// The page's source of sector files.
struct Fetched;

impl Remote for Fetched {
    fn fetch(&self, name: &str, bytes: Range<usize>) -> io::Result<Vec<u8>> {
        page::load_part(name, bytes)
    }
}

impl BrowserSite {
    /// The tablebase of a game, with the small sectors on request.
    fn open(&self, rules: &RuleSet, wants_small: bool) -> Option<Arc<Tablebase>> {
        let game = Solvable::of(rules).ok()?;
        let mut opened = lock(&self.opened);
        let known = opened.iter().position(|opened| *opened.tablebase.game() == game);
        let place = known.unwrap_or_else(|| {
            opened.push(Opened { tablebase: Arc::new(begin(game)), has_small: false });
            opened.len() - 1
        });
        let Opened { tablebase, has_small } = &mut opened[place];
        if wants_small
            && !*has_small
            && let Ok(small) = solve_small(game)
        {
            *tablebase = Arc::new(tablebase.with(&small));
            *has_small = true;
        }
        Some(Arc::clone(tablebase))
    }
}

/// The tablebase of a game before anything is solved, with its book if that can be loaded.
fn begin(game: Solvable) -> Tablebase {
    let book = (game == Solvable::STANDARD).then(|| page::load("book.bin")).flatten();
    let book = book.and_then(|bytes| Tablebase::from_book(bytes.leak()).ok());
    let tablebase = book.unwrap_or_else(|| Tablebase::empty(game));
    if page::has_sectors() && game == Solvable::STANDARD {
        tablebase.with_remote(Arc::new(Fetched))
    } else {
        tablebase
    }
}

impl Site for BrowserSite {
    fn rules(&self) -> &RuleSet {
        &RuleSet::NINE_MENS_MORRIS
    }

    fn has_tablebases(&self) -> bool {
        true
    }

    fn tablebase(&self, rules: &RuleSet, _is_awaited: &dyn Fn() -> bool) -> Option<Arc<Tablebase>> {
        self.open(rules, true)
    }

    fn seed(&self) -> u64 {
        page::seed()
    }
}
