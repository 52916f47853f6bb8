//! The Generic Board Game Protocol: whole turns, and its texts of positions.

use crate::client::{Client, best_of};
use crate::random::{IndexedRandom, seeded};
use millstone::game::{Game, History, Outcome};
use millstone::position::Turn;
use millstone::protocol::GbgpPosition;
use millstone::rules::{DrawRules, PRESETS, Preset, RuleSet};

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
fn turns_of_every_game_are_understood() {
    let mut engine = Client::start_gbgp();
    for (Preset { name, rules }, seed) in
        PRESETS.iter().flat_map(|preset| [(preset, 1), (preset, 2)])
    {
        engine.set(&[&format!("Variant={name}")]);
        let history = random_games(rules, seed).pop().expect("a game");
        let (game, turns) = (history.game(), turns(&history));
        let turns: Vec<_> = turns.iter().map(ToString::to_string).collect();
        engine.send(&format!("position startpos moves {}", turns.join(" ")));
        engine.ask("uci", "uciok");
        assert_eq!(engine.ask_line("fen"), format!("fen {}", game.text()), "{name}: {turns:?}");
        engine.ask("gbgp", "gbgpok");
    }
}

/// Plays random turns and gives the game after each.
fn random_games(rules: &RuleSet, seed: u64) -> Vec<History> {
    let mut random = seeded(seed);
    let mut history = History::from(Game::start(*rules, DrawRules::default()));
    let mut games = vec![history.clone()];
    while let Some(&mv) = history.game().moves().choose(&mut random) {
        history.play(mv).expect("a legal move");
        let game = history.game();
        if game.position().owed(game.to_move()) == 0 {
            games.push(history.clone());
        }
    }
    games
}

fn turns(history: &History) -> Vec<&Turn> {
    history.turns().iter().map(|(_, turn)| turn).collect()
}

#[test]
fn position_texts_say_the_same_as_the_turns_before() {
    for rules in [RuleSet::NINE_MENS_MORRIS, RuleSet::TWELVE_MENS_MORRIS] {
        for history in (0..20).flat_map(|seed| random_games(&rules, seed)) {
            let (game, turns) = (history.game(), turns(&history));
            // The texts do not tell that a game is drawn by its history.
            if matches!(game.outcome(), Some(Outcome::Draw(_))) {
                continue;
            }
            let text = GbgpPosition::of(game).to_string();
            let read: GbgpPosition = text.parse().expect(&text);
            assert_eq!(read, GbgpPosition::of(game));
            let text = read.text(&rules).unwrap_or_else(|error| panic!("{text}: {error}"));
            let read = Game::from_text(&text, rules, game.draw_rules()).expect(&text);
            assert_eq!(read.position().key(), game.position().key(), "{turns:?}");
            assert_eq!(read.position().move_number(), game.position().move_number(), "{turns:?}");
            assert_eq!(fields(&read, 15), fields(game, 15), "{turns:?}");
        }
    }
}

/// The first fields of the position text.
fn fields(game: &Game, count: usize) -> String {
    game.text().to_string().split(' ').take(count).collect::<Vec<_>>().join(" ")
}
