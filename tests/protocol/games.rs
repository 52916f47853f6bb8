//! Millstone against itself over pipes, with the mailbox as the referee.

use std::env;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::thread;
use std::time::{Duration, Instant};

use crate::client::Client;
use crate::mailbox::{DrawRules, Mailbox, Outcome, Rules};
use crate::size::usual_or_full;
use millstone::board::Side;
use millstone::position::{Move, Turn};
use millstone::rules::{PRESETS, Preset};
use rand::rngs::Xoshiro256PlusPlus;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};

/// A game that is not over by then never ends.
const MAX_ACTIONS: usize = 600;
/// Random actions at the start of each game, too few for a mill.
const OPENING: usize = 4;
/// Games played at the same time.
const THREADS: usize = 2;

/// A player: the program, and the dialect in which it is spoken to.
struct Player {
    client: Client,
    is_gbgp: bool,
}

impl Player {
    /// A player who gets the options in the dialect that has them all.
    fn new(options: &[String], is_gbgp: bool) -> Self {
        let mut client = Client::start();
        for option in options {
            client.send(&format!("setoption name {option}"));
        }
        if is_gbgp {
            client.ask("gbgp", "gbgpok");
        }
        Self { client, is_gbgp }
    }

    /// Tells the player the moves so far; whoever is asked for it must see the position that the
    /// referee sees.
    fn tell(&mut self, moves: &[(Side, Move)], referee: &Mailbox) {
        let words: Vec<String> = if self.is_gbgp {
            Turn::group(moves.iter().copied()).iter().map(Turn::to_string).collect()
        } else {
            moves.iter().map(|(_, mv)| mv.to_string()).collect()
        };
        self.client.send(&format!("position startpos moves {}", words.join(" ")));
        if !self.is_gbgp {
            let lines = self.client.ask("fen", "fen ");
            assert_eq!(lines[lines.len() - 1], format!("fen {}", referee.text()));
        }
    }

    /// The moves of the answer to a `go`: one, or those of a whole turn.
    fn answer(&mut self, go: &str) -> Result<Vec<Move>, String> {
        let answer = self.client.best_move(go);
        match answer.parse::<Turn>() {
            Ok(turn) => Ok(turn.moves().to_vec()),
            Err(_) => Err(answer),
        }
    }
}

/// One game: two players and the referee.
struct RefereedGame {
    players: [Player; 2],
    referee: Mailbox,
    moves: Vec<(Side, Move)>,
    /// The longest time that a player took for an answer, to be read by people.
    slowest: Duration,
}

impl RefereedGame {
    fn new(game: &str, players: [Player; 2]) -> Self {
        let referee = Mailbox::from_text("startpos", Rules::named(game), DrawRules::default());
        Self { players, referee, moves: Vec::new(), slowest: Duration::ZERO }
    }

    fn side(&self) -> Side {
        if self.referee.text().split(' ').nth(1) == Some("b") { Side::Black } else { Side::White }
    }

    fn play(&mut self, mv: Move) {
        self.moves.push((self.side(), mv));
        self.referee.play(&mv.to_string());
    }

    fn play_opening(&mut self, random: &mut Xoshiro256PlusPlus) {
        for _ in 0..OPENING {
            let moves = self.referee.legal_moves();
            let choice = random.random_range(0..moves.len());
            self.play(moves[choice].parse().expect("a move"));
        }
    }

    /// Plays until the game is over by the referee, and asks both players what they say to that.
    fn play_on(&mut self, go: &str) -> Outcome {
        while self.moves.len() < MAX_ACTIONS && self.referee.outcome().is_none() {
            let player = &mut self.players[self.side() as usize];
            player.tell(&self.moves, &self.referee);
            let start = Instant::now();
            let answer = player.answer(go);
            self.slowest = self.slowest.max(start.elapsed());
            let moves = answer.unwrap_or_else(|answer| panic!("{answer} after {:?}", self.moves));
            for mv in moves {
                self.play(mv);
            }
        }
        let outcome = self.referee.outcome();
        let outcome = outcome.unwrap_or_else(|| panic!("no end: {:?}", self.moves));
        for player in &mut self.players {
            let is_draw = matches!(outcome, Outcome::Draw(_)) && !player.is_gbgp;
            let word = if is_draw { "draw" } else { "none" };
            player.tell(&self.moves, &self.referee);
            assert_eq!(player.answer(go), Err(word.to_owned()), "{:?}", self.moves);
        }
        outcome
    }
}

