//! A running server, and requests as bytes, so that they can be wrong in any way.

use std::io::{self, Read, Write};
use std::net::TcpStream;
use std::process::{Command, Stdio};
use std::time::Duration;

use serde_json::Value;

use crate::client::Client;
use crate::program::{home, program};

/// The longest wait for an answer.
const PATIENCE: Duration = Duration::from_secs(60);

/// A server on a port of its own.
pub struct Server {
    client: Client,
    /// Host and port, such as `127.0.0.1:2409`.
    pub host: String,
}

/// What came back.
pub struct Answer {
    pub status: u16,
    pub head: String,
    pub body: String,
}

impl Answer {
    fn parse(bytes: &[u8]) -> Self {
        let text = String::from_utf8_lossy(bytes);
        let (head, body) = text.split_once("\r\n\r\n").unwrap_or((&text, ""));
        let status = head.split(' ').nth(1).and_then(|word| word.parse().ok());
        let status = status.unwrap_or_else(|| panic!("no status in '{head}'"));
        let is_chunked = head.contains("transfer-encoding: chunked");
        let body = if is_chunked { unchunked(body) } else { body.to_owned() };
        Self { status, head: head.to_owned(), body }
    }

    /// The body as JSON.
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {}", self.body))
    }

    /// The events of the body, each a name and JSON.
    pub fn events(&self) -> Vec<(String, Value)> {
        assert_eq!(self.status, 200, "{}", self.body);
        let event = |text: &str| {
            let (name, data) = text.split_once('\n').expect("two lines");
            let name = name.strip_prefix("event: ").expect("a name").to_owned();
            let data = data.strip_prefix("data: ").expect("data");
            (name, serde_json::from_str(data).expect("JSON"))
        };
        self.body.split_terminator("\n\n").map(event).collect()
    }

    /// What is wrong, which an answer with a status says.
    pub fn refusal(&self, status: u16) -> String {
        assert_eq!(self.status, status, "{}\n{}", self.head, self.body);
        self.json()["error"].as_str().expect("an error").to_owned()
    }
}

/// The content of a body in chunks.
fn unchunked(mut body: &str) -> String {
    let mut content = String::new();
    while let Some((size, rest)) = body.split_once("\r\n") {
        let size = usize::from_str_radix(size, 16).expect("a size");
        content += &rest[..size];
        body = rest[size..].trim_start_matches("\r\n");
    }
    content
}

impl Server {
    /// Starts a server without a tablebase.
    pub fn plain() -> Self {
        Self::start(&["--no-tablebase"])
    }

    /// Starts a server with more arguments.
    pub fn start(arguments: &[&str]) -> Self {
        Self::start_by(program(&home()), arguments)
    }

    /// Starts a server with a limit of open files.
    #[cfg(unix)]
    pub fn with_open_files(most: usize, arguments: &[&str]) -> Self {
        let limited = format!("ulimit -n {most}; exec \"$0\" \"$@\"");
        let mut shell = Command::new("sh");
        shell.args(["-c", &limited, env!("CARGO_BIN_EXE_millstone")]).stderr(Stdio::piped());
        Self::start_by(shell, arguments)
    }

    fn start_by(mut program: Command, arguments: &[&str]) -> Self {
        program.args(["serve", "--port", "0", "--hash", "1"]).args(arguments);
        let client = Client::start_command(program, &home());
        let line = client.next_line().expect("the address");
        let host = line.strip_prefix("http://").and_then(|rest| rest.split_once('/'));
        let host = host.unwrap_or_else(|| panic!("no address in '{line}'")).0.to_owned();
        Self { client, host }
    }

    /// A connection.
    pub fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(&self.host).expect("the server listens");
        stream.set_read_timeout(Some(PATIENCE)).expect("a time");
        stream
    }

    /// Sends bytes, and reads to the end of the connection.
    pub fn send(&self, bytes: &[u8]) -> Answer {
        let mut stream = self.connect();
        // A server that has heard enough does not read the rest.
        let _ = stream.write_all(bytes);
        read_answer(stream)
    }

    /// Sends a request with some lines of its head, `Host` apart, and a body.
    pub fn request(&self, first: &str, head: &[&str], body: &str) -> Answer {
        self.request_of(&self.host, first, head, body)
    }

    /// The same with another `Host`.
    pub fn request_of(&self, host: &str, first: &str, head: &[&str], body: &str) -> Answer {
        let lines = head.iter().fold(String::new(), |lines, line| lines + line + "\r\n");
        let length = body.len();
        let head = format!("{first} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n{lines}");
        self.send(format!("{head}Content-Length: {length}\r\n\r\n{body}").as_bytes())
    }

    /// Ends the server, and gives what it has written to standard error.
    pub fn end(mut self) -> String {
        let process = &mut self.client.process.0;
        process.kill().expect("the server runs");
        io::read_to_string(process.stderr.take().expect("standard error is a pipe")).expect("text")
    }

    /// The head of a request for a word of the API, without its length and its end.
    pub fn head(&self, word: &str) -> String {
        format!("POST /api/1/{word} HTTP/1.1\r\nHost: {}\r\n{JSON}\r\n", self.host)
    }

    /// Sends the beginning of a request, or all of it, and keeps the connection.
    pub fn begin(&self, text: &str) -> TcpStream {
        let mut stream = self.connect();
        stream.write_all(text.as_bytes()).expect("the server reads");
        stream
    }

    /// Sends a request for a word of the API, and keeps the connection.
    pub fn begin_word(&self, word: &str, body: &Value) -> TcpStream {
        let (head, body) = (self.head(word), body.to_string());
        self.begin(&format!("{head}Content-Length: {}\r\n\r\n{body}", body.len()))
    }

    /// Asks for a path.
    pub fn get(&self, path: &str) -> Answer {
        self.request(&format!("GET {path}"), &[], "")
    }

    /// Asks a word of the API.
    pub fn ask(&self, word: &str, body: &Value) -> Answer {
        self.ask_text(word, &body.to_string())
    }

    /// Asks a word of the API with any body.
    pub fn ask_text(&self, word: &str, body: &str) -> Answer {
        self.request(&format!("POST /api/1/{word}"), &[JSON], body)
    }
}

/// The content type of requests.
pub const JSON: &str = "Content-Type: application/json";

/// Reads an answer to the end of the connection.
pub fn read_answer(mut stream: TcpStream) -> Answer {
    let mut bytes = Vec::new();
    // The end may come as a reset, where the server has not read all.
    let _ = stream.read_to_end(&mut bytes);
    Answer::parse(&bytes)
}
