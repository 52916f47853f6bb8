//! One position, one truth: the probe, searches with all, some or none of the tablebase, analysis, the images
//! of the position, and an exact solver that counts slides, near the limits of the draw rules.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, LazyLock};

use super::bouts::TABLES;
use super::sectors;
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
use rand::rngs::Xoshiro256PlusPlus;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use rayon::prelude::*;

/// More lines than a position has moves.
const MANY: usize = 100;
/// The depth of searches with a tablebase, and without.
const DEPTHS: [u32; 2] = [2, 4];
/// The most positions that the solver looks at for one answer.
const MOST_SOLVED: u32 = 500;

/// A tablebase of three men against three alone.
static SMALL: LazyLock<Arc<Tablebase>> = LazyLock::new(|| {
    let folder = sectors::copied(&TABLES, |sector| sector.men() < 7);
    Arc::new(tablebases::open(&folder.keep()))
});

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
fn draw(rng: &mut Xoshiro256PlusPlus) -> Game {
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

fn with_quiet_plies(text: &str, quiet_plies: u16, draws: DrawRules) -> Game {
    let mut fields: Vec<String> = text.split(' ').map(str::to_owned).collect();
    let field = fields.len() - 2;
    fields[field] = quiet_plies.to_string();
    Game::from_text(&fields.join(" "), RuleSet::default(), draws).expect("a position")
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
    faults: Vec<String>,
    /// How often something was compared, and how often a move gave away what the rules left.
    counts: BTreeMap<&'static str, u64>,
}

impl Asked {
    fn new() -> Self {
        let engine = |tablebase: Option<&Arc<Tablebase>>| {
            let mut engine = Engine::new(1).unwrap();
            engine.tablebase = tablebase.cloned();
            engine
        };
        let effort = Effort { depth: DEPTHS[0], lines: 2, ..Effort::default() };
        Self {
            with_all: engine(Some(&TABLES)),
            with_some: engine(Some(&SMALL)),
            with_none: engine(None),
            analyst: Analyst::new(engine(Some(&TABLES)), effort),
            faults: Vec::new(),
            counts: BTreeMap::new(),
        }
    }

    /// Counts a comparison, and notes the fault if it fails.
    fn expect(
        &mut self,
        is_so: bool,
        what: &'static str,
        game: &Game,
        found: impl FnOnce() -> String,
    ) {
        *self.counts.entry(what).or_default() += 1;
        if !is_so {
            let (text, rules) = (game.text(), game.draw_rules());
            self.faults.push(format!("{what}: {} in {text} by {rules:?}", found()));
        }
    }

    fn compare(&mut self, game: &Game, rng: &mut Xoshiro256PlusPlus) {
        let position = game.position();
        let value = TABLES.probe_value(position).expect("the sectors are there");
        let ranked = TABLES.rank_moves(position, &game.moves()).expect("the sectors are there");
        let best = ranked[0].value;
        self.expect(best == Some(value), "probe", game, || format!("{best:?} of {value}"));
        self.compare_images(game, value);

        let all_lines = Limits { multi_pv: MANY, ..Limits::to_depth(DEPTHS[0]) };
        let report = self.with_all.search(game, &all_lines, &mut Silent);
        let known = report.known.clone().expect("the tablebase knows all moves");
        for ranked in &ranked {
            let found = known.get(ranked.mv).copied();
            let turns = ranked.value.and_then(Value::turns).map(u16::from);
            let is_same =
                found.is_some_and(|found| wdl(found.class) == ranked.wdl && found.turns() == turns);
            self.expect(is_same, "lines and probe", game, || format!("{found:?}, {ranked:?}"));
        }
        let lines = report.lines.clone();
        let is_told =
            |line: &Variation| known.get(line.pv[0]).map(KnownMove::score) == Some(line.score);
        let is_sorted = known.moves().is_sorted_by(|a, b| a.class >= b.class);
        let are_good = lines.len() == game.moves().len() && lines.iter().all(is_told) && is_sorted;
        self.expect(are_good, "scores", game, || format!("{lines:?} of {known:?}"));
        let mut solver = Solver::new(game.draw_rules());
        let exact = solver.value(position);
        self.compare_lines(game, &report, &mut solver);
        self.compare_played(game, &report, &mut solver, exact);

        let limits = Limits::to_depth(DEPTHS[0]);
        let single = self.with_all.search(game, &limits, &mut Silent);
        let of = |report: &Report| report.best().and_then(|mv| Some(known.get(mv)?.class));
        let (one, many) = (of(&single), of(&report));
        self.expect(one == many, "one line and many", game, || format!("{one:?}, {many:?}"));
        self.compare_played(game, &single, &mut solver, exact);

        let assessed = self.analyst.assess(game, &mut Silent);
        let is_same = assessed.known == Some(value.into())
            && assessed.known_moves.as_ref().map(classes) == Some(classes(&known));
        self.expect(is_same, "analysis", game, || format!("{:?}", assessed.known_moves));

        let certain = TABLES.certain_wdl(game);
        let is_same = certain.is_none() || exact.is_none() || certain == exact;
        self.expect(is_same, "what is certain", game, || format!("{certain:?}, {exact:?}"));

        let report = self.with_some.search(game, &all_lines, &mut Silent);
        let count = report.lines.len();
        let is_whole = count == game.moves().len();
        self.expect(is_whole, "a line of each move", game, || count.to_string());
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

    /// All 16 images of a position and of those with the sides exchanged have its value, and their moves
    /// have those of its moves.
    fn compare_images(&mut self, game: &Game, value: Value) {
        let position = game.position();
        for symmetry in Symmetry::all() {
            let image = position.image(symmetry);
            for image in [image, with_sides_exchanged(&image)] {
                let is_same = TABLES.probe_value(&image) == Some(value)
                    && game
                        .moves()
                        .iter()
                        .all(|&mv| stored(position, mv) == stored(&image, mv.image(symmetry)));
                self.expect(is_same, "images", game, || image.to_string());
            }
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
            let what = "a claim of a mate";
            self.expect(claimed == exact, what, game, || format!("{line:?}, {exact}"));
        }
    }

    /// The move that is played keeps what the position is worth under the draw rules, if the line of best
    /// play has told that.
    fn compare_played(
        &mut self,
        game: &Game,
        report: &Report,
        solver: &mut Solver,
        exact: Option<Wdl>,
    ) {
        let Some((best, exact)) = report.best().zip(exact) else { return };
        solver.left = MOST_SOLVED;
        let Some(kept) = solver.value_of_move(game.position(), best) else { return };
        *self.counts.entry("played").or_default() += 1;
        let is_sure = report.score().is_mate();
        if kept < exact {
            *self.counts.entry("played, and given away").or_default() += 1;
        }
        let what = "a move that is sure";
        self.expect(!is_sure || kept == exact, what, game, || format!("{best}: {kept}, {exact}"));
    }
}

/// The moves of a root with their classes and distances, in the order of the moves.
fn classes(known: &KnownRoot) -> BTreeMap<String, (Class, Option<u16>)> {
    known
        .moves()
        .iter()
        .map(|known| (known.mv().to_string(), (known.class, known.turns())))
        .collect()
}

/// What a class is by the tablebase alone.
fn wdl(class: Class) -> Wdl {
    match class {
        Class::Loss | Class::BlessedLoss => Wdl::Loss,
        Class::Draw => Wdl::Draw,
        Class::CursedWin | Class::Win => Wdl::Win,
    }
}

#[test]
fn all_that_can_be_asked_agree_near_the_limits() {
    let positions = usual_or_full(160, 100_000);
    let shares = 16;
    let asked = (0..shares).into_par_iter().map(|seed| {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut asked = Asked::new();
        for _ in 0..positions / shares {
            asked.compare(&draw(&mut rng), &mut rng);
        }
        asked
    });
    let asked: Vec<Asked> = asked.collect();
    let mut counts = BTreeMap::<&str, u64>::new();
    for (&what, count) in asked.iter().flat_map(|asked| &asked.counts) {
        *counts.entry(what).or_default() += count;
    }
    println!("{counts:#?}");
    let faults: Vec<&String> = asked.iter().flat_map(|asked| &asked.faults).collect();
    let first: Vec<&&String> = faults.iter().take(10).collect();
    assert!(faults.is_empty(), "{} faults: {first:#?}", faults.len());
    let [played, given] = ["played", "played, and given away"].map(|what| counts.get(what));
    assert!(given.copied().unwrap_or_default() * 100 < played.copied().unwrap_or_default());
    assert!(counts["a claim of a mate"] > positions, "{counts:?}");
}

/// The opening book: the value of a position is that of its best move, whatever its image, and the search
/// plays a move that keeps it.
#[test]
fn the_book_agrees_with_itself_and_with_the_search() {
    let mut engine = Engine::new(1).unwrap();
    engine.tablebase = Some(Arc::clone(book()));
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(8);
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
