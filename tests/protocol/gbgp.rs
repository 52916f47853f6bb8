//! The Generic Board Game Protocol as a graphical program speaks it, with the mailbox as referee.

use crate::client::{Client, best_of};
use crate::mailbox::{DrawRules, Mailbox, Rules};
use millstone::game::Game;
use millstone::game::Outcome;
use millstone::position::{Move, Turn};
use millstone::protocol::GbgpPosition;
use millstone::rules::{self, PRESETS, Preset, RuleSet};
use rand::SeedableRng;
use rand::rngs::Xoshiro256PlusPlus;
use rand::seq::IndexedRandom;

pub const NINE: &str = "Nine Men's Morris";
const TWELVE: &str = "Twelve Men's Morris";
/// A game that is not over by then never ends.
const MAX_TURNS: usize = 600;

/// A game by the words of the graphical program, with a referee.
pub struct RefereedGame {
    pub engine: Client,
    start: Mailbox,
    pub referee: Mailbox,
    rules: RuleSet,
    pub turns: Vec<String>,
}

impl RefereedGame {
    /// Starts the engine and a game, as the graphical program does.
    pub fn new(game: &str, options: &[&str]) -> Self {
        let mut engine = Client::start();
        let identity = engine.ask("gbgp", "gbgpok");
        let has = |start: &str| identity.iter().any(|line| line.starts_with(start));
        assert!(has("id name Millstone ") && has("id author "), "{identity:?}");
        assert!(has("option name Hash type spin ") && has("option name Ponder type check "));
        assert!(has("option name TwelveMensMorris type check default false"), "{identity:?}");
        engine.send("setoption name Hash value 16");
        engine.send(&format!("setoption name TwelveMensMorris value {}", game == TWELVE));
        for option in options {
            engine.send(&format!("setoption name {option}"));
        }
        let referee = Mailbox::from_text("startpos", Rules::named(game), DrawRules::default());
        let rules = Preset::named(game).expect("a game with a name").rules;
        let mut refereed =
            Self { engine, start: referee.clone(), referee, rules, turns: Vec::new() };
        refereed.begin();
        refereed
    }

    /// Begins another game.
    fn begin(&mut self) {
        assert_eq!(self.engine.ask_line("isready"), "readyok");
        self.engine.send("newgame");
        assert_eq!(self.engine.ask_line("isready"), "readyok");
        self.referee = self.start.clone();
        self.turns.clear();
    }

    /// Plays a turn, each move of which has to be legal; afterwards the other side is to move.
    pub fn play(&mut self, turn: &str) {
        let side = side(&self.referee);
        for mv in moves(turn) {
            let legal = self.referee.legal_moves();
            let mv = mv.to_string();
            assert!(legal.contains(&mv), "{turn} after {:?}, legal: {legal:?}", self.turns);
            self.referee.play(&mv);
        }
        let is_whole = self.referee.outcome().is_some() || self::side(&self.referee) != side;
        assert!(is_whole, "half a turn: {turn} after {:?}", self.turns);
        self.turns.push(turn.to_owned());
    }

    /// Sends the turns so far.
    pub fn tell(&mut self) {
        let moves = if self.turns.is_empty() { "" } else { " moves " };
        self.engine.send(&format!("position startpos{moves}{}", self.turns.join(" ")));
    }

    /// Sends the turns so far and a `go`, and gives the turn that answers.
    fn ask(&mut self, go: &str) -> String {
        self.tell();
        let lines = self.engine.ask(go, "bestmove");
        self.check(&lines);
        best_of(&lines)
    }

    /// Checks that the words of `info` lines are those of the protocol, and that their turns and
    /// those of the answer are legal.
    pub fn check(&self, lines: &[String]) {
        let (answer, infos) = lines.split_last().expect("an answer");
        for line in infos {
            let (words, turns) = line.split_once(" pv ").unwrap_or((line, ""));
            let rest = check_info(&mut words.split(' '));
            assert_eq!(rest, None, "{line}");
            assert!(self.is_line(turns.split_whitespace()), "{line}");
        }
        let words: Vec<&str> = answer.split(' ').collect();
        match words[..] {
            ["bestmove", "none"] => assert!(self.referee.outcome().is_some(), "{lines:?}"),
            ["bestmove", turn] => assert!(self.is_line([turn]), "{lines:?}"),
            ["bestmove", turn, "ponder", next] => assert!(self.is_line([turn, next]), "{lines:?}"),
            _ => panic!("{answer}"),
        }
    }

    /// Whether these are whole turns that can be played one after the other.
    fn is_line<'a>(&'a self, line: impl IntoIterator<Item = &'a str>) -> bool {
        let mut game = Game::start(self.rules, rules::DrawRules::default());
        let mut all = self.turns.iter().map(String::as_str).chain(line);
        all.all(|turn| is_played(&mut game, &turn.parse().expect("a turn")))
    }
}

