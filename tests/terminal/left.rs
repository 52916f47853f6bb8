//! Games that are left in every way there is, and continued.

use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};

use super::person::Terminal;
use super::{PROMPT, WEAK, home, two_people};
use nix::libc::{SIGHUP, SIGTERM};
use nix::sys::termios::LocalFlags;

const SAVED: &str = "The game is saved; millstone play --resume continues it.";
const OFFER: &str = "Continue the unfinished game of Nine Men's Morris (4 moves, two people";

/// The files of saved games.
fn saved(home: &Path) -> Vec<PathBuf> {
    let files = fs::read_dir(home.join("data/millstone/play")).expect("the folder is there");
    let paths = files.map(|file| file.expect("the folder can be read").path());
    let mut games: Vec<_> = paths.filter(|path| path.extension().unwrap() == "pgn").collect();
    games.sort();
    games
}

/// A game after two turns of each side, with what stands on the screen.
fn begin(home: &Path, arguments: &str) -> (Terminal, String) {
    let mut terminal = two_people(home, arguments);
    for (turn, prompt) in [("d6", "Black"), ("f4", "White"), ("d5", "Black"), ("a1", "White")] {
        terminal.ask(turn, &format!("{prompt} to place> "));
    }
    let board = board(&terminal);
    (terminal, board)
}

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
        let (terminal, board) = begin(home.path(), "");
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
fn side_level_and_clocks_are_kept_with_the_game() {
    let home = home();
    let arguments = "--side black --level 3 --movetime 20 --seed 1 --clock 90+1 --variant lasker";
    let mut terminal = Terminal::play(home.path(), arguments);
    terminal.wait_for("Black to place> ");
    terminal.ask("d5", "White plays ");
    terminal.wait_for("Black to place or slide> ");
    terminal.ask("level 4", "The engine plays at level 4 of 0 to 30.");
    terminal.kill();
    let mut terminal = Terminal::play(home.path(), "--resume --movetime 20");
    for shown in ["Lasker Morris", "White, Millstone, level 4", "clock ", "Black, person"] {
        terminal.wait_for(shown);
    }
    terminal.wait_for("Black to place or slide> ");
}

#[test]
fn a_game_that_was_left_is_offered_at_the_next_start() {
    let home = home();
    let (terminal, board_left) = begin(home.path(), "");
    terminal.kill();
    let offered = || {
        let mut terminal = Terminal::play(home.path(), WEAK);
        terminal.wait_for(OFFER);
        terminal
    };
    let mut terminal = offered();
    terminal.ask("latre", "expected yes, later, never, found 'latre'");
    terminal.ask("later", "Which side do you play?");
    terminal.press("\u{4}");
    terminal.finish();
    let mut terminal = offered();
    terminal.ask("yes", PROMPT);
    assert_eq!(board(&terminal), board_left);
    terminal.kill();
    let mut terminal = offered();
    terminal.ask("never", "Which side do you play?");
    terminal.press("\u{4}");
    terminal.finish();
    let (rest, status) = Terminal::play(home.path(), "--resume").finish();
    assert!(rest.contains("--resume: there is no unfinished game") && !status.success(), "{rest}");
}

#[test]
fn two_games_at_once_are_both_kept() {
    let home = home();
    let (first, board_of_first) = begin(home.path(), "");
    let (mut second, _) = begin(home.path(), "--variant dooz");
    assert_eq!(saved(home.path()).len(), 2);
    second.ask("resign", "Game over");
    assert_eq!(saved(home.path()).len(), 1);
    first.kill();
    resume(home.path(), &board_of_first);
}

#[test]
fn a_damaged_game_is_named_and_set_aside() {
    let home = home();
    begin(home.path(), "").0.kill();
    let path = saved(home.path()).pop().unwrap();
    fs::write(&path, "1. d6 d6").unwrap();
    let mut terminal = Terminal::play(home.path(), WEAK);
    terminal.wait_for("An unfinished game is damaged, renamed to ");
    terminal.wait_for("Which side do you play?");
    let aside = path.with_file_name("1.pgn.damaged");
    assert_eq!(fs::read_to_string(aside).unwrap(), "1. d6 d6");
}
