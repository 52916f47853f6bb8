//! Records as programs write them are read.

use millstone::position::{Position, PositionText};
use millstone::records::{AnnotatedMoves, GameRecord, GameResult, Notation};
use millstone::rules::{Preset, RuleSet};

/// The only game of a text.
fn read(text: &str) -> GameRecord {
    let mut records = GameRecord::read_all(text).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(records.len(), 1);
    records.remove(0)
}

/// The moves of a line as the protocol writes them.
fn moves(line: &AnnotatedMoves) -> String {
    line.moves.iter().map(|ply| ply.mv.to_string()).collect::<Vec<_>>().join(" ")
}

/// The moves of each game of a text.
fn moves_of_all(text: &str) -> Vec<String> {
    let records = GameRecord::read_all(text).unwrap_or_else(|error| panic!("{error}"));
    records.iter().map(|record| moves(&record.main_line)).collect()
}

const SANMILL: &str = "[Event \"Sanmill-Game\"]\r\n[Site \"Sanmill\"]\r\n[Date \"2026.8.7\"]\r\n\
    [Round \"1\"]\r\n[White \"Human\"]\r\n[Black \"AI\"]\r\n[Result \"*\"]\r\n\
    [Variant \"Nine Men's Morris\"]\r\n[PlyCount \"7\"]\r\n\r\n 1.    d6    f4\r\n 2.    d7    b4\r\n \
    3.    d5xf4    f4\r\n 4.    a1\r\n";

#[test]
fn sanmill() {
    let record = read(SANMILL);
    assert_eq!(moves(&record.main_line), "d6 f4 d7 b4 d5 xf4 f4 a1");
    assert_eq!(record.tag("Date"), Some("2026.8.7"));
    assert_eq!(record.tags.len(), 6);
    assert_eq!((record.rules, record.result), (RuleSet::default(), GameResult::Unknown));
    assert_eq!(record.history().unwrap().turns().len(), 7);
    let written = record.write(Notation::Sanmill).unwrap();
    assert_eq!(written, SANMILL.replace(" a1\r\n", " a1\r\n*\r\n\r\n"));
}

#[test]
fn line_ends_of_every_kind() {
    let plain = SANMILL.replace("\r\n", "\n");
    let comments = plain.replace("f4\n 2", "f4 {two\nlines}\n% nothing\n 2");
    for line_end in ["\r\n", "\r"] {
        assert_eq!(read(&comments.replace('\n', line_end)), read(&comments));
    }
    assert_eq!(moves_of_all("; remark\rd6 f4\rf4\r"), ["d6 f4", "f4"]);
}

#[test]
fn position_text_alone_is_a_game() {
    let start = "@**O****/*O**@***/O***@*@* b m s 3 0 4 0 0 0 0 0 0 0 0 0 10";
    let position = Position::from_text(start, RuleSet::default()).unwrap();
    let mfen = PositionText { position, is_over: false }.mfen(false).to_string();
    for text in [start.to_owned(), mfen] {
        let forms =
            ["", "fen ", "position ", "position fen "].map(|words| format!("{words}{text}\n"));
        let records = GameRecord::read_all(&forms.concat()).unwrap();
        assert!(records.iter().all(|record| record.start_position() == Ok(position)), "{text}");
        assert_eq!(records.len(), 4);
        assert_eq!(moves(&read(&format!("; remark\n{text} moves d5-c5")).main_line), "d5-c5");
    }
    assert_eq!(moves_of_all("1/2-1/2"), [""]);
}

#[test]
fn lines_of_comments_keep_their_blanks() {
    let record = read("1. d6 {  a  \n\n  b\t\n} ; c } *\n*");
    assert_eq!(record.main_line.moves[0].comment, "a  \n\n  b\nc } *");
    assert_eq!(read(&record.write(Notation::Sanmill).unwrap()), record);
}

#[test]
fn comments_and_tags_are_no_boards() {
    let record = read("{*O**@*/*@*OO*@*/*@@*@*O* w m s} 1. d6 *");
    assert_eq!(record.main_line.comment, "*O**@*/*@*OO*@*/*@@*@*O* w m s");
    assert_eq!(moves(&record.main_line), "d6");
    let record = read("[On/the/board \"3\"]\n\n1. d6 *");
    assert_eq!(record.tag("On/the/board"), Some("3"));
}

#[test]
fn sanmill_from_a_position_with_black_to_move() {
    let start = "@**O****/*O**@***/O***@*@* b m s 3 0 4 0 0 0 0 0 0 0 0 0 10";
    let text = format!(
        "[FEN \"{start}\"]\r\n[SetUp \"1\"]\r\n[Result \"0-1\"]\r\n\r\n 1...    d5-c5\r\n 2.    \
         d7-a7    c5-d5\r\n 0-1\r\n"
    );
    let record = read(&text);
    assert_eq!(record.start.as_deref(), Some(start));
    assert_eq!(record.start_position(), Position::from_text(start, record.rules));
    assert_eq!(moves(&record.main_line), "d5-c5 d7-a7 c5-d5");
    assert_eq!(record.result, GameResult::BlackWins);
    assert!(record.tags.is_empty());
    let written = record.write(Notation::Sanmill).unwrap();
    let moves = "\r\n\r\n 1...    d5-c5\r\n 2.    d7-a7    c5-d5\r\n0-1";
    assert!(written.contains(moves), "{written}");
}

