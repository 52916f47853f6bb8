//! Matches that are broken off, continued and shared out.

use std::fs;

use super::contests::{MatchFolder, SELF, arguments, level};
use crate::program::{millstone_into, unread};
use serde_json::Value;

const GAMES: [&str; 2] = ["--games", "16"];

/// Two levels, so that results differ from game to game.
fn engines() -> [String; 2] {
    [6, 5].map(level)
}

fn all(others: &[&str]) -> Vec<String> {
    let [first, second] = engines();
    let games: &[&str] = if others.contains(&GAMES[0]) { &[] } else { &GAMES };
    arguments([&first, &second], &[games, others].concat())
}

/// The games of a log without what depends on the day.
fn games(place: &MatchFolder, names: &[&str]) -> Vec<Value> {
    let mut games: Vec<Value> = names.iter().flat_map(|name| place.games(name)).collect();
    games.sort_by_key(|game| game["game"].as_u64());
    for game in &mut games {
        let of_day = ["ended", "thought", "checksum"];
        game.as_object_mut().unwrap().retain(|name, _| !of_day.contains(&name.as_str()));
    }
    games
}

/// A log as older versions wrote it.
fn without_checksums(log: &str) -> String {
    let ends = log.lines().map(|line| line.rsplit_once(",\"checksum\":").expect("a checksum").0);
    ends.map(|line| line.to_owned() + "}\n").collect()
}

#[test]
fn a_match_that_was_killed_goes_on() {
    let place = MatchFolder::new();
    let whole = place.result(&all(&["--log", "whole"]));
    for games_before in [1, 5] {
        let name = format!("killed-{games_before}");
        let arguments = all(&["--log", &name, "--json"]);
        let mut running = place.start(&arguments);
        running.wait_until(|| place.lines(&name).len() > games_before);
        drop(running);
        assert!(place.lines(&name).len() < 1 + 16, "the match was killed before its end");
        assert_eq!(place.play(&arguments).result(), whole);
        assert_eq!(games(&place, &[&name]), games(&place, &["whole"]));
    }
}

#[test]
fn a_finished_match_is_told_again_and_can_be_lengthened() {
    let place = MatchFolder::new();
    let first = place.result(&all(&["--log", "log"]));
    let log = fs::read(place.path("log")).unwrap();
    assert_eq!(place.result(&all(&["--log", "log"])), first);
    assert_eq!(fs::read(place.path("log")).unwrap(), log);
    let older = without_checksums(&String::from_utf8(log).unwrap());
    fs::write(place.path("log"), older).unwrap();
    assert_eq!(place.result(&all(&["--log", "log"])), first);
    let [one, other] = engines();
    let longer = ["--games", "20", "--log", "log"];
    assert_eq!(place.result(&arguments([&one, &other], &longer))["games"], 20);
}

#[test]
fn a_game_only_half_there_is_played_again() {
    let place = MatchFolder::new();
    let whole = place.result(&all(&["--log", "log"]));
    let log = fs::read(place.path("log")).unwrap();
    for length in [log.len() - 1, log.len() - 40, 20] {
        fs::write(place.path("log"), &log[..length]).unwrap();
        let finished = place.play(&all(&["--log", "log", "--json"]));
        assert_eq!(finished.result(), whole);
        assert!(finished.error.contains("log: ignoring an incomplete last game"), "{finished:?}");
    }
}

