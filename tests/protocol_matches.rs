//! Matches between two programs over pipes: which plays better, and by how much.
//!
//! The rival is the program named by `MILLSTONE_RIVAL`, else the same program at a low level.
//! `MILLSTONE_OPTIONS` and `MILLSTONE_RIVAL_OPTIONS` set options (`Name=value;Name=value`),
//! `MILLSTONE_GAMES` and `MILLSTONE_MOVETIME` (in milliseconds) ask for more or longer games. Each
//! balanced random opening of 4 to 8 plies is played twice, with the colours exchanged.

mod client;
mod mailbox;

use std::env;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::thread;

use client::Client;
use mailbox::{DrawRules as RefereeDraws, Mailbox, Outcome, Rules, Side};
use millstone::game::Game;
use millstone::rules::{DrawRules, PRESETS, Standard};
use millstone::score::ScoreKind;
use millstone::search::{Engine, Limits, Silent};
use rand::SeedableRng;
use rand::rngs::SmallRng;
use rand::seq::IndexedRandom;

/// Pairs of games without a wish.
const PAIRS: u64 = 2;
/// Matches that are played at the same time.
const THREADS: usize = 2;
/// A game that is not over by then is drawn.
const MOST_ACTIONS: usize = 600;
/// The depth of the search that judges an opening, and how uneven it may be in hundredths of a man.
const OPENING_DEPTH: u32 = 6;
const MOST_UNEVEN: u16 = 60;
/// What the rival is without a wish.
const WEAK: &str = "SkillLevel=2";

struct Player {
    client: Client,
}

impl Player {
    fn new(program: Option<PathBuf>, options: &str) -> Self {
        let mut client =
            program.map_or_else(Client::start, |program| Client::start_program(&program));
        let defaults = "Hash=16;UsePerfectDatabase=false";
        for option in defaults.split(';').chain(options.split(';').filter(|text| !text.is_empty()))
        {
            let (name, value) = option.split_once('=').expect("Name=value");
            client.send(&format!("setoption name {name} value {value}"));
        }
        Self { client }
    }

    fn start_game(&mut self) {
        self.client.send("ucinewgame");
        self.client.ask("isready", "readyok");
    }

    fn answer(&mut self, moves: &[String], go: &str) -> String {
        self.client.send(&format!("position startpos moves {}", moves.join(" ")));
        self.client.best_move(go)
    }
}

/// A random opening in which neither side is better.
fn opening(seed: u64) -> Vec<String> {
    let mut random = SmallRng::seed_from_u64(seed);
    let mut engine = Engine::new(1).expect("the memory for a table");
    loop {
        let mut game = Game::start(Standard);
        let mut moves = Vec::new();
        for _ in 0..4 + seed % 5 {
            let mv = *game.moves().choose(&mut random).expect("the game goes on");
            game.play(mv).expect("a legal move");
            moves.push(mv.to_string());
        }
        engine.clear();
        let report = engine.search(&game, &Limits::to_depth(OPENING_DEPTH), &mut Silent);
        let is_even = matches!(report.score.kind(), ScoreKind::Estimate(score) if score.unsigned_abs() <= MOST_UNEVEN);
        if is_even && game.position().pending() == 0 {
            return moves;
        }
    }
}

/// Plays a game; what the player of White gets.
fn play(mut moves: Vec<String>, players: [&mut Player; 2], go: &str) -> f64 {
    let draws = DrawRules::default();
    let draws = RefereeDraws {
        n_move: draws.n_move.into(),
        endgame_n_move: draws.endgame_n_move.into(),
        threefold: draws.threefold_repetition,
    };
    let mut referee = Mailbox::start(Rules::named(PRESETS[0].name), draws);
    for mv in &moves {
        referee.play(mv);
    }
    let [white, black] = players;
    white.start_game();
    black.start_game();
    while referee.outcome().is_none() && moves.len() < MOST_ACTIONS {
        let is_black = referee.text().split(' ').nth(1) == Some("b");
        let player = if is_black { &mut *black } else { &mut *white };
        let mv = player.answer(&moves, go);
        assert!(referee.legal_moves().contains(&mv), "{mv} after {moves:?}");
        referee.play(&mv);
        moves.push(mv);
    }
    match referee.outcome() {
        Some(Outcome::Win(Side::White, _)) => 1.0,
        Some(Outcome::Win(Side::Black, _)) => 0.0,
        _ => 0.5,
    }
}

