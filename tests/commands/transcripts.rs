//! Commands, word for word.
//!
//! In `transcripts/`, a line `$ man db` runs a command. What follows up to the next command are its input after
//! `<`, its output after `>`, its complaints after `!`, and its exit status after `?`, if it is not 0; `...` stands
//! for any text, and alone for any lines. `= FILE TEXT` makes a file for it first, in the one folder for those of a
//! transcript, below which data is kept too; `\n` ends a line of the text. `+ FILE` names one that it leaves there.
//! `FOLDER` is one with the sectors up to six men, `FOLDER7` up to seven, `VALUES7` the same without distances. Lines
//! that start with `#` are for the reader.

use std::fs;
use std::path::Path;

use crate::patterns::{fit, transcripts};
use crate::program::{millstone_in, plain};
use crate::tablebases::{WITHOUT_DISTANCES, fresh_folder, solved};

/// Runs a command in a folder.
fn play(folder: &Path, transcript: &str) {
    let (command, rest) = transcript.split_once('\n').expect("a line for the command");
    let command = command.replace("VALUES7", plain(&WITHOUT_DISTANCES));
    let command = command.replace("FOLDER7", plain(solved(7))).replace("FOLDER", plain(solved(6)));
    let after = |mark: char| -> Vec<&str> {
        let lines = rest.lines().filter_map(|line| line.strip_prefix(mark));
        lines.map(|text| text.strip_prefix(' ').unwrap_or(text)).collect()
    };
    for (name, text) in after('=').iter().filter_map(|file| file.split_once(' ')) {
        let path = folder.join(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder can be made");
        fs::write(path, text.replace("\\n", "\n")).expect("a file can be written");
    }
    let arguments = shell_words::split(&command).expect("quotes are closed");
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let input = after('<').iter().fold(String::new(), |input, line| input + line + "\n");
    let ended = millstone_in(folder, &input, &arguments);
    for (mark, found) in [('>', &ended.out), ('!', &ended.error)] {
        assert!(!found.contains('\u{1b}'), "{command}: a pipe is no terminal");
        let found: Vec<&str> = found.lines().collect();
        assert!(fit(&after(mark), &found), "{command}: {mark} {found:#?}");
    }
    let status = after('?').first().map_or(0, |status| status.parse().expect("a number"));
    assert_eq!(ended.status, Some(status), "{command}");
}

#[test]
fn commands_do_what_is_written_down() {
    for (_, text) in transcripts("commands/transcripts") {
        let folder = fresh_folder("transcripts");
        text.split("\n$ ").skip(1).for_each(|transcript| play(&folder, transcript));
        for entry in fs::read_dir(&folder).expect("the folder is there") {
            let name = entry.expect("the folder can be read").file_name().into_string().unwrap();
            let is_told = |line: &str| match line.split_once(' ') {
                Some(("=", file)) => file.split([' ', '/']).next() == Some(&name),
                Some(("+", file)) => file == name,
                _ => false,
            };
            assert!(name == "data" || text.lines().any(is_told), "{name} is left");
        }
    }
}
