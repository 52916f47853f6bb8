//! Millstone against itself over pipes, with the mailbox as the referee.

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::thread;
use std::time::{Duration, Instant};

use crate::client::Client;
use crate::mailbox::{DrawRules, Mailbox, Outcome, Rules};
use crate::size::usual_or_full;
use millstone::rules::{PRESETS, Preset};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// A game that is not over by then never ends.
const MAX_ACTIONS: usize = 600;
/// Random actions at the start of each game.
const OPENING: usize = 4;
/// Games played at the same time.
const THREADS: usize = 2;

/// One game: two players and the referee.
struct RefereedGame {
    players: [Client; 2],
    referee: Mailbox,
    moves: Vec<String>,
    /// The longest time that a player took for an answer, to be read by people.
    slowest: Duration,
}

impl RefereedGame {
    fn new(game: &str) -> Self {
        let players = [(); 2].map(|()| {
            let mut player = Client::start();
            player.send("setoption name Hash value 16");
            player.send(&format!("setoption name Variant value {game}"));
            player
        });
        Self {
            players,
            referee: Mailbox::from_text("startpos", Rules::named(game), DrawRules::default()),
            moves: Vec::new(),
            slowest: Duration::ZERO,
        }
    }

    fn play(&mut self, mv: &str) {
        self.referee.play(mv);
        self.moves.push(mv.to_owned());
    }

    fn play_opening(&mut self, random: &mut Xoshiro256PlusPlus) {
        for _ in 0..OPENING {
            let moves = self.referee.legal_moves();
            let choice = random.random_range(0..moves.len());
            self.play(&moves[choice]);
        }
    }

    /// Tells a player the moves so far, who must see the position that the referee sees.
    fn tell(&mut self, player: usize) {
        let player = &mut self.players[player];
        player.send(&format!("position startpos moves {}", self.moves.join(" ")));
        assert_eq!(player.ask_line("fen"), format!("fen {}", self.referee.text()));
    }

    /// Plays until the game is over by the referee, and asks both players what they say to that.
    fn play_on(&mut self, go: &str) -> Outcome {
        while self.moves.len() < MAX_ACTIONS && self.referee.outcome().is_none() {
            let player = usize::from(self.referee.text().split(' ').nth(1) == Some("b"));
            self.tell(player);
            let start = Instant::now();
            let mv = self.players[player].best_move(go);
            self.slowest = self.slowest.max(start.elapsed());
            self.play(&mv);
        }
        let outcome = self.referee.outcome();
        let outcome = outcome.unwrap_or_else(|| panic!("no end: {}", self.moves.join(" ")));
        let word = if matches!(outcome, Outcome::Draw(_)) { "draw" } else { "none" };
        for player in 0..2 {
            self.tell(player);
            assert_eq!(self.players[player].best_move(go), word, "{}", self.moves.join(" "));
        }
        outcome
    }
}

/// Plays the game with a seed and says how it ended.
fn play(game: &str, seed: u64, go: &str) -> String {
    let mut refereed = RefereedGame::new(game);
    refereed.play_opening(&mut Xoshiro256PlusPlus::seed_from_u64(seed));
    let outcome = refereed.play_on(go);
    for player in refereed.players {
        let (rest, status) = player.finish();
        assert!(rest.is_empty() && status.success(), "{rest:?} {status}");
    }
    let RefereedGame { moves, slowest, .. } = refereed;
    format!("{game} {seed}: {outcome} after {} actions, slowest {slowest:?}", moves.len())
}

/// Plays games, some at the same time.
fn play_all(games: &[(&str, u64)], go: &str) {
    let next = AtomicUsize::new(0);
    thread::scope(|scope| {
        for _ in 0..THREADS {
            scope.spawn(|| {
                while let Some((game, seed)) = games.get(next.fetch_add(1, Relaxed)) {
                    println!("{}", play(game, *seed, go));
                }
            });
        }
    });
}

#[test]
fn games_end_by_the_rules() {
    let (count, go) = usual_or_full((4, "go movetime 20"), (100, "go movetime 50"));
    let games: Vec<_> = (0..count).map(|seed| (PRESETS[0].name, seed)).collect();
    play_all(&games, go);
}

#[test]
fn other_games_end_by_their_rules() {
    let (count, go) = usual_or_full((1, "go movetime 5"), (20, "go movetime 20"));
    let seeds = 0..count;
    let seeds_of = |preset: &'static Preset| seeds.clone().map(|seed| (preset.name, seed));
    let games: Vec<_> = PRESETS[1..].iter().flat_map(seeds_of).collect();
    play_all(&games, go);
}
