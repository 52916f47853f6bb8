//! The known clients of the UCI dialect, each as it starts the engine, speaks and reads: every one of
//! them plays a game, with the mailbox as referee.

use super::start::home;
use crate::client::Client;
use crate::mailbox::{DrawRules, Mailbox, Outcome, Rules};

const GAME: &str = "Nine Men's Morris";
/// A game that is not over by then never ends.
const MAX_MOVES: usize = 600;

/// What a client reads of a result.
#[derive(Debug, Default, PartialEq)]
struct Answer {
    best: String,
    score: Option<i64>,
    depth: Option<u64>,
    nodes: Option<u64>,
    ponder: Option<String>,
}

/// A client with its engine.
struct Player {
    engine: Client,
    /// The words after `go`.
    limits: &'static str,
    /// Reads the lines of a search.
    read: fn(&[String]) -> Answer,
}

impl Player {
    /// Starts an engine with the words of a client, and waits until it is ready.
    fn start(
        words: &[&str],
        options: &[&str],
        limits: &'static str,
        read: fn(&[String]) -> Answer,
    ) -> Self {
        let mut engine = Client::start_in(&home(), words);
        let identity = engine.ask("uci", "uciok");
        let is_identity =
            |line: &String| line.starts_with("id ") || line.starts_with("option name ");
        assert!(identity[..identity.len() - 1].iter().all(is_identity), "{identity:?}");
        for option in options {
            engine.send(&format!("setoption name {option}"));
        }
        engine.send("ucinewgame");
        assert_eq!(engine.ask_line("isready"), "readyok", "no option is refused");
        Self { engine, limits, read }
    }

    /// Sends the moves so far and a `go`, and reads the answer.
    fn ask(&mut self, moves: &[String]) -> Answer {
        self.engine.send(&position(moves));
        self.engine.send(&format!("go {}", self.limits));
        let mut lines = Vec::new();
        while !lines.last().is_some_and(|line: &String| line.contains("bestmove ")) {
            lines.push(self.engine.next_line().expect("an answer"));
        }
        (self.read)(&lines)
    }
}

/// The command that sends the moves so far.
fn position(moves: &[String]) -> String {
    let word = if moves.is_empty() { "" } else { " moves " };
    format!("position startpos{word}{}", moves.join(" "))
}

fn start_of_game() -> Mailbox {
    Mailbox::from_text("startpos", Rules::named(GAME), DrawRules::default())
}

/// Plays a game to its end and asks both players what they say to that.
fn play(players: &mut [Player; 2]) -> Vec<String> {
    let mut referee = start_of_game();
    let mut moves = Vec::new();
    while referee.outcome().is_none() {
        assert!(moves.len() < MAX_MOVES, "no end: {moves:?}");
        let to_move = usize::from(referee.text().split(' ').nth(1) == Some("b"));
        let mv = players[to_move].ask(&moves).best;
        assert!(referee.legal_moves().contains(&mv), "{mv} after {moves:?}");
        referee.play(&mv);
        moves.push(mv);
    }
    let is_drawn = matches!(referee.outcome(), Some(Outcome::Draw(_)));
    for player in players {
        assert_eq!(player.ask(&moves).best, if is_drawn { "draw" } else { "none" });
    }
    moves
}

/// Reads `bestmove M [ponder P]` and, before it, the last `info` line with a score.
fn read_uci(lines: &[String]) -> Answer {
    let (result, infos) = lines.split_last().expect("a result");
    let words: Vec<&str> = result.split(' ').collect();
    let (best, ponder) = match words[..] {
        ["bestmove", best] => (best, None),
        ["bestmove", best, "ponder", ponder] => (best, Some(ponder.to_owned())),
        _ => panic!("{result}"),
    };
    let scored = infos.iter().rev().find(|line| line.contains(" score "));
    let scored = scored.map_or_else(Vec::new, |line| line.split(' ').collect());
    Answer { best: best.to_owned(), ponder, ..numbers(&scored) }
}

