//! Games that are left in every way there is, and continued.

use std::os::unix::process::ExitStatusExt;
use std::path::Path;

use super::person::Terminal;
use super::{PROMPT, begin, home, saved};
use nix::libc::{SIGHUP, SIGTERM};
use nix::sys::termios::LocalFlags;

const SAVED: &str = "The game is saved; millstone play --resume continues it.";

/// The board on the screen: the last thirteen ranks with their panel.
fn board(terminal: &Terminal) -> String {
    let screen = terminal.screen();
    let lines: Vec<&str> = screen.lines().collect();
    let last = lines.iter().rposition(|line| line.starts_with("1 ")).expect("a board");
    lines[last - 12..=last].join("\n")
}

/// Continues the game and expects the same board.
fn resume(home: &Path, expected: &str) {
    let mut terminal = Terminal::play(home, "--resume");
    terminal.wait_for(PROMPT);
    assert_eq!(board(&terminal), expected);
    terminal.ask("undo", "Black to place> ");
    terminal.ask("a1", PROMPT);
    assert_eq!(board(&terminal), expected);
    terminal.ask("resign", "Game over");
    terminal.ask("quit", "quit");
    terminal.finish();
    assert!(saved(home).is_empty(), "a game that is over is not kept");
}

#[test]
fn a_game_is_continued_however_it_was_left() {
    let leave = |mut terminal: Terminal, keys: &str, code| {
        terminal.press(keys);
        terminal.wait_for(SAVED);
        assert_eq!(terminal.finish().1.code(), Some(code));
    };
    let signal = |mut terminal: Terminal, name: &str| {
        let modes = terminal.modes();
        terminal.signal(name);
        terminal.wait_for(SAVED);
        terminal.wait_for_end_of_output();
        assert_ne!(terminal.modes(), modes, "keys are read one by one at a prompt");
        assert!(terminal.modes().contains(LocalFlags::ICANON | LocalFlags::ECHO));
    };
    let ways: [&dyn Fn(Terminal); 9] = [
        &|terminal| leave(terminal, "\u{3}", 130),
        &|terminal| leave(terminal, "\u{4}", 0),
        &|terminal| leave(terminal, "quit\r", 0),
        &|mut terminal| {
            terminal.ask("load", "give it up?");
            leave(terminal, "\u{3}", 130);
        },
        &|terminal| signal(terminal, "-TERM"),
        &|terminal| signal(terminal, "-HUP"),
        &|terminal| signal(terminal, "-INT"),
        &|terminal| terminal.kill(),
        &|terminal| {
            let status = terminal.close();
            assert!(matches!(status.signal(), None | Some(SIGHUP)), "{status:?}");
        },
    ];
    for leave in ways {
        let home = home();
        let terminal = begin(home.path(), "");
        let board = board(&terminal);
        leave(terminal);
        resume(home.path(), &board);
    }
}

#[test]
fn ctrl_c_makes_a_thinking_engine_move_and_a_signal_ends_it() {
    let home = home();
    let mut terminal = Terminal::play(home.path(), "--level 30 --movetime 3600000 --side white");
    terminal.wait_for(PROMPT);
    terminal.ask("d6", "thinking");
    terminal.press("\u{3}");
    terminal.wait_for("Black plays ");
    terminal.wait_for(PROMPT);
    terminal.ask("hint", "thinking");
    terminal.signal("-TERM");
    terminal.wait_for(SAVED);
    assert_eq!(terminal.finish().1.signal(), Some(SIGTERM));
}

#[test]
fn two_games_at_once_are_both_kept() {
    let home = home();
    let first = begin(home.path(), "");
    let board_of_first = board(&first);
    let mut second = begin(home.path(), "--variant dooz");
    assert_eq!(saved(home.path()).len(), 2);
    second.ask("resign", "Game over");
    assert_eq!(saved(home.path()).len(), 1);
    first.kill();
    resume(home.path(), &board_of_first);
}
