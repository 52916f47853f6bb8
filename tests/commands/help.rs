//! What the program says of itself: help, manual pages, completions, versions, exit statuses.

use std::fs;
#[cfg(unix)]
use std::process::Command;
#[cfg(target_os = "linux")]
use std::process::Stdio;

#[cfg(unix)]
use crate::program::Ended;
use crate::program::{
    home, millstone, millstone_into, millstone_reading, millstone_unheard, plain, program, run,
    run_into, unread,
};
use crate::rules::vectors::read_rows;
use millstone::rules::{PRESETS, Preset};
use serde_json::{Value, json};
use tempfile::TempDir;

/// All subcommands, in depth, as the words after the name of the program; the first is none.
fn subcommands() -> Vec<Vec<String>> {
    let mut found = vec![Vec::new()];
    let mut next = 0;
    while let Some(words) = found.get(next).cloned() {
        let help = help(&words);
        let lines = help.lines().skip_while(|line| *line != "Commands:").skip(1);
        let names = lines.take_while(|line| !line.is_empty()).filter_map(|line| {
            let line = line.strip_prefix("  ").filter(|line| !line.starts_with(' '))?;
            line.split(' ').next().filter(|name| *name != "help")
        });
        found.extend(names.map(|name| [words.clone(), vec![name.to_owned()]].concat()));
        next += 1;
    }
    found
}

fn help(words: &[String]) -> String {
    let arguments: Vec<&str> = words.iter().map(String::as_str).chain(["--help"]).collect();
    millstone(&arguments).lines().join("\n")
}

/// The long options that a help explains, each as often as it stands there.
fn options(help: &str) -> Vec<&str> {
    let indented = help.lines().filter(|line| line.starts_with(' '));
    let entries = indented.map(str::trim_start).filter(|line| line.starts_with('-'));
    entries.filter_map(|line| line.split([' ', ',']).find(|it| it.starts_with("--"))).collect()
}

#[test]
fn every_subcommand_has_help_that_names_each_option_once() {
    let subcommands = subcommands();
    assert!(subcommands.len() > 10, "{subcommands:?}");
    for words in &subcommands {
        let help = help(words);
        let mut options = options(&help);
        assert!(options.contains(&"--help") && options.contains(&"--variant"), "{help}");
        let all = options.len();
        options.sort_unstable();
        options.dedup();
        assert_eq!(options.len(), all, "{help}");
    }
}

#[test]
fn every_subcommand_has_a_manual_page() {
    let folder = TempDir::new_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let pages = folder.path().join("man1");
    assert!(millstone(&["man", "--dir", plain(&pages)]).lines().is_empty());
    let subcommands = subcommands();
    for words in &subcommands {
        let name = [vec!["millstone".to_owned()], words.clone()].concat().join("-");
        let page = fs::read_to_string(pages.join(format!("{name}.1"))).expect("a page");
        for section in ["NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "\"EXIT STATUS\""] {
            assert!(page.contains(&format!(".SH {section}\n")), "{name} has no {section}");
        }
        let arguments: Vec<&str> = ["man"].into_iter().chain(words.iter().map(|s| &**s)).collect();
        let printed = millstone(&arguments);
        assert_eq!((printed.out, printed.error.as_str()), (page, ""), "{name}");
    }
    assert_eq!(fs::read_dir(&pages).unwrap().count(), subcommands.len(), "and no page more");
}

/// What bash proposes for the last of some words.
#[cfg(unix)]
fn proposals(words: &str) -> Ended {
    let script = millstone(&["completions", "bash"]).out;
    let last = words.split(' ').count() - 1;
    let ask = format!(
        "{script}\nCOMP_WORDS=({words}); COMP_CWORD={last}\n\
         _millstone millstone \"${{COMP_WORDS[-1]}}\" \"${{COMP_WORDS[-2]}}\"\n\
         printf '%s\\n' \"${{COMPREPLY[@]}}\"\n"
    );
    run(Command::new("bash").arg("-s"), &ask)
}

