//! One position, one truth: the probe, searches with all, some or none of the tablebase, analysis, the images
//! of the position, and an exact solver that counts slides, near the limits of the draw rules.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, LazyLock};

use super::bouts::TABLES;
use crate::positions::with_slides;
use crate::random::{IndexedRandom, Random, RngExt, seeded};
use crate::searches::engine_with;
use crate::size::usual_or_full;
use crate::tablebases;
use millstone::analysis::{Analyst, Effort};
use millstone::board::{BySide, Side, Symmetry};
use millstone::game::{Game, draw_by_n_move};
use millstone::position::{Move, Position};
use millstone::rules::{DrawRules, RuleSet};
use millstone::score::{Score, ScoreKind};
use millstone::search::{Class, Engine, KnownMove, KnownRoot, Limits, Report, Silent, Variation};
use millstone::tablebase::{Sector, Tablebase, Value, Wdl, book};
use rayon::prelude::*;

/// More lines than a position has moves.
const MANY: usize = 100;
/// The depth of searches with a tablebase, and without.
const DEPTHS: [u32; 2] = [2, 4];
/// The most positions that the solver looks at for one answer.
const MOST_SOLVED: u32 = 500;

/// A tablebase of three men against three alone.
static SMALL: LazyLock<Arc<Tablebase>> =
    LazyLock::new(|| Arc::new(tablebases::open(tablebases::solved(6))));

/// Solves positions with their count of slides, as the draw rules have it.
struct Solver {
    draws: DrawRules,
    known: HashMap<(u64, u16), Wdl>,
    /// How many positions may still be looked at.
    left: u32,
}

impl Solver {
    fn new(draws: DrawRules) -> Self {
        Self { draws, known: HashMap::new(), left: MOST_SOLVED }
    }

    /// What a position is worth to the side to move; none if that takes too long.
    ///
    /// Where the line of best play ends before any limit, the tablebase is right, and the rules never
    /// make more of a position than it says.
    fn value(&mut self, position: &Position) -> Option<Wdl> {
        if draw_by_n_move(position, self.draws).is_some() {
            return Some(Wdl::Draw);
        }
        let value = TABLES.probe_value(position).expect("the sectors are there");
        let Some(turns) = value.turns() else { return Some(Wdl::Draw) };
        let quiet_plies = if position.pending() > 0 { 0 } else { position.quiet_plies() };
        let is_early = quiet_plies + u16::from(turns) < self.draws.first_limit();
        if is_early || position.ending().is_some() {
            return Some(value.into());
        }
        let key = (position.key(), position.quiet_plies());
        if let Some(&known) = self.known.get(&key) {
            return Some(known);
        }
        self.left = self.left.checked_sub(1)?;
        let most = if value.is_win() { Wdl::Win } else { Wdl::Draw };
        let mut moves: Vec<(Value, Move)> =
            position.moves().iter().map(|&mv| (stored(position, mv), mv)).collect();
        moves.sort_by_key(|&(value, _)| Reverse(value));
        let mut best = Wdl::Loss;
        for (_, mv) in moves {
            best = best.max(self.value_of_move(position, mv)?);
            if best == most {
                break;
            }
        }
        self.known.insert(key, best);
        Some(best)
    }

    /// What a move is worth to the side that plays it.
    fn value_of_move(&mut self, position: &Position, mv: Move) -> Option<Wdl> {
        let after = position.after(mv);
        let value = self.value(&after)?;
        Some(if after.plays_on(position.to_move()) { value } else { value.before_move() })
    }
}

fn stored(position: &Position, mv: Move) -> Value {
    TABLES.probe_move(position, mv).expect("the sectors are there")
}

/// A position drawn by lot, with rules whose limits are near.
fn draw(rng: &mut Random) -> Game {
    loop {
        let men = [(3, 3), (3, 4), (4, 3), (4, 4)].choose(rng).copied().unwrap();
        let sector = Sector::new(men.0, men.1).unwrap();
        let mut number = rng.random_range(0..sector.len());
        // Most positions are drawn, and tell less.
        for _ in 0..8 {
            if TABLES.file(sector).unwrap().wdl(number).unwrap() != Wdl::Draw {
                break;
            }
            number = rng.random_range(0..sector.len());
        }
        let placed = tablebases::position(sector, number).to_string();
        let text = if rng.random() { placed } else { tablebases::with_black_to_move(&placed) };
        let limits = [10, 12, 16, 25, 40, 100];
        let draws = DrawRules {
            n_move: *limits.choose(rng).unwrap(),
            endgame_n_move: *limits.choose(rng).unwrap(),
            threefold_repetition: rng.random(),
        };
        let left = rng.random_range(1..=12_u16);
        let quiet_plies = draws.first_limit().saturating_sub(left);
        let game = with_quiet_plies(&text, quiet_plies, draws);
        if game.outcome().is_none() && !game.moves().is_empty() {
            return game;
        }
    }
}

