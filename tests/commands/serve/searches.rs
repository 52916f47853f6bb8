//! Searches: how many at once, and when they end.

use std::io::Read;
use std::net::TcpStream;

use serde_json::{Value, json};

use super::server::Server;

/// A search that lasts longer than another waits for its end.
fn long_search() -> Value {
    json!({"game": {}, "limits": {"time": 60_000, "lines": 24}})
}

/// A server that has places for one search and one move.
fn one_at_a_time() -> Server {
    Server::start(&["--no-tablebase", "--searches", "1"])
}

/// Reads up to an event.
fn read_to(stream: &mut TcpStream, event: &str) {
    let mut seen = String::new();
    let mut buffer = [0; 1024];
    while !seen.contains(event) {
        let count = stream.read(&mut buffer).expect("events");
        assert!(count > 0, "no {event} in {seen}");
        seen += &String::from_utf8_lossy(&buffer[..count]);
    }
}

/// A short analysis and a short move, which need the only places.
fn assert_free(server: &Server) {
    let limits = json!({"depth": 1});
    let events = server.ask("analysis", &json!({"game": {}, "limits": limits})).events();
    assert_eq!(events.last().expect("an event").0, "done");
    assert_eq!(server.ask("move", &json!({"game": {}, "level": 0})).status, 200);
}

#[test]
fn a_closed_connection_ends_its_search() {
    let server = one_at_a_time();
    let mut analysis = server.begin_word("analysis", &long_search());
    read_to(&mut analysis, "event: progress");
    let play = server.begin_word("move", &json!({"game": {}, "level": 30, "time": 60_000}));
    let mut review = server.begin_word("review", &json!({"record": {"game": {"moves": ["d6"]}}}));
    drop((analysis, play));
    read_to(&mut review, "event: done");
    drop(review);
    assert_free(&server);
}

#[test]
fn searches_beyond_the_most_wait_and_are_refused_in_the_end() {
    let server = one_at_a_time();
    let mut analysis = server.begin_word("analysis", &long_search());
    read_to(&mut analysis, "event: progress");
    let refused = server.ask("analysis", &long_search());
    assert_eq!(refused.refusal(503), "too many searches at once; try again later");
    let play = json!({"game": {}, "level": 0});
    assert_eq!(server.ask("move", &play).status, 200, "the engine plays meanwhile");
    drop(analysis);
    assert_free(&server);
}

#[test]
fn what_a_search_finds_serves_none_of_other_rules() {
    let three_each = "MFEN/1.0 mill24-state-v1 W...W.../B..B..../.W..B... w m m 0,0 - 0 40 -";
    let last = |server: &Server, variant: &str| {
        let game = json!({"variant": variant, "start": three_each});
        let asked = json!({"game": game, "limits": {"depth": 5}});
        server.ask("analysis", &asked).events().pop().expect("an event")
    };
    let [flying, sliding] = ["Nine Men's Morris", "Cheng San Qi"];
    let used = one_at_a_time();
    let first = last(&used, flying);
    let second = last(&used, sliding);
    assert_ne!(first.1["lines"], second.1["lines"], "the games are not the same");
    assert_eq!(second, last(&one_at_a_time(), sliding));
}

#[test]
fn what_a_search_finds_serves_none_with_other_draw_rules() {
    let start = "MFEN/1.0 mill24-state-v1 ..WBW.../W.....BB/..W...B. w m m 0,0 - 0 40 -";
    // The game goes on after the third repetition, so that it is played without draws.
    let moves = ["e5-d5", "c3-d3", "d5-e5", "d3-c3"].repeat(3);
    let repeated = json!({"start": start, "moves": moves});
    let used = one_at_a_time();
    let board = used.ask("position", &json!({"game": repeated})).json();
    let lines = |server: &Server, game: &Value| {
        let asked = json!({"game": game, "limits": {"depth": 6, "time": 60_000}});
        server.ask("analysis", &asked).events().pop().expect("an event").1["lines"].clone()
    };
    lines(&used, &repeated);
    let with_draws = json!({"start": board["position"]});
    assert_eq!(lines(&used, &with_draws), lines(&one_at_a_time(), &with_draws));
}
