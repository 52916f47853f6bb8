//! What the words of the API give.

use std::collections::BTreeSet;

use millstone::api::WORDS;
use millstone::records::{GameRecord, Notation};
use millstone::rules::PRESETS;
use serde_json::{Value, json};

use super::server::Server;
use crate::program::{millstone, plain};
use crate::tablebases::solved;

/// White has a mill to close, then a man to remove.
const BEFORE_MILL: [&str; 4] = ["d6", "a1", "d5", "a4"];

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
    let words: BTreeSet<&str> = words.map(|(word, _)| word).collect();
    assert_eq!(words, WORDS.iter().map(|word| word.name).collect());
    for word in words {
        assert!(server.ask_text(word, "").refusal(400).starts_with("the request: "), "{word}");
    }
    assert_eq!(server.ask_text("nothing", "").status, 404);
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
fn a_puzzle_is_as_hard_and_as_short_as_asked_for() {
    let server = Server::start(&["--tablebase", plain(solved(7))]);
    let request = json!({"level": 3, "most_level": 6, "most_turns": 4, "seed": 1});
    let puzzle = server.ask("puzzle", &request).json();
    let number = |field: &str| puzzle[field].as_u64().expect("a number");
    assert!((3..=6).contains(&number("level")) && number("turns") <= 4, "{puzzle}");
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
    let many = "d6 f4\n".repeat(201);
    assert_eq!(server.ask("games", &json!({"text": many})).json()["has_more"], true);
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