/// The letter of the side to move.
fn side(referee: &Mailbox) -> Option<char> {
    referee.text().split(' ').nth(1).and_then(|side| side.chars().next())
}

/// The moves of a turn.
fn moves(turn: &str) -> Vec<Move> {
    turn.parse::<Turn>().expect("a turn").moves().to_vec()
}

/// Plays a turn; whether it is legal and whole.
fn is_played(game: &mut Game, turn: &Turn) -> bool {
    let side = game.to_move();
    let is_legal = turn.moves().iter().all(|&mv| game.play(mv).is_ok());
    is_legal && (game.outcome().is_some() || game.to_move() != side)
}

/// The first word of an `info` line before its turns that is not as it should be.
fn check_info<'a>(words: &mut impl Iterator<Item = &'a str>) -> Option<String> {
    let is_number = |text: Option<&str>| text.is_some_and(|text| text.parse::<i64>().is_ok());
    if words.next() != Some("info") {
        return Some("info".to_owned());
    }
    while let Some(word) = words.next() {
        let is_right = match word {
            "depth" | "seldepth" | "time" | "nodes" | "nps" | "hashfull" => is_number(words.next()),
            "score" => matches!(words.next(), Some("eval" | "win")) && is_number(words.next()),
            _ => false,
        };
        if !is_right {
            return Some(word.to_owned());
        }
    }
    None
}

/// Plays a game to its end, both sides by the answers to a `go`.
fn play_to_the_end(refereed: &mut RefereedGame, go: &str) {
    while refereed.referee.outcome().is_none() {
        assert!(refereed.turns.len() < MAX_TURNS, "no end: {:?}", refereed.turns);
        let turn = refereed.ask(go);
        refereed.play(&turn);
    }
}

/// How many turns remove a man.
fn count_captures(turns: &[String]) -> usize {
    turns.iter().filter(|turn| turn.contains('x')).count()
}

#[test]
fn the_dialogue_of_a_graphical_program() {
    let mut refereed = RefereedGame::new(NINE, &["SkillLevel value 6", "Ponder value false"]);
    for seed in 0.. {
        refereed.engine.send(&format!("setoption name SearchShuffleSeed value {seed}"));
        play_to_the_end(&mut refereed, "go wtime 600000 btime 600000");
        assert_eq!(refereed.ask("go movetime 100"), "none");
        println!("{} turns, {} captures", refereed.turns.len(), count_captures(&refereed.turns));
        if refereed.turns.len() >= 40 && count_captures(&refereed.turns) >= 6 {
            break;
        }
        assert!(seed < 50, "no game is long");
        refereed.begin();
    }
    refereed.begin();
    refereed.engine.send("setoption name SkillLevel value 30");
    for time in [7000, 3_600_000] {
        refereed.tell();
        refereed.engine.send(&format!("go movetime {time}"));
        let mut lines = refereed.engine.read_to("info depth ");
        lines.extend(refereed.engine.ask("stop", "bestmove"));
        refereed.check(&lines);
        refereed.play(&best_of(&lines));
    }
    refereed.engine.send("quit");
    let (rest, status) = refereed.engine.finish();
    assert!(rest.is_empty() && status.success(), "{rest:?} {status}");
}

#[test]
fn every_way_of_searching_answers_whole_turns() {
    let mut captures = 0;
    for (game, options, go) in [
        (TWELVE, "SkillLevel value 0", "go wtime 600000 btime 600000 winc 10 binc 10"),
        (NINE, "Algorithm value 4", "go"),
        (TWELVE, "Algorithm value 4", "go"),
        (NINE, "Algorithm value 3", "go nodes 200"),
        (NINE, "Algorithm value 0", "go depth 1"),
        (NINE, "SearchShuffleSeed value 5", "go nodes 1"),
        (TWELVE, "MultiPV value 4", "go movetime 2"),
        (NINE, "ResultStyle value legacy", "go movetime 2"),
    ] {
        let mut refereed = RefereedGame::new(game, &[options]);
        play_to_the_end(&mut refereed, go);
        println!("{game}, {options}, {go}: {} turns", refereed.turns.len());
        captures += count_captures(&refereed.turns);
        assert_eq!(refereed.ask("go movetime 100"), "none");
    }
    assert!(captures > 20, "{captures} turns with a removal");
}

