//! Play by databases: wins are won in the plies given, draws are held, whoever the opponent is.
//!
//! `MILLSTONE_DATABASES` names a folder whose sectors are used, whatever there is, and
//! `MILLSTONE_POSITIONS` how many positions of each kind are played; without the former the sectors
//! up to nine men are solved.

mod endgames;
mod mailbox;

use std::env;
use std::sync::{Arc, LazyLock};

use mailbox::{DrawRules as RefereeDraws, Mailbox, Outcome as Verdict, Rules, Side as Player};
use millstone::board::Side;
use millstone::game::Game;
use millstone::knowledge::endgame::{Sector, SectorFile, Tables, Wdl};
use millstone::position::Move;
use millstone::rules::{DrawRules, Standard};
use millstone::score::Score;
use millstone::search::{Engine, Limits, Silent};
use rand::rngs::SmallRng;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use rayon::prelude::*;

static TABLES: LazyLock<Arc<Tables>> = LazyLock::new(|| {
    let folder = env::var_os("MILLSTONE_DATABASES");
    let folder = folder.map(Into::into).unwrap_or_else(|| endgames::solve("databases_play", 9));
    Arc::new(endgames::open(&folder))
});

/// How many turns of both sides a draw has to be held.
const HELD_TURNS: usize = 100;
const HELD_TURNS_AT_RANDOM: usize = 60;

fn positions_of_a_kind() -> usize {
    env::var("MILLSTONE_POSITIONS").map_or(100, |text| text.parse().expect("a number"))
}

/// A game between a side that plays by the databases and anybody, with the mailbox as referee.
struct Bout {
    engine: Engine,
    game: Game<Standard>,
    referee: Mailbox,
    /// Turns of both sides; a removal belongs to the turn that earned it.
    turns: usize,
}

impl Bout {
    fn new(text: &str, rules: DrawRules) -> Self {
        let mut engine = Engine::new(1).unwrap();
        engine.tables = Some(Arc::clone(&TABLES));
        let draws = RefereeDraws {
            n_move: rules.n_move.into(),
            endgame_n_move: rules.endgame_n_move.into(),
            threefold: rules.threefold_repetition,
        };
        Self {
            engine,
            game: Game::from_text(text, Standard, rules).unwrap(),
            referee: Mailbox::from_text(text, Rules::default(), draws),
            turns: 0,
        }
    }

    /// Whether the position is won, drawn or lost for a side.
    fn wdl(&self, side: Side) -> Wdl {
        let position = self.game.position();
        let wdl: Wdl = TABLES.value_of(position).expect("the sector is there").into();
        if position.to_move() == side { wdl } else { wdl.before_move() }
    }

    fn search(&mut self) -> (Move, Score) {
        let report = self.engine.search(&self.game, &Limits::none(), &mut Silent);
        (report.best().expect("the game goes on"), report.score)
    }

    fn play(&mut self, mv: Move) {
        self.referee.play(&mv.to_string());
        self.game.play(mv).unwrap();
        self.turns += usize::from(!mv.is_removal());
        assert_eq!(self.game.text().to_string(), self.referee.text());
    }

    /// Whether the game goes on after so many turns, the last one finished.
    fn goes_on(&self, turns: usize) -> bool {
        let is_finished = self.game.position().pending() == 0;
        self.referee.outcome().is_none() && !(self.turns >= turns && is_finished)
    }

    /// Plays to the end, both sides by the databases, and expects each score to tell how far it is.
    fn play_win(&mut self, plies: usize) {
        let winner = self.game.position().to_move();
        while self.referee.outcome().is_none() {
            let position = self.game.position();
            let has_begun = position.pending() > 0;
            let left = (plies - self.turns + usize::from(has_begun)) as u16;
            let is_winner = position.to_move() == winner;
            let expected = if is_winner { Score::win_in(left) } else { Score::loss_in(left) };
            let (mv, score) = self.search();
            assert_eq!(score, expected, "{}", self.game.text());
            self.play(mv);
        }
        self.assert_won(winner);
        assert_eq!(self.turns, plies);
    }

