//! Games without a rich terminal: pipes, dumb and narrow terminals, and none of the colours.

use std::collections::BTreeSet;
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use super::person::Terminal;
use millstone::board::Side;
use millstone::records::GameRecord;
#[cfg(unix)]
use nix::{sys::stat::Mode, unistd::mkfifo};
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use tempfile::TempDir;

/// A weak opponent that thinks to a small depth, not by the clock, and so plays the same everywhere.
const WEAK: &str = "--level 0 --seed 1";

fn home() -> TempDir {
    tempfile::tempdir().expect("a folder for the test")
}

/// Plays with all input there from the beginning, and no terminal; the input ends the game.
fn piped(home: &Path, arguments: &str, input: &str) -> Output {
    let mut process = Command::new(env!("CARGO_BIN_EXE_millstone"))
        .arg("play")
        .args(shell_words::split(arguments).expect("quotes are closed"))
        .current_dir(home)
        .env("XDG_CACHE_HOME", concat!(env!("CARGO_TARGET_TMPDIR"), "/home/cache"))
        .env("XDG_DATA_HOME", home.join("data"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut pipe = process.stdin.take().expect("the input is a pipe");
    pipe.write_all(input.as_bytes()).expect("the program reads");
    drop(pipe);
    process.wait_with_output().expect("the program ends")
}

#[test]
fn a_piped_game_reads_as_a_transcript() {
    let home = home();
    let input = "d6\nf4\nd5\na1\nd7xa1\nundo\nd7\na1\nundp\nsave game.txt\nquit\n";
    let output = piped(home.path(), "--side both", input);
    assert!(output.status.success());
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    let text = String::from_utf8(output.stdout).unwrap();
    let said: Vec<&str> = text.lines().filter(|line| line.contains("> ")).collect();
    let expected = [
        "White to place> d6",
        "Black to place> f4",
        "White to place> d5",
        "Black to place> a1",
        "White to place> d7xa1",
        "Black to place> undo",
        "White to place> d7",
        "White to remove a man> a1",
        "Black to place> undp",
        "Black to place> save game.txt",
        "Black to place> quit",
    ];
    assert_eq!(said, expected);
    assert!(text.contains("found 'undp'; did you mean undo?\n"), "{text}");
    assert!(text.ends_with("The game is saved; millstone play --resume continues it.\n"));
    assert!(text.is_ascii() && !text.contains('\u{1b}'), "nothing but plain text");
    let saved = fs::read_to_string(home.path().join("game.txt")).unwrap();
    assert!(saved.contains("d7xa1"), "{saved}");

    let resumed = piped(home.path(), "--resume", "undo\nquit\n");
    let text = String::from_utf8(resumed.stdout).unwrap();
    assert!(text.contains("White to place> quit"), "{text}");
}

#[test]
fn each_turn_gets_a_sentence_if_asked_for() {
    let home = home();
    let said = |arguments: &str, input: &str| {
        let output = piped(home.path(), &format!("--movetime 20 --side both {arguments}"), input);
        String::from_utf8(output.stdout).unwrap().matches("By an estimate").count()
    };
    let from = "--from 'MFEN/1.0 mill24-state-v1 WW.BB.../W.B.W.B./..W.BB.W w p p 3,3 - 0 12 -'";
    assert_eq!(said(from, "g7\nxg4\nc5\nquit\n"), 0);
    assert_eq!(said(&format!("--teach {from}"), "g7\nxg4\nc5\nquit\n"), 2);
    assert_eq!(said(from, "teach\ng7xg4\nteach\nc5\nquit\n"), 1);
}

#[test]
fn the_same_seed_gives_the_same_game() {
    let [first, second] = [home(), home()].map(|home| {
        let arguments = "--level 1 --movetime 3600000 --seed 7 --side none";
        String::from_utf8(piped(home.path(), arguments, "").stdout).unwrap()
    });
    assert!(first.contains("Game over"), "{first}");
    assert_eq!(first, second);
}

#[test]
fn engine_against_engine_plays_to_the_end_in_any_game() {
    for game in ["nine", "dooz", "lasker", "zhi", "el", "russian"] {
        let home = home();
        let output = piped(home.path(), &format!("{WEAK} --side none --variant {game}"), "quit\n");
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(text.contains("White plays ") && text.contains("Black plays "), "{game}");
        let has_end = ["White wins: ", "Black wins: ", "Draw: "].map(|end| text.contains(end));
        assert!(has_end.contains(&true), "{game}: {text}");
    }
}

#[test]
fn a_watched_game_stands_still_at_ctrl_c() {
    let home = home();
    let arguments = "--level 30 --movetime 3600000 --side none";
    let mut terminal = Terminal::play(home.path(), arguments);
    terminal.wait_for("thinking");
    terminal.press("\u{3}");
    terminal.wait_for("Paused (Enter continues)> ");
    terminal.ask("mvoes", "did you mean moves?");
    terminal.wait_for("Paused (Enter continues)> ");
    terminal.ask("side both", "From now on two people play.");
    terminal.wait_for("Black to place> ");
}

#[test]
fn a_watched_game_can_be_followed_and_stands_still_between_turns_too() {
    let home = home();
    let mut terminal = Terminal::play(home.path(), "--level 0 --seed 1 --side none");
    terminal.wait_for("The engine plays itself; Ctrl-C pauses.");
    terminal.wait_for("White plays ");
    terminal.press("\u{3}");
    terminal.wait_for("Paused (Enter continues)> ");
    assert!(!terminal.screen().contains("Black plays"), "{}", terminal.screen());
    terminal.ask("", "Black plays ");
}

#[test]
fn no_color_shows_no_colours() {
    let home = home();
    let arguments = format!("{WEAK} --side white");
    let env = [("TERM", "xterm-256color"), ("NO_COLOR", "1")];
    let mut terminal = Terminal::play_with(home.path(), &arguments, &env, 80);
    terminal.wait_for("White to place> ");
    terminal.ask("d6", "Black plays ");
    terminal.wait_for("White to place> ");
    let bytes = String::from_utf8(terminal.bytes()).unwrap();
    let mut parts = bytes.split("\u{1b}[").skip(1);
    let is_style = |part: &str| {
        part.trim_start_matches(|c: char| c.is_ascii_digit() || c == ';').starts_with('m')
    };
    assert!(!parts.any(is_style), "{bytes:?}");
    assert!(terminal.screen().contains('○'), "{}", terminal.screen());
}

#[test]
fn a_dumb_terminal_gets_nothing_but_text() {
    let home = home();
    let arguments = format!("{WEAK} --side white");
    let mut terminal = Terminal::play_with(home.path(), &arguments, &[("TERM", "dumb")], 80);
    terminal.wait_for("White to place> ");
    terminal.ask("d6", "Black plays ");
    terminal.wait_for("White to place> ");
    terminal.press("\u{3}");
    terminal.wait_for("The game is saved; millstone play --resume continues it.");
    let bytes = terminal.bytes();
    assert!(bytes.is_ascii() && !bytes.contains(&0x1b), "{}", String::from_utf8_lossy(&bytes));
    assert_eq!(terminal.finish().1.code(), Some(130));
}

#[test]
fn a_terminal_without_utf_8_gets_ascii_while_the_engine_thinks_too() {
    let home = home();
    let env = [("TERM", "xterm-256color"), ("LC_ALL", "C")];
    let arguments = "--level 30 --movetime 3600000 --side black";
    let terminal = &mut Terminal::play_with(home.path(), arguments, &env, 80);
    terminal.wait_for("thinking");
    terminal.press("\u{3}");
    terminal.wait_for("Black to place> ");
    let bytes = terminal.bytes();
    assert!(bytes.is_ascii(), "{}", String::from_utf8_lossy(&bytes));
}

#[test]
fn a_narrow_terminal_has_the_panel_below_the_board() {
    let home = home();
    let arguments = format!("{WEAK} --side both --ascii");
    let env = [("TERM", "xterm-256color")];
    let mut terminal = Terminal::play_with(home.path(), &arguments, &env, 40);
    terminal.wait_for("White to place> ");
    let screen = terminal.screen();
    assert!(screen.contains("   a   b   c   d   e   f   g\n"), "{screen}");
    assert!(
        screen.contains("\nO White, person\n  0 on the board, 9 in hand OOOOOOOOO\n"),
        "{screen}"
    );
}

#[test]
fn a_draw_is_offered_to_a_person_and_to_the_engine() {
    let home = home();
    let input = "d6\ndraw\nyse\nyes\nquit\n";
    let text = String::from_utf8(piped(home.path(), "--side both", input).stdout).unwrap();
    assert!(text.contains("Does White agree to a draw? (no, yes) [no]> yse\nexpected no, yes"));
    assert!(text.contains("Draw: both sides agree."), "{text}");

    let text = String::from_utf8(piped(home.path(), WEAK, "draw\n").stdout).unwrap();
    assert!(text.contains("Black plays on."), "nothing is clear while men are placed: {text}");

    let wins = "O*****@*/O*******/*O*@*@** w m s 3 0 3 0 0 0 0 0 0 0 0 0 10";
    let arguments = format!("{WEAK} --from '{wins}'");
    let text = String::from_utf8(piped(home.path(), &arguments, "draw\n").stdout).unwrap();
    assert!(text.contains("Draw: both sides agree."), "{text}");
    let text = String::from_utf8(piped(home.path(), &arguments, "swap\n").stdout).unwrap();
    assert!(text.contains("White wins: Black has too few men left."), "{text}");
}

#[test]
fn a_side_whose_clock_runs_out_loses() {
    let home = home();
    let mut terminal = Terminal::play(home.path(), "--side both --clock 0.000001");
    terminal.wait_for("White to place> ");
    terminal.ask("d6", "Black wins on time: the clock of White has run out.");
    terminal.wait_for("Game over (new, undo");
    let screen = terminal.screen();
    assert!(screen.contains("\nBlack wins on time: the clock of White has run out.\n"), "{screen}");
    terminal.ask("undo", "The game goes on without clocks.");
    terminal.wait_for("White to place> ");
    terminal.ask("d6", "Black to place> ");
}

#[test]
fn a_command_that_comes_too_late_for_the_clock_is_obeyed() {
    let home = home();
    let text = piped(home.path(), "--side both --clock 0.000001", "moves\nhint\nquit\n").stdout;
    let text = String::from_utf8(text).unwrap();
    assert!(text.contains("White to place> moves\n"), "{text}");
    assert!(text.contains("Black wins on time") && text.contains("legal: d5 e5"), "{text}");
}

#[test]
fn a_game_from_a_file_is_kept_at_once() {
    let home = home();
    fs::write(home.path().join("game.txt"), "1. d6 f4").unwrap();
    let text = piped(home.path(), "--side both --load game.txt", "quit\n").stdout;
    assert!(String::from_utf8(text).unwrap().contains("The game is saved"));
    let text = String::from_utf8(piped(home.path(), "--resume", "quit\n").stdout).unwrap();
    assert!(text.contains("Black played f4"), "{text}");
}

#[cfg(unix)]
#[test]
fn no_pipe_is_waited_for() {
    let home = home();
    mkfifo(&home.path().join("pipe"), Mode::S_IRWXU).expect("a pipe with a name");
    let input = "load pipe\nd6\nsave pipe\nyes\nquit\n";
    let text = String::from_utf8(piped(home.path(), "--side both", input).stdout).unwrap();
    assert_eq!(text.matches("pipe: not a regular file").count(), 2, "{text}");
    let loaded = piped(home.path(), "--load pipe", "");
    let error = String::from_utf8(loaded.stderr).unwrap();
    assert_eq!(error, "millstone: pipe: not a regular file\n");
}

#[test]
fn a_file_that_is_too_long_is_refused() {
    let home = home();
    let file = fs::File::create(home.path().join("long")).unwrap();
    file.set_len((64 << 20) + 1).unwrap();
    let told = "long: longer than 64 MiB, the most that is read";
    let text = piped(home.path(), "--side both", "d6\nload long\nyes\nmoves\nquit\n").stdout;
    let text = String::from_utf8(text).unwrap();
    assert!(text.contains(told) && text.contains("legal: d5 e5"), "{text}");
    let loaded = piped(home.path(), "--load long", "");
    assert_eq!(String::from_utf8(loaded.stderr).unwrap(), format!("millstone: {told}\n"));
}

#[test]
fn a_game_that_went_on_after_a_draw_can_be_gone_on_with() {
    let home = home();
    let start = "[FEN \"@*******/***@**@*/**O*OO** w m s 3 0 3 0 0 0 0 0 0 0 0 0 30\"]\n\n";
    let moves = ["g4-d3", "d5-e5", "d3-g4", "e5-d5"].repeat(3).join(" ");
    fs::write(home.path().join("game.txt"), format!("{start}{moves}")).unwrap();
    for arguments in ["--side both --load game.txt", "--resume"] {
        let text = String::from_utf8(piped(home.path(), arguments, "quit\n").stdout).unwrap();
        assert!(text.contains("This game went on after a draw, so"), "{text}");
        assert!(text.contains("White to fly> quit"), "{text}");
    }
}

#[test]
fn kept_games_out_of_reach_are_not_said_to_be_missing() {
    let home = home();
    fs::create_dir_all(home.path().join("data/millstone")).unwrap();
    fs::write(home.path().join("data/millstone/play"), "no folder").unwrap();
    let output = piped(home.path(), "--resume", "");
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(error.contains("data/millstone/play: ") && !output.status.success(), "{error}");
    assert!(!error.contains("found none"), "{error}");
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
    terminal.wait_for("White to place> ");
}

#[test]
fn a_game_that_cannot_be_kept_is_played_all_the_same() {
    let home = home();
    fs::write(home.path().join("data"), "no folder").unwrap();
    let output = piped(home.path(), "--side both", "d6\nf4\n");
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("The game cannot be saved: "), "{text}");
    assert!(text.contains("Black played f4") && !text.contains("--resume"), "{text}");
    assert!(output.status.success());
}

#[test]
fn whatever_is_typed_the_program_goes_on() {
    let words = "undo redo moves board flip swap side white both level 3 new yes no resign help rules \
                 draw save load hint x - d6 f4 a1 d6-d5 xa1 g7g4 b4xb2 \u{e9} \u{2026} \u{1b}[31m";
    let words: Vec<&str> = words.split(' ').collect();
    let mut random = Xoshiro256PlusPlus::seed_from_u64(17);
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
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success() && error.is_empty(), "{game}: {error}");
        let saved = fs::read_to_string(home.path().join("last.txt")).unwrap();
        let positions = GameRecord::read_all(&saved).unwrap()[0].replay().unwrap();
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        for side in Side::ALL {
            let men = positions.last().unwrap().men(side).into_iter();
            let expected: BTreeSet<String> = men.map(|square| square.to_string()).collect();
            assert_eq!(men_shown(&text, side), expected, "{game}: {text}");
        }
    }
}

