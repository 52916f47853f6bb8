//! Reviews of games: what turns give away, by the tablebase and by search.

use std::sync::Arc;

use crate::critical_positions::Critical;
use crate::tablebases::{self, solved};
use millstone::analysis::{Analyst, Effort, ReviewedTurn, Severity, WhiteScore, annotate};
use millstone::board::Side;
use millstone::position::{Move, Turn};
use millstone::records::{GameRecord, Notation};
use millstone::search::{Engine, Silent};
use millstone::tablebase::{Tablebase, Wdl};

fn analyst(depth: u32, tablebase: Option<Tablebase>) -> Analyst {
    let mut engine = Engine::new(4).expect("a table of 4 MiB");
    engine.tablebase = tablebase.map(Arc::new);
    Analyst::new(engine, Effort { depth, ..Effort::default() })
}

fn record(start: Option<String>, moves: &[Move]) -> GameRecord {
    GameRecord { start, main_line: moves.iter().copied().collect(), ..GameRecord::default() }
}

/// The review of a record, which tells of each turn as it goes.
fn review(analyst: &mut Analyst, record: &GameRecord) -> Vec<ReviewedTurn> {
    let mut told = 0;
    let turns = analyst.review(record, &mut Silent, |_| told += 1).expect("legal moves");
    assert_eq!(told, turns.len());
    turns
}

/// The review of one turn from a critical position.
fn review_turn(analyst: &mut Analyst, critical: &Critical, turn: &Turn) -> ReviewedTurn {
    let start = critical.game.text().to_string();
    review(analyst, &record(Some(start), turn.moves())).remove(0)
}

impl Critical {
    /// All turns, and whether each keeps what the position is worth.
    fn turns(&self) -> Vec<(Turn, bool)> {
        let keeps = |turn: &Turn| self.keeping.contains(&turn.to_string());
        self.game.turns().into_iter().map(|(turn, _)| (turn.clone(), keeps(&turn))).collect()
    }

    fn men(&self) -> u32 {
        Side::ALL.iter().map(|&side| self.game.position().men(side).len()).sum()
    }
}

#[test]
fn the_tablebase_judges_exactly() {
    let mut analyst = analyst(1, Some(tablebases::open(solved(7))));
    let critical: Vec<Critical> = Critical::all("moving");
    let (mut kept, mut spoiled) = (0, 0);
    for critical in critical.iter().filter(|critical| critical.men() <= 7) {
        for (turn, keeps) in critical.turns() {
            let reviewed = review_turn(&mut analyst, critical, &turn);
            let known = reviewed.moves[0].known[0];
            assert_eq!(known, Some(if critical.is_won { Wdl::Win } else { Wdl::Draw }));
            if keeps {
                assert_eq!((reviewed.loss(), reviewed.severity()), (0.0, None), "{turn}");
                kept += 1;
            } else {
                assert!(reviewed.loss() >= 0.5, "{turn}: {reviewed:?}");
                assert_eq!(reviewed.severity(), Some(Severity::Blunder));
                spoiled += 1;
                let (worst, better) = reviewed.better().expect("something better");
                let better = turn.moves()[..worst].iter().chain(&better.pv);
                let better: String = better.map(ToString::to_string).collect();
                let is_kept = critical.keeping.iter().any(|keeping| better.starts_with(keeping));
                assert!(is_kept, "{turn}: {better}");
            }
        }
    }
    assert!(kept > 100 && spoiled > 1000, "{kept} {spoiled}");
}

#[test]
fn search_marks_most_turns_that_change_the_result_and_few_others() {
    let mut analyst = analyst(8, None);
    let (mut changing, mut marked) = (0, [0, 0]);
    for critical in Critical::all("moving").iter().take(80) {
        let turns = critical.turns();
        let of_kind =
            |keeps| turns.iter().find(|turn| turn.1 == keeps).expect("turns of both kinds");
        for keeps in [false, true] {
            let reviewed = review_turn(&mut analyst, critical, &of_kind(keeps).0);
            marked[usize::from(keeps)] += u32::from(reviewed.severity().is_some());
        }
        changing += 1;
    }
    let share = marked.map(|marked| 100 * marked / changing);
    assert!(share[0] >= 80 && share[1] <= 20, "{share:?} percent marked");
}

/// White has four turns that let Black win; g4-g1 wins at once.
const WIN_IN_ONE: &str = "@*******/***@**@*/**O*OO** w m s 3 0 3 0 0 0 0 0 0 0 0 0 30";

#[test]
fn a_wrong_removal_is_the_fault_of_its_turn() {
    // Closing the mill is right; of the four men only c5 may go.
    let start = "****@**@/********/@*O@**OO w m s 3 0 4 0 0 0 0 0 0 0 0 0 10";
    let moves = ["g4-a1", "xd7"].map(|mv| mv.parse().unwrap());
    let turns = review(&mut analyst(10, None), &record(Some(start.to_owned()), &moves));
    assert_eq!((turns.len(), turns[0].moves.len()), (1, 2));
    assert_eq!(turns[0].severity(), Some(Severity::Blunder));
    assert!(turns[0].moves[0].loss < Severity::Inaccuracy.threshold());
    let better = turns[0].better().map(|(worst, best)| (worst, best.pv[0].to_string()));
    assert_eq!(better, Some((1, "xc5".to_owned())));
    assert!(turns[0].score() < WhiteScore::new(millstone::score::Score::DRAW, Side::White));
}

