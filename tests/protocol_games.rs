//! Millstone against itself over pipes, with the mailbox as the referee.
//!
//! `MILLSTONE_GAMES` and `MILLSTONE_MOVETIME` (in milliseconds) ask for more or longer games.

mod client;
mod mailbox;

use std::env;
use std::thread;

use client::Client;
use mailbox::{DrawRules, Mailbox, Outcome};
use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};

/// A game that is not over by then never ends.
const MAX_ACTIONS: usize = 600;
/// Random actions at the start of each game.
const OPENING: usize = 4;
/// Games played at the same time.
const THREADS: u64 = 2;

/// One game: two players and the referee.
struct Table {
    players: [Client; 2],
    referee: Mailbox,
    moves: Vec<String>,
}

impl Table {
    fn new() -> Self {
        let players = [(); 2].map(|()| {
            let mut player = Client::start();
            player.send("setoption name Hash value 16");
            player
        });
        Self { players, referee: Mailbox::start(DrawRules::default()), moves: Vec::new() }
    }

    fn play(&mut self, mv: &str) {
        self.referee.play(mv);
        self.moves.push(mv.to_owned());
    }

    fn play_opening(&mut self, random: &mut SmallRng) {
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
            let mv = self.players[player].best_move(go);
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
fn play(seed: u64, go: &str) -> String {
    let mut table = Table::new();
    table.play_opening(&mut SmallRng::seed_from_u64(seed));
    let outcome = table.play_on(go);
    for player in table.players {
        let (rest, status) = player.finish();
        assert!(rest.is_empty() && status.success(), "{rest:?} {status}");
    }
    format!("game {seed}: {outcome} after {} actions", table.moves.len())
}

/// A number that the user may give.
fn number(name: &str, default: u64) -> u64 {
    env::var(name).map_or(default, |text| text.parse().expect(name))
}

#[test]
fn games_end_by_the_rules() {
    let games = number("MILLSTONE_GAMES", 4);
    let go = format!("go movetime {}", number("MILLSTONE_MOVETIME", 20));
    thread::scope(|scope| {
        for first in 0..THREADS {
            let go = &go;
            let seeds = (first..games).step_by(THREADS as usize);
            scope.spawn(move || seeds.for_each(|seed| println!("{}", play(seed, go))));
        }
    });
}
