//! Requests that are wrong, too large, too slow or from elsewhere: each gets a clear error, and the
//! server goes on.

use std::io::{ErrorKind, Read, Write};
use std::net::TcpStream;
use std::thread;
use std::time::{Duration, Instant};

use serde_json::json;

use super::server::{JSON, Server, read_answer};
#[cfg(unix)]
use crate::{program::plain, tablebase::placing::FOLDER};

/// How long the server waits for a request.
const PATIENCE: Duration = Duration::from_secs(5);

/// The server still answers.
fn assert_alive(server: &Server) {
    assert_eq!(server.ask("position", &json!({"game": {}})).status, 200);
}

#[test]
fn other_hosts_and_origins_are_refused() {
    let server = Server::plain();
    let host = &server.host;
    let port = host.rsplit_once(':').expect("a port").1;
    let body = r#"{"game":{}}"#;
    let with_host = |host: &str| server.request_of(host, "POST /api/1/position", &[JSON], body);
    for own in [host, &format!("localhost:{port}"), &format!("[::1]:{port}"), "LOCALHOST"] {
        assert_eq!(with_host(own).status, 200, "{own}");
    }
    for other in ["evil.example", "localhost.evil.example", "192.168.0.1", "127.0.0.1.nip.io"] {
        let error = with_host(other).refusal(421);
        assert_eq!(error, format!("unknown host '{other}'; add --host NAME"));
    }
    for none in ["", "a b", "evil.example\r\nHost: 127.0.0.1", "evil.example@localhost"] {
        assert_eq!(with_host(none).status, 400, "{none}");
    }
    let whole = format!("GET http://evil.example/ HTTP/1.1\r\nHost: {host}\r\n");
    assert_eq!(server.send(format!("{whole}Connection: close\r\n\r\n").as_bytes()).status, 400);
    let from = |line: &str| server.request("POST /api/1/position", &[JSON, line], body);
    assert_eq!(from(&format!("Origin: http://{host}")).status, 200);
    assert_eq!(from("Sec-Fetch-Site: same-origin").status, 200);
    for line in [
        "Origin: http://evil.example",
        "Origin: null",
        &format!("Origin: https://{host}"),
        "Origin: http://127.0.0.1:1",
        "Sec-Fetch-Site: cross-site",
        "Sec-Fetch-Site: same-site",
    ] {
        assert_eq!(from(line).status, 403, "{line}");
    }
    assert_eq!(server.request("GET /main.js", &["Sec-Fetch-Site: cross-site"], "").status, 403);
    let link = ["Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: navigate"];
    assert_eq!(server.request("GET /", &link, "").status, 200, "a link to the page");
}

#[test]
fn forms_of_other_sites_are_refused() {
    let server = Server::plain();
    for kind in ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""] {
        let line = format!("Content-Type: {kind}");
        let answer = server.request("POST /api/1/position", &[&line], r#"{"game":{}}"#);
        assert_eq!(answer.refusal(415), "expected the content type application/json");
    }
}

#[test]
fn there_are_no_other_paths_and_methods() {
    let server = Server::plain();
    let paths = "/../Cargo.toml /page/main.js //main.js /main.js/ /./main.js /%6dain.js \
                 /..%2f..%2fetc/passwd /main.js%00 /api/2 /api/1/ /api/1/positions \
                 /api/1/../1/position /index.html/../.. /\u{e9}";
    for path in paths.split(' ') {
        assert_eq!(server.get(path).status / 100, 4, "{path}");
    }
    assert!(server.get("/nothing").refusal(404).ends_with("'/nothing'"));
    assert_eq!(server.get("/main.js?v=1").status, 200);
    for (request, allowed) in [
        ("DELETE /", "GET, HEAD"),
        ("POST /api/1", "GET, HEAD"),
        ("GET /api/1/move", "POST"),
        ("OPTIONS /api/1/move", "POST"),
    ] {
        let answer = server.request(request, &[], "");
        assert_eq!(answer.refusal(405), format!("expected the method {allowed}"));
        assert!(answer.head.contains(&format!("allow: {allowed}")), "{}", answer.head);
    }
}

