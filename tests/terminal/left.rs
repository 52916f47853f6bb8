//! Games that are left in every way there is, and gone on with.

use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};

use super::person::Terminal;
use nix::libc::{SIGHUP, SIGTERM};
use nix::sys::termios::LocalFlags;
use tempfile::TempDir;

/// A weak opponent that thinks to a small depth, not by the clock, and so plays the same everywhere.
const WEAK: &str = "--level 0 --seed 1";
const KEPT: &str = "The game is saved; millstone play --resume continues it.";
const PROMPT: &str = "White to place> ";

fn home() -> TempDir {
    tempfile::tempdir().expect("a folder for the test")
}

/// The files of games that are kept.
fn kept(home: &Path) -> Vec<PathBuf> {
    let files = fs::read_dir(home.join("data/millstone/play")).expect("the folder is there");
    let paths = files.map(|file| file.expect("the folder can be read").path());
    let mut games: Vec<_> = paths.filter(|path| path.extension().unwrap() == "pgn").collect();
    games.sort();
    games
}

/// A game after two turns of each side, with what stands on the screen.
fn begin(home: &Path, arguments: &str) -> (Terminal, String) {
    let mut terminal = Terminal::play(home, &format!("{WEAK} --side both {arguments}"));
    terminal.wait_for(PROMPT);
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

/// Goes on with the game and expects the same board.
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
    assert!(kept(home).is_empty(), "a game that is over is not kept");
}

#[test]
fn a_game_goes_on_after_ctrl_c_the_end_of_input_and_quit() {
    for (keys, code) in [("\u{3}", 130), ("\u{4}", 0), ("quit\r", 0)] {
        let home = home();
        let (mut terminal, board) = begin(home.path(), "");
        terminal.press(keys);
        terminal.wait_for(KEPT);
        assert_eq!(terminal.finish().1.code(), Some(code));
        resume(home.path(), &board);
    }
}

#[test]
fn a_game_goes_on_after_its_program_was_killed() {
    let home = home();
    let (terminal, board) = begin(home.path(), "");
    terminal.kill();
    resume(home.path(), &board);
}

#[test]
fn a_game_goes_on_after_its_terminal_was_closed() {
    let home = home();
    let (terminal, board) = begin(home.path(), "");
    let status = terminal.close();
    assert!(matches!(status.signal(), None | Some(SIGHUP)), "{status:?}");
    resume(home.path(), &board);
}

#[test]
fn a_signal_at_a_prompt_ends_the_program_and_leaves_the_terminal_as_it_was() {
    for signal in ["-TERM", "-HUP", "-INT"] {
        let home = home();
        let (mut terminal, board) = begin(home.path(), "");
        let modes = terminal.modes();
        terminal.signal(signal);
        terminal.wait_for(KEPT);
        terminal.wait_for_end_of_output();
        assert_ne!(terminal.modes(), modes, "keys are read one by one at a prompt");
        assert!(terminal.modes().contains(LocalFlags::ICANON | LocalFlags::ECHO));
        resume(home.path(), &board);
    }
}

#[test]
fn a_signal_ends_the_program_while_the_engine_thinks() {
    let home = home();
    let mut terminal = Terminal::play(home.path(), "--level 30 --movetime 3600000 --side white");
    terminal.wait_for(PROMPT);
    terminal.ask("d6", "thinking");
    terminal.signal("-TERM");
    terminal.wait_for(KEPT);
    assert_eq!(terminal.finish().1.signal(), Some(SIGTERM));
}

#[test]
fn a_question_can_be_left_too() {
    let home = home();
    let (mut terminal, board) = begin(home.path(), "");
    terminal.ask("load", "give it up?");
    terminal.press("\u{3}");
    terminal.wait_for(KEPT);
    terminal.finish();
    resume(home.path(), &board);
}

#[test]
fn ctrl_c_makes_the_engine_move_at_once() {
    let home = home();
    let mut terminal = Terminal::play(home.path(), "--level 30 --movetime 3600000 --side white");
    terminal.wait_for(PROMPT);
    terminal.ask("d6", "thinking");
    terminal.press("\u{3}");
    terminal.wait_for("Black plays ");
    terminal.wait_for(PROMPT);
}

#[test]
fn side_level_and_clocks_are_kept_with_the_game() {
    let home = home();
    let arguments = "--side black --level 3 --movetime 20 --seed 1 --clock 90+1 --variant lasker";
    let mut terminal = Terminal::play(home.path(), arguments);
    terminal.wait_for("Black to place> ");
    terminal.ask("d5", "White plays ");
    terminal.wait_for("Black to place or slide> ");
    terminal.kill();
    let mut terminal = Terminal::play(home.path(), "--resume --movetime 20");
    terminal.wait_for("Lasker Morris");
    terminal.wait_for("White, Millstone, level 3");
    terminal.wait_for("clock ");
    terminal.wait_for("Black, person");
    terminal.wait_for("Black to place or slide> ");
}

#[test]
fn a_game_that_was_left_is_offered_at_the_next_start() {
    let home = home();
    let (terminal, board_left) = begin(home.path(), "");
    terminal.kill();
    let offer = "Nine Men's Morris was left after 4 moves (two people play); continue it? \
                 (yes, later, never) [yes]> ";
    let narrow_offer = &offer[..60];

    let mut terminal = Terminal::play(home.path(), WEAK);
    terminal.wait_for(narrow_offer);
    terminal.ask("latre", "did you mean later?");
    terminal.ask("later", "Which side do you play?");
    terminal.press("\u{4}");
    terminal.finish();

    let mut terminal = Terminal::play(home.path(), WEAK);
    terminal.wait_for(narrow_offer);
    terminal.ask("yes", PROMPT);
    assert_eq!(board(&terminal), board_left);
    terminal.kill();

    let mut terminal = Terminal::play(home.path(), WEAK);
    terminal.wait_for(narrow_offer);
    terminal.ask("never", "Which side do you play?");
    terminal.press("\u{4}");
    terminal.finish();
    let terminal = Terminal::play(home.path(), "--resume");
    let (rest, status) = terminal.finish();
    assert!(rest.contains("--resume: there is no unfinished game"), "{rest}");
    assert!(!status.success());
}

#[test]
fn two_games_at_once_are_both_kept() {
    let home = home();
    let (first, board_of_first) = begin(home.path(), "");
    let (mut second, _) = begin(home.path(), "--variant dooz");
    assert_eq!(kept(home.path()).len(), 2);
    second.ask("resign", "Game over");
    assert_eq!(kept(home.path()).len(), 1);
    first.kill();
    resume(home.path(), &board_of_first);
}

#[test]
fn a_damaged_game_is_named_and_set_aside() {
    let home = home();
    let (terminal, _) = begin(home.path(), "");
    terminal.kill();
    let path = kept(home.path()).pop().unwrap();
    fs::write(&path, "1. d6 d6").unwrap();
    let mut terminal = Terminal::play(home.path(), WEAK);
    terminal.wait_for("An unfinished game is damaged, renamed to ");
    terminal.wait_for("Which side do you play?");
    let aside = path.with_file_name("1.pgn.damaged");
    assert_eq!(fs::read_to_string(aside).unwrap(), "1. d6 d6");
}
