//! The examples of the rules: whoever judges the engine must know the game.

mod captures;
mod mills;
mod placing;
mod stalemate;

use crate::mailbox::{DrawRules, Mailbox, Rules};

impl DrawRules {
    /// No draws at all, as in perft counts and recorded playouts.
    pub const OFF: Self = Self { n_move: u32::MAX, endgame_n_move: u32::MAX, threefold: false };
}

/// Four men a side, White to slide.
const FOUR_EACH: &str = "@**O****/*O**@***/O***@*@O w m s 4 0 4 0 0 0 0 0 0 0 0 0 10";

/// Two men that go from [`FOUR_EACH`] and come back.
const THERE_AND_BACK: [&str; 4] = ["f6-f4", "d2-b2", "f4-f6", "b2-d2"];

/// Three men against four, Black to slide.
const THREE_WHITE: &str = "@*******/***@*@**/O*O***@O b m s 3 0 4 0 0 0 0 0 0 0 0 0 10";

/// Ten slides from [`THREE_WHITE`], of which the last closes a mill.
const TEN_SLIDES: [&str; 10] =
    ["d5-c5", "g4-g1", "c5-d5", "g1-g4", "d5-c5", "g4-g1", "c5-d5", "g1-g4", "d5-c5", "g4-g7"];

/// The rules with options as `Name=value`, separated by blanks.
fn rules(options: &str) -> Rules {
    let mut rules = Rules::default();
    for option in options.split_whitespace() {
        let (name, value) = option.split_once('=').expect(option);
        rules.set(name, value);
    }
    rules
}

/// The game with options from a text on, after the moves, without draws.
fn played(options: &str, text: &str, moves: &str) -> Mailbox {
    let mut game = Mailbox::from_text(text, rules(options), DrawRules::OFF);
    moves.split_whitespace().for_each(|move_text| game.play(move_text));
    game
}

/// The game with options from its start, after the moves, without draws.
fn opened(options: &str, moves: &str) -> Mailbox {
    let mut game = Mailbox::from_text("startpos", rules(options), DrawRules::OFF);
    moves.split_whitespace().for_each(|move_text| game.play(move_text));
    game
}

/// Fields 2 to 10 of the text: who does what, the men, the removals owed.
fn state(game: &Mailbox) -> String {
    let text = game.text();
    let fields: Vec<&str> = text.split(' ').collect();
    fields[1..10].join(" ")
}

/// What follows the 17 fields of the text.
fn extensions(game: &Mailbox) -> String {
    let text = game.text();
    let fields: Vec<&str> = text.split(' ').collect();
    fields[17..].join(" ")
}

/// The legal moves in one text.
fn moves(game: &Mailbox) -> String {
    game.legal_moves().join(" ")
}

/// The game of the standard rules from a text on, after the moves.
fn after(text: &str, draws: DrawRules, moves: &[&str]) -> Mailbox {
    let mut game = Mailbox::from_text(text, Rules::default(), draws);
    for move_text in moves {
        game.play(move_text);
    }
    game
}

/// The outcome as text, or `ongoing`.
fn verdict(game: &Mailbox) -> String {
    match game.outcome() {
        Some(outcome) => outcome.to_string(),
        None => "ongoing".into(),
    }
}

#[test]
fn a_mill_earns_one_removal_and_protects() {
    let mut game = Mailbox::from_text("startpos", Rules::default(), DrawRules::OFF);
    for move_text in "a4 c3 c4 e4 d3 f2 g4 d1 a7 b6 b4".split(' ') {
        game.play(move_text);
    }
    assert_eq!(game.legal_moves(), ["xb6", "xc3", "xd1", "xe4", "xf2"]);
    game.play("xd1");
    let text = "**@*O@O*/***@**O@/**O***OO b p p 6 3 4 4 0 0 0 0 0 0 0 0 6";
    assert_eq!(game.text(), text);
}

#[test]
fn two_mills_at_once_earn_one_removal() {
    let text = "O*******/*O*@*@*O/O**@***@ w p p 4 5 4 5 0 0 0 0 0 0 0 0 5";
    let game = after(text, DrawRules::OFF, &["d6", "xa7"]);
    assert!(game.text().ends_with(" b p p 5 4 3 5 0 0 0 0 0 0 0 0 5"));
}

#[test]
fn a_man_in_a_mill_may_go_only_if_all_are_in_mills() {
    let all = "********/*OOO****/***@@@** w p r 3 6 3 6 1 0 0 0 0 0 0 0 4";
    assert_eq!(after(all, DrawRules::OFF, &[]).legal_moves(), ["xa1", "xd1", "xg1"]);
}

