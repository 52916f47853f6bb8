//! Commands, word for word.
//!
//! In `transcripts/`, a line `$ man db` runs a command. What follows up to the next command are its input after
//! `<`, its output after `>`, its complaints after `!`, and its exit status after `?`, if it is not 0; `...` stands
//! for any text, and alone for any lines. `FOLDER` is one with the sectors up to six men, `FOLDER7` up to seven.
//! Lines that start with `#` are for the reader.

use std::fs;
use std::path::Path;

use crate::patterns::{fit, transcripts};
use crate::program::{home, plain, program, run};
use crate::tablebases::{fresh_folder, solved};

/// Runs a command in a folder.
fn play(folder: &Path, transcript: &str) {
    let (command, rest) = transcript.split_once('\n').expect("a line for the command");
    let folder_of = |men| plain(solved(men));
    let command = command.replace("FOLDER7", folder_of(7)).replace("FOLDER", folder_of(6));
    let after = |mark: char| -> Vec<&str> {
        let lines = rest.lines().filter_map(|line| line.strip_prefix(mark));
        lines.map(|text| text.strip_prefix(' ').unwrap_or(text)).collect()
    };
    let arguments = shell_words::split(&command).expect("quotes are closed");
    let input = after('<').iter().fold(String::new(), |input, line| input + line + "\n");
    let ended = run(program(&home()).args(arguments).current_dir(folder), &input);
    for (mark, found) in [('>', &ended.out), ('!', &ended.error)] {
        let found: Vec<&str> = found.lines().collect();
        assert!(fit(&after(mark), &found), "{command}: {mark} {found:#?}");
    }
    let status = after('?').first().map_or(0, |status| status.parse().expect("a number"));
    assert_eq!(ended.status, Some(status), "{command}");
}

#[test]
fn commands_do_what_is_written_down() {
    let folder = fresh_folder("transcripts");
    for (_, text) in transcripts("commands/transcripts") {
        text.split("\n$ ").skip(1).for_each(|transcript| play(&folder, transcript));
    }
    assert_eq!(fs::read_dir(&folder).expect("the folder is there").count(), 0, "a file is left");
}
