//! Games by the tablebase, with the mailbox as referee: wins are won in the plies given, draws are held, whoever the
//! opponent is.
//!
//! `MILLSTONE_TABLEBASE` names a folder whose sectors are used, whatever there is; without it the
//! sectors up to eight men are solved, or nine at full size.

use std::env;
use std::sync::{Arc, LazyLock};

use millstone::board::Side;
use millstone::game::Game;
use millstone::position::Move;
use millstone::rules::{DrawRules, RuleSet};
use millstone::score::Score;
use millstone::search::{Engine, Limits, Report, Silent};
use millstone::tablebase::{SectorFile, Tablebase, Wdl};
use rayon::prelude::*;

use crate::mailbox::{Mailbox, Outcome, Rules, Side as Player};
use crate::random::{Random, RngExt, seeded};
use crate::rules::agree::plain_draws;
use crate::searches::engine_with;
use crate::size::usual_or_full;
use crate::tablebases;

pub static TABLES: LazyLock<Arc<Tablebase>> = LazyLock::new(|| {
    let solved = || tablebases::solved(tablebases::most_solved()).to_owned();
    let folder = env::var_os("MILLSTONE_TABLEBASE").map_or_else(solved, Into::into);
    Arc::new(tablebases::open(&folder))
});

/// The depth of searches that choose among moves of the same value.
const DEPTH: u32 = 4;

/// A game between a side that plays by the tablebase and anybody, with the mailbox as referee.
pub struct Bout {
    engine: Engine,
    pub game: Game,
    pub referee: Mailbox,
    /// Turns of both sides; a removal belongs to the turn that earned it.
    pub turns: usize,
}

impl Bout {
    pub fn new(text: &str, rules: DrawRules) -> Self {
        let plain = Rules::named("Nine Men's Morris");
        Self {
            engine: engine_with(&TABLES),
            game: Game::from_text(text, RuleSet::default(), rules).unwrap(),
            referee: Mailbox::from_text(text, plain, plain_draws(rules)),
            turns: 0,
        }
    }

    /// Whether the position is won, drawn or lost for a side.
    pub fn wdl(&self, side: Side) -> Wdl {
        let position = self.game.position();
        let wdl: Wdl = TABLES.probe_value(position).expect("the sector is there").into();
        if position.to_move() == side { wdl } else { wdl.before_move() }
    }

    /// What the engine finds: a win without a search, else the hardest move to answer by a short one.
    pub fn report(&mut self) -> Report {
        self.engine.search(&self.game, &Limits::to_depth(DEPTH), &mut Silent)
    }

    /// The engine's move and what it says of it.
    pub fn search(&mut self) -> (Move, Score) {
        let report = self.report();
        (report.best().expect("the game goes on"), report.score())
    }

    pub fn play(&mut self, mv: Move) {
        self.referee.play(&mv.to_string());
        self.game.play(mv).unwrap();
        self.turns += usize::from(!mv.is_removal());
        assert_eq!(self.game.text().to_string(), self.referee.text());
    }

    /// Whether the game goes on after so many turns, the last one finished.
    pub fn goes_on(&self, turns: usize) -> bool {
        let is_finished = self.game.position().pending() == 0;
        self.referee.outcome().is_none() && !(self.turns >= turns && is_finished)
    }

    /// Plays a win to the end against the longest defence, and expects each score to tell how far it is.
    pub fn play_win(&mut self, plies: usize) {
        let winner = self.game.to_move();
        while self.referee.outcome().is_none() {
            let position = self.game.position();
            let has_begun = position.pending() > 0;
            let left = (plies - self.turns + usize::from(has_begun)) as u16;
            if position.to_move() == winner {
                let (mv, score) = self.search();
                assert_eq!(score, Score::mate_in(left), "{}", self.game.text());
                self.play(mv);
            } else {
                let ranked = TABLES.rank_moves(position, &position.moves());
                let longest = ranked.expect("the sectors are there")[0];
                self.play(longest.mv);
            }
        }
        self.assert_won(winner);
        assert_eq!(self.turns, plies);
    }

    pub fn assert_won(&self, winner: Side) {
        let player = [Player::White, Player::Black][winner as usize];
        let verdict = self.referee.outcome();
        let is_won = matches!(verdict, Some(Outcome::Win(winner, _)) if winner == player);
        assert!(is_won, "{verdict:?}: {}", self.referee.text());
    }
}

/// A sector's position with a value, drawn at random, with either side to move.
pub fn draw(file: &SectorFile, wdl: Wdl, rng: &mut Random) -> String {
    loop {
        let number = rng.random_range(0..file.sector().len());
        if file.wdl(number).expect("the file is good") == wdl {
            let text = tablebases::position(file.sector(), number).to_string();
            return if rng.random() { text } else { tablebases::with_black_to_move(&text) };
        }
    }
}

/// The plies that the tablebase gives for a decided position.
pub fn plies(text: &str) -> usize {
    let game = Game::from_text(text, RuleSet::default(), DrawRules::OFF).unwrap();
    let value = TABLES.probe_value(game.position()).expect("the sector is there");
    value.turns().expect("the game is decided").into()
}

/// How many turns of both sides a draw has to be held.
const HELD_TURNS: usize = 100;

/// Random positions with a value, spread over all sectors that have any.
fn positions(wdl: Wdl) -> Vec<String> {
    let has_any = |file: &&SectorFile| match wdl {
        Wdl::Win => file.statistics().wins > 0,
        Wdl::Draw => file.statistics().draws > 0,
        Wdl::Loss => file.statistics().losses > 0,
    };
    let files: Vec<_> = TABLES.files().filter(has_any).collect();
    let seeds = (0..usual_or_full(24, 2_000_u64)).collect::<Vec<_>>();
    let position = |&seed: &u64| {
        let mut rng = seeded(seed);
        draw(files[seed as usize % files.len()], wdl, &mut rng)
    };
    seeds.par_iter().map(position).collect()
}

#[test]
fn wins_are_won_in_the_plies_given() {
    positions(Wdl::Win).par_iter().for_each(|text| {
        Bout::new(text, DrawRules::OFF).play_win(plies(text));
        if plies(text) < DrawRules::default().n_move.into() {
            Bout::new(text, DrawRules::default()).play_win(plies(text));
        }
    });
}

#[test]
fn draws_are_held() {
    positions(Wdl::Draw).par_iter().for_each(|text| {
        let mut bout = Bout::new(text, DrawRules::OFF);
        while bout.goes_on(HELD_TURNS) {
            let (mv, score) = bout.search();
            assert!(score.hundredths().abs() <= 40, "{score:?}: {}", bout.game.text());
            bout.play(mv);
            assert_eq!(bout.wdl(Side::White), Wdl::Draw, "{}", bout.game.text());
        }
        assert_eq!(bout.referee.outcome(), None);
    });
}
