//! Games in a terminal: a person types, and looks at what is shown.

use super::person::Terminal;
use super::{PROMPT, WEAK, home, saved, two_people};

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
    let bytes = String::from_utf8(terminal.bytes()).unwrap();
    assert!(bytes.contains("\u{1b}[1m\u{1b}[33m○"), "White's men are yellow");
    terminal.enter("quit");
    let (rest, status) = terminal.finish();
    assert!(status.success() && !rest.contains("--resume"), "{rest}");
    assert!(saved(home.path()).is_empty(), "a game that is over is not kept");
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