#[test]
fn playok() {
    let text = include_str!("../data/records_playok.txt");
    let records = GameRecord::read_all(text).unwrap();
    assert_eq!(records.len(), 2);
    assert_eq!(records[0].tag("GameType"), Some("70,0"));
    assert_eq!(records[0].history().unwrap().turns()[7].1.to_string(), "b2xf6");
    let results = [GameResult::WhiteWins, GameResult::Draw];
    assert!(records.iter().map(|record| record.result).eq(results));
    assert_eq!(moves(&records[1].main_line), "d6 d2 b4 f4 f6 b6 f2 b2");
}

#[test]
fn world_federation() {
    let games = moves_of_all("1. a1 f2 2. a4 d7 3. a7xf2 f2\n4. g1\n\n1.d6 f4 2.b4 d2 *");
    assert_eq!(games, ["a1 f2 a4 d7 a7 xf2 f2 g1", "d6 f4 b4 d2"]);
    let openings = "1. d6 f4\n1. d6 d2\n  1.   f4   b4   1-0   1. a7";
    assert_eq!(moves_of_all(openings), ["d6 f4", "d6 d2", "f4 b4", "a7"]);
}

#[test]
fn commands_and_lists() {
    let text = "\u{feff}; two openings\nposition startpos moves d6 f4\r\n\r\n\
        position fen ********/O*@*****/******** w p p 1 8 1 8 0 0 0 0 0 0 0 0 2 moves b4\n\
        startpos\nd6 f4 d7 b4 d5 xf4\nd6 f4 d7 b4 d5xf4 f4\n5 20\n";
    let games = ["d6 f4", "b4", "", "d6 f4 d7 b4 d5 xf4", "d6 f4 d7 b4 d5 xf4 f4", "d6 d2"];
    assert_eq!(moves_of_all(text), games);
    assert_eq!(GameRecord::read_all(text).unwrap()[0].main_line.comment, "two openings");
}

#[test]
fn comments_glyphs_and_variations() {
    let record = read(
        "{before} 1. d6! {first} (1. f4 b4 (1... d2?!)) {second} d2 $14 $7 ; to the line's end\n\
         % for another program\n 2. d7 b4 3. d5 xd2 (xb4) ({none} 3. a1 ; why } not\n) 1-0 {bye}\n",
    );
    let AnnotatedMoves { comment, moves: plies, .. } = &record.main_line;
    assert_eq!(comment, "before");
    assert_eq!(moves(&record.main_line), "d6 d2 d7 b4 d5 xd2");
    assert_eq!((plies[0].comment.as_str(), &plies[0].glyphs), ("first\nsecond", &vec![1]));
    let [variation] = &*plies[0].variations else { panic!("one variation") };
    assert_eq!(moves(variation), "f4 b4");
    assert_eq!(moves(&variation.moves[1].variations[0]), "d2");
    assert_eq!(variation.moves[1].variations[0].moves[0].glyphs, [6]);
    assert_eq!((plies[1].comment.as_str(), &plies[1].glyphs), ("to the line's end", &vec![14, 7]));
    assert_eq!(moves(&plies[5].variations[0]), "xb4");
    assert_eq!(plies[5].comment, "bye");
    let [instead_of_turn] = &*plies[4].variations else { panic!("one variation") };
    assert_eq!((moves(instead_of_turn).as_str(), instead_of_turn.comment.as_str()), ("a1", "none"));
    assert_eq!(instead_of_turn.moves[0].comment, "why } not");
}

#[test]
fn other_games() {
    let lasker = Preset::named("Lasker Morris").unwrap().rules;
    let text = "1. d6 f4 2. d6-d5 f4-g4 1-0";
    let tagged = format!("[Variant \"Lasker Morris\"]\n{text}");
    assert_eq!(read(&tagged).rules, lasker);
    assert_eq!(GameRecord::read_all_by(text, &lasker).unwrap(), [read(&tagged)]);
    let own = RuleSet { men: 11, ..lasker };
    assert_eq!(read(&tagged.replace("Lasker Morris", &own.name())).rules, own);
}

#[test]
fn results_stand_in_the_text_or_in_the_tag() {
    for (text, result) in [
        ("[Result \"1-0\"]\n1. d6", GameResult::WhiteWins),
        ("[Result \"0-1\"]\n1. d6 *", GameResult::BlackWins),
        ("[Result \"*\"]\n1. d6 1/2-1/2", GameResult::Draw),
        ("[Result \"½-½\"]\n1. d6 1/2", GameResult::Draw),
        ("*", GameResult::Unknown),
    ] {
        assert_eq!(read(text).result, result, "{text}");
    }
}

#[test]
fn games_go_on_after_draws_by_history() {
    let start = "@**O****/*O**@***/O***@*@O w m s 4 0 4 0 0 0 0 0 0 0 0 99 10";
    let mut text = format!("position fen {start} moves");
    text += &" f6-f4 d2-b2 f4-f6 b2-d2".repeat(30);
    assert_eq!(read(&text).history().unwrap().count_moves(), 120);
}

#[test]
fn no_game_is_no_error() {
    for text in ["", "\u{feff}", " \r\n\n", "; nothing\n", "{nothing}"] {
        assert_eq!(GameRecord::read_all(text), Ok(Vec::new()), "{text}");
    }
}
