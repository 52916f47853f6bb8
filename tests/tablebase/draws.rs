//! Where draws come to rest.

use std::collections::HashMap;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use super::placing;
use crate::size::usual_or_full;
use crate::tablebases::{self, change, open_damaged, small_game};
use millstone::position::Position;
use millstone::tablebase::{
    Distances, DrawBuild, DrawOrder, DrawOrderKind, DrawValue, Sample, Sector, Solvable, Tablebase,
    Unobserved, Verifier, VerifyError, Wdl, sector_path,
};

/// The published values of sectors and counts of draws.
const PUBLISHED: &str = include_str!("../data/draw_values.txt");

/// The men of a side of the small game.
const MEN: usize = 4;

/// A folder of the small game with the draws of all its sectors.
static FOLDER: LazyLock<PathBuf> = LazyLock::new(|| {
    let folder = copied("draws");
    order(&folder);
    folder
});

static TABLES: LazyLock<Tablebase> = LazyLock::new(|| placing::open(&FOLDER, MEN));

/// A folder with the sector files of the small game.
fn copied(name: &str) -> PathBuf {
    tablebases::copy(&placing::FOLDER, name)
}

/// Putting all draws of a folder in order.
fn build(game: Solvable, folder: &Path) -> DrawBuild {
    let (folder, most) = (folder.to_owned(), game.men());
    let order = DrawOrderKind::Published;
    DrawBuild { game, folder, most_men: most, most_in_hand: most, order }
}

/// Puts all draws of a folder of the small game in order.
fn order(folder: &Path) {
    build(small_game(MEN as u8), folder).run(&Unobserved).expect("the draws are put in order");
}

/// The lines of a part of the published numbers.
fn published(is_wanted: fn(&str) -> bool) -> impl Iterator<Item = &'static str> {
    PUBLISHED.lines().filter(move |line| !line.starts_with('#') && is_wanted(line))
}

/// The published values of the sectors of the moving phase that favour the side to move, the least first.
fn published_values() -> Vec<(Sector, i32)> {
    let value = |line: &'static str| {
        let (men, value) = line.split_once(' ').expect("men and a value");
        let (own, opponent) = men.split_once('-').expect("two numbers of men");
        let sector = Sector::new(own.parse().unwrap(), opponent.parse().unwrap()).unwrap();
        (sector, value.parse().unwrap())
    };
    published(|line| !line.contains(':')).map(value).collect()
}

/// Compares the counts of the sectors that a tablebase has with the published ones. Returns how many sectors
/// were compared.
fn compare_counts(tables: &Tablebase) -> usize {
    let values: HashMap<Sector, i32> = published_values().into_iter().collect();
    let value_of = |rest: Option<Sector>| match rest {
        None => 0,
        Some(rest) => values.get(&rest).copied().unwrap_or_else(|| -values[&rest.reply()]),
    };
    let mut compared = 0;
    for line in published(|line| line.contains(':')) {
        let (sector, counts) = line.split_once(": ").expect("a sector and counts");
        let numbers: Vec<usize> = sector.split(' ').map(|number| number.parse().unwrap()).collect();
        let sector =
            Sector::with_hands([numbers[0], numbers[1]], [numbers[2], numbers[3]]).unwrap();
        let Some(file) = tables.file(sector).filter(|file| file.has_draws()) else { continue };
        let rests = file.rests().iter().filter(|(_, count)| *count > 0);
        let found = rests.map(|&(rest, count)| format!("{}={count}", value_of(rest)));
        assert_eq!(found.collect::<Vec<_>>().join(" "), counts, "{sector}");
        compared += 1;
    }
    compared
}

/// The sectors of the placing phase lead to other ones in the small game than in Nine Men's Morris.
#[test]
fn the_smallest_sectors_have_the_published_counts() {
    let folder = tablebases::copy(tablebases::solved(7), "draws_counts");
    let all = build(Solvable::STANDARD, &folder);
    let average = DrawOrderKind::Average;
    let build = DrawBuild { most_men: 7, most_in_hand: 0, order: average, ..all };
    build.run(&Unobserved).expect("the draws are put in order");
    assert_eq!(compare_counts(&tablebases::open(&folder)), 3);
}

/// Distances that a build adds to files without them leave what those say of draws.
#[test]
fn distances_are_added_beside_draws() {
    let folder = tablebases::fresh_folder("draws_and_distances");
    for work in [&["build", "--no-distance"][..], &["draws"], &["build"]] {
        tablebases::look(&folder, &[work, &["--max-men", "6"]].concat()).unwrap();
    }
    let tables = tablebases::open(&folder);
    let file = tables.file(Sector::new(3, 3).unwrap()).unwrap();
    assert!(file.has_draws() && file.has_distances());
}

/// They follow from the whole game, which takes too long to solve here: a folder that has it is looked into
/// if `MILLSTONE_TABLEBASE` names one whose draws were put in the published order.
#[test]
fn the_whole_game_has_the_published_counts_and_order() {
    let Some(folder) = env::var_os("MILLSTONE_TABLEBASE") else { return };
    let tables = tablebases::open(Path::new(&folder));
    let statistics = |sector| tables.file(sector).map(|file| *file.statistics());
    let order = |kind| DrawOrder::new(&Solvable::STANDARD, kind, statistics);
    let sectors: Vec<Sector> = published_values().into_iter().map(|(sector, _)| sector).collect();
    let average = order(DrawOrderKind::Average);
    assert_eq!(order(DrawOrderKind::Published).favourable(), sectors);
    let without = |sectors: &[Sector]| -> Vec<Sector> {
        let moved = Sector::new(9, 8).unwrap();
        sectors.iter().copied().filter(|&sector| sector != moved).collect()
    };
    assert_ne!(average.favourable(), sectors);
    assert_eq!(without(average.favourable()), without(&sectors), "only 9-8 is elsewhere");
    if tables.files().filter(|file| file.has_draws()).count() == Solvable::STANDARD.sectors().len()
        && tables.draw_order().kind() == DrawOrderKind::Published
    {
        assert_eq!(compare_counts(&tables), 11);
    }
}

