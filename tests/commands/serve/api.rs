//! What the words of the API give.

use std::collections::BTreeSet;

use millstone::records::{GameRecord, GameResult, Notation};
use millstone::rules::PRESETS;
use serde_json::{Value, json};

use super::server::Server;
use crate::program::{millstone, millstone_reading};
use crate::tablebases;

/// White has a mill to close, then a man to remove.
const BEFORE_MILL: [&str; 4] = ["d6", "a1", "d5", "a4"];

/// White to move, to win by one of several moves.
const WON: &str = "@*******/***@**@*/**O*OO** w m s 3 0 3 0 0 0 0 0 0 0 0 0 30";

fn moves(list: &Value) -> BTreeSet<&str> {
    let moves = list.as_array().expect("a list").iter();
    moves.map(|legal| legal["move"].as_str().expect("a move")).collect()
}

#[test]
fn the_server_says_what_it_can() {
    let server = Server::plain();
    let about = server.get("/api/1").json();
    assert_eq!(about["api"], 1);
    let names: Vec<&Value> =
        about["games"].as_array().expect("a list").iter().map(|game| &game["name"]).collect();
    assert_eq!(names, PRESETS.iter().map(|preset| preset.name).collect::<Vec<_>>());
    assert_eq!(about["games"][0]["lines"].as_array().expect("a list").len(), 16);
    assert_eq!(about["games"][2]["lines"].as_array().expect("a list").len(), 20);
    assert_eq!(about["notations"], json!(Notation::ALL.map(Notation::name)));
}

#[test]
fn the_help_names_words_that_are_there() {
    let server = Server::plain();
    let help = include_str!("../../../src/commands/serve/api.txt");
    let words = help.lines().filter_map(|line| line.strip_prefix('/')?.split_once(": "));
    let words: Vec<&str> = words.map(|(word, _)| word).collect();
    assert_eq!(words.len(), 8, "{words:?}");
    for word in words {
        assert_eq!(server.ask_text(word, "").status, 400, "{word}");
    }
}

#[test]
fn the_page_is_there_and_may_do_little() {
    let server = Server::plain();
    let page = server.get("/");
    assert!(page.status == 200 && page.body.contains("<title>Millstone</title>"), "{}", page.head);
    assert!(page.head.contains("content-security-policy: default-src 'none'"), "{}", page.head);
    for part in page.body.split(['"', '\'']) {
        if matches!(part.rsplit_once('.'), Some((_, "js" | "css" | "svg"))) {
            assert_eq!(server.get(&format!("/{part}")).status, 200, "{part}");
        }
    }
    assert_eq!(server.request("HEAD /", &[], "").body, "");
}

#[test]
fn a_position_has_its_men_and_legal_moves() {
    let server = Server::plain();
    let board = server.ask("position", &json!({"game": {"moves": BEFORE_MILL}})).json();
    assert_eq!(board["to_move"], "White");
    assert_eq!(board["sides"][0], json!({"side": "White", "men": ["d5", "d6"], "in_hand": 7}));
    let text = board["position"].as_str().expect("a text");
    assert!(moves(&board["legal"]).contains("d7") && moves(&board["legal"]).len() == 20);
    let with_mill = [&BEFORE_MILL[..], &["d7"]].concat();
    let board = server.ask("position", &json!({"game": {"moves": with_mill}})).json();
    assert_eq!(moves(&board["legal"]), BTreeSet::from(["xa1", "xa4"]));
    assert_eq!(board["sentence"], "White to remove a man.");
    let again = json!({"game": {"start": text, "moves": ["d7xa1"]}});
    let board = server.ask("position", &again).json();
    assert_eq!(board["turns"][0]["turn"], "d7xa1");
    assert_eq!(board["turns"][0]["moves"][1]["remove"], "a1");
}

#[test]
fn every_game_can_be_played_to_its_end_by_the_engine() {
    let server = Server::plain();
    for preset in &PRESETS {
        let mut played: Vec<String> = Vec::new();
        loop {
            let game = json!({"variant": preset.name, "moves": played});
            let answer = server.ask("move", &json!({"game": game, "level": 1, "seed": 7})).json();
            let mv = answer["move"].as_str().unwrap_or_else(|| panic!("{answer}"));
            played.push(mv.to_owned());
            if !answer["board"]["outcome"].is_null() || played.len() == 60 {
                break;
            }
        }
        assert!(played.len() > 10, "{}: {played:?}", preset.name);
    }
}