pub fn with_quiet_plies(text: &str, quiet_plies: u16, draws: DrawRules) -> Game {
    let text = with_slides(text, quiet_plies);
    Game::from_text(&text, RuleSet::default(), draws).expect("a position")
}

/// The image of a position with the sides exchanged.
fn with_sides_exchanged(position: &Position) -> Position {
    let men = BySide([Side::Black, Side::White].map(|side| position.men(side)));
    let in_hand = BySide([Side::Black, Side::White].map(|side| position.in_hand(side)));
    Position::with_men(RuleSet::default(), men, in_hand, !position.to_move())
}

/// Engines that keep what they found from one position to the next.
struct Asked {
    with_all: Engine,
    with_some: Engine,
    with_none: Engine,
    analyst: Analyst,
    /// How many claims to see the end of the game and how many moves were compared, and how many of these gave
    /// away what the rules left.
    counts: [u64; 3],
}

impl Asked {
    fn new() -> Self {
        let effort = Effort { depth: DEPTHS[0], lines: 2, ..Effort::default() };
        Self {
            with_all: engine_with(&TABLES),
            with_some: engine_with(&SMALL),
            with_none: Engine::new(1).unwrap(),
            analyst: Analyst::new(engine_with(&TABLES), effort),
            counts: [0; 3],
        }
    }

    fn compare(&mut self, game: &Game, rng: &mut Random) {
        let position = game.position();
        let value = TABLES.probe_value(position).expect("the sectors are there");
        let ranked = TABLES.rank_moves(position, &game.moves()).expect("the sectors are there");
        let best = ranked[0].value;
        let about = format!("{} by {:?}", game.text(), game.draw_rules());
        assert_eq!(best, Some(value), "probe: {about}");
        compare_images(game, value);

        let all_lines = Limits { multi_pv: MANY, ..Limits::to_depth(DEPTHS[0]) };
        let report = self.with_all.search(game, &all_lines, &mut Silent);
        let known = report.known.clone().expect("the tablebase knows all moves");
        for ranked in &ranked {
            let found = known.get(ranked.mv).copied();
            let turns = ranked.value.and_then(Value::turns).map(u16::from);
            let is_same = found.is_some_and(|found| {
                wdl(found.class) == ranked.wdl && found.ranked.turns() == turns
            });
            assert!(is_same, "lines and probe: {found:?}, {ranked:?}: {about}");
        }
        let lines = &report.lines;
        let is_told =
            |line: &Variation| known.get(line.pv[0]).map(KnownMove::score) == Some(line.score);
        let is_sorted = known.moves().is_sorted_by(|a, b| a.worth() >= b.worth());
        let are_good = lines.len() == game.moves().len() && lines.iter().all(is_told) && is_sorted;
        assert!(are_good, "scores: {lines:?} of {known:?}: {about}");
        let mut solver = Solver::new(game.draw_rules());
        let exact = solver.value(position);
        self.compare_lines(game, &report, &mut solver);
        self.compare_played(game, &report, &mut solver);

        let limits = Limits::to_depth(DEPTHS[0]);
        let single = self.with_all.search(game, &limits, &mut Silent);
        let of = |report: &Report| report.best().and_then(|mv| Some(known.get(mv)?.class));
        assert_eq!(of(&single), of(&report), "one line and many: {about}");
        self.compare_played(game, &single, &mut solver);

        let assessed = self.analyst.assess(game, &mut Silent);
        let is_same = assessed.known.as_ref().map(classes) == Some(classes(&known));
        assert!(is_same, "analysis: {:?}: {about}", assessed.known);

        let certain = TABLES.certain_wdl(game);
        let is_same = certain.is_none() || exact.is_none() || certain == exact;
        assert!(is_same, "what is certain: {certain:?}, {exact:?}: {about}");

        let report = self.with_some.search(game, &all_lines, &mut Silent);
        assert_eq!(report.lines.len(), game.moves().len(), "a line of each move: {about}");
        self.compare_lines(game, &report, &mut solver);

        // What was found with time to spare says nothing about the same men near the limit.
        let early = rng.random_range(0..=position.quiet_plies());
        let early = with_quiet_plies(&game.text().to_string(), early, game.draw_rules());
        let limits = Limits::to_depth(DEPTHS[1]);
        for game in [&early, game] {
            let report = self.with_none.search(game, &limits, &mut Silent);
            let mut solver = Solver::new(game.draw_rules());
            self.compare_lines(game, &report, &mut solver);
        }
    }

