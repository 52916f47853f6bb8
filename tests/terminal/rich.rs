//! Games in a terminal: a person types, and looks at what is shown.

use std::fs;

use super::person::Terminal;
use super::{PROMPT, WEAK, home, two_people};

/// The prompts at which White plays a move.
const PROMPTS: [&str; 4] =
    [PROMPT, "White to slide> ", "White to fly> ", "White to remove a man> "];
/// The prompt after the game.
const GAME_OVER: &str = "Game over (new, undo";

/// The first of the moves that may be played.
fn first_move(terminal: &mut Terminal, prompt: &str) -> String {
    terminal.ask("moves", "legal: ");
    let legal = terminal.wait_for(prompt);
    legal.split_whitespace().next().expect("a move").to_owned()
}

/// Types lines, each of which is answered by a text and a prompt.
fn talk(terminal: &mut Terminal, lines: &[(&str, &str, &str)]) {
    for (line, answer, prompt) in lines {
        terminal.ask(line, answer);
        terminal.wait_for(prompt);
    }
}

#[test]
fn a_whole_game_is_played_with_a_slip_and_a_hint_at_each_prompt() {
    let home = home();
    let mut terminal = Terminal::play(home.path(), "--level 0 --seed 4");
    let side = "Which side do you play? (white, black, both, none) [white]> ";
    terminal.wait_for(side);
    let mistyped = "expected white, black, both, none, found 'whiet'";
    let topic = "help rules      the rules of this game";
    talk(&mut terminal, &[("whiet", mistyped, side), ("help", topic, side)]);
    terminal.enter("white");
    let mut seen = [0; PROMPTS.len()];
    loop {
        let ends = [&PROMPTS[..], &[GAME_OVER]].concat();
        let (index, _) = terminal.wait_for_any(&ends);
        let Some(&prompt) = PROMPTS.get(index) else { break };
        seen[index] += 1;
        if seen[index] == 1 {
            for (line, answer) in [
                ("undp", "found 'undp'; did you mean undo?"),
                ("a1a2", "expected a point such as d6 (a1 to g7)"),
                ("xd4", "expected a point such as d6 (a1 to g7)"),
                ("a1-g7", " is illegal: "),
                ("hint", "Hint: "),
            ] {
                talk(&mut terminal, &[(line, answer, prompt)]);
            }
        }
        if seen[0] == 3 && index == 0 {
            terminal.ask("undo", prompt);
            terminal.ask("redo", prompt);
        }
        if seen[0] == 5 && index == 0 {
            terminal.ask("save game.txt", "Saved to game.txt.");
            terminal.wait_for(prompt);
            terminal.ask("resign", GAME_OVER);
            terminal.ask("load game.txt", prompt);
        }
        let mv = first_move(&mut terminal, prompt);
        terminal.enter(&mv.to_uppercase());
    }
    let [placed, slid, _, removed] = seen;
    assert!(placed >= 9 && slid > 0 && removed > 0, "{seen:?}");
    let screen = terminal.screen();
    let ends = ["White wins: Black ", "Black wins: White ", "Draw: "];
    assert!(ends.iter().any(|end| screen.contains(end)), "{screen}");
    terminal.enter("quit");
    let (rest, status) = terminal.finish();
    assert!(status.success() && !rest.contains("--resume"), "{rest}");
    let games = fs::read_dir(home.path().join("data/millstone/play")).unwrap();
    let left = games.filter(|file| file.as_ref().unwrap().path().extension().unwrap() == "pgn");
    assert_eq!(left.count(), 0, "a game that is over is not kept");
}

#[test]
fn the_screen_shows_the_board_in_discs_and_colours() {
    let home = home();
    let mut terminal = two_people(home.path(), "");
    for (turn, prompt) in [("d6", "Black"), ("f4", "White"), ("d5", "Black"), ("a1", "White")] {
        terminal.ask(turn, &format!("{prompt} to place> "));
    }
    terminal.ask("d7xa1", "Black to place> ");
    let screen = terminal.screen();
    assert!(screen.contains("7  ┌──────────[○]──────────┐"), "{screen}");
    assert!(screen.contains("4  ├───┼───┤       ├───●───┤"), "{screen}");
    assert!(screen.contains("1 (×)──────────┴───────────┘"), "{screen}");
    assert!(
        screen.contains("White played d7xa1") && screen.contains("● Black, person"),
        "{screen}"
    );
    let bytes = String::from_utf8(terminal.bytes()).unwrap();
    assert!(bytes.contains("\u{1b}[1m\u{1b}[33m○"), "White's men are yellow");
    terminal.ask("flip", "Black to place> ");
    let screen = terminal.screen();
    assert!(screen.contains("1  ┌───────────┬──────────(×)"), "{screen}");
}

#[test]
fn the_tab_key_completes_and_the_arrow_keys_bring_lines_back() {
    let home = home();
    let mut terminal = two_people(home.path(), "");
    terminal.press("lev\t");
    terminal.wait_for("level");
    terminal.ask("", "The engine plays at level 0 of 0 to 30.");
    terminal.wait_for(PROMPT);
    terminal.press("\u{1b}[A");
    terminal.wait_for("level");
    terminal.ask(" 7", "The engine plays at level 7 of");
    terminal.wait_for(PROMPT);
    terminal.press("g\t\t");
    for turn in ["g1", "g4", "g7"] {
        terminal.wait_for(turn);
    }
    terminal.ask("7", "Black to place> ");
    fs::write(home.path().join("other-game.txt"), "1. d6 f4").unwrap();
    terminal.press("load oth\t");
    terminal.wait_for("load other-game.txt");
}