/// Reads the one line `info depth D score cp|mate S nodes N bestmove M`.
fn read_sanmill(lines: &[String]) -> Answer {
    let [line] = lines else { panic!("one line, not {lines:?}") };
    let words: Vec<&str> = line.split(' ').collect();
    let ["info", "depth", _, "score", "cp" | "mate", _, "nodes", _, "bestmove", best] = words[..]
    else {
        panic!("{line}")
    };
    Answer { best: best.to_owned(), ..numbers(&words) }
}

/// Reads the one line `info score S bestmove M`.
fn read_legacy(lines: &[String]) -> Answer {
    let [line] = lines else { panic!("one line, not {lines:?}") };
    let words: Vec<&str> = line.split(' ').collect();
    let ["info", "score", score, "bestmove", best] = words[..] else { panic!("{line}") };
    Answer { best: best.to_owned(), score: score.parse().ok(), ..Answer::default() }
}

/// The numbers of an `info` line.
fn numbers(words: &[&str]) -> Answer {
    let after = |name: &str, places: usize| {
        let at = words.iter().position(|&word| word == name)?;
        words.get(at + places).copied()
    };
    let number = |name| after(name, 1).and_then(|word| word.parse().ok());
    let score = after("score", 2).and_then(|word| word.parse().ok());
    Answer { score, depth: number("depth"), nodes: number("nodes"), ..Answer::default() }
}

#[test]
fn a_probe_script_asks_about_one_position_after_another() {
    let options = ["MoveTime value 0", "SkillLevel value 5", "DeveloperMode value false"];
    for (words, style, read) in [
        (&["uci"][..], "sanmill", read_sanmill as fn(&[String]) -> Answer),
        (&["mill", "uci"], "sanmill", read_sanmill),
        (&[], "legacy", read_legacy),
    ] {
        let style = format!("ResultStyle value {style}");
        let options = [&options[..], &[&style]].concat();
        let mut player = Player::start(words, &options, "depth 0", read);
        let positions: [&[&str]; 3] = [&[], &["d6", "f4"], &["d6", "f4", "d7", "f2", "d5"]];
        for moves in positions {
            let moves: Vec<String> = moves.iter().map(|&mv| mv.to_owned()).collect();
            let answer = player.ask(&moves);
            let mut referee = start_of_game();
            for mv in &moves {
                referee.play(mv);
            }
            assert!(referee.legal_moves().contains(&answer.best), "{answer:?}");
            assert!(answer.score.is_some_and(|score| score.abs() < 80), "{answer:?}");
        }
        assert!(player.engine.finish().1.success());
    }
}

#[test]
fn a_harness_plays_two_engines_without_limits_of_its_own() {
    let options =
        ["MoveTimeMs value 5", "Threads value 1", "Hash value 16", "AiIsLazy value false"];
    let mut players = [&["uci"][..], &["mill", "uci"]]
        .map(|words| Player::start(words, &options, "depth 0", read_uci));
    assert!(play(&mut players).len() > 18);
}

#[test]
fn each_result_line_is_read_by_its_parser() {
    for (style, read) in
        [("sanmill", read_sanmill as fn(&[String]) -> Answer), ("legacy", read_legacy)]
    {
        let style = format!("ResultStyle value {style}");
        let mut players = [(); 2].map(|()| Player::start(&["uci"], &[&style], "nodes 500", read));
        play(&mut players);
        let answer = players[0].ask(&[]);
        let has_numbers = answer.depth.is_some() && answer.nodes.is_some_and(|nodes| nodes <= 500);
        assert_eq!(has_numbers, style.ends_with("sanmill"), "{answer:?}");
    }
}

/// What an `info` line may say in the words of chess.
const INFO_WORDS: [&str; 11] = [
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
    "currmovenumber",
];