    /// Whoever claims to see the end of the game is right under the draw rules.
    fn compare_lines(&mut self, game: &Game, report: &Report, solver: &mut Solver) {
        for line in report.lines.clone() {
            let claimed = match line.score.kind() {
                ScoreKind::MateIn(_) => Wdl::Win,
                ScoreKind::MatedIn(_) => Wdl::Loss,
                _ => continue,
            };
            solver.left = MOST_SOLVED;
            let Some(exact) = solver.value_of_move(game.position(), line.pv[0]) else { continue };
            assert_eq!(claimed, exact, "{line:?}: {} by {:?}", game.text(), game.draw_rules());
            self.counts[0] += 1;
        }
    }

    /// The move that is played keeps what the position is worth under the draw rules, if the line of best
    /// play has told that.
    fn compare_played(&mut self, game: &Game, report: &Report, solver: &mut Solver) {
        let Some((best, exact)) = report.best().zip(solver.value(game.position())) else { return };
        solver.left = MOST_SOLVED;
        let Some(kept) = solver.value_of_move(game.position(), best) else { return };
        self.counts[1] += 1;
        self.counts[2] += u64::from(kept < exact);
        let is_sure = report.score().is_mate();
        let about = || format!("{best}: {} by {:?}", game.text(), game.draw_rules());
        assert!(!is_sure || kept == exact, "{kept} of {exact} by {}", about());
    }
}

/// All 16 images of a position and of those with the sides exchanged have its value, and some of their moves have
/// those of its moves.
fn compare_images(game: &Game, value: Value) {
    let position = game.position();
    let moves = game.moves().into_iter().step_by(usual_or_full(9, 1));
    let moves: Vec<_> = moves.map(|mv| (mv, stored(position, mv))).collect();
    for symmetry in Symmetry::all() {
        let image = position.image(symmetry);
        for image in [image, with_sides_exchanged(&image)] {
            assert_eq!(TABLES.probe_value(&image), Some(value), "{image}");
            for (mv, value) in &moves {
                assert_eq!(stored(&image, mv.image(symmetry)), *value, "{image}");
            }
        }
    }
}

/// The moves of a root with their classes and distances, in the order of the moves.
fn classes(known: &KnownRoot) -> BTreeMap<String, (Class, Option<u16>)> {
    let class =
        |known: &KnownMove| (known.ranked.mv.to_string(), (known.class, known.ranked.turns()));
    known.moves().iter().map(class).collect()
}

/// What a class is by the tablebase alone.
fn wdl(class: Class) -> Wdl {
    match class {
        Class::Lost | Class::Blessed => Wdl::Loss,
        Class::Drawn => Wdl::Draw,
        Class::Cursed | Class::Won => Wdl::Win,
    }
}

#[test]
fn all_that_can_be_asked_agree_near_the_limits() {
    let positions = usual_or_full(160, 100_000);
    let shares = 16;
    let counts = (0..shares).into_par_iter().map(|seed| {
        let mut rng = seeded(seed);
        let mut asked = Asked::new();
        for _ in 0..positions / shares {
            asked.compare(&draw(&mut rng), &mut rng);
        }
        asked.counts
    });
    let counts: Vec<[u64; 3]> = counts.collect();
    let [claims, played, given] = [0, 1, 2].map(|at| counts.iter().map(|of| of[at]).sum::<u64>());
    assert!(given * 250 < played && claims > positions, "{claims} {played} {given}");
}

/// The opening book: the value of a position is that of its best move, whatever its image, and the search
/// plays a move that keeps it.
#[test]
fn the_book_agrees_with_itself_and_with_the_search() {
    let mut engine = engine_with(book());
    let mut rng = seeded(8);
    for _ in 0..usual_or_full(40, 2000) {
        let mut game = Game::start(RuleSet::default(), DrawRules::default());
        for _ in 0..rng.random_range(0..7) {
            game.play(*game.moves().choose(&mut rng).unwrap()).unwrap();
        }
        if game.position().pending() > 0 {
            continue;
        }
        let position = game.position();
        let Some(value) = book().probe::<Wdl, _>(position) else { continue };
        let of = |mv| book().probe_move::<Wdl, _>(position, mv);
        let best = game.moves().iter().filter_map(|&mv| of(mv)).max();
        assert_eq!(best, Some(value), "{}", game.text());
        for symmetry in Symmetry::all() {
            let image = position.image(symmetry);
            assert_eq!(book().probe(&image), Some(value), "{image}");
        }
        let report = engine.search(&game, &Limits::to_depth(3), &mut Silent);
        assert_eq!(report.best().and_then(of), Some(value), "{}", game.text());
        let score = report.score();
        assert!(value != Wdl::Draw || score.is_estimate(), "{score:?}: {}", game.text());
        assert!(value != Wdl::Win || score >= Score::DRAW, "{score:?}: {}", game.text());
    }
}
