//! Commands that wait for a person to type their input.

use std::io::{Read, Write};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use portable_pty::{CommandBuilder, PtySize, native_pty_system};

/// The longest that a program may take to say something.
const PATIENCE: Duration = Duration::from_secs(60);

/// What comes out of a terminal, piece by piece, to the end.
fn pieces(mut output: Box<dyn Read + Send>) -> Receiver<String> {
    let (to_test, pieces) = mpsc::channel();
    thread::spawn(move || {
        let mut buffer = [0; 4096];
        // Where the program has ended, some systems report an error.
        while let Ok(read @ 1..) = output.read(&mut buffer) {
            let text = String::from_utf8_lossy(&buffer[..read]).into_owned();
            if to_test.send(text).is_err() {
                return;
            }
        }
    });
    pieces
}

/// Types a line and the end of the input once a command has asked for it; gives all that is shown.
fn answered(arguments: &str, asked: &str, typed: &str) -> String {
    let pair = native_pty_system().openpty(PtySize::default()).expect("the system has terminals");
    let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_millstone"));
    command.args(arguments.split(' '));
    let mut program = pair.slave.spawn_command(command).expect("the program starts");
    drop(pair.slave);
    let pieces = pieces(pair.master.try_clone_reader().expect("the terminal can be read"));
    let mut keys = pair.master.take_writer().expect("the terminal can be written");
    let mut shown = String::new();
    while !shown.contains(asked) {
        shown += &pieces.recv_timeout(PATIENCE).expect("the program asks");
    }
    write!(keys, "{typed}\n\u{4}").expect("the terminal takes keys");
    loop {
        match pieces.recv_timeout(PATIENCE) {
            Ok(piece) => shown += &piece,
            Err(RecvTimeoutError::Disconnected) => break,
            Err(RecvTimeoutError::Timeout) => panic!("the program goes on: {shown}"),
        }
    }
    assert!(program.wait().expect("the program has ended").success(), "{shown}");
    shown
}

#[test]
fn who_has_to_type_is_told_so() {
    let asked = "millstone: type positions or games; Ctrl-D ends them\r\n";
    let shown = answered("analyze --no-databases --depth 2", asked, "startpos");
    assert!(shown.contains("White to move, depth 2"), "{shown}");
    let asked = "millstone: type games; Ctrl-D ends them\r\n";
    let shown = answered("convert --to uci", asked, "d6 f4");
    assert!(shown.contains("position startpos moves d6 f4\r\n"), "{shown}");
}