#[test]
fn the_record_keeps_what_it_says_and_gains_the_review() {
    let text = "[White \"Erika\"]\n[Black \"Otto\"]\n\n\
        1. d6 {her favourite} a1 2. f6 g7 $1 (2... b6 {safe}) 3. b6xa1 1-0\n";
    let mut game = GameRecord::read_all(text).unwrap().remove(0);
    let before = game.clone();
    let turns = review(&mut analyst(7, None), &game);
    annotate(&mut game, &turns);
    let ply = &game.main_line.moves[3];
    let fault = turns[3].severity().expect("Black lets White close a mill");
    assert_eq!(ply.glyphs, [1, fault.glyph()]);
    assert_eq!(ply.variations.len(), 2);
    assert_eq!(ply.variations[1].moves[0].mv.to_string(), "b6");
    assert!(game.main_line.moves[0].comment.starts_with("her favourite\n"), "{:?}", game.main_line);
    let scores = [0, 1, 2, 3, 5].map(|at| game.main_line.moves[at].comment.lines().last().unwrap());
    assert!(turns.iter().map(|turn| turn.score().to_string()).eq(scores));
    assert_eq!((&game.tags, game.result), (&before.tags, before.result));
    assert!(game.moves().eq(before.moves()));
    for notation in Notation::ALL.into_iter().filter(|it| it.is_commented()) {
        assert_eq!(GameRecord::read_all(&game.write(notation).unwrap()).unwrap(), [game.clone()]);
    }
}

/// So many moves, the same four again and again.
fn shuffle(moves: [&str; 4], count: usize) -> Vec<Move> {
    moves.iter().map(|mv| mv.parse().unwrap()).cycle().take(count).collect()
}

#[test]
fn games_that_went_on_after_a_draw_are_reviewed_to_their_end() {
    let start = "@**O****/*O**@***/O***@*@O w m s 4 0 4 0 0 0 0 0 0 0 0 0 10";
    let moves = shuffle(["f6-f4", "d2-b2", "f4-f6", "b2-d2"], 14);
    let turns = review(&mut analyst(2, None), &record(Some(start.to_owned()), &moves));
    let played = turns.iter().flat_map(|turn| turn.turn.moves());
    assert!(played.eq(&moves), "{turns:?}");
    assert!(turns[13].moves[0].before.depth > 0, "no draw ends the search");
}

#[test]
fn a_win_repeated_into_a_draw_is_a_blunder_of_the_last_turn() {
    let moves = shuffle(["g4-d3", "d5-e5", "d3-g4", "e5-d5"], 9);
    let game = record(Some(WIN_IN_ONE.to_owned()), &moves);
    let turns = review(&mut analyst(2, Some(tablebases::open(solved(6)))), &game);
    let (last, before) = turns.split_last().unwrap();
    let is_good = |turn: &ReviewedTurn| turn.side != last.side || turn.severity().is_none();
    assert!(before.iter().all(is_good));
    let judged = &last.moves[0];
    assert_eq!(judged.known, [Some(Wdl::Win), Some(Wdl::Draw)]);
    assert_eq!((last.loss(), last.severity()), (0.5, Some(Severity::Blunder)));
    assert_ne!(last.better().unwrap().1.pv[0], moves[8]);
}

#[test]
fn illegal_games_are_refused_before_anything_is_told() {
    let moves = ["d6", "d6"].map(|mv| mv.parse().unwrap());
    let mut analyst = analyst(2, None);
    let error = analyst.review(&record(None, &moves), &mut Silent, |_| panic!("told")).unwrap_err();
    assert!(error.to_string().starts_with("move 'd6': "), "{error}");
    let nonsense = record(Some("nonsense".to_owned()), &[]);
    assert!(analyst.review(&nonsense, &mut Silent, |_| ()).is_err());
}

/// On a clock too: a move played is searched as deep as the better one.
#[test]
fn the_move_that_was_played_is_judged_at_the_depth_of_the_best() {
    let engine = Engine::new(4).expect("a table of 4 MiB");
    let time = Some(std::time::Duration::from_millis(50));
    let mut analyst = Analyst::new(engine, Effort { time, ..Effort::default() });
    let moves = ["d7", "g7", "a1", "g1", "a4"].map(|mv| mv.parse().unwrap());
    for turn in review(&mut analyst, &record(None, &moves)) {
        let reviewed = &turn.moves[0];
        assert!(reviewed.before.depth > 2, "{turn:?}");
        assert_eq!(reviewed.played.depth, reviewed.before.depth, "{turn:?}");
    }
}