#[test]
fn analysis_ends_with_what_the_command_prints() {
    let server = Server::plain();
    let request = json!({"game": {"moves": BEFORE_MILL}, "limits": {"depth": 5, "lines": 3}});
    let events = server.ask("analysis", &request).events();
    let (name, done) = events.last().expect("an event");
    assert_eq!(name, "done");
    assert!(events.iter().any(|(name, _)| name == "progress"), "{events:?}");
    let line = format!("startpos moves {}", BEFORE_MILL.join(" "));
    let depth = ["--depth", "5", "--multipv", "3", "--hash", "1", "--no-tablebase", "--json"];
    let printed = millstone(&[&["analyze", "--fen", &line][..], &depth].concat()).json();
    for (field, value) in done.as_object().expect("an object") {
        assert_eq!(*value, printed[0][field], "{field}");
    }
}

#[test]
fn the_truth_is_that_of_the_tablebase() {
    let folder = tablebases::solve("serve", 6);
    let folder = folder.to_str().expect("a folder with a plain name");
    let server = Server::start(&["--tablebase", folder]);
    let text = WON;
    let request = json!({"game": {"start": text}, "limits": {"depth": 1, "lines": 96}});
    let events = server.ask("analysis", &request).events();
    let [(known, first), .., (done, last)] = &events[..] else { panic!("{events:?}") };
    assert_eq!((known.as_str(), done.as_str()), ("known", "done"));
    assert_eq!(first["holding"], last["holding"]);
    let probed = millstone(&["db", "probe", text, "--dir", folder, "--json"]).json();
    let worth = |result: &Value, turns: &Value| {
        let class = ["lost", "drawn", "won"];
        let results = ["loss", "draw", "win"];
        let class = results.iter().position(|name| *name == *result).map(|at| class[at]);
        (class.expect("a result").to_owned(), turns.clone())
    };
    let mut expected: Vec<_> = probed[0]["moves"].as_array().expect("a list").iter().collect();
    let mut found: Vec<_> = first["moves"].as_array().expect("a list").iter().collect();
    for list in [&mut expected, &mut found] {
        list.sort_by_key(|known| known["move"].to_string());
    }
    assert!(expected.len() > 5 && expected.len() == found.len());
    for (expected, found) in expected.into_iter().zip(found) {
        let (class, turns) = worth(&expected["result"], &expected["turns"]);
        assert_eq!((&found["class"], &found["turns"]), (&json!(class), &turns), "{found}");
        assert_eq!(found["worth"], class, "a class in one word");
    }
}

#[test]
fn a_lesson_tells_what_the_last_turn_did() {
    let folder = tablebases::solve("lesson", 6);
    let server = Server::start(&["--tablebase", folder.to_str().expect("a plain name")]);
    let lesson = |moves: &[&str]| {
        let game = json!({"start": WON, "moves": moves});
        server.ask("lesson", &json!({"game": game, "limits": {"depth": 1}})).json()["lesson"]
            .clone()
    };
    assert_eq!(lesson(&[]), Value::Null);
    let sentence = lesson(&["d1-e3"]).to_string();
    assert!(sentence.contains("This turns a win into a loss in "), "{sentence}");
    assert!(sentence.contains(" moves kept it."), "{sentence}");
}

#[test]
fn a_puzzle_is_one_that_the_command_draws_and_its_solution_alone_holds() {
    let folder = tablebases::solve("puzzle_word", 7);
    let folder = folder.to_str().expect("a plain name");
    let server = Server::start(&["--tablebase", folder]);
    let wanted = json!({"sector": "4-3", "level": 3, "seed": 5});
    let puzzle = server.ask("puzzle", &wanted).json();
    let drawn = ["--sector", "4-3", "--level", "3", "--seed", "5", "--count", "1", "--json"];
    let drawn = millstone(&[&["puzzles", "--tablebase", folder][..], &drawn].concat()).json();
    for (field, value) in drawn[0].as_object().expect("an object") {
        assert_eq!(puzzle[field], *value, "{field}");
    }
    assert_eq!(puzzle["to_move"], "White");
    let lesson = |turn: &str| {
        let game = json!({"start": puzzle["position"], "moves": [turn]});
        let lesson = server.ask("lesson", &json!({"game": game})).json()["lesson"].clone();
        lesson.as_str().expect("a sentence").to_owned()
    };
    let worth = puzzle["worth"].as_str().expect("a worth");
    let solution = puzzle["solution"].as_str().expect("a turn");
    let keeps = |turn: &str| !lesson(turn).contains("This turns a ");
    assert!(keeps(solution), "the {worth}: {}", lesson(solution));
    let board = server.ask("position", &json!({"game": {"start": puzzle["position"]}})).json();
    let others = moves(&board["legal"]);
    let other = others.into_iter().find(|mv| !solution.starts_with(mv)).expect("another move");
    assert!(!keeps(other), "the {worth}: {}", lesson(other));
    let error = server.ask("puzzle", &json!({"sector": "9-9"})).refusal(400);
    assert_eq!(error, "the tablebase has no sector '9-9'");
}