    fn assert_won(&self, winner: Side) {
        let player = [Player::White, Player::Black][winner as usize];
        let verdict = self.referee.outcome();
        let is_won = matches!(verdict, Some(Verdict::Win(winner, _)) if winner == player);
        assert!(is_won, "{verdict:?}: {}", self.referee.text());
    }
}

/// A sector's position with a value, drawn at random, with either side to move.
fn draw(file: &SectorFile, wdl: Wdl, rng: &mut SmallRng) -> String {
    loop {
        let number = rng.random_range(0..file.sector().len());
        if file.wdl(number).expect("the file is good") == wdl {
            let text = endgames::position(file.sector(), number).to_string();
            return if rng.random() { text } else { endgames::with_black_to_move(&text) };
        }
    }
}

/// Random positions with a value, spread over all sectors that have any, each with a number of its
/// own for further random choices.
fn positions(wdl: Wdl) -> Vec<(u64, String)> {
    let has_any = |file: &&SectorFile| match wdl {
        Wdl::Win => file.statistics().wins > 0,
        Wdl::Draw => file.statistics().draws > 0,
        Wdl::Loss => file.statistics().losses > 0,
    };
    let files: Vec<_> = TABLES.files().filter(has_any).collect();
    let seeds = (0..positions_of_a_kind() as u64).collect::<Vec<_>>();
    let position = |&seed: &u64| {
        let mut rng = SmallRng::seed_from_u64(seed);
        (seed, draw(files[seed as usize % files.len()], wdl, &mut rng))
    };
    seeds.par_iter().map(position).collect()
}

fn plies(text: &str) -> usize {
    let game = Game::from_text(text, Standard, DrawRules::OFF).unwrap();
    let value = TABLES.value_of(game.position()).expect("the sector is there");
    value.plies().expect("the game is decided").into()
}

fn is_over(text: &str) -> bool {
    Game::from_text(text, Standard, DrawRules::OFF).unwrap().outcome().is_some()
}

#[test]
fn wins_are_won_in_the_plies_given() {
    positions(Wdl::Win).par_iter().for_each(|(_, text)| {
        Bout::new(text, DrawRules::OFF).play_win(plies(text));
        if plies(text) < DrawRules::default().n_move.into() {
            Bout::new(text, DrawRules::default()).play_win(plies(text));
        }
    });
}

#[test]
fn losses_last_as_long_as_given() {
    let lost = positions(Wdl::Loss);
    lost.par_iter().filter(|(_, text)| !is_over(text)).for_each(|(_, text)| {
        let mut bout = Bout::new(text, DrawRules::OFF);
        let loser = bout.game.position().to_move();
        while bout.referee.outcome().is_none() {
            let (mv, _) = bout.search();
            bout.play(mv);
        }
        bout.assert_won(!loser);
        // The loser's last turn is one that it cannot play.
        assert_eq!(bout.turns, plies(text), "{text}");
    });
}

#[test]
fn draws_are_held() {
    positions(Wdl::Draw).par_iter().for_each(|(_, text)| {
        let mut bout = Bout::new(text, DrawRules::OFF);
        while bout.goes_on(HELD_TURNS) {
            let (mv, score) = bout.search();
            assert_eq!(score, Score::DRAW, "{}", bout.game.text());
            bout.play(mv);
            assert_eq!(bout.wdl(Side::White), Wdl::Draw, "{}", bout.game.text());
        }
        assert_eq!(bout.referee.outcome(), None);
    });
}

/// Plays a side by the databases against one that plays at random and expects no half point lost.
fn play_at_random(seed: u64, text: &str, most_turns: usize) -> Bout {
    let mut rng = SmallRng::seed_from_u64(seed);
    let mut bout = Bout::new(text, DrawRules::OFF);
    let side = bout.game.position().to_move();
    let mut expected = bout.wdl(side);
    while bout.goes_on(most_turns) {
        if bout.game.position().to_move() == side {
            let (mv, _) = bout.search();
            bout.play(mv);
            assert_eq!(bout.wdl(side), expected, "{mv} to {}", bout.game.text());
        } else {
            let mv = *bout.game.moves().choose(&mut rng).expect("the game goes on");
            bout.play(mv);
            assert!(bout.wdl(side) >= expected, "{mv} to {}", bout.game.text());
            expected = bout.wdl(side);
        }
    }
    bout
}

