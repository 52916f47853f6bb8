//! `millstone db draws`: putting draws in order.

use millstone::tablebase::{DrawBuild, DrawOrderKind, Solvable};

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