#[test]
fn games_are_read_from_any_notation_and_written_in_it() {
    let server = Server::plain();
    let played = "1. d6 a1 2. f6 g7 3. b6xa1 *\n";
    let record = GameRecord::read_all(played).expect("a game").remove(0);
    for notation in Notation::ALL {
        let text = record.write(notation).expect("a notation");
        let read = server.ask("games", &json!({"text": text})).json();
        assert_eq!(read["games"][0]["turns"], json!(["d6", "a1", "f6", "g7", "b6xa1"]));
        let request = json!({"record": {"text": played}, "to": notation.name()});
        assert_eq!(server.ask("record", &request).json()["text"], text);
    }
    let broken = server.ask("games", &json!({"text": "1. d6 d6\n"})).json();
    assert_eq!((&broken["errors"][0]["line"], broken["games"][0].is_null()), (&json!(1), true));
    let many = "d6 f4\n".repeat(201);
    assert_eq!(server.ask("games", &json!({"text": many})).json()["has_more"], true);
}

#[test]
fn a_record_says_who_played_and_how_the_game_ended() {
    let server = Server::plain();
    let played = json!({"white": "Erika", "black": "Millstone, level 3", "winner": "Black",
        "termination": "time loss"});
    let game = json!({"moves": ["d6", "f4"]});
    let request = json!({"record": {"game": game, "played": played}, "to": "sanmill"});
    let text = server.ask("record", &request).json()["text"].as_str().expect("a text").to_owned();
    let record = GameRecord::read_all(&text).expect("a game").remove(0);
    let tags = ["White", "Black", "Termination"].map(|name| record.tag(name));
    assert_eq!(tags, [Some("Erika"), Some("Millstone, level 3"), Some("time loss")]);
    assert_eq!(record.result, GameResult::BlackWins);
}

/// The game that a text is read as, written as and reviewed as.
fn opened(server: &Server, text: &str, variant: &str) -> [Value; 3] {
    let read = server.ask("games", &json!({"text": text, "variant": variant})).json();
    let record = json!({"text": text, "index": 0, "variant": variant});
    let written = server.ask("record", &json!({"record": record, "to": "sanmill"})).json();
    let review = json!({"record": record, "limits": {"depth": 1}});
    let (_, heading) = server.ask("review", &review).events().remove(0);
    let written = written["text"].as_str().expect("a text").to_owned();
    let variant = written.split_once("[Variant \"").and_then(|(_, rest)| rest.split_once('"'));
    let written = json!(variant.expect("a tag").0);
    let about = server.get("/api/1").json();
    let mut known = about["games"].as_array().expect("a list").iter();
    let reviewed = known.find(|game| game["identity"] == heading["rules"]).expect("a game");
    [read["games"][0]["variant"].clone(), written, reviewed["name"].clone()]
}

#[test]
fn a_text_that_names_no_game_is_of_the_one_that_is_asked_for() {
    let lasker = "1. d6 a1 2. d6-d5 a4 *\n";
    assert_eq!(opened(&Server::plain(), lasker, "Lasker Morris"), ["Lasker Morris"; 3]);
}

#[test]
fn rules_without_a_name_are_played_if_they_are_those_of_the_server() {
    let server = Server::start(&["--no-tablebase", "--variant", "nine flying_men=4"]);
    let about = server.get("/api/1").json();
    let own = about["usual"].as_str().expect("a name");
    let games = about["games"].as_array().expect("a list");
    assert!(games.iter().any(|game| game["name"] == own && game["men"] == 9), "{own}: {games:?}");
    let board = server.ask("position", &json!({"game": {"variant": own}})).json();
    assert_eq!(board["variant"], own);
    assert_eq!(opened(&server, "d6 a1\n", own), [own; 3]);
    let board = server.ask("position", &json!({"game": {"variant": "nine"}})).json();
    assert_eq!(board["variant"], "Nine Men's Morris");
}

#[test]
fn a_review_has_what_the_command_prints() {
    let server = Server::plain();
    let played = "1. d6 a1 2. f6 g7 3. b6xa1 *\n";
    let request = json!({"record": {"text": played}, "limits": {"depth": 4}});
    let events = server.ask("review", &request).events();
    let limits =
        ["analyze", "--depth", "4", "--time", "1000", "--hash", "1", "--no-tablebase", "--json"];
    let printed = millstone_reading(played, &limits).json();
    assert_eq!(events.len(), printed.len() + 1);
    for ((_, event), line) in events.iter().zip(&printed) {
        for (field, value) in event.as_object().expect("an object") {
            assert_eq!(*value, line[field], "{field}");
        }
    }
    let (name, done) = events.last().expect("an event");
    let annotated = done["text"].as_str().expect("a text");
    assert!(name == "done" && annotated.contains('$'), "{annotated}");
    let again = GameRecord::read_all(annotated).expect("a game").remove(0);
    assert_eq!(again.moves().len(), 6);
}