#[test]
fn random_opponents_lose_what_is_lost() {
    positions(Wdl::Win).par_iter().for_each(|(seed, text)| {
        let bout = play_at_random(*seed, text, usize::MAX);
        let winner = Game::from_text(text, Standard, DrawRules::OFF).unwrap();
        bout.assert_won(winner.position().to_move());
        assert!(bout.turns <= plies(text), "{text}: {} turns", bout.turns);
    });
}

#[test]
fn random_opponents_win_nothing_that_is_drawn() {
    positions(Wdl::Draw).par_iter().for_each(|(seed, text)| {
        play_at_random(*seed, text, HELD_TURNS_AT_RANDOM);
    });
}

/// The text with so many slides played since the last removal.
fn with_quiet_plies(text: &str, quiet_plies: usize) -> String {
    let mut fields: Vec<String> = text.split(' ').map(str::to_owned).collect();
    let field = fields.len() - 2;
    fields[field] = quiet_plies.to_string();
    fields.join(" ")
}

/// With three men against three the first removal wins, so nobody can do better than the shortest
/// win and the longest defence.
#[test]
fn wins_that_come_too_late_for_the_n_move_rule_are_draws() {
    let sector = Sector::new(3, 3).unwrap();
    let file = TABLES.file(sector).expect("the smallest sector");
    let limit = usize::from(DrawRules::default().n_move);
    for seed in 0..100 {
        let mut rng = SmallRng::seed_from_u64(seed);
        let text = draw(file, Wdl::Win, &mut rng);
        let plies = plies(&text);
        let counts = [limit - plies - 1, limit - plies, limit - plies + 1, limit - 1];
        for quiet_plies in counts.into_iter().filter(|count| *count < limit) {
            let text = with_quiet_plies(&text, quiet_plies);
            let mut bout = Bout::new(&text, DrawRules::default());
            let winner = bout.game.position().to_move();
            let (_, score) = bout.search();
            let line = TABLES.line(&bout.game).expect("the sectors are there").0;
            line.iter().for_each(|mv| bout.play(*mv));
            if quiet_plies + plies <= limit {
                assert_eq!(score, Score::win_in(plies as u16), "{text}");
                bout.assert_won(winner);
            } else {
                assert_eq!(score, Score::DRAW, "{text}");
                assert!(matches!(bout.referee.outcome(), Some(Verdict::Draw(_))), "{text}");
            }
        }
    }
}

/// The longest wins of all sectors, under rules that just let them be and just do not.
#[test]
fn long_wins_are_draws_where_the_n_move_rule_ends_them() {
    let longest = TABLES.files().filter_map(|file| {
        let longest = file.statistics().longest_win?;
        Some(endgames::position(file.sector(), longest.number as usize))
    });
    for position in longest {
        let game = Game::from_position(position, DrawRules::OFF);
        let line = TABLES.line(&game).expect("the sectors are there").0;
        let quiet = |line: &[Move]| line.iter().take_while(|mv| !mv.is_removal()).count();
        let spans = (0..line.len()).map(|start| quiet(&line[start..]));
        // A slide that earns a removal is never drawn, one that blocks is.
        let is_blocked = line.last().is_some_and(|mv| !mv.is_removal());
        let needed = (spans.max().unwrap_or(0) + usize::from(is_blocked)) as u16;
        let rules = |n_move| DrawRules { n_move, endgame_n_move: n_move, ..DrawRules::OFF };
        let text = position.to_string();
        let plies = plies(&text) as u16;
        let score = |n_move| Bout::new(&text, rules(n_move)).search().1;
        assert_eq!(score(needed), Score::win_in(plies), "{text}, {needed}");
        if needed > 1 {
            assert_eq!(score(needed - 1), Score::DRAW, "{text}, {}", needed - 1);
        }
    }
}