/// Plays the game with a seed and says how it ended.
fn play(game: &str, seed: u64, go: &str) -> String {
    let options = ["Hash value 16".to_owned(), format!("Variant value {game}")];
    play_with(game, seed, go, [(); 2].map(|()| Player::new(&options, false)))
}

/// Plays a game of players with random options, each in one of the dialects, who share a learning
/// file.
fn play_with_random_options(game: &str, seed: u64, go: &str) -> String {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let folder = tempfile::tempdir().expect("a folder for the learning file");
    let learning_file = folder.path().join("endgame.txt");
    let players = [(); 2].map(|()| {
        let mut options = random_options(game, &mut random);
        options.push(format!("LearningFile value {}", learning_file.display()));
        Player::new(&options, random.random())
    });
    play_with(game, seed, go, players)
}

fn play_with(game: &str, seed: u64, go: &str, players: [Player; 2]) -> String {
    let mut refereed = RefereedGame::new(game, players);
    refereed.play_opening(&mut Xoshiro256PlusPlus::seed_from_u64(seed));
    let outcome = refereed.play_on(go);
    for player in refereed.players {
        let (rest, status) = player.client.finish();
        let is_quiet = rest.iter().all(|line| line.starts_with("info string learning "));
        assert!(is_quiet && status.success(), "{rest:?} {status}");
    }
    let RefereedGame { moves, slowest, .. } = refereed;
    format!("{game} {seed}: {outcome} after {} actions, slowest {slowest:?}", moves.len())
}

/// Options that change how a move is found but not which are legal.
fn random_options(game: &str, random: &mut Xoshiro256PlusPlus) -> Vec<String> {
    let mut options = vec![format!("Variant value {game}")];
    let mut add = |name: &str, values: &[&str]| {
        options.push(format!("{name} value {}", values.choose(random).expect("a value")));
    };
    add("Hash", &["1", "2", "16"]);
    add("Threads", &["1", "2"]);
    add("MultiPV", &["1", "1", "3", "64"]);
    add("SkillLevel", &["30", "30", "0", "7", "18"]);
    add("Algorithm", &["2", "2", "2", "0", "1", "3", "4"]);
    add("Shuffling", &["true", "false"]);
    add("SearchShuffleSeed", &["0", "1", "42"]);
    add("UsePerfectDatabase", &["true", "false"]);
    add("OwnBook", &["true", "false"]);
    add("Learning", &["true", "false"]);
    add("Move Overhead", &["0", "10"]);
    options
}

/// Plays games, some at the same time.
fn play_all(games: &[(&str, u64)], play: impl Fn(&str, u64) -> String + Sync) {
    let next = AtomicUsize::new(0);
    thread::scope(|scope| {
        for _ in 0..THREADS {
            scope.spawn(|| {
                while let Some((game, seed)) = games.get(next.fetch_add(1, Relaxed)) {
                    println!("{}", play(game, *seed));
                }
            });
        }
    });
}

#[test]
fn games_end_by_the_rules() {
    let (count, go) = usual_or_full((4, "go movetime 20"), (100, "go movetime 50"));
    let games: Vec<_> = (0..count).map(|seed| (PRESETS[0].name, seed)).collect();
    play_all(&games, |game, seed| play(game, seed, go));
}

#[test]
fn other_games_end_by_their_rules() {
    let (count, go) = usual_or_full((1, "go movetime 5"), (20, "go movetime 20"));
    let seeds = 0..count;
    let seeds_of = |preset: &'static Preset| seeds.clone().map(|seed| (preset.name, seed));
    let games: Vec<_> = PRESETS[1..].iter().flat_map(seeds_of).collect();
    play_all(&games, |game, seed| play(game, seed, go));
}

#[test]
fn games_with_random_options_end_by_the_rules() {
    let count = env::var("MILLSTONE_GAMES").map_or(PRESETS.len() as u64, |count| {
        count.parse().expect("MILLSTONE_GAMES is a number of games")
    });
    let preset = |seed: u64| PRESETS[seed as usize % PRESETS.len()].name;
    let games: Vec<_> = (0..count).map(|seed| (preset(seed), seed)).collect();
    play_all(&games, |game, seed| play_with_random_options(game, seed, "go movetime 5"));
}