/// Verifies some draws of a sector.
fn verify(tables: &Tablebase, sector: Sector, positions: u64) -> Result<bool, VerifyError> {
    let sample = Some(Sample { positions, seed: 1 });
    Verifier::new(tables, &Unobserved).verify(sector, sample).map(|verified| verified.has_draws)
}

#[test]
fn draws_of_a_small_game_follow_from_those_of_their_moves() {
    for sector in TABLES.game().sectors() {
        assert!(verify(&TABLES, sector, usual_or_full(400, 2_000)).unwrap(), "{sector}");
    }
}

/// Some positions of a sector, by their indices.
fn some(sector: Sector) -> impl Iterator<Item = usize> {
    (0..sector.len()).step_by(usual_or_full(17, 1))
}

/// Where draws among them come to rest.
fn draws(sector: Sector) -> impl Iterator<Item = (usize, DrawValue)> {
    some(sector).filter_map(move |index| {
        let (own, opponent) = sector.position(index);
        Some((index, TABLES.draw_value(sector, own, opponent)?))
    })
}

#[test]
fn a_side_that_can_do_better_than_its_sector_gets_nearer_with_its_best_move() {
    let (equal, better) = (Sector::new(4, 4).unwrap(), Sector::new(3, 4).unwrap());
    let start = Position::start(*TABLES.game().rules());
    let mut gaining = 0;
    for (index, value) in draws(equal).filter(|(_, value)| value.rest == Some(better)) {
        let (own, opponent) = equal.position(index);
        let position = equal.set_up(&start, own, opponent);
        let ranked = TABLES.rank_moves(&position, &position.moves()).unwrap();
        assert_eq!(ranked[0].draw, Some(value), "{position}");
        assert_eq!(TABLES.probe_draw(&position), Some(value));
        assert!(value.turns.is_some_and(|turns| turns > 0));
        gaining += 1;
    }
    assert!(gaining > 100, "{gaining}");
}

#[test]
fn what_is_not_drawn_does_not_come_to_rest() {
    let sector = Sector::new(3, 4).unwrap();
    let drawn = draws(sector).count();
    let is_drawn = |&index: &usize| {
        let (own, opponent) = sector.position(index);
        TABLES.wdl(sector, own, opponent) == Some(Wdl::Draw)
    };
    assert_eq!(drawn, some(sector).filter(is_drawn).count());
}

#[test]
fn damaged_draws_are_named_and_solved_again() {
    let folder = tablebases::copy(&FOLDER, "draws_damaged");
    let sector = Sector::new(3, 4).unwrap();
    let path = sector_path(&folder, sector);
    let good = fs::read(&path).unwrap();
    change(&path, |bytes| *bytes.iter_mut().nth_back(99).unwrap() ^= 8);
    let damaged = fs::read(&path).unwrap();
    let tables = placing::open(&folder, MEN);
    let error = verify(&tables, sector, 100).unwrap_err().to_string();
    assert!(error.contains("damaged in the page"), "{error}");
    assert_eq!(tables.take_damage().len(), 1);
    tablebases::build(*TABLES.game(), &folder, [2 * MEN; 2], Distances::Moving);
    assert!(fs::read(path.with_extension("mill.damaged")).unwrap() == damaged, "it is kept");
    order(&folder);
    assert!(fs::read(&path).unwrap() == good);
}

#[test]
fn values_are_the_same_with_draws() {
    for with in TABLES.files() {
        let without = placing::TABLES.file(with.sector()).unwrap();
        assert!(with.has_draws() && !without.has_draws());
        assert!(with.load().unwrap().values() == without.load().unwrap().values());
        assert_eq!(
            with.bytes().div_ceil(4096),
            (without.bytes() + with.draw_bytes()).div_ceil(4096)
        );
    }
}

#[test]
fn files_of_draws_by_older_programs_are_named() {
    let folder = copied("draws_old");
    fs::write(folder.join("3-4.draws"), "MILLDRAW").unwrap();
    let (tables, errors) = open_damaged(small_game(MEN as u8), &folder);
    assert!(tables.files().count() > 0);
    let [report] = &errors[..] else { panic!("{errors:?}") };
    let report = report.to_string();
    assert!(report.contains("3-4.draws: ") && report.contains("millstone db draws"), "{report}");
}

#[test]
fn a_damaged_or_missing_sector_is_named() {
    let folder = copied("draws_of_damaged");
    let path = sector_path(&folder, Sector::new(3, 4).unwrap());
    let run = || build(small_game(MEN as u8), &folder).run(&Unobserved).unwrap_err().to_string();
    change(&path, |bytes| bytes.truncate(bytes.len() - 1));
    let error = run();
    assert!(error.starts_with(&format!("{}: ", path.display())), "{error}");
    fs::remove_file(&path).unwrap();
    assert_eq!(run(), "the sector 3-4 or its draws are missing");
}
