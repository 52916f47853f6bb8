//! `millstone db plan`: the tasks of a build, for whatever runs them.

use std::collections::BTreeSet;
use std::io::{self, Write};
use std::thread;
use std::time::Duration;

use indicatif::{DecimalBytes, FormattedDuration};
use millstone::tablebase::{Distances, Job, JobGraph, Sector, Solvable, sector_path};
use serde_json::{Value, json};

use super::{Memory, Sectors, Threads};
use crate::commands::{CommandResult, Format, terminal};

/// Print the tasks of a build, and what each needs.
///
/// A task is a sector, or two sectors that lead to each other; millstone db build --sector does one. It
/// needs the files of the tasks that are named, and the memory, disk and time that are shown. Tasks of one level
/// do not need one another. In the end it says how long all tasks take on several machines at once: simulated,
/// as dependencies limit how many tasks can run side by side.
#[derive(clap::Args)]
#[command(after_long_help = include_str!("many_machines.txt"))]
pub struct Arguments {
    #[command(flatten)]
    sectors: Sectors,
    #[command(flatten)]
    threads: Threads,
    #[command(flatten)]
    memory: Memory,
    #[command(flatten)]
    format: Format,
    /// Print a makefile: make -j 8 -f FILE DIR=FOLDER builds the folder, with MILLSTONE as the program and
    /// OPTIONS as more options of each task. Make sees only whether files are there, not whether they have
    /// distances
    #[arg(long, conflicts_with_all = ["json", "memory", "threads"])]
    makefile: bool,
}

/// The numbers of machines for which the time is told.
const WORKERS: [usize; 7] = [1, 2, 4, 8, 16, 32, 64];

/// Prints the tasks.
pub fn run(arguments: &Arguments, game: Solvable) -> CommandResult {
    let mut graph = arguments.sectors.scope(&game).jobs(game);
    graph.distances = arguments.sectors.distances();
    graph.most_memory = arguments.memory.memory;
    if arguments.makefile {
        return Ok(write_makefile(&mut io::stdout().lock(), &graph)?);
    }
    let threads = match arguments.threads.threads {
        Some(threads) => threads.into(),
        None => thread::available_parallelism()?.get(),
    };
    let titles = ["<task", "<sectors", "level", "memory", "disk", "time", "<needs"];
    arguments.format.write_table(titles, tasks(&graph, threads))?;
    let (json, text) = total(&graph, threads);
    Ok(arguments.format.write(&json, text)?)
}

/// The tasks, as JSON and as the cells of rows.
fn tasks(graph: &JobGraph, threads: usize) -> Vec<(Value, [String; 7])> {
    let row = |((job, level), needed): ((&Job, usize), BTreeSet<usize>)| {
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
    };
    graph.jobs.iter().zip(graph.levels()).zip(graph.needed_jobs()).map(row).collect()
}

/// What all tasks take together, and how long on several machines, as JSON and in words.
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

/// Writes a makefile with a target for each file. A file needs only to be there, whenever it was written: the
/// clocks of machines differ.
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
        // Done with the first, unless somebody removed it.
        for sector in &job.sectors[1..] {
            let (target, first) = (file(sector), file(&first));
            writeln!(out, "\n{target}: | {first}\n\t@test -e $@ || $(BUILD) {sector}")?;
        }
    }
    Ok(())
}
