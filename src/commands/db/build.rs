//! The commands that write tablebases: `millstone db plan` lists the tasks of a build; `build` solves missing sectors;
//! `compact` drops values that a probe can derive from moves; `draws` orders draws; `book` writes the opening book.

use std::io::{self, Write};
use std::path::PathBuf;
use std::thread;
use std::time::Duration;

use clap::ValueHint;
use indicatif::{DecimalBytes, FormattedDuration};
use millstone::tablebase::{
    BOOK_PLIES, Build, Compact, Distances, DrawBuild, DrawOrderKind, JobGraph, Scope, Sector,
    Solvable, book_folder, sector_path, write_book, write_book_files,
};
use serde_json::{Value, json};

use super::reporter::{PASSES, Reporter};
use super::{Folder, Reach, Resources, Sectors, Threads};
use crate::commands::arguments::sector;
use crate::commands::{CommandResult, Format, save, start_threads, terminal};

/// Print the tasks of a build, and what each needs.
///
/// A task solves a sector, or two sectors that lead to each other; millstone db build --sector runs one. Each
/// task is listed with its memory, disk and time, and the tasks whose files it needs. Tasks of the same level
/// are independent. The list ends with the simulated times of the whole build on several machines;
/// dependencies limit how many tasks can run in parallel.
#[derive(clap::Args)]
#[command(after_long_help = include_str!("many_machines.txt"))]
pub struct PlanArguments {
    #[command(flatten)]
    sectors: Sectors,
    #[command(flatten)]
    resources: Resources,
    #[command(flatten)]
    format: Format,
    /// Print a makefile: make -j 8 -f FILE DIR=FOLDER builds the folder; MILLSTONE sets the program, OPTIONS
    /// adds options to each task. Make sees only whether files exist, not whether they have distances
    #[arg(long, conflicts_with_all = ["json", "memory", "threads"])]
    makefile: bool,
}

/// The numbers of machines to simulate.
const WORKERS: [usize; 7] = [1, 2, 4, 8, 16, 32, 64];

/// Prints the tasks.
pub fn run_plan(arguments: &PlanArguments, game: Solvable) -> CommandResult {
    let mut graph = arguments.sectors.scope(&game).jobs(game);
    graph.distances = arguments.sectors.distances();
    graph.most_memory = arguments.resources.memory;
    if arguments.makefile {
        return Ok(write_makefile(&mut io::stdout().lock(), &graph)?);
    }
    let threads = match arguments.resources.threads.threads {
        Some(threads) => threads.into(),
        None => thread::available_parallelism()?.get(),
    };
    let titles = ["<task", "<sectors", "level", "memory", "disk", "time", "<needs"];
    arguments.format.write_table(titles, tasks(&graph, threads))?;
    let (json, text) = total(&graph, threads);
    Ok(arguments.format.write(&json, text)?)
}

/// The tasks, as JSON and as the cells of rows.
fn tasks(graph: &JobGraph, threads: usize) -> impl Iterator<Item = (Value, [String; 7])> {
    let tasks = graph.jobs.iter().zip(graph.levels()).zip(graph.needed_jobs());
    tasks.map(move |((job, level), needed)| {
        let task = job.name().to_string();
        let sectors: Vec<String> = job.sectors.iter().map(ToString::to_string).collect();
        let needs: Vec<String> =
            needed.into_iter().map(|needed| graph.jobs[needed].name().to_string()).collect();
        let bytes = [graph.memory_of(job), graph.disk_of(job)];
        let seconds = graph.time_of(job, threads).as_secs_f64();
        let json = json!({
            "task": task,
            "sectors": sectors,
            "needs": needs,
            "level": level,
            "positions": job.positions(),
            "memory_bytes": bytes[0],
            "disk_bytes": bytes[1],
            "seconds": seconds,
        });
        let [memory, disk] = bytes.map(|bytes| DecimalBytes(bytes).to_string());
        let (sectors, needs) = (sectors.join(" "), needs.join(" "));
        let time = format!("{seconds:.1} s");
        (json, [task, sectors, level.to_string(), memory, disk, time, needs])
    })
}

