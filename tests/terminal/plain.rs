//! Games without a rich terminal: pipes, dumb and narrow terminals, and none of the colours.

use std::fs;
use std::path::Path;

use super::person::Terminal;
use super::{PROMPT, WEAK, home};
use crate::program::{Ended, make_pipe, millstone_in};
use crate::random::{IndexedRandom, RngExt, seeded};
use millstone::records::GameRecord;

const FANCY: (&str, &str) = ("TERM", "xterm-256color");

/// Plays with all input there from the beginning, and no terminal; the input ends the game.
fn piped(home: &Path, arguments: &str, input: &str) -> Ended {
    let arguments = shell_words::split(&format!("play {arguments}")).expect("quotes are closed");
    millstone_in(home, input, &arguments.iter().map(String::as_str).collect::<Vec<_>>())
}

#[test]
fn the_same_seed_gives_the_same_game() {
    let arguments = "--level 1 --movetime 3600000 --seed 7 --side none";
    let [first, second] = [(); 2].map(|()| piped(home().path(), arguments, "").out);
    assert!(first.contains("Game over"), "{first}");
    assert_eq!(first, second);
}

#[test]
fn a_watched_game_can_be_followed_and_stands_still_between_turns_too() {
    let home = home();
    let mut terminal = Terminal::play(home.path(), &format!("{WEAK} --side none"));
    terminal.wait_for("The engine plays itself; Ctrl-C pauses.");
    terminal.wait_for("White plays ");
    terminal.press("\u{3}");
    terminal.wait_for("Paused (Enter continues)> ");
    assert!(!terminal.screen().contains("Black plays"), "{}", terminal.screen());
    terminal.ask("", "Black plays ");
}

#[test]
fn a_terminal_gets_what_it_can_show() {
    for env in [&[FANCY, ("NO_COLOR", "1")][..], &[("TERM", "dumb")], &[FANCY, ("LC_ALL", "C")]] {
        let home = home();
        let arguments = format!("{WEAK} --movetime 3600000 --side white");
        let mut terminal = Terminal::play_with(home.path(), &arguments, env, 80);
        terminal.wait_for(PROMPT);
        if env.len() == 2 {
            terminal.ask("hint", "thinking");
            terminal.press("\u{3}");
            terminal.wait_for("Hint: ");
        }
        terminal.ask("d6", "Black plays ");
        terminal.wait_for(PROMPT);
        terminal.press("\u{3}");
        terminal.wait_for("The game is saved; millstone play --resume continues it.");
        let bytes = terminal.bytes();
        let text = String::from_utf8_lossy(&bytes);
        let is_style = |part: &str| {
            part.trim_start_matches(|c: char| !c.is_ascii_alphabetic()).starts_with('m')
        };
        match env {
            [(_, "dumb")] => assert!(text.is_ascii() && !text.contains('\u{1b}'), "{text}"),
            [_, ("NO_COLOR", _)] => {
                let mut parts = text.split("\u{1b}[").skip(1);
                assert!(!parts.any(is_style) && text.contains('○'), "{text:?}");
            }
            _ => assert!(text.is_ascii(), "{text}"),
        }
        assert_eq!(terminal.finish().1.code(), Some(130));
    }
}

#[test]
fn a_narrow_terminal_has_the_panel_below_the_board() {
    let home = home();
    let arguments = format!("{WEAK} --side both --ascii");
    let mut terminal = Terminal::play_with(home.path(), &arguments, &[FANCY], 40);
    terminal.wait_for(PROMPT);
    let screen = terminal.screen();
    assert!(screen.contains("   a   b   c   d   e   f   g\n"), "{screen}");
    assert!(screen.contains("\nO White, person\n  0 on the board, 9 in hand OOOOOOOOO\n"));
    terminal.resize(80);
    terminal.ask("board", "|    O White, person");
    terminal.wait_for(PROMPT);
}

#[test]
fn only_regular_files_of_limited_length_are_loaded_and_saved_to() {
    let home = home();
    make_pipe(&home.path().join("pipe"));
    fs::File::create(home.path().join("long")).unwrap().set_len((64 << 20) + 1).unwrap();
    let [pipe, long] = ["pipe: not a regular file", "long: larger than the limit of 64 MiB"];
    let input = "load pipe\nd6\nsave pipe\nyes\nload long\nyes\nmoves\nquit\n";
    let text = piped(home.path(), "--side both", input).out;
    assert_eq!(text.matches(pipe).count(), 2, "{text}");
    assert!(text.contains(long) && text.contains("legal: d5 e5"), "{text}");
    for (file, told) in [("pipe", pipe), ("long", long)] {
        assert_eq!(piped(home.path(), &format!("--load {file}"), "").complaint(), told);
    }
}

#[test]
fn a_damaged_game_that_cannot_be_set_aside_hinders_nobody() {
    let home = home();
    let folder = home.path().join("data/millstone/play");
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("1.pgn"), "1. d6 d6").unwrap();
    fs::write(folder.join("1.pgn.damaged"), "").unwrap();
    for number in 2..=1000 {
        fs::write(folder.join(format!("1.pgn.damaged-{number}")), "").unwrap();
    }
    let mut terminal = Terminal::play(home.path(), &format!("{WEAK} --side both"));
    terminal.wait_for("An unfinished game is damaged, and cannot be renamed (no name is free)");
    terminal.wait_for(PROMPT);
}

#[test]
fn whatever_is_typed_the_program_goes_on() {
    let words = "undo redo moves board flip swap side white both level 3 new yes no resign help rules \
                 draw save load hint x - d6 f4 a1 d6-d5 xa1 g7g4 b4xb2 \u{e9} \u{2026} \u{1b}[31m";
    let words: Vec<&str> = words.split(' ').collect();
    let mut random = seeded(17);
    let mut line = || -> String {
        let count = random.random_range(0..3);
        let mut line: Vec<char> = (0..count)
            .flat_map(|_| words.choose(&mut random).unwrap().chars().chain([' ']))
            .collect();
        if !line.is_empty() && random.random_ratio(1, 3) {
            let at = random.random_range(0..line.len());
            line.remove(at);
        }
        line.into_iter().chain(['\n']).collect()
    };
    let end = "\n\n\nsave last.txt\nboard\n";
    let input: String = (0..1500).map(|_| line()).chain([end.to_owned()]).collect();
    for game in ["nine", "lasker", "da"] {
        let home = home();
        let arguments = format!("--variant {game} --level 0 --movetime 1 --seed 1");
        let output = piped(home.path(), &arguments, &input);
        assert_eq!((output.error.as_str(), output.status), ("", Some(0)), "{game}");
        let saved = fs::read_to_string(home.path().join("last.txt")).unwrap();
        assert_eq!(GameRecord::read_all(&saved).unwrap().len(), 1, "{game}: {saved}");
    }
}