#[cfg(unix)]
#[test]
fn bash_completes_subcommands_and_games() {
    for (words, proposal) in read_rows::<(String, String)>("bash_proposals.jsonl") {
        assert_eq!(proposals(&format!("millstone {words}")).lines(), [proposal]);
    }
}

#[test]
fn games_are_named_as_shells_complete_them() {
    for Preset { name, rules } in &PRESETS {
        let word = name.to_lowercase().replace('\'', "").replace(' ', "-");
        let shown = millstone(&["rules", &word]);
        assert_eq!(shown.lines()[0], format!("{name} ({})", rules.identity()));
    }
}

#[test]
fn versions_are_short_and_long() {
    let version = format!("millstone {}", env!("CARGO_PKG_VERSION"));
    assert_eq!(millstone(&["-V"]).lines(), [&version[..]]);
    let long = millstone(&["--version"]);
    let lines = long.lines();
    assert_eq!(lines[0], version);
    let target = lines[1].strip_prefix("built for ").expect("the target");
    let reply = millstone_reading("compiler\nquit\n", &[]);
    assert!(reply.lines()[0].ends_with(target), "the protocol says the same");
    assert!(lines[2].starts_with("by Rust, "), "{lines:?}");
}

#[test]
fn a_reader_who_has_enough_is_no_failure() {
    let commands = "--help,perft 3,rules,completions zsh,man db,bench 2 --json,play --side both";
    for command in commands.split(',') {
        let ended = millstone_into(unread(), &command.split(' ').collect::<Vec<_>>());
        assert_eq!((ended.error.as_str(), ended.status), ("", Some(0)), "{command}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_a_failure() {
    let verify = &format!("db verify --dir {}", plain(crate::tablebases::solved(6)));
    let commands = ["--help", "--version", "man db", "perft 1", verify, "completions zsh"];
    let sessions = ["uci\n", "isready\nquit\n", "go depth 1\n"].map(|input| ("", input));
    for (command, input) in commands.map(|command| (command, "")).into_iter().chain(sessions) {
        let full = fs::File::options().write(true).open("/dev/full").unwrap();
        let mut program = program(&home());
        program.args(command.split_whitespace());
        let ended = run_into(full.into(), Stdio::piped(), &mut program, input);
        assert!(ended.complaint().starts_with("No space left on device"), "{command}{input}");
    }
}

#[test]
fn colours_are_for_those_who_want_them() {
    let has_colours =
        |name: &str| run(program(&home()).arg("--help").env(name, "1"), "").out.contains('\u{1b}');
    assert_eq!(["NO_COLOR", "CLICOLOR_FORCE"].map(has_colours), [false, true]);
}

#[test]
fn documents_are_those_of_the_version() {
    let version = env!("CARGO_PKG_VERSION");
    let readme = include_str!("../../README.md");
    assert!(readme.contains(&format!("\nMillstone {version}, an engine")));
    assert!(readme.contains(&format!("tar -xzf millstone-{version}-")));
    assert!(include_str!("../../CHANGELOG.md").contains(&format!("\n## [{version}] - ")));
}

/// A learning file with a line that cannot be read.
const LEARNED: &str = "#01 Millstone learning file, format 1\nnonsense\n";

#[test]
fn complaints_that_nobody_hears_change_no_exit_status() {
    let folder = TempDir::new_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    fs::write(folder.path().join("3-3.mill"), "no sector").unwrap();
    fs::write(folder.path().join("learned"), LEARNED).unwrap();
    for row in read_rows::<Value>("unheard.jsonl") {
        let [input, command] = ["input", "command"].map(|name| row[name].as_str().expect("a text"));
        let command = command.replace("FOLDER", plain(folder.path()));
        let ended = millstone_unheard(input, &command.split(' ').collect::<Vec<_>>());
        assert_eq!(json!(ended.status), row["status"], "{row}: {}", ended.out);
    }
}
