//! Millstone against itself over pipes in both dialects, with the mailbox as the referee.

use std::env;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::thread;

use crate::client::{Client, best_of};
use crate::mailbox::{DrawRules, Mailbox, Outcome, Rules};
use crate::size::usual_or_full;
use millstone::game::{Game, History};
use millstone::position::{Move, Turn};
use millstone::rules::{self, PRESETS, Preset};
use rand::rngs::Xoshiro256PlusPlus;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};

/// A game that is not over by then never ends.
const MAX_MOVES: usize = 600;
/// Random moves at the start of each game, too few for a mill.
const OPENING: usize = 4;
/// Games played at the same time.
const THREADS: usize = 2;

/// A player: the program, and the dialect in which it is spoken to.
pub struct Player {
    pub client: Client,
    is_gbgp: bool,
}

impl Player {
    /// A player who gets the options in the dialect that has them all.
    pub fn new(game: &str, options: &[&str], is_gbgp: bool) -> Self {
        let mut client = Client::start();
        client.send(&format!("setoption name Variant value {game}"));
        for option in options {
            client.send(&format!("setoption name {option}"));
        }
        if is_gbgp {
            client.ask("gbgp", "gbgpok");
        }
        client.send(if is_gbgp { "newgame" } else { "ucinewgame" });
        let lines = client.ask("isready", "readyok");
        assert!(lines.iter().all(|line| !line.contains("error")), "{lines:?}");
        Self { client, is_gbgp }
    }

    /// Tells the player the game so far; whoever is asked for it must see the position that the
    /// referee sees.
    pub fn tell(&mut self, game: &RefereedGame) {
        let words: Vec<String> = if self.is_gbgp {
            game.history.turns().iter().map(|(_, turn)| turn.to_string()).collect()
        } else {
            game.history.moves().map(|mv| mv.to_string()).collect()
        };
        self.client.send(&format!("position startpos moves {}", words.join(" ")));
        if !self.is_gbgp {
            let lines = self.client.ask("fen", "fen ");
            assert_eq!(lines[lines.len() - 1], format!("fen {}", game.referee.text()));
        }
    }

    /// The moves of the answer to a `go`: one, or those of a whole turn.
    fn answer(&mut self, go: &str, game: &RefereedGame) -> Result<Vec<Move>, String> {
        let lines = self.client.ask(go, "bestmove");
        game.check(&lines, self.is_gbgp);
        let answer = best_of(&lines);
        answer.parse().map(|turn: Turn| turn.moves().to_vec()).map_err(|_| answer)
    }
}

/// A game with the referee.
pub struct RefereedGame {
    pub referee: Mailbox,
    pub history: History,
}

/// What a number follows in an `info` line.
const NUMBERED: [&str; 14] = [
    "depth",
    "seldepth",
    "multipv",
    "nodes",
    "nps",
    "hashfull",
    "tbhits",
    "time",
    "cp",
    "mate",
    "eval",
    "win",
    "currmovenumber",
    "score",
];

impl RefereedGame {
    pub fn new(game: &str) -> Self {
        let referee = Mailbox::from_text("startpos", Rules::named(game), DrawRules::default());
        let rules = Preset::named(game).expect("a game with a name").rules;
        let start = Game::start(rules, rules::DrawRules::default());
        Self { referee, history: start.into() }
    }

    fn to_move(&self) -> usize {
        usize::from(self.referee.text().split(' ').nth(1) == Some("b"))
    }

    /// Plays a move, which has to be legal.
    pub fn play(&mut self, mv: Move) {
        let word = mv.to_string();
        let played = || self.history.moves().map(|mv| mv.to_string()).collect::<Vec<_>>();
        assert!(self.referee.legal_moves().contains(&word), "{word} after {:?}", played());
        self.referee.play(&word);
        self.history.play(mv).expect("the referee says that it is legal");
    }

    /// Checks that the lines of a search have the words that front ends know, that their moves are
    /// legal, whole turns in GBGP, and that the last line is about the move that is played.
    pub fn check(&self, lines: &[String], is_gbgp: bool) {
        let mut last = None;
        for line in lines {
            let (words, pv) = line.split_once(" pv ").unwrap_or((line, ""));
            let words: Vec<&str> = words.split(' ').collect();
            match words[..] {
                ["info", "string", ..] => {}
                ["info", ref words @ ..] => {
                    let mut words = words.iter().filter(|word| !word.ends_with("bound"));
                    while let Some(word) = words.next() {
                        let is_number = *word == "score"
                            || *word == "currmove" && words.next().is_some()
                            || words.next().is_some_and(|word| word.parse::<i64>().is_ok());
                        let is_known = NUMBERED.contains(word) || *word == "currmove";
                        assert!(is_known && is_number, "{word}: {line}");
                    }
                    self.assert_legal(pv.split_whitespace(), is_gbgp);
                    if !line.contains(" multipv ") || line.contains(" multipv 1 ") {
                        last = pv.split_whitespace().next().or(last);
                    }
                }
                ["bestmove", "none" | "draw"] => assert!(self.referee.outcome().is_some()),
                ["bestmove", best] => self.assert_legal([best].into_iter(), is_gbgp),
                ["bestmove", best, "ponder", next] => {
                    self.assert_legal([best, next].into_iter(), is_gbgp);
                    assert!(is_gbgp || last == Some(best), "{lines:?}");
                }
                _ => panic!("{line}"),
            }
        }
    }