/// Checks each `info` line as a manager of chess engines does, which takes no word that it does not know.
fn read_as_chess(lines: &[String]) -> Answer {
    for line in lines.iter().filter(|line| line.starts_with("info ")) {
        let mut words = line.split(' ').skip(1);
        while let Some(word) = words.next() {
            match word {
                "score" | "lowerbound" | "upperbound" => {}
                "string" | "pv" => break,
                "currmove" => assert!(words.next().is_some(), "{line}"),
                _ => {
                    let is_number = words.next().is_some_and(|word| word.parse::<i64>().is_ok());
                    assert!(INFO_WORDS.contains(&word) && is_number, "{line}");
                }
            }
        }
    }
    let answer = read_uci(lines);
    let last = lines.iter().rev().find_map(|line| line.split_once(" pv "));
    if let Some((_, pv)) = last {
        let mut pv = pv.split(' ').map(str::to_owned);
        assert_eq!(pv.next().as_ref(), Some(&answer.best), "{lines:?}");
    }
    answer
}

#[test]
fn a_manager_of_chess_engines_plays_by_the_clock() {
    let limits = "wtime 2000 btime 2000 winc 20 binc 20";
    let options = ["Hash value 16", "Ponder value false", "UCI_AnalyseMode value false"];
    let mut players = [(); 2].map(|()| Player::start(&[], &options, limits, read_as_chess));
    play(&mut players);
}

#[test]
fn a_manager_of_chess_engines_lets_the_engine_ponder() {
    let limits = "wtime 60000 btime 60000 winc 10 binc 10";
    let mut player = Player::start(&["uci"], &["Ponder value true"], "nodes 3000", read_as_chess);
    let mut referee = start_of_game();
    let mut moves = Vec::new();
    let mut hits = 0;
    while referee.outcome().is_none() && hits < 4 {
        let answer = player.ask(&moves);
        referee.play(&answer.best);
        moves.push(answer.best);
        // Without an expected answer it is this side that goes on, or the game is over.
        let Some(ponder) = answer.ponder else { continue };
        assert!(referee.legal_moves().contains(&ponder), "{ponder} after {moves:?}");
        let pondered = [moves.clone(), vec![ponder.clone()]].concat();
        player.engine.send(&position(&pondered));
        player.engine.send(&format!("go ponder {limits}"));
        assert_eq!(
            player
                .engine
                .ask("isready", "readyok")
                .iter()
                .filter(|line| line.starts_with("bestmove"))
                .count(),
            0
        );
        let end = if hits % 2 == 0 { "ponderhit" } else { "stop" };
        let lines = player.engine.ask(end, "bestmove");
        let answer = read_as_chess(&lines);
        hits += 1;
        referee.play(&ponder);
        moves = pondered;
        if referee.outcome().is_none() {
            assert!(referee.legal_moves().contains(&answer.best), "{answer:?} after {moves:?}");
        }
    }
    assert_eq!(hits, 4, "{moves:?}");
}

#[test]
fn what_only_other_engines_know_is_refused_in_one_line() {
    let mut engine = Client::start_in(&home(), &["uci"]);
    for command in [
        "statejson",
        "hist",
        "evaldecomp",
        "goab 3",
        "gomtdf 3 0",
        "rootprobe 3 0 1",
        "analyze startpos",
        "valuevec",
        "mobdiff",
        "flip",
        "godepth 3",
    ] {
        let word = command.split(' ').next().unwrap_or_default();
        let expected = "info string error expected a command (help lists them), found";
        assert_eq!(engine.ask_line(command), format!("{expected} '{word}'"));
    }
    for command in ["go topn 3", "go logical nodes 100"] {
        let lines = engine.ask(command, "bestmove none");
        assert!(lines.len() == 2 && lines[0].starts_with("info string error go: "), "{lines:?}");
    }
    assert_eq!(engine.ask_line("isready"), "readyok");
}
