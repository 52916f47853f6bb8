//! Games in a terminal: a person types, and looks at what is shown.

use std::fs;

use super::person::Terminal;
use tempfile::TempDir;

/// A weak opponent that thinks to a small depth, not by the clock, and so plays the same everywhere.
const WEAK: &str = "--level 0 --seed 4";
/// The prompts at which White plays a move.
const PROMPTS: [&str; 4] =
    ["White to place> ", "White to slide> ", "White to fly> ", "White to remove a man> "];
/// The prompt after the game.
const GAME_OVER: &str = "Game over (new, undo";

fn home() -> TempDir {
    tempfile::tempdir().expect("a folder for the test")
}

/// The first of the moves that may be played.
fn first_move(terminal: &mut Terminal, prompt: &str) -> String {
    terminal.ask("moves", "legal: ");
    let legal = terminal.wait_for(prompt);
    legal.split_whitespace().next().expect("a move").to_owned()
}

/// Types something wrong and expects to be asked again after this answer.
fn mistype(terminal: &mut Terminal, line: &str, answer: &str, prompt: &str) {
    terminal.ask(line, answer);
    terminal.wait_for(prompt);
}

#[test]
fn a_whole_game_is_played_with_a_slip_and_a_hint_at_each_prompt() {
    let home = home();
    let mut terminal = Terminal::play(home.path(), WEAK);
    let side = "Which side do you play? (white, black, both, none) [white]> ";
    terminal.wait_for(side);
    mistype(&mut terminal, "whiet", "found 'whiet'; did you mean white?", side);
    mistype(&mut terminal, "help", "help rules      the rules of this game", side);
    terminal.enter("white");
    let mut seen = [0; PROMPTS.len()];
    loop {
        let ends = [&PROMPTS[..], &[GAME_OVER]].concat();
        let (index, _) = terminal.wait_for_any(&ends);
        let Some(&prompt) = PROMPTS.get(index) else { break };
        seen[index] += 1;
        if seen[index] == 1 {
            mistype(&mut terminal, "undp", "found 'undp'; did you mean undo?", prompt);
            mistype(&mut terminal, "a1a2", "expected a point such as d6 (a1 to g7)", prompt);
            mistype(&mut terminal, "xd4", "expected a point such as d6 (a1 to g7)", prompt);
            mistype(&mut terminal, "a1-g7", "cannot be played: ", prompt);
            mistype(&mut terminal, "hint", "Hint: ", prompt);
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
    let is_said =
        ["White wins: Black ", "Black wins: White ", "Draw: "].map(|end| screen.contains(end));
    assert!(is_said.contains(&true), "{screen}");
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
    let mut terminal = Terminal::play(home.path(), &format!("{WEAK} --side both"));
    terminal.wait_for("White to place> ");
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
    let mut terminal = Terminal::play(home.path(), &format!("{WEAK} --side both"));
    terminal.wait_for("White to place> ");
    terminal.press("lev\t");
    terminal.wait_for("level");
    terminal.ask("", "The engine plays at level 0 of 0 to 30.");
    terminal.wait_for("White to place> ");
    terminal.press("\u{1b}[A");
    terminal.wait_for("level");
    terminal.ask(" 7", "The engine plays at level 7 now.");
    terminal.wait_for("White to place> ");
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
    terminal.wait_for("White to place> ");
    terminal.ask("d6", "Black to place> ");
    terminal.ask("save ~/game.txt", &format!("Saved to {folder}/game.txt."));
}

#[test]
fn lines_typed_ahead_are_not_lost() {
    let home = home();
    let mut terminal = Terminal::play(home.path(), &format!("{WEAK} --side both"));
    terminal.wait_for("White to place> ");
    terminal.press("d6\rf4\rd5\r");
    terminal.wait_for("White played d5");
    terminal.wait_for("Black to place> ");
}

#[test]
fn games_are_saved_and_loaded_with_a_slip_at_each_prompt() {
    let home = home();
    let mut terminal = Terminal::play(home.path(), &format!("{WEAK} --side both"));
    let prompt = "White to place> ";
    terminal.wait_for(prompt);
    terminal.ask("d6", "Black to place> ");
    terminal.ask("a1", prompt);
    terminal.ask("save", "File to save to> ");
    terminal.ask("nowhere/game.txt", "nowhere/game.txt: ");
    terminal.wait_for(prompt);
    terminal.ask("save game.txt", "Saved to game.txt.");
    terminal.wait_for(prompt);
    let overwrite = "game.txt is there already; overwrite it? (no, yes) [no]> ";
    terminal.ask("save game.txt", overwrite);
    mistype(&mut terminal, "yse", "expected no, yes, found 'yse'; did you mean yes?", overwrite);
    terminal.ask("yes", "Saved to game.txt.");
    terminal.wait_for(prompt);
    terminal.ask("g7", "Black to place> ");
    let give_up = "This game is not over; give it up? (no, yes) [no]> ";
    terminal.ask("load", give_up);
    mistype(&mut terminal, "maybe", "expected no, yes, found 'maybe'", give_up);
    let load = "File to load (none to go on)> ";
    terminal.ask("yes", load);
    mistype(&mut terminal, "gmae.txt", "did you mean game.txt?", load);
    terminal.ask("game.txt", "Black played a1");
    terminal.wait_for(prompt);
    fs::write(home.path().join("broken.txt"), "1. d6 d6").unwrap();
    mistype(&mut terminal, "load broken.txt", "broken.txt: line 1, column 7: ", prompt);
    mistype(&mut terminal, "level 31", "level: expected a number, 0 to 30, found '31'", prompt);
    mistype(&mut terminal, "side wite", "did you mean white?", prompt);
    mistype(&mut terminal, "help mils", "did you mean mills?", prompt);
    terminal.ask("resign", "Black wins: White resigns.");
    terminal.wait_for("Game over (new, undo");
    mistype(&mut terminal, "d5", "The game is over. Black wins", "Game over (new, undo");
    mistype(&mut terminal, "nwe", "did you mean new?", "Game over (new, undo");
    terminal.ask("undo", prompt);
    terminal.ask("resign", "Game over (new, undo");
    terminal.ask("new", "Which side do you play?");
    terminal.ask("both", "0 on the board, 9 in hand");
    terminal.wait_for(prompt);
}

#[test]
fn newcomers_are_taught_the_rules_of_any_game() {
    let home = home();
    let mut terminal = Terminal::play(home.path(), &format!("{WEAK} --side both --variant mora"));
    let prompt = "White to place> ";
    terminal.wait_for(prompt);
    assert!(terminal.screen().contains("│ ╲         │         ╱ │"), "{}", terminal.screen());
    terminal.ask("help", "help rules      the rules of this game");
    terminal.wait_for(prompt);
    terminal.ask("help rules", "Morabaraba\nThe board has 24 points and 20 lines");
    terminal.wait_for("Mills closed at once earn a man each.");
    terminal.wait_for(prompt);
    terminal.ask("help game", "Three men of a side on one straight line are a mill.");
    terminal.wait_for(prompt);
    terminal.ask("analyse", "scores in men for White");
    terminal.wait_for(prompt);
    terminal.ask("moves", "legal: d5 e5");
    terminal.wait_for(prompt);
    terminal.ask("swap", "From now on two people play.");
}
