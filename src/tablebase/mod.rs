//! The tablebase of a game: the value of every position, and in the moving phase its distance to the end,
//! computed by retrograde analysis.
//!
//! ```
//! use millstone::tablebase::{Known, Sector, Solvable, Unobserved, SolveOptions, solve};
//!
//! let (game, sector) = (Solvable::STANDARD, Sector::new(3, 3).unwrap());
//! let nothing = |_| unreachable!("a removal wins");
//! let options = SolveOptions { has_distances: true, scratch: None };
//! let solved = solve(&game, sector, &mut Known::new(game, &nothing), options, &Unobserved).unwrap();
//! let longest = solved[0].values().iter().filter_map(|value| value.turns()).max();
//! assert_eq!(longest, Some(26));
//! ```
//!
//! # Values
//!
//! A position is won, drawn or lost for the side to move. A [`Value`] adds the distance: the turns of both
//! sides until the end if the winner plays the shortest win and the loser resists longest. A removal belongs
//! to the turn that earns it, and a pass is a turn; a side that moves again before the other one has moved is
//! still in its turn. A side that cannot move has lost in 0, a removal that leaves two men wins in 1. The values
//! ignore the n-move rule and repetition; [`Tablebase::draw_rule_wdl`] takes them into account.
//!
//! # In play
//!
//! The tablebase protects the result, and the search tries to win. At a root that the tablebase knows, moves
//! that give value away are excluded, and a win takes the shortest path that the n-move rule permits. Among
//! drawing moves, or when all moves lose, a search without the tablebase chooses, hoping for a mistake of the
//! opponent. To the estimate of a draw it adds what the numbers of men scored in practice
//! ([`chances`](crate::evaluate::chances)), and it avoids draws that end the game.
//!
//! In the placing phase a search stops at positions that the tablebase knows: wins and losses get their value,
//! draws their estimate. These probes count as `tbhits`. With a tablebase without distances the engine never
//! gives a win or a draw away, but has to find the path to a win by search.
//!
//! Scores are honest. A win has a distance (`mate N`) if neither the n-move rule nor a repetition can
//! intervene. Otherwise the principal variation decides: `cp 10000` is a win that is not certain. A drawn
//! position scores between `cp -40` and `cp 40`, by its chances. In a search a win of unknown length is
//! `cp 20000`. [`KnownRoot`](crate::search::KnownRoot) lists every move with its class, distance and
//! chances; the protocol prints `info string drawn, 4 of 20 moves hold` before the search, and with MultiPV
//! a line for each move after it.
//!
//! With the sectors of the placing phase every root move has a value from the first man on. Wins there have no
//! distance unless it was requested ([`Distances::All`]): a search finds the path, through won positions, to the
//! distances of the moving phase.
//!
//! The opening [`book`](fn@book), the sectors of the first eight plies, is built into the program: even without
//! files no move of these plies gives value away, unless the option `OwnBook` is off. `millstone db book`
//! generates it from the files; for other games it writes one to the user's cache.
//!
//! In the protocol `UsePerfectDatabase`, on by default, lets searches use the tablebase,
//! `PerfectDatabasePath` names its folder, and `PerfectDatabaseCache` is the number of MiB of wins, draws and
//! losses that a background thread reads into the system's cache. Below the highest `SkillLevel` the tablebase
//! is not used.
//!
//! A search on the clock does not wait for a page that is read for the first time. It requests the page and
//! treats its values as unknown until it arrives: in the tree the search goes on without it, at the root it may
//! spend up to half of its time waiting. Moves known to be worse than another stay excluded. Only Linux tells
//! what is in memory; elsewhere a search waits.
//!
//! # Sectors
//!
//! A [`Sector`] is the set of all positions with given numbers of men of the side to move and of the opponent,
//! in Nine Men's Morris 3 to 9 each: 49 sectors. Quiet moves lead from sector 5-3 to 3-5 and back, a removal from
//! 3-5 to 4-3; a removal from 5-3 wins at once. So 5-3 and 3-5 are solved together, after 4-3. `sector.rs`
//! explains the index of a position in its sector; symmetric positions share one.
//!
//! In the placing phase a sector has men in hand too: in `5+2-4+2` the side to move has five men on the
//! board and two in hand. Hands are equal when the first player is to move; otherwise the second player has
//! one man more in hand. A placement always leads to another sector, so one pass from the last ply to the first
//! solves the placing phase: 449 sectors with wins, draws and losses, and with distances on request.
//!
//! # Games
//!
//! A game can be solved if its positions consist of men, hands and the side to move ([`Solvable`]); a rule that
//! adds anything else is rejected by name
//! ([`check_solvable`](crate::rules::RuleSet::check_solvable)). The sectors follow from the rules. Where hands
//! do not determine the side to move and it matters, for example because White begins the moving phase whoever
//! placed last, a sector names the side: `5+2-3+1w`. Where men may slide while others are in hand, sectors with
//! hands have reversible slides too, and all of them get distances.
//!
//! # Order among draws
//!
//! Where neither side can win, both still prefer some numbers of men to others. [`DrawOrder`] ranks the sectors
//! of the moving phase by the average value of their positions: wins, losses of the paired sector and half of the
//! draws of both. A [`DrawValue`] is the sector in which a drawn position comes to rest when both sides play for
//! the best rank, and the turns until then: they reach a sector better than the current one as soon as possible,
//! a worse one as late as possible. [`DrawBuild`] computes it from the sector files, for games with fewer than 12
//! men a side in which no man moves before all are placed, mills earn only removals from the board, nothing else
//! captures, and a blocked side loses. `millstone db draws` runs it; `db probe` and `analyze` show the result, such as `drawn, comes to rest in 9-8`.
//!
//! It does not choose moves. In 100 games each from 50 drawn positions of 14 to 18 men, against the engine
//! without a tablebase at a fifth of the nodes, level 12 and the first version, the search alone won 194, the
//! search among the moves that come to rest best 177, and among the moves that come to rest no worse than level,
//! if any, 196. None was lost.
//!
//! # Solved games
//!
//! | game | first player | positions |
//! | --- | --- | --- |
//! | Nine Men's Morris | draws | 26 761 334 939 |
//! | Cheng San Qi; no other solution is known | draws | 26 761 334 939 |
//! | Twelve Men's Morris with `board_full_action=Draw` | wins | 111 999 566 300 |
//! | Morabaraba; no other solution is known | wins | 111 999 566 300 |
//!
//! # Folders
//!
//! The tablebase of a game is a folder with one file per sector, such as `5-3.mill`. Any of them may be absent,
//! and files of other names are ignored. A build may leave `build.lock`, which keeps out a second build;
//! `5-3.mill.damaged`, a damaged file that was set aside, which may be deleted; and, if it was killed,
//! `5-3.mill.part-XXXXXXXXXXXX`, an unfinished file, and on Unix `.scratch-XXXXXXXXXXXX`, a temporary file, which the
//! next build that locks the folder removes.
//!
//! A folder may contain Malom's files, `.sec2`, as clients of Sanmill name them; `malom.rs` explains them. They
//! replace our own file where it is missing or damaged, and supply distances and where draws come to rest if our
//! own file lacks them. [`Tablebase::source`] tells which file answers.
//!
//! [`default_folder`] is `millstone/endgame` in the user's folder for local data:
//! `~/.local/share/millstone/endgame` on Linux (or below `$XDG_DATA_HOME`), below
//! `~/Library/Application Support` on macOS and `%LOCALAPPDATA%` on Windows; for games other than Nine Men's
//! Morris a folder below it, named by the identity of the rules. [`cache_folder`] is the folder of
//! [`SectorFile::VERSION`] below `millstone/endgame` in the user's cache, `~/.cache` on Linux (or
//! `$XDG_CACHE_HOME`): before its first search an engine starts solving the sectors of up to [`SMALL_MEN`] men
//! there, in the background on one thread. An [`EngineTablebase`] combines both.
//!
//! A file is written under another name and renamed once it is complete and synced, so that it exists whole
//! or not at all, however a build ends. A build that resumes after an interruption solves only what is missing,
//! and writes the same bytes.
//!
//! # Disk and memory
//!
//! | sectors | positions up to symmetry | disk | without distances |
//! |---|---|---|---|
//! | moving, 49 | 8 904 593 601 | 1.64 GB | 0.47 GB |
//! | up to 12 men | | 0.14 GB | |
//! | placing, 449 | 17 856 741 338 | | 0.96 GB |
//!
//! Building the moving phase peaks at 2.5 GB of memory, for 8-9 and 9-8, the placing phase at 1.2 GB. With
//! less memory, the byte per position is kept in unnamed temporary files, and dependencies are loaded one
//! sector at a time: any sector of any game can be solved in 2 GB, somewhat slower. Values that later sectors
//! need are kept in unnamed files too, if the disk has room besides the tablebase: up to 3 GB for this game.
//! The whole game takes 20 minutes on two cores of an AMD EPYC. [`JobGraph`] predicts what is needed. Using a
//! tablebase takes next to no memory: files are mapped, and the system caches what it has room for. For random
//! positions of 6-6 and 6-7 a probe of win, draw or loss takes 2.2 µs once the page is in memory; a distance takes
//! longer.
//!
//! # Distances of wins
//!
//! The distance of a win follows from the distances of the losses that its moves lead to. A build stores it until
//! the sectors that need it are solved and then leaves it out, except where the side to move flies: there are few
//! such positions, with many moves. Tasks keep it; the build that follows them rewrites the files. A probe of a win
//! looks at its moves, which takes 82 µs on average for random positions of the moving phase, instead of 5 if it
//! were stored; a loss takes 5.
//!
//! # Compact tablebases
//!
//! `millstone db compact` makes a smaller tablebase from a whole one ([`Compact`]), with the same wins, draws and
//! losses, but no distances. A sector has no file if all its quiet moves lead to sectors that have one: every second
//! ply of placing, and in the moving phase the sectors in which the side to move has fewer men. With two men in hand,
//! sectors in which the side to move has fewer men on the board store lower bounds: the value of a position is its
//! bound, or what a conversion (a placement that removes a man) reaches if that is more. So without a conversion the
//! bound is the value. A probe of a value that is not stored is an alpha-beta search of a few plies; nodes of the
//! search tree use only stored values. The compact tablebase of Nine Men's Morris has 594 MB. For random positions
//! from all sectors a probe takes a median of 11 µs and a mean of 34 µs, since some with two and three men in hand
//! take a hundred times that; with the whole tablebase 6 and 7 µs. If the disk has to be read first, it takes 0.33 and
//! 0.95 ms, with the whole tablebase 0.18 and 0.29 ms. Games in which men slide while others are in hand, such as
//! Lasker Morris, or in which a turn may pass keep all files.
//!
//! The folder lists its files in `index.txt`, one a line: the name, the size in bytes, and the CRC-32 of the file.
//! `millstone db build --compact` solves in the subfolder `whole.part`, whose files it removes at the end. Writing
//! a sector with lower bounds takes two bytes of memory per position, up to 1.1 GB; two sectors are written at a time
//! if together they take no more than the largest sector of a whole tablebase.
//!
//! # File format
//!
//! A sector file of version [`SectorFile::VERSION`]. Numbers are little-endian.
//!
//! ```text
//! header      one page of 4096 bytes; unused bytes are 0
//! pages       4092 bytes of contents and a checksum, u32; the last page may be shorter. The checksum is the
//!             CRC-32 of the page number from 0 on, as u64, and the contents, continued from the file number
//!             as if that were the CRC-32 of preceding bytes. The file number is the CRC-32 of three u64: the
//!             identity; the place of the sector; and the version, with bit 32 set if values are lower bounds.
//!             The place is (((13 h + k) 13 + m) 13 + n) 3 + t, where the side to move has h men in hand and m
//!             on the board, the opponent k and n, and t is as in the header
//!
//! The contents, in this order:
//!
//! weights     the weights of the model's units for its two outputs, 8 i16 each
//! row codes   the code lengths of the model's rows, in 9 contexts of 256 symbols
//! rows        the rows of the model
//! wdl         win, draw or loss of each index: groups, offsets
//! losses      distances of losses, if there are distances: codes, groups, offsets
//! wins        distances of wins, unless they are left out: codes, groups, offsets
//! ranks       where each draw comes to rest, if that is stored: codes, groups, offsets
//! turns       in the moving phase the turns until then: codes, groups, offsets
//!
//! codes       for each symbol in each context the code length in bits plus 1, or 0 if it has no code; two to a
//!             byte, the first in the lower half
//! groups      32 chunks of 128 indices each: a byte for the length of each chunk, then the chunks; the length
//!             is in bits in wdl, in bytes elsewhere
//! offsets     the beginning of each group, relative to the first, as u32
//! ```
//!
//! The header consists of these numbers, as u64; a missing one, such as the longest win of a sector without
//! wins, is 2^64-1.
//!
//! ```text
//!   0  "MILLSTDB"                         72  index of the first longest win
//!   8  format version                     80  longest loss in turns
//!  16  identity of the rules              88  index of the first longest loss
//!  24  men of the side to move            96  bytes of the groups of losses
//!  32  men of the opponent               104  bytes of the rows of the model
//!  40  wins, symmetric positions once    112  men in hand of the side to move
//!  48  draws                             120  men in hand of the opponent
//!  56  losses                            128  the side to move: 0 not named, 1 White, 2 Black
//!  64  longest win in turns              136  bytes of the groups of wins, draws and losses
//!                                        144  1 if values are lower bounds, else 0
//!                                        152  bytes of the groups of wins
//! where draws come to rest, all 0 if that is not stored:
//! 160  number of places that follow      176  bytes of the groups of ranks
//! 168  order: 0 average, 1 published     184  bytes of the groups of turns
//! 192  number of the place that is the sector itself, missing if men are in hand
//! 200  places of 16 bytes each, from the worst rank to the best: men of the side to move times 256 plus men of
//!      the opponent, 0 for all that favour neither side, then the number of draws that come to rest there,
//!      symmetric positions once
//! 4088 CRC-32 of the preceding header
//! ```
//!
//! A chunk of wdl is one bit string, the highest bit of a byte first, and begins where the previous one ends. Its
//! first 64 indices are decoded forwards from its first bit, the others backwards from its last bit. Each half is
//! the output of an arithmetic coder for two decisions per index: whether it is won, and if not, whether it is
//! lost. Their probabilities come from the model. The rows of the position's features add up to eight numbers, of
//! which the first six are set to 0 if negative; their products with the eight weights of an output add up to its
//! logit, shifted right by 7 bits, in 64ths. `file/model.rs` lists the features in the order of their rows, and
//! `file/arithmetic.rs` has the coder. A chunk whose length is 255 has two bits for each index instead, the
//! higher one first: 0 lost, 1 drawn, 2 won.
//!
//! In the rows of the model a symbol of context 0 is the number of zero rows that come next, and contexts 1 to 8
//! are the eight numbers of the row after them, in two's complement. They end with the last row.
//!
//! In losses and wins a chunk is a sequence of canonical Huffman codes of at most 11 bits, the highest bit first;
//! trailing zeros are left out. A symbol, of 128, is half the distance, since wins are odd and losses even. Its
//! context is the group of the previous symbol, where groups begin at 0, 1, 2, 3, 4, 5, 6, 8, 10, 13, 17, 22, 30, 40,
//! 52 and 70, or 16 for the first of a chunk.
//!
//! Ranks and turns are coded in the same way, for the draws of a chunk. The symbol of a rank is the number of its
//! place; its context is the previous symbol, or the number of places at the beginning of a chunk. Turns follow for
//! draws that do not come to rest in the sector itself; their context is the group of the previous turns, 0 to 15, or
//! 16 for the first of a chunk, plus 17 where the rank is above that of the sector.
//!
//! Every page is verified when it is first read. A damaged file is reported and no longer used; a build renames
//! it and solves its sector again.
//!
//! # Files of this module
//!
//! ```text
//! sets            numbered sets of points, and the orbits of symmetric sets
//! sector          positions with given numbers of men, and their indices; the sectors of a game; a solved sector
//! value           win, draw or loss, with and without distance; where draws come to rest, and the order among draws
//! solve           the values of a sector: retrograde analysis, or one pass
//! file            a sector on disk
//! malom           the files of another program
//! folder          a tablebase: the files of a folder
//! jobs            which sectors moves lead to, and so the order of solving, with its cost
//! build           solving what a folder lacks, and where its draws come to rest
//! build_folder    the folder of a build: its lock, its free space, and the errors of a build
//! compact         leaving out what a probe finds by looking at moves
//! engine          the tablebase of an engine, and the opening book
//! probe           values of positions and moves, and which files they come from
//! best_play       the best moves, and the effect of draw rules
//! verify          checking a tablebase by the plain rules
//! ```

mod best_play;
mod build;
mod build_folder;
mod compact;
mod engine;
mod file;
mod folder;
mod jobs;
mod malom;
mod probe;
mod sector;
mod sets;
mod solve;
mod value;
mod verify;

pub use best_play::{DrawRuleWdl, RankedMove};
pub use build::{Build, BuildObserver, DrawBuild, Scope};
pub use build_folder::{BuildError, is_compact_folder};
pub use compact::Compact;
pub use engine::{
    BOOK_PLIES, EngineTablebase, SMALL_MEN, Sources, book, book_folder, solve_small, write_book,
    write_book_files,
};
pub use file::{FileError, Remote, SectorFile};
pub use folder::{Tablebase, cache_folder, default_folder, sector_path};
pub use jobs::{Distances, Job, JobGraph};
pub use malom::MalomFile;
pub use sector::{Longest, Sector, Solvable, Solved, Statistics};
pub use solve::{Known, SolveError, SolveObserver, SolveOptions, Stopped, Unobserved, solve};
pub use value::{DrawOrder, DrawOrderKind, DrawValue, Probe, Value, Wdl};
pub use verify::{Sample, Verified, Verifier, VerifyError};
