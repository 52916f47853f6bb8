//! Millstone against itself over pipes in both dialects.

use std::env;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::thread;

use crate::client::{Client, best_of};
use crate::random::{IndexedRandom, RngExt, seeded};
use crate::size::usual_or_full;
use millstone::game::{Game, History, Outcome};
use millstone::position::{Move, Turn};
use millstone::rules::{DrawRules, PRESETS, Preset};

/// A game that is not over by then never ends.
const MAX_MOVES: usize = 600;
/// Random moves at the start of each game, too few for a mill.
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
    fn new(game: &str, options: &[&str], is_gbgp: bool) -> Self {
        let mut client = Client::start().with(&[&format!("Variant={game}")]).with(options);
        if is_gbgp {
            client.ask("gbgp", "gbgpok");
        }
        client.send(if is_gbgp { "newgame" } else { "ucinewgame" });
        let lines = client.ready();
        assert!(lines.iter().all(|line| !line.contains("error")), "{lines:?}");
        Self { client, is_gbgp }
    }

    /// Tells the player the game so far; whoever is asked for it must see the same position.
    fn tell(&mut self, game: &History) {
        let words: Vec<String> = if self.is_gbgp {
            game.turns().iter().map(|(_, turn)| turn.to_string()).collect()
        } else {
            game.moves().map(|mv| mv.to_string()).collect()
        };
        self.client.send(&format!("position startpos moves {}", words.join(" ")));
        if !self.is_gbgp {
            let lines = self.client.ask("fen", "fen ");
            assert_eq!(lines[lines.len() - 1], format!("fen {}", game.game().text()));
        }
    }

    /// The moves of the answer to a `go`: one, or those of a whole turn.
    fn answer(&mut self, go: &str, game: &Game) -> Result<Vec<Move>, String> {
        let lines = self.client.ask(go, "bestmove");
        check(game, &lines, self.is_gbgp);
        let answer = best_of(&lines);
        answer.parse().map(|turn: Turn| turn.moves().to_vec()).map_err(|_| answer)
    }
}

/// The words of an `info` line that a number follows, and two others.
const KNOWN: &str = "depth seldepth multipv nodes nps hashfull tbhits time cp mate eval win \
                     currmovenumber score currmove";

/// Checks that the lines of a search have the words that front ends know, that their moves are
/// legal, whole turns in GBGP, and that the last line is about the move that is played.
fn check(game: &Game, lines: &[String], is_gbgp: bool) {
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
                    let is_known = KNOWN.split(' ').any(|known| known == *word);
                    assert!(is_known && is_number, "{word}: {line}");
                }
                assert_legal(game, pv.split_whitespace(), is_gbgp);
                if !line.contains(" multipv ") || line.contains(" multipv 1 ") {
                    last = pv.split_whitespace().next().or(last);
                }
            }
            ["bestmove", "none" | "draw"] => assert!(game.outcome().is_some()),
            ["bestmove", best] => assert_legal(game, [best].into_iter(), is_gbgp),
            ["bestmove", best, "ponder", next] => {
                assert_legal(game, [best, next].into_iter(), is_gbgp);
                assert!(is_gbgp || last == Some(best), "{lines:?}");
            }
            _ => panic!("{line}"),
        }
    }
}

fn assert_legal<'a>(game: &Game, words: impl Iterator<Item = &'a str>, is_gbgp: bool) {
    let mut after = game.clone();
    for word in words {
        let side = after.to_move();
        let turn: Turn = word.parse().expect("a turn");
        let is_legal = turn.moves().iter().all(|&mv| after.play(mv).is_ok());
        let is_whole = if is_gbgp { !after.is_within_turn(side) } else { turn.moves().len() == 1 };
        assert!(is_legal && is_whole, "{word}: {}", game.text());
    }
}

/// Plays until the game is over, and asks both players what they say to that.
fn play_on(history: &mut History, players: &mut [Player; 2], go: &str) -> Outcome {
    while history.count_moves() < MAX_MOVES && history.game().outcome().is_none() {
        let player = &mut players[history.game().to_move() as usize];
        player.tell(history);
        let moves = player.answer(go, history.game());
        let moves = moves.unwrap_or_else(|answer| panic!("{answer}: {}", history.game().text()));
        for mv in moves {
            history.play(mv).expect("a legal move");
        }
    }
    let outcome = history.game().outcome().expect("the game ends");
    for player in players {
        let is_draw = matches!(outcome, Outcome::Draw(_)) && !player.is_gbgp;
        let word = if is_draw { "draw" } else { "none" };
        player.tell(history);
        assert_eq!(player.answer(go, history.game()), Err(word.to_owned()));
    }
    outcome
}

/// Plays a game from random moves and says how it ended.
fn play(game: &str, seed: u64, go: &str, mut players: [Player; 2]) -> String {
    let mut random = seeded(seed);
    let rules = Preset::named(game).expect("a game with a name").rules;
    let mut history = History::from(Game::start(rules, DrawRules::default()));
    for _ in 0..OPENING {
        let mv = *history.game().moves().choose(&mut random).expect("a move");
        history.play(mv).expect("a legal move");
    }
    let outcome = play_on(&mut history, &mut players, go);
    for player in players {
        let (rest, status) = player.client.finish();
        let is_quiet = rest.iter().all(|line| line.starts_with("info string learning "));
        assert!(is_quiet && status.success(), "{rest:?} {status}");
    }
    format!("{game} {seed}: {outcome} after {} moves", history.count_moves())
}

/// Options that change how a move is found but not which are legal.
const OPTIONS: [(&str, &[&str]); 11] = [
    ("Hash", &["1", "2", "16"]),
    ("Threads", &["1", "2"]),
    ("MultiPV", &["1", "1", "3", "96"]),
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
    let mut random = seeded(seed);
    let folder = tempfile::tempdir().expect("a folder for the learning file");
    let file = format!("LearningFile={}", folder.path().join("endgame.txt").display());
    let players = [(); 2].map(|()| {
        let chosen = OPTIONS.map(|(name, values)| {
            format!("{name}={}", values.choose(&mut random).expect("a value"))
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
    let count = |name| if name == PRESETS[0].name { nine } else { others };
    let seeds = |name| (0..count(name)).map(move |seed| (name, seed));
    let games: Vec<_> = PRESETS.iter().flat_map(|preset| seeds(preset.name)).collect();
    play_all(&games, |game, seed| {
        let players = [(); 2].map(|()| Player::new(game, &["Hash=16"], false));
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
