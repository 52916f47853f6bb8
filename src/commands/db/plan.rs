//! `millstone db plan`: the tasks of a build, for whatever runs them.

use std::io::{self, Write};
use std::thread;
use std::time::Duration;

use indicatif::{DecimalBytes, FormattedDuration};
use millstone::tablebase::{Distances, Job, JobGraph, Sector, Solvable, sector_path};
use serde::Serialize;

use super::arguments::{Memory, Sectors, Threads};
use crate::commands::{CommandResult, json, terminal};

/// Print the tasks of a build, and what each needs.
///
/// A task is a sector, or two between which play goes to and fro; millstone db build --sector does one. It
/// needs the files of the tasks that are named, and so much memory, disk and time. Tasks of one level do not
/// need one another. In the end it says how long all tasks take on several machines at once, by running them in
/// thought: how far the graph is wide enough for them.
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
    format: json::Format,
    /// Print a makefile: make -j 8 -f FILE DIR=FOLDER builds the folder, with MILLSTONE as the program and
    /// OPTIONS as more options of each task. Make sees only whether files are there, not whether they have
    /// distances
    #[arg(long, conflicts_with_all = ["json", "memory", "threads"])]
    makefile: bool,
}

/// The numbers of machines for which the time is told.
const WORKERS: [usize; 7] = [1, 2, 4, 8, 16, 32, 64];

/// The row of a task.
#[derive(Serialize)]
struct Row {
    task: String,
    sectors: Vec<String>,
    needs: Vec<String>,
    level: usize,
    positions: u64,
    memory_bytes: u64,
    disk_bytes: u64,
    seconds: f64,
}

/// All tasks together.
#[derive(Serialize)]
struct Total {
    tasks: usize,
    sectors: usize,
    positions: u64,
    memory_bytes: u64,
    disk_bytes: u64,
    threads: usize,
    times: Vec<Time>,
}

/// How long all tasks take on so many machines.
#[derive(Serialize)]
struct Time {
    workers: usize,
    seconds: f64,
}

/// Prints the tasks.
pub fn run(arguments: &Arguments, game: Solvable) -> CommandResult {
    let mut graph = arguments.sectors.scope(&game).jobs(game);
    graph.distances = arguments.sectors.distances();
    graph.most_memory = arguments.memory.memory;
    let threads = match arguments.threads.threads {
        Some(threads) => threads.into(),
        None => thread::available_parallelism()?.get(),
    };
    let mut out = io::stdout().lock();
    if arguments.makefile {
        write_makefile(&mut out, &graph)?;
    } else if arguments.format.json {
        tasks(&graph, threads).iter().try_for_each(|task| json::write(&mut out, task))?;
        json::write(&mut out, &Total::of(&graph, threads))?;
    } else {
        let titles = ["<task", "<sectors", "level", "memory", "disk", "time", "<needs"];
        let rows = tasks(&graph, threads).into_iter().map(Row::cells);
        writeln!(out, "{}", terminal::table(&titles, rows))?;
        Total::of(&graph, threads).write(&mut out)?;
    }
    Ok(())
}

fn names(sectors: &[Sector]) -> Vec<String> {
    sectors.iter().map(ToString::to_string).collect()
}

fn tasks(graph: &JobGraph, threads: usize) -> Vec<Row> {
    let jobs = graph.jobs.iter().zip(graph.levels()).zip(graph.needed_jobs());
    let task = |((job, level), needed): ((&Job, usize), Vec<usize>)| Row {
        task: job.name().to_string(),
        sectors: names(&job.sectors),
        needs: needed.into_iter().map(|needed| graph.jobs[needed].name().to_string()).collect(),
        level,
        positions: job.positions(),
        memory_bytes: graph.memory_of(job),
        disk_bytes: graph.disk_of(job),
        seconds: graph.time_of(job, threads).as_secs_f64(),
    };
    jobs.map(task).collect()
}

impl Row {
    fn cells(self) -> [String; 7] {
        let Self { task, sectors, needs, level, memory_bytes, disk_bytes, seconds, .. } = self;
        let [memory, disk] =
            [memory_bytes, disk_bytes].map(|bytes| DecimalBytes(bytes).to_string());
        let (sectors, needs) = (sectors.join(" "), needs.join(" "));
        [task, sectors, level.to_string(), memory, disk, format!("{seconds:.1} s"), needs]
    }
}

impl Total {
    fn of(graph: &JobGraph, threads: usize) -> Self {
        let time = |workers| {
            let seconds = graph.time_on(workers, threads).as_secs_f64();
            Time { workers, seconds }
        };
        Self {
            tasks: graph.jobs.len(),
            sectors: graph.jobs.iter().map(|job| job.sectors.len()).sum(),
            positions: graph.positions(),
            memory_bytes: graph.memory().map_or(0, |(_, bytes)| bytes),
            disk_bytes: graph.disk(),
            threads,
            times: WORKERS.map(time).into(),
        }
    }

    fn write(&self, out: &mut impl Write) -> io::Result<()> {
        let Self { tasks, sectors, positions, memory_bytes, disk_bytes, threads, times } = self;
        let [memory, disk] = [memory_bytes, disk_bytes].map(|bytes| DecimalBytes(*bytes));
        let millions = *positions as f64 / 1e6;
        writeln!(out, "{tasks} tasks, {sectors} sectors, {millions:.1} million positions")?;
        writeln!(out, "up to {memory} of memory each, {disk} of disk together\n")?;
        let alone = times.first().map_or(0.0, |time| time.seconds);
        let rows = times.iter().map(|Time { workers, seconds }| {
            let time = FormattedDuration(Duration::from_secs_f64(*seconds));
            let times_as_fast = alone / seconds.max(f64::MIN_POSITIVE);
            [workers.to_string(), time.to_string(), format!("{times_as_fast:.1}")]
        });
        let machines = format!("<machines of {threads} threads");
        writeln!(out, "{}", terminal::table(&[&machines, "time", "times as fast"], rows))
    }
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