/// The cost of all tasks together, and their time on several machines, as JSON and as text.
fn total(graph: &JobGraph, threads: usize) -> (Value, String) {
    let (tasks, positions) = (graph.jobs.len(), graph.positions());
    let sectors: usize = graph.jobs.iter().map(|job| job.sectors.len()).sum();
    let memory_bytes = graph.memory().map_or(0, |(_, bytes)| bytes);
    let times = WORKERS.map(|workers| (workers, graph.time_on(workers, threads).as_secs_f64()));
    let time_json = |(workers, seconds)| json!({"workers": workers, "seconds": seconds});
    let json = json!({
        "tasks": tasks,
        "sectors": sectors,
        "positions": positions,
        "memory_bytes": memory_bytes,
        "disk_bytes": graph.disk(),
        "threads": threads,
        "times": times.map(time_json),
    });
    let alone = times[0].1;
    let rows = times.map(|(workers, seconds)| {
        let times_as_fast = alone / seconds.max(f64::MIN_POSITIVE);
        let time = FormattedDuration(Duration::from_secs_f64(seconds)).to_string();
        [workers.to_string(), time, format!("{times_as_fast:.1}")]
    });
    let [memory, disk] = [memory_bytes, graph.disk()].map(DecimalBytes);
    let machines = format!("<machines of {threads} threads");
    let text = format!(
        "{tasks} tasks, {sectors} sectors, {:.1} million positions\n\
         up to {memory} of memory each, {disk} of disk together\n\n{}",
        positions as f64 / 1e6,
        terminal::table(&[&machines, "time", "times as fast"], rows)
    );
    (json, text)
}

/// Writes a makefile with a target for each file. Prerequisites only need to exist: their times are ignored, as
/// the clocks of machines differ.
fn write_makefile(out: &mut impl Write, graph: &JobGraph) -> io::Result<()> {
    let name = graph.game.rules().name();
    writeln!(out, "# The tablebase of {name}: make -j 8 -f FILE DIR=FOLDER")?;
    writeln!(out, "MILLSTONE = millstone\nDIR = .\nOPTIONS =\n")?;
    let distances = match graph.distances {
        Distances::None => " --no-distance",
        Distances::Moving => "",
        Distances::All => " --placing-distance",
    };
    let build = format!("$(MILLSTONE) db build --variant \"{name}\"{distances} --dir $(DIR)");
    writeln!(out, "BUILD = {build} $(OPTIONS) --sector\n")?;
    let file = |sector: &Sector| sector_path("$(DIR)".as_ref(), *sector).display().to_string();
    let files = |sectors: &[Sector]| sectors.iter().map(file).collect::<Vec<_>>().join(" ");
    let all: Vec<String> = graph.jobs.iter().map(|job| files(&job.sectors)).collect();
    writeln!(out, ".PHONY: all\nall: {}", all.join(" "))?;
    for job in &graph.jobs {
        let first = job.name();
        writeln!(out, "\n{}: | {}\n\t$(BUILD) {first}", file(&first), files(&job.needs))?;
        // The task of the first sector also solves the others, unless their files were removed since.
        for sector in &job.sectors[1..] {
            let (target, first) = (file(sector), file(&first));
            writeln!(out, "\n{target}: | {first}\n\t@test -e $@ || $(BUILD) {sector}")?;
        }
    }
    Ok(())
}

/// Solve the sectors that a folder lacks.
///
/// First prints the disk, memory and time needed. The moving phase comes first, with 49 sectors: 1.6 GB of
/// disk and 2.5 GB of memory; the sectors of up to 12 men take 0.14 GB. The placing phase, with 449 sectors,
/// adds 1 GB. If the disk has room, up to 3 GB of it temporarily hold values that later sectors need, which
/// saves decoding them. Ctrl-C stops the build; the same command continues it. Files are written whole or not at
/// all; a damaged file is renamed and its sector solved again.
///
/// With --sector it runs one task of those that millstone db plan lists. Many machines may share the folder, but
/// only such tasks may write to it meanwhile. A task needs the files of the sectors it depends on, and exits with
/// status 3 if one is missing or damaged. A task may run twice at once, or again after a machine is lost:
/// finished sectors are not solved again, and the files are the same byte for byte.
#[derive(clap::Args)]
pub struct Arguments {
    #[command(flatten)]
    folder: Folder,
    #[command(flatten)]
    sectors: Sectors,
    /// Solve one sector, such as 7-6 or 9+3-8+4, and its paired sector: men on the board and in hand of the
    /// side to move, then of the opponent
    #[arg(long, value_name = "SECTOR", conflicts_with_all = ["max_men", "moving", "from_ply"])]
    sector: Option<String>,
    /// Make a compact tablebase, as millstone db compact does: all sectors are solved in the subfolder whole.part,
    /// whose files are removed when the compact tablebase is complete
    #[arg(long, conflicts_with_all = ["sector", "max_men", "moving", "from_ply", "placing_distance"])]
    compact: bool,
    #[command(flatten)]
    resources: Resources,
    #[command(flatten)]
    format: Format,
}

/// Builds and reports progress.
pub fn run(arguments: &Arguments, game: Solvable) -> CommandResult {
    let Resources { threads, memory } = &arguments.resources;
    let target = arguments.folder.path(&game)?;
    let (folder, distances) = if arguments.compact {
        (target.join("whole.part"), Distances::None)
    } else {
        (target.clone(), arguments.sectors.distances())
    };
    let scope = match &arguments.sector {
        Some(name) => Scope::Task(sector(&game, name)?),
        None => arguments.sectors.scope(&game),
    };
    let build = Build { game, folder, scope, distances, most_memory: *memory };
    let reporter = Reporter::start(&build.folder, PASSES, threads, arguments.format)?;
    if arguments.compact {
        let compact = Compact { game, from: &build.folder, to: &target };
        compact.run(Some(&build), &reporter)?;
    } else {
        build.run(&reporter)?;
    }
    reporter.end()
}

