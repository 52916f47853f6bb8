//! Commands that wait for a person to type their input.

use super::person::Terminal;

/// Types a line and the end of the input once a command has asked for it; gives what is shown then.
fn answered(arguments: &str, asked: &str, typed: &str) -> String {
    let mut terminal = Terminal::start(&arguments.split(' ').collect::<Vec<_>>());
    terminal.wait_for(asked);
    terminal.press(&format!("{typed}\n\u{4}"));
    let (shown, status) = terminal.finish();
    assert!(status.success(), "{shown}");
    shown
}

#[test]
fn who_has_to_type_is_told_so() {
    let asked = "millstone: type positions or games; Ctrl-D ends them\n";
    let shown = answered("analyze --no-tablebase --depth 2", asked, "startpos");
    assert!(shown.contains("White to move, depth 2"), "{shown}");
    let asked = "millstone: type games; Ctrl-D ends them\n";
    let shown = answered("convert --to uci", asked, "d6 f4");
    assert!(shown.contains("position startpos moves d6 f4\n"), "{shown}");
}