    fn assert_legal<'a>(&self, words: impl Iterator<Item = &'a str>, is_gbgp: bool) {
        let mut game = self.history.game().clone();
        for word in words {
            let side = game.to_move();
            let turn: Turn = word.parse().expect("a turn");
            let is_legal = turn.moves().iter().all(|&mv| game.play(mv).is_ok());
            let is_whole =
                if is_gbgp { !game.is_within_turn(side) } else { turn.moves().len() == 1 };
            assert!(is_legal && is_whole, "{word}: {}", self.history.game().text());
        }
    }

    /// Plays until the game is over by the referee, and asks both players what they say to that.
    fn play_on(&mut self, players: &mut [Player; 2], go: &str) -> Outcome {
        while self.history.count_moves() < MAX_MOVES && self.referee.outcome().is_none() {
            let player = &mut players[self.to_move()];
            player.tell(self);
            let moves = player.answer(go, self);
            let moves = moves.unwrap_or_else(|answer| panic!("{answer}: {}", self.referee.text()));
            for mv in moves {
                self.play(mv);
            }
        }
        let outcome = self.referee.outcome().expect("the game ends");
        for player in players {
            let is_draw = matches!(outcome, Outcome::Draw(_)) && !player.is_gbgp;
            let word = if is_draw { "draw" } else { "none" };
            player.tell(self);
            assert_eq!(player.answer(go, self), Err(word.to_owned()));
        }
        outcome
    }
}

/// Plays a game from random moves and says how it ended.
fn play(game: &str, seed: u64, go: &str, mut players: [Player; 2]) -> String {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut refereed = RefereedGame::new(game);
    for _ in 0..OPENING {
        let moves = refereed.referee.legal_moves();
        refereed.play(moves.choose(&mut random).expect("a move").parse().expect("a move"));
    }
    let outcome = refereed.play_on(&mut players, go);
    for player in players {
        let (rest, status) = player.client.finish();
        let is_quiet = rest.iter().all(|line| line.starts_with("info string learning "));
        assert!(is_quiet && status.success(), "{rest:?} {status}");
    }
    format!("{game} {seed}: {outcome} after {} moves", refereed.history.count_moves())
}

/// Options that change how a move is found but not which are legal.
const OPTIONS: [(&str, &[&str]); 11] = [
    ("Hash", &["1", "2", "16"]),
    ("Threads", &["1", "2"]),
    ("MultiPV", &["1", "1", "3", "64"]),
    ("SkillLevel", &["30", "30", "0", "7", "18"]),
    ("Algorithm", &["2", "2", "2", "0", "1", "3", "4"]),
    ("Shuffling", &["true", "false"]),
    ("SearchShuffleSeed", &["0", "1", "42"]),
    ("UsePerfectDatabase", &["true", "false"]),
    ("OwnBook", &["true", "false"]),
    ("Learning", &["true", "false"]),
    ("Move Overhead", &["0", "10"]),
];

/// Plays a game of players with random options, each in one of the dialects, who share a learning
/// file.
fn play_with_random_options(game: &str, seed: u64) -> String {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let folder = tempfile::tempdir().expect("a folder for the learning file");
    let file = format!("LearningFile value {}", folder.path().join("endgame.txt").display());
    let players = [(); 2].map(|()| {
        let chosen = OPTIONS.map(|(name, values)| {
            format!("{name} value {}", values.choose(&mut random).expect("a value"))
        });
        let options: Vec<&str> = chosen.iter().chain([&file]).map(String::as_str).collect();
        Player::new(game, &options, random.random())
    });
    let limits = ["movetime 5", "nodes 200", "depth 1", "wtime 2000 btime 2000 winc 20 binc 20"];
    play(game, seed, &format!("go {}", limits[seed as usize % limits.len()]), players)
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
fn games_end_by_their_rules() {
    let (nine, others) = usual_or_full((4, 1), (100, 20));
    let games: Vec<_> = PRESETS
        .iter()
        .flat_map(|preset| {
            (0..if preset.name == PRESETS[0].name { nine } else { others })
                .map(|seed| (preset.name, seed))
        })
        .collect();
    play_all(&games, |game, seed| {
        let players = [(); 2].map(|()| Player::new(game, &["Hash value 16"], false));
        play(game, seed, usual_or_full("go movetime 10", "go movetime 50"), players)
    });
}

#[test]
fn games_with_random_options_end_by_the_rules() {
    let count = env::var("MILLSTONE_GAMES").map_or(2 * PRESETS.len() as u64, |count| {
        count.parse().expect("MILLSTONE_GAMES is a number of games")
    });
    let preset = |seed: u64| PRESETS[seed as usize % PRESETS.len()].name;
    let games: Vec<_> = (0..count).map(|seed| (preset(seed), seed)).collect();
    play_all(&games, play_with_random_options);
}