/// Make a compact tablebase from a whole one.
///
/// It gives the same wins, draws and losses, without distances, from a fraction of the disk. Sectors that a
/// probe can derive by looking one move ahead have no file, and in the placing phase a probe looks at the moves
/// that remove a man. A probe therefore takes several times as long, and a search uses only values that are
/// stored directly. No other sectors can be built from a compact tablebase.
///
/// The folder gets index.txt, a list of the files with the size and the CRC-32 of each. Ctrl-C stops the work;
/// the same command continues it.
#[derive(clap::Args)]
pub struct CompactArguments {
    #[command(flatten)]
    folder: Folder,
    /// Folder of the compact tablebase
    #[arg(value_name = "TO", value_hint = ValueHint::DirPath)]
    to: PathBuf,
    #[command(flatten)]
    threads: Threads,
    #[command(flatten)]
    format: Format,
}

/// Writes the missing files and reports progress.
pub fn run_compact(arguments: &CompactArguments, game: Solvable) -> CommandResult {
    let from = arguments.folder.path(&game)?;
    let compact = Compact { game, from: &from, to: &arguments.to };
    let reporter = Reporter::start(&arguments.to, 1, &arguments.threads, arguments.format)?;
    compact.run(None, &reporter)?;
    reporter.end()
}

/// Order drawn positions by the sectors in which they come to rest.
///
/// When neither side can win, both still prefer some numbers of men to others. This command adds to each sector
/// file the sector in which best play comes to rest and, in the moving phase, after how many turns; probe and
/// analyze show it. The sectors must have been solved by build. Ctrl-C stops the work; the same command continues
/// it.
#[derive(clap::Args)]
pub struct DrawsArguments {
    #[command(flatten)]
    folder: Folder,
    #[command(flatten)]
    reach: Reach,
    /// Order of the sectors: by their average values, or for Nine Men's Morris the same with nine against
    /// eight men just below five against three, as Gévay and Danner published
    #[arg(long, value_name = "ORDER", default_value = "average", value_parser = ["average", PUBLISHED])]
    order: String,
    #[command(flatten)]
    threads: Threads,
    #[command(flatten)]
    format: Format,
}

const PUBLISHED: &str = "published";

/// Orders draws and reports progress.
pub fn run_draws(arguments: &DrawsArguments, game: Solvable) -> CommandResult {
    let (most_men, most_in_hand) = arguments.reach.of(&game);
    let is_published = arguments.order == PUBLISHED;
    let build = DrawBuild {
        game,
        folder: arguments.folder.path(&game)?,
        most_men,
        most_in_hand,
        order: if is_published { DrawOrderKind::Published } else { DrawOrderKind::Average },
    };
    let reporter = Reporter::start(&build.folder, PASSES, &arguments.threads, arguments.format)?;
    build.run(&reporter)?;
    reporter.end()
}

/// Write the opening book of a game.
///
/// The book has the wins, draws and losses of every position after at most eight placements. Books of games
/// other than Nine Men's Morris go to millstone in your cache folder, where engines look for them.
///
/// The book of Nine Men's Morris is built into the program: after a change of the tablebase format, write
/// src/tablebase/book.bin with this command and rebuild the program.
#[derive(clap::Args)]
pub struct BookArguments {
    #[command(flatten)]
    folder: Folder,
    /// File to write, for Nine Men's Morris
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    file: Option<PathBuf>,
}

/// Writes the book from the tablebase of the folder.
pub fn run_book(arguments: &BookArguments, game: Solvable) -> CommandResult {
    start_threads(0)?;
    let tablebase = arguments.folder.open(game)?;
    let name = game.rules().name();
    let (bytes, path) = match (&arguments.file, game == Solvable::STANDARD) {
        (Some(file), true) => {
            let book = write_book(&tablebase)?;
            save(file, &book)?;
            Ok((book.len() as u64, file.clone()))
        }
        (None, false) => {
            let folder = book_folder(&game).ok_or("this system has no cache folder")?;
            Ok((write_book_files(&tablebase, &folder)?, folder))
        }
        (None, true) => Err(format!("the book of {name} is built in; name a file to write")),
        (Some(_), false) => Err(format!("the book of {name} goes to the cache folder, not a file")),
    }?;
    Ok(writeln!(io::stdout(), "{}: {BOOK_PLIES} plies, {bytes} bytes", path.display())?)
}