#[test]
fn quit_leaves_at_a_question() {
    let home = home();
    let mut terminal = Terminal::play(home.path(), WEAK);
    terminal.wait_for("Which side do you play?");
    terminal.ask("quit", "quit");
    assert!(terminal.finish().1.success());
}

#[test]
fn a_tilde_is_the_home_folder() {
    let home = home();
    let folder = home.path().to_str().expect("a path in UTF-8");
    let env = [("TERM", "xterm-256color"), ("HOME", folder)];
    let arguments = format!("{WEAK} --side both");
    let mut terminal = Terminal::play_with(home.path(), &arguments, &env, 200);
    terminal.wait_for(PROMPT);
    terminal.ask("d6", "Black to place> ");
    terminal.ask("save ~/game.txt", &format!("Saved to {folder}/game.txt."));
}

#[test]
fn lines_typed_ahead_are_not_lost() {
    let home = home();
    let mut terminal = two_people(home.path(), "");
    terminal.press("d6\rf4\rd5\r");
    terminal.wait_for("White played d5");
    terminal.wait_for("Black to place> ");
}

#[test]
fn games_are_saved_and_loaded_with_a_slip_at_each_prompt() {
    let home = home();
    fs::write(home.path().join("broken.txt"), "1. d6 d6").unwrap();
    let mut terminal = two_people(home.path(), "");
    let [white, black, over] = [PROMPT, "Black to place> ", GAME_OVER];
    let overwrite = "game.txt exists; overwrite it? (no, yes) [no]> ";
    let give_up = "This game is not over; give it up? (no, yes) [no]> ";
    talk(
        &mut terminal,
        &[
            ("d6", "White played d6", black),
            ("a1", "Black played a1", white),
            ("save", "File to save to", "> "),
            ("nowhere/game.txt", "nowhere/game.txt: ", white),
            ("save game.txt", "Saved to game.txt.", white),
            ("save game.txt", overwrite, ""),
            ("yse", "expected no, yes, found 'yse'", overwrite),
            ("yes", "Saved to game.txt.", white),
            ("g7", "White played g7", black),
            ("load", give_up, ""),
            ("maybe", "expected no, yes, found 'maybe'", give_up),
            ("no", "The game goes on.", black),
            ("load gmae.txt", give_up, ""),
            ("yes", "gmae.txt: No such file", black),
            ("load game.txt", give_up, ""),
            ("yes", "Black played a1", white),
            ("load broken.txt", "broken.txt: line 1, column 7: ", white),
            ("level 31", "invalid value '31' for '[N]': 31 is not in 0..=30", white),
            ("side wite", "similar value exists: 'white'", white),
            ("help mils", "similar value exists: 'mills'", white),
            ("resign", "Black wins: White resigns.", over),
            ("d5", "The game is over. Black wins", over),
            ("nwe", "help lists the commands", over),
            ("undo", "White to place", white),
            ("resign", "Black wins: White resigns.", over),
            ("new", "Which side do you play?", "> "),
            ("both", "0 on the board, 9 in hand", white),
        ],
    );
}

#[test]
fn newcomers_are_taught_the_rules_of_any_game() {
    let home = home();
    let mut terminal = two_people(home.path(), "--variant mora");
    assert!(terminal.screen().contains("│ ╲         │         ╱ │"), "{}", terminal.screen());
    for (line, answer) in [
        ("help", "help rules      the rules of this game"),
        ("help rules", "Morabaraba\nThe board has 24 points and 20 lines"),
        ("help rules", "Every mill that a move closes removes a man."),
        ("help game", "Three men of one side on a straight line form a mill."),
        ("help commands", "  side white|black|both|none   choose who plays"),
        ("analyse", "scores in men for White"),
        ("moves", "legal: d5 e5"),
        ("swap", "From now on two people play."),
    ] {
        talk(&mut terminal, &[(line, answer, PROMPT)]);
    }
}

#[test]
fn bytes_that_are_no_text_are_refused() {
    let home = home();
    let mut terminal = two_people(home.path(), "");
    terminal.press_bytes(b"d\xfc\r");
    terminal.wait_for("expected a move or a command, found ");
    terminal.wait_for(PROMPT);
    terminal.ask("d6", "Black to place> ");
}

#[test]
fn who_has_to_type_is_told_so() {
    for (arguments, asked, typed, answer) in [
        ("analyze --no-tablebase --depth 2", "positions or games", "startpos", "to move, depth 2"),
        ("convert --to uci", "games", "d6 f4", "position startpos moves d6 f4\n"),
    ] {
        let mut terminal = Terminal::start(&arguments.split(' ').collect::<Vec<_>>());
        terminal.wait_for(&format!("millstone: type {asked}; Ctrl-D ends them\n"));
        terminal.press(&format!("{typed}\n\u{4}"));
        let (shown, status) = terminal.finish();
        assert!(status.success() && shown.contains(answer), "{shown}");
    }
}
