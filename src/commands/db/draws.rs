//! `millstone db draws`: putting draws in order.

use indicatif::DecimalBytes;
use millstone::tablebase::{
    DrawBuild, DrawBuildObserver, DrawOrderKind, DrawValue, Sector, SectorFile, Solvable,
};
use serde_json::json;

use super::arguments::{Folder, Reach, Threads};
use super::reporter::{PASSES, Reporter};
use crate::commands::{CommandResult, Format};

/// Find where the drawn positions of a folder come to rest.
///
/// Where neither side can win, both still prefer some numbers of men to others. The file of each sector then says
/// where best play comes to rest, and after how many turns in the moving phase; probe and analyze show it. The
/// sectors must be solved before, by build. Ctrl-C stops it; the same command continues.
#[derive(clap::Args)]
pub struct Arguments {
    #[command(flatten)]
    folder: Folder,
    #[command(flatten)]
    reach: Reach,
    /// Which numbers of men are better: by what a position with them is worth on average, or for Nine Men's
    /// Morris the same with nine against eight men just below five against three, as Gévay and Danner
    /// published
    #[arg(long, value_name = "ORDER", default_value = "average", value_parser = ["average", PUBLISHED])]
    order: String,
    #[command(flatten)]
    threads: Threads,
    #[command(flatten)]
    format: Format,
}

const PUBLISHED: &str = "published";

/// Orders draws, and reports progress.
pub fn run(arguments: &Arguments, game: Solvable) -> CommandResult {
    let (most_men, most_in_hand) = arguments.reach.of(&game);
    let is_published = arguments.order == PUBLISHED;
    let build = DrawBuild {
        game,
        folder: arguments.folder.path(&game)?,
        most_men,
        most_in_hand,
        order: if is_published { DrawOrderKind::Published } else { DrawOrderKind::Average },
    };
    let pool = arguments.threads.pool()?;
    let reporter = Reporter::start(build.folder.clone(), PASSES, arguments.format)?;
    Ok(pool.install(|| build.run(&reporter))?)
}

impl DrawBuildObserver for Reporter {
    fn start(&self, sectors: &[Sector], memory_bytes: u64) {
        let positions: u64 = sectors.iter().map(|sector| sector.len() as u64).sum();
        self.bar.set_length(u64::from(PASSES) * positions);
        let (sectors, memory) = (sectors.len(), DecimalBytes(memory_bytes));
        self.report(
            &json!({"sectors": sectors, "memory_bytes": memory_bytes}),
            format_args!("{sectors} sectors to put in order, with {memory} of memory"),
        );
    }

    fn finish_draws(&self, file: &SectorFile) {
        let (sector, bytes, seconds) = (file.sector(), file.draw_bytes(), self.seconds());
        let drawn: u64 = file.rests().iter().map(|(_, count)| count).sum();
        let rests = file.rests().iter().filter(|(_, count)| *count > 0);
        // The worst for the side to move come first.
        let rests: Vec<(String, u64)> =
            rests.map(|&(rest, count)| (DrawValue { rest, turns: None }.place(), count)).collect();
        let (places, megabytes) = (rests.len(), bytes as f64 / 1e6);
        self.report(
            &json!({
                "sector": sector.to_string(),
                "drawn": drawn,
                "rests": rests,
                "bytes": bytes,
                "seconds": seconds,
            }),
            format_args!(
                "{sector}: {drawn} drawn, to rest in {places} places, {megabytes:.1} MB ({:.0} s)",
                seconds.trunc()
            ),
        );
    }
}