#[test]
fn the_third_repetition_does_not_count_the_origin() {
    let slides: Vec<&str> = THERE_AND_BACK.into_iter().cycle().take(9).collect();
    let game = |count| after(FOUR_EACH, DrawRules::default(), &slides[..count]);
    assert_eq!(verdict(&game(8)), "ongoing");
    assert_eq!(verdict(&game(9)), "draw:drawThreefoldRepetition");
}

#[test]
fn the_slide_that_reaches_the_limit_draws_unless_it_closes_a_mill() {
    let draws = |n_move, endgame_n_move| DrawRules { n_move, endgame_n_move, threefold: false };
    let end = |draws, count| verdict(&after(THREE_WHITE, draws, &TEN_SLIDES[..count]));
    assert_eq!(end(draws(9, 100), 8), "ongoing");
    assert_eq!(end(draws(9, 100), 9), "draw:drawFiftyMove");
    assert_eq!(end(draws(100, 9), 9), "draw:drawEndgameFiftyMove");
    assert_eq!(end(draws(10, 10), 10), "ongoing");
    assert!(after(THREE_WHITE, draws(10, 10), &TEN_SLIDES).legal_moves().contains(&"xf2".into()));
}

#[test]
fn a_text_may_be_the_end_of_a_game() {
    let read = |text| verdict(&Mailbox::from_text(text, Rules::default(), DrawRules::default()));
    let blocked = "*O******/O***O@O@/O****O@@ b m s 6 0 4 0 0 0 0 0 0 0 0 10 85";
    assert_eq!(read(blocked), "win0:loseNoLegalMoves");
    let two_men = "********/********/OO**@@*@ w m s 2 0 3 0 0 0 0 0 0 0 0 0 10";
    assert_eq!(read(two_men), "win1:loseFewerThanThree");
    let exhausted = "@**O****/*O**@***/O***@*@O w m s 4 0 4 0 0 0 0 0 0 0 0 100 60";
    assert_eq!(read(exhausted), "draw:drawFiftyMove");
    let over = "******@*/O@****@*/O@**@*@@ w o r 2 0 7 0 0 0 0 0 0 0 0 0 71";
    assert_eq!(read(over), "over");
}

#[test]
fn a_text_may_be_read_between_a_slide_and_its_removal() {
    let text = "*O@****@/*****OOO/****@*@* w m r 4 0 4 0 1 0 0 0 0 0 0 4 118";
    let game = after(text, DrawRules::OFF, &["xe4"]);
    assert!(game.text().ends_with(" b m s 4 0 3 0 0 0 0 0 0 0 0 0 118"));
}

#[test]
fn men_in_number_and_flight_are_options() {
    let text = "@**O****/*O**@***/****@*@O w m s 3 0 4 0 0 0 0 0 0 0 0 0 10";
    let count = |options| played(options, text, "").legal_moves().len();
    assert_eq!(count(""), 3 * 17);
    assert_eq!(count("MayFly=false"), 5);
    assert_eq!(count("MayFly=false HasDiagonalLines=true"), 9);
    assert_eq!(played("flyPieceCount=4", FOUR_EACH, "").legal_moves().len(), 4 * 16);
    let lost = played("PiecesAtLeastCount=4", text, "");
    assert_eq!(verdict(&lost), "win1:loseFewerThanThree");
    assert_eq!(state(&lost), "w o r 3 0 4 0 0 0");
    assert_eq!(state(&opened("PiecesCount=12", "d6")), "b p p 1 11 0 12 0 0");
}

#[test]
#[should_panic(expected = "no rule option is called Mills")]
fn there_is_no_other_option() {
    rules("Mills=0");
}

#[test]
#[should_panic(expected = "marks in")]
fn only_one_game_has_marks() {
    played("", "********/********/OO**@X*O b p p 3 6 1 7 0 0 0 0 0 0 0 0 3", "");
}

#[test]
#[should_panic(expected = "not canonical")]
fn a_text_must_say_what_is_on_the_board() {
    played("", "********/********/OO**@**O b p p 2 6 1 7 0 0 0 0 0 0 0 0 3", "");
}

#[test]
fn named_games_differ_from_the_standard_one_where_the_book_says() {
    assert_eq!(Rules::named("Nine Men's Morris"), Rules::default());
    let lasker = Rules { pieces_count: 10, may_move_in_placing_phase: true, ..Rules::default() };
    assert_eq!(Rules::named("Lasker Morris"), lasker);
    assert_eq!(Rules::named("Cheng San Qi"), Rules { may_fly: false, ..Rules::default() });
}