#[test]
fn what_is_too_large_is_not_read() {
    let server = Server::plain();
    let large = format!(r#"{{"game":{{"moves":["{}"]}}}}"#, "d6 ".repeat(30_000));
    assert_eq!(server.ask_text("position", &large).refusal(413), "expected at most 65536 bytes");
    let many = json!({"game": {"moves": vec!["d6"; 5_000]}});
    assert!(server.ask("position", &many).refusal(400).starts_with("moves: expected 0 to 4000"));
    let host = &server.host;
    let boast = format!("{}Content-Length: 99999999999\r\n\r\n{{", server.head("games"));
    assert_eq!(server.send(boast.as_bytes()).status, 413);
    let long = format!("GET /{} HTTP/1.1\r\nHost: {host}\r\n\r\n", "a".repeat(1 << 20));
    assert_eq!(server.send(long.as_bytes()).status / 100, 4);
    let lines = "X: y\r\n".repeat(10_000);
    let long = format!("GET / HTTP/1.1\r\nHost: {host}\r\n{lines}\r\n");
    assert_eq!(server.send(long.as_bytes()).status, 431);
    assert_alive(&server);
}

#[test]
fn what_is_no_request_ends_the_connection() {
    let server = Server::plain();
    for bytes in [&b"\0\0\0\0\r\n\r\n"[..], b"hello\r\n\r\n", b"GET / HTTP/9.9\r\n\r\n"] {
        assert_eq!(server.send(bytes).status, 400, "{bytes:?}");
    }
    assert_alive(&server);
}

#[test]
fn slow_senders_hold_up_nobody() {
    let server = Server::plain();
    let head = server.head("position");
    let began = Instant::now();
    // Together more than there are places.
    let body = format!("{head}Connection: close\r\nContent-Length: 100\r\n\r\n{{");
    let mut within_body: Vec<_> = (0..200).map(|_| server.begin(&body)).collect();
    let mut within_head: Vec<_> = (0..100).map(|_| server.begin(&head)).collect();
    assert_alive(&server);
    let all_are_there = began.elapsed();
    for slow in [&mut within_body, &mut within_head] {
        let last = slow.pop().expect("a connection");
        assert_eq!(read_answer(last).refusal(408), "the request took too long");
    }
    let first = read_answer(within_body.remove(0));
    // On a slow machine it may have been too slow before the last had come.
    if first.status != 408 || all_are_there < PATIENCE {
        assert_eq!(first.refusal(503), "too many connections; try again later");
    }
    drop(within_head);
}

#[test]
fn who_reads_nothing_is_dropped() {
    let server = Server::plain();
    let mut stream = server.connect();
    stream.set_write_timeout(Some(Duration::from_secs(60))).expect("a time");
    let request = format!("GET /main.js HTTP/1.1\r\nHost: {}\r\n\r\n", server.host);
    let error = loop {
        if let Err(error) = stream.write_all(request.as_bytes()) {
            break error.kind();
        }
    };
    assert!(![ErrorKind::WouldBlock, ErrorKind::TimedOut].contains(&error), "{error}");
}

/// Whether nothing has come back yet.
fn is_silent(stream: &TcpStream) -> bool {
    stream.set_nonblocking(true).expect("a stream");
    stream.peek(&mut [0]).is_err_and(|error| error.kind() == ErrorKind::WouldBlock)
}

#[test]
fn a_long_text_keeps_nobody_waiting() {
    let server = Server::plain();
    let record = json!({"text": "d6 f4\n".repeat(140_000), "index": 1_000_000});
    let body = json!({"record": record});
    // Now and then the long text may be answered first.
    let goes_first = || {
        let long = server.begin_word("review", &body);
        (0..20).for_each(|_| assert_eq!(server.get("/nothing").status, 404));
        is_silent(&long)
    };
    assert!((0..5).any(|_| goes_first()), "the others wait for the long text");
}

#[test]
fn many_connections_are_all_served() {
    let server = Server::plain();
    let idle: Vec<_> = (0..100).map(|_| server.connect()).collect();
    let request = format!("GET / HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n", server.host);
    let asked: Vec<_> = (0..600).map(|_| server.begin(&request)).collect();
    assert!(asked.into_iter().all(|stream| read_answer(stream).status == 200));
    drop(idle);
}

#[test]
fn a_connection_that_has_its_answer_gives_way_in_silence() {
    let server = Server::plain();
    let mut first = server.begin(&format!("HEAD / HTTP/1.1\r\nHost: {}\r\n\r\n", server.host));
    let mut answer = Vec::new();
    while !answer.ends_with(b"\r\n\r\n") {
        let mut byte = [0];
        first.read_exact(&mut byte).expect("an answer");
        answer.extend(byte);
    }
    let more: Vec<_> = (0..300).map(|_| server.connect()).collect();
    assert_alive(&server);
    let mut rest = Vec::new();
    let _ = first.read_to_end(&mut rest);
    assert_eq!(String::from_utf8_lossy(&rest), "");
    drop(more);
}

/// Asks while so many connections are idle, and gives what the server says of it.
#[cfg(unix)]
fn ask_beside_idle_connections(server: Server, count: usize) -> String {
    let idle: Vec<_> = (0..count).map(|_| server.connect()).collect();
    let began = Instant::now();
    assert_alive(&server);
    assert!(began.elapsed() < PATIENCE, "it waits until idle connections end by themselves");
    drop(idle);
    server.end()
}

#[cfg(unix)]
#[test]
fn idle_connections_give_way_where_open_files_run_out() {
    let server = Server::with_open_files(40, &["--no-tablebase"]);
    let said = ask_beside_idle_connections(server, 100);
    assert_eq!(
        said,
        "millstone: open files are running out, so idle connections are closed; raise ulimit -n\n"
    );
}

#[cfg(unix)]
#[test]
fn a_tablebase_leaves_open_files_for_connections() {
    let arguments = ["--variant", "nine men=4", "--tablebase", plain(&FOLDER)];
    for (most, idle, lines) in [(36, 60, 2), (200, 300, 1), (256, 300, 1)] {
        let said = ask_beside_idle_connections(Server::with_open_files(most, &arguments), idle);
        let left_out = "tablebase files left out because of the limit on open files: ";
        assert_eq!(said.contains(left_out), lines == 2, "{said}");
        assert_eq!(said.lines().count(), lines, "{said}");
    }
}

#[test]
fn requests_from_elsewhere_cost_nothing_and_end_the_connection() {
    let server = Server::plain();
    let own = format!("GET /nothing HTTP/1.1\r\nHost: {}\r\n\r\n", server.host);
    let foreign = "GET /nothing HTTP/1.1\r\nHost: evil.example\r\n\r\n";
    let requests = own.repeat(40_000) + foreign;
    let stream = server.connect();
    let mut writing = stream.try_clone().expect("a stream");
    let writer = thread::spawn(move || writing.write_all(requests.as_bytes()));
    let mut answers = Vec::new();
    { stream }.read_to_end(&mut answers).expect("answers");
    let answers = String::from_utf8_lossy(&answers);
    assert!(answers.contains("HTTP/1.1 429 "), "the bucket is empty");
    let last = answers.rsplit("HTTP/1.1 ").next().expect("an answer");
    assert!(last.starts_with("421 ") && last.contains("connection: close"), "{last}");
    writer.join().expect("no panic").expect("the server reads");
}