/// A log that is damaged, or not that of this match, is named and left alone by whoever reads it.
#[test]
fn a_log_that_does_not_fit_is_left_alone() {
    let place = MatchFolder::new();
    place.result(&all(&["--log", "log", "--games", "4"]));
    let checked = fs::read_to_string(place.path("log")).unwrap();
    let log = without_checksums(&checked);
    let (header, line) = (log.lines().next().unwrap(), log.lines().nth(3).unwrap());
    let game: Value = serde_json::from_str(line).unwrap();
    let number = game["game"].as_u64().unwrap();
    let with = |key: &str, value: u64| {
        let mut game = game.clone();
        game[key] = value.into();
        format!("{header}\n{game}\n").into_bytes()
    };
    let checked_line = checked.lines().nth(3).unwrap();
    let unchecked = |line| format!("log: line {line}: the checksum does not match");
    let stray = "log: line 2: the game does not belong to this match";
    let other = "log: the log of a match with other settings";
    let mut foreign = checked.clone().into_bytes();
    let at = checked.find("\"reason\":\"").unwrap() + 11;
    foreign[at] = 0xFF;
    let cases: [(Vec<u8>, &str, bool); 13] = [
        (log.replace(line, "{}").into(), "log: line 4: expected a game, found '{}'", true),
        (log.replace(line, &line[1..]).into(), "log: line 4: expected a game, found '", true),
        (foreign, "log: line 2: expected a game", true),
        ((log.clone() + line + "\n").into(), "log: game ", true),
        (with("white", 1 - number % 2), stray, true),
        (with("game", u64::MAX - 1 + number % 2), stray, true),
        (checked.replacen("\"margin\":", "\"margin\":1", 1).into(), &unchecked(1), true),
        (checked.replacen("\"thought\":[", "\"thought\":[1", 1).into(), &unchecked(2), true),
        (checked.replace(checked_line, line).into(), &unchecked(4), true),
        (log.replacen("\"seed\":0", "\"seed\":7", 1).into(), other, false),
        (log.replace("nodes=300", "nodes=5").into(), other, false),
        ("nothing\nlike it\n".into(), "log: not the log of a match", true),
        ("nothing like it".into(), "log: not the log of a match", true),
    ];
    for (bytes, message, is_bad) in cases {
        fs::write(place.path("log"), &bytes).unwrap();
        for arguments in
            [all(&["--log", "log", "--games", "6"]), ["--merge", "log"].map(Into::into).into()]
                .iter()
                .take(1 + usize::from(is_bad))
        {
            let finished = place.play(arguments);
            finished.assert_complains(message);
            assert!(fs::read(place.path("log")).unwrap() == bytes, "{message}");
        }
    }
}

#[test]
fn a_log_of_too_many_games_is_refused_and_missing_pairs_are_counted() {
    let place = MatchFolder::new();
    let two_games = place.result(&all(&["--log", "log", "--games", "2"]));
    let log = without_checksums(&fs::read_to_string(place.path("log")).unwrap());
    for games in ["1000000", "1000001"] {
        let longer = log.replacen("\"games\":2", &format!("\"games\":{games}"), 1);
        fs::write(place.path("log"), longer).unwrap();
        let merged = place.play(&["--merge", "log", "--json"]);
        if games.ends_with('1') {
            assert_eq!(merged.last_complaint(), "log: not the log of a match");
        } else {
            assert_eq!(merged.result(), two_games);
            let told = "millstone: 499999 pairs are missing: 2, 3, ";
            assert!(merged.error.starts_with(told), "{}", merged.error);
        }
    }
}

#[cfg(unix)]
#[test]
fn records_are_not_written_over_anything_else() {
    let place = MatchFolder::new();
    let two_games = |others: &[&str]| all(&[&["--log", "log", "--games", "2"], others].concat());
    place.result(&two_games(&["--records", "records"]));
    let [log, records] = ["log", "records"].map(|name| fs::read(place.path(name)).unwrap());
    fs::write(place.path("notes"), "Mine.\n").unwrap();
    std::os::unix::fs::symlink("log", place.path("link")).unwrap();
    fs::write(place.path("both"), [&records[..], b"Mine.\n"].concat()).unwrap();
    let other = "contains something other than games of the log";
    let busy = "another match is writing it";
    for (name, what) in [("log", busy), ("link", busy), ("notes", other), ("both", other)] {
        let merge = ["--merge", "log", "--records", name].map(Into::into).into();
        for (arguments, what) in [(two_games(&["--records", name]), what), (merge, other)] {
            place.play(&arguments).assert_complains(&format!("{name}: {what}"));
        }
    }
    let fresh = all(&["--log", "fresh", "--records", "records"]);
    place.play(&fresh).assert_complains("records: contains something other than games");
    let other = |others: &[&str]| {
        all(&[&["--log", "other", "--games", "2", "--seed", "5"], others].concat())
    };
    place.result(&other(&[]));
    let overwritten = place.play(&other(&["--records", "records"]));
    overwritten.assert_complains("records: contains something other than games");
    place.result(&two_games(&["--records", "records"]));
    place.result(&["--merge", "log", "--records", "records"]);
    assert_eq!(fs::read(place.path("log")).unwrap(), log);
    assert_eq!(fs::read(place.path("records")).unwrap(), records);
    assert_eq!(place.lines("notes"), ["Mine."]);
    assert_eq!(place.lines("both").pop().unwrap(), "Mine.");
}