/// The men of a side on the last board of a transcript, whichever way it is turned.
fn men_shown(text: &str, side: Side) -> BTreeSet<String> {
    let lines: Vec<&str> = text.lines().collect();
    let is_rank = |line: &&str| line.starts_with(|first: char| first.is_ascii_digit());
    let below = lines.iter().rposition(is_rank).expect("a board") + 1;
    let files = lines[below..].iter().find(|line| !line.is_empty()).expect("letters below");
    let ranks = lines[below - 13..below].iter().filter(|line| is_rank(line));
    let files = files.char_indices().filter(|(_, file)| file.is_ascii_alphabetic());
    let points = ranks.flat_map(|rank| files.clone().map(move |(at, file)| (rank, at, file)));
    let is_man = |rank: &str, at: usize| rank[at..].starts_with(side.man());
    points
        .filter(|&(rank, at, _)| is_man(rank, at))
        .map(|(rank, _, file)| format!("{file}{}", &rank[..1]))
        .collect()
}

#[test]
fn bad_arguments_are_refused_in_one_line() {
    let home = home();
    fs::write(home.path().join("game.txt"), "1. d6 f4").unwrap();
    for (arguments, expected) in [
        ("--level 31", "31"),
        ("--clock ten", "expected minutes and seconds a turn, such as 10+5, found 'ten'"),
        ("--from nonsense", "expected"),
        ("--load gmae.txt", "did you mean game.txt?"),
        ("--resume", "--resume: there is no unfinished game"),
    ] {
        let output = piped(home.path(), arguments, "");
        let error = String::from_utf8(output.stderr).unwrap();
        assert!(!output.status.success() && error.contains(expected), "{arguments}: {error}");
    }
    let output = piped(home.path(), "--load game.txt", "moves\n");
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("Black played f4"), "{text}");
}