#[test]
fn a_turn_chosen_from_some_is_one_of_them() {
    let mut engine = Client::start_gbgp();
    engine.ask("gbgp", "gbgpok");
    let position = "position pos w:wa7,g7,d6,b6,g1:bg4,c3,e3,d1,b2:12";
    engine.send(position);
    let turns = engine.legal_moves();
    assert!(turns.contains(&"d6-d7xc3".to_owned()), "{turns:?}");
    for turn in &turns {
        assert_eq!(&engine.best_move(&format!("go depth 4 searchmoves {turn}")), turn);
    }
    for go in ["depth 4 searchmoves d6-d7xc3 d6-d7xb2", "searchmoves d6-d7xc3 d6-d7xb2 nodes 50"] {
        let best = engine.best_move(&format!("go {go}"));
        assert!(["d6-d7xc3", "d6-d7xb2"].contains(&best.as_str()), "{best}");
    }
    // Without what the searches before have found out.
    engine.send("newgame");
    engine.send(position);
    assert!(engine.best_move("go depth 6").starts_with("d6-d7x"));
}

#[test]
fn pondering_answers_a_whole_turn_after_its_hit() {
    let mut engine = Client::start_gbgp();
    engine.send("position pos w:wa7,g7,d6,b6,g1:bg4,c3,e3,d1,b2:12");
    let turns = engine.legal_moves();
    for end in ["ponderhit", "stop"] {
        engine.send("go ponder wtime 1000 btime 1000");
        engine.read_to("info depth ");
        let lines = engine.ask(end, "bestmove");
        assert!(turns.contains(&best_of(&lines)), "{end}: {lines:?}");
    }
}

#[test]
fn both_dialects_talk_of_the_same_game() {
    let mut engine = Client::start();
    engine.send("position startpos moves d6 f4 d2");
    engine.ask("gbgp", "gbgpok");
    assert_eq!(engine.ask_line("pos"), "pos b:wd6,d2:bf4:2");
    engine.send("position startpos moves d6 f4 d7 f2 d5xf4");
    assert_eq!(engine.ask_line("pos"), "pos b:wd5,d6,d7:bf2:3");
    engine.ask("uci", "uciok");
    let text = "fen O*******/O**@****/O******* b p p 3 6 1 7 0 0 0 0 0 0 0 0 3";
    assert_eq!(engine.ask_line("fen"), text);
    assert_eq!(engine.best_move("go depth 2 searchmoves a1"), "a1");
}

#[test]
fn turns_of_every_game_are_understood() {
    let mut engine = Client::start_gbgp();
    for (Preset { name, rules }, seed) in
        PRESETS.iter().flat_map(|preset| [(preset, 1), (preset, 2)])
    {
        engine.send(&format!("setoption name Variant value {name}"));
        let (turns, game) = random_games(rules, seed).pop().expect("a game");
        let turns: Vec<_> = turns.iter().map(ToString::to_string).collect();
        engine.send(&format!("position startpos moves {}", turns.join(" ")));
        engine.ask("uci", "uciok");
        assert_eq!(engine.ask_line("fen"), format!("fen {}", game.text()), "{name}: {turns:?}");
        engine.ask("gbgp", "gbgpok");
    }
}

/// Plays random turns and gives the game after each.
fn random_games(rules: &RuleSet, seed: u64) -> Vec<(Vec<Turn>, Game)> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut game = Game::start(*rules, rules::DrawRules::default());
    let mut moves = Vec::new();
    let mut games = vec![(Vec::new(), game.clone())];
    while let Some(&mv) = game.moves().choose(&mut random) {
        moves.push((game.to_move(), mv));
        game.play(mv).expect("a legal move");
        if game.position().owed(game.to_move()) == 0 {
            games.push((Turn::group(moves.iter().copied()), game.clone()));
        }
    }
    games
}

#[test]
fn position_texts_say_the_same_as_the_turns_before() {
    for rules in [RuleSet::NINE_MENS_MORRIS, RuleSet::TWELVE_MENS_MORRIS] {
        let games = (0..20).flat_map(|seed| random_games(&rules, seed));
        for (turns, game) in games.filter(|(_, game)| !is_drawn(game)) {
            let text = GbgpPosition::of(&game).to_string();
            let read: GbgpPosition = text.parse().expect(&text);
            assert_eq!(read, GbgpPosition::of(&game));
            let text = read.text(&rules).unwrap_or_else(|error| panic!("{text}: {error}"));
            let read = Game::from_text(&text, rules, game.draw_rules()).expect(&text);
            assert_eq!(read.position().key(), game.position().key(), "{turns:?}");
            assert_eq!(read.position().move_number(), game.position().move_number(), "{turns:?}");
            assert_eq!(fields(&read, 15), fields(&game, 15), "{turns:?}");
        }
    }
}

/// Whether the game has ended by its history, which the texts do not tell.
fn is_drawn(game: &Game) -> bool {
    matches!(game.outcome(), Some(Outcome::Draw(_)))
}

/// The first fields of the position text.
fn fields(game: &Game, count: usize) -> String {
    game.text().to_string().split(' ').take(count).collect::<Vec<_>>().join(" ")
}