/// The name of an engine makes the result longer than what is kept until the end of the line.
#[test]
fn a_reader_that_goes_away_is_no_error() {
    let place = MatchFolder::new();
    let name = format!("{SELF}\nname={}", "long".repeat(1000));
    place.result(&arguments([&name, SELF], &["--log", "log", "--games", "2"]));
    let log = place.path("log");
    let ended = millstone_into(unread(), &["match", "--json", "--merge", log.to_str().unwrap()]);
    assert_eq!((ended.status, ended.error.as_str()), (Some(0), ""));
}

#[test]
fn a_log_is_a_regular_file() {
    let place = MatchFolder::new();
    fs::create_dir(place.path("log")).unwrap();
    for arguments in [all(&["--log", "log"]), ["--merge", "log"].map(Into::into).into()] {
        assert_eq!(place.play(&arguments).last_complaint(), "log: not a regular file");
    }
    assert_eq!(place.play(&all(&["--records", "log"])).last_complaint(), "log: not a regular file");
}

/// A file of a size that no memory has.
#[test]
fn no_more_is_read_of_what_is_no_log_than_its_first_line() {
    let place = MatchFolder::new();
    for first_line in ["", "of something else\n"] {
        fs::write(place.path("log"), first_line).unwrap();
        let file = fs::File::options().write(true).open(place.path("log")).unwrap();
        file.set_len(1 << 42).unwrap();
        for arguments in [all(&["--log", "log"]), ["--merge", "log"].map(Into::into).into()] {
            assert_eq!(place.play(&arguments).last_complaint(), "log: not the log of a match");
        }
    }
}

#[test]
fn four_shards_together_are_the_match() {
    let place = MatchFolder::new();
    let whole = place.result(&all(&["--log", "whole"]));
    let logs = ["1", "2", "3", "4"];
    let mut games_of_shards = 0;
    for part in logs {
        let shard = format!("{part}/4");
        let result = place.result(&all(&["--log", part, "--shard", &shard]));
        games_of_shards += result["games"].as_u64().unwrap();
    }
    assert_eq!(games_of_shards, 16);
    let merge = [["--merge"].as_slice(), &logs].concat();
    assert_eq!(place.result(&merge), whole);
    assert_eq!(games(&place, &logs), games(&place, &["whole"]));

    fs::write(place.path("3"), fs::read_to_string(place.path("3")).unwrap() + "{").unwrap();
    let forgotten = place.play(&["--merge", "1", "3", "2", "--json"]);
    assert_eq!(forgotten.result()["games"], 12);
    let told = "3: ignoring an incomplete last game\nmillstone: 2 pairs are missing: 4, 8\n";
    assert_eq!(forgotten.error, format!("millstone: {told}"));
    let wrong = place.play(&all(&["--log", "1", "--shard", "2/4"]));
    assert_eq!(wrong.last_complaint(), "1: the log of a match with other settings");
    let elsewhere = without_checksums(&fs::read_to_string(place.path("2")).unwrap())
        .replace("\"command\":[\"", "\"command\":[\"/mnt");
    fs::write(place.path("2"), elsewhere).unwrap();
    assert_eq!(place.result(&merge), whole);

    place.play(&["--merge", "1", "2", "1"]).assert_complains("1: game ");
    let [first, _] = engines();
    let others = [GAMES.as_slice(), &["--log", "other", "--shard", "2/4"]].concat();
    place.result(&arguments([&first, SELF], &others));
    let other = place.play(&["--merge", "1", "other"]);
    assert_eq!(other.last_complaint(), "other: the log of a match with other settings");
}