/// What the program gets out of each pair of games, 0 to 2.
fn play_pairs(pairs: u64, go: &str) -> Vec<f64> {
    let option = |name| env::var(name).unwrap_or_default();
    let rival = env::var_os("MILLSTONE_RIVAL").map(PathBuf::from);
    let rival_options = env::var("MILLSTONE_RIVAL_OPTIONS").ok();
    let weak = if rival.is_some() { "" } else { WEAK };
    let (next, results) = (AtomicU64::new(0), Mutex::new(Vec::new()));
    thread::scope(|scope| {
        for _ in 0..THREADS {
            scope.spawn(|| {
                let mut own = Player::new(None, &option("MILLSTONE_OPTIONS"));
                let mut other =
                    Player::new(rival.clone(), rival_options.as_deref().unwrap_or(weak));
                loop {
                    let seed = next.fetch_add(1, Relaxed);
                    if seed >= pairs {
                        break;
                    }
                    let moves = opening(seed);
                    let as_white = play(moves.clone(), [&mut own, &mut other], go);
                    let as_black = 1.0 - play(moves, [&mut other, &mut own], go);
                    results.lock().unwrap().push(as_white + as_black);
                }
            });
        }
    });
    results.into_inner().unwrap()
}

/// The difference of ratings that goes with a share of the points.
///
/// See: Arpad Elo, "The Rating of Chessplayers, Past and Present", 1978.
fn elo(share: f64) -> f64 {
    -400.0 * (1.0 / share.clamp(0.001, 0.999) - 1.0).log10()
}

/// The mean of the shares and the error that 95 of 100 such matches keep to.
fn mean_and_error(shares: &[f64]) -> (f64, f64) {
    let count = shares.len() as f64;
    let mean = shares.iter().sum::<f64>() / count;
    let squares: f64 = shares.iter().map(|share| (share - mean).powi(2)).sum();
    (mean, 1.96 * (squares / (count - 1.0).max(1.0) / count).sqrt())
}

fn number(name: &str, default: u64) -> u64 {
    env::var(name).map_or(default, |text| text.parse().expect(name))
}

#[test]
fn the_program_beats_a_weaker_one() {
    let pairs = number("MILLSTONE_GAMES", 2 * PAIRS) / 2;
    let go = format!("go movetime {}", number("MILLSTONE_MOVETIME", 5));
    let results = play_pairs(pairs, &go);
    let shares: Vec<f64> = results.iter().map(|points| points / 2.0).collect();
    let (mean, error) = mean_and_error(&shares);
    let halves = |result: &&f64| (2.0 * **result).round() as u32;
    let count = |half| results.iter().filter(|result| halves(result) == half).count();
    println!("pairs with 0, 1/2, 1, 3/2 and 2 points: {:?}", [0, 1, 2, 3, 4].map(count));
    println!(
        "{} games, {:.1} % of the points, Elo {:+.0}, from {:+.0} to {:+.0}",
        2 * results.len(),
        100.0 * mean,
        elo(mean),
        elo(mean - error),
        elo(mean + error)
    );
    let is_match_of_others = env::var_os("MILLSTONE_RIVAL").is_some();
    assert!(is_match_of_others || mean > 0.5, "{results:?}");
}

#[test]
fn ratings_go_with_shares_of_points() {
    assert!((elo(0.75) - 190.8).abs() < 0.1 && (elo(0.5)).abs() < 1e-9);
    let (mean, error) = mean_and_error(&[0.5, 1.0, 0.5, 1.0]);
    assert!((mean - 0.75).abs() < 1e-9 && (error - 0.2829).abs() < 1e-3, "{mean} {error}");
}
