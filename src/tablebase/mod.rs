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
//! sides until the end if the winner plays the shortest win and the loser holds out longest. A removal belongs
//! to the turn that earns it, and a pass is a turn; a side that goes on without a move of the other one is
//! still in its turn. A side that cannot move has lost in 0, a removal that leaves two men wins in 1. The values
//! ignore the n-move rule and repetition; [`Tablebase::draw_rule_wdl`] takes them into account.
//!
//! # In play
//!
//! The tablebase decides what must not be thrown away, the search how to win. At a root that the tablebase
//! knows, moves that give value away are excluded, and a win takes the shortest path that the n-move rule
//! permits. Among drawing moves, or when all moves lose, a search without the tablebase chooses, hoping for a
//! mistake of the opponent. To the estimate of a draw it adds what the numbers of men scored in practice
//! ([`chances`](crate::evaluate::chances)), and it avoids draws that end the game.
//!
//! In the placing phase a search stops at positions that the tablebase knows: wins and losses get their value,
//! draws their estimate. They count as hits (`tbhits`). With a tablebase without distances the engine never
//! gives a win or a draw away, but has to find the path to a win by search.
//!
//! Scores are honest. A win has a distance (`mate N`) if neither the n-move rule nor a repetition can
//! intervene. Otherwise the principal variation decides: `cp 10000` is a win that is not certain. A drawn
//! position scores between `cp -40` and `cp 40`, by its chances. In a search a win of unknown length is
//! `cp 20000`. [`KnownRoot`](crate::search::KnownRoot) lists every move with its class, distance and
//! chances; the protocol prints `info string drawn, 4 of 20 moves hold` before the search, and with MultiPV
//! a line for each move after it.
//!
//! With the sectors of the placing phase every root move is judged from the first man on. Their wins have no
//! distance unless it was asked for ([`Distances::All`]): a search then finds the path, through won positions,
//! to the distances of the moving phase.
//!
//! The opening [`book`](fn@book), the sectors of the first eight plies, is built into the program: without any
//! file no move of these plies gives value away, unless the option `OwnBook` is off. `millstone db book`
//! generates it from the files; for other games it writes one to the user's cache.
//!
//! In the protocol `UsePerfectDatabase`, on by default, lets searches use the tablebase,
//! `PerfectDatabasePath` names its folder, and `PerfectDatabaseCache` is how many MiB of wins, draws and
//! losses a background thread reads ahead, so that the system has them in memory. Below the highest
//! `SkillLevel` the tablebase is not used.
//!
//! A search on the clock does not wait for a page that is read for the first time. It requests the page and
//! treats its values as unknown until it arrives: in the tree the search goes on without it, at the root up to
//! half of the time may be spent on it. Moves known to be worse than another stay excluded. Only Linux tells
//! what is in memory; elsewhere a search waits.
//!
//! # Sectors
//!
//! A [`Sector`] is the set of all positions with given numbers of men of the side to move and of the opponent,
//! in Nine Men's Morris 3 to 9 each: 49 sectors. A quiet move leads from sector 5-3 to 3-5, a removal to 2-5,
//! which is lost and has no sector. So 5-3 and 3-5 are solved together, after 4-3. `sector.rs` explains the
//! index of a position in its sector; symmetric positions share one.
//!
//! In the placing phase a sector has men in hand too: in `5+2-4+2` the side to move has five men on the
//! board and two in hand. Hands are equal when the first player is to move; otherwise the second player has
//! one man less on the board. A placement always leads to another sector, so one pass from the last ply to the
//! first solves the placing phase: 449 sectors, of wins, draws and losses, and of distances on request.
//!
//! # Games
//!
//! A game can be solved if men, hands and the side to move make up its positions ([`Solvable`]); rules that
//! make positions remember more are refused by name
//! ([`check_solvable`](crate::rules::RuleSet::check_solvable)). The sectors follow from the rules. Where hands
//! do not determine the side to move and it matters, as when White begins the moving phase however the
//! hands were emptied, a sector names it: `5+2-3+1w`. Where men may slide while others are in hand, sectors
//! with hands have reversible slides too, and all of them get distances.
//!
//! # Order among draws
//!
//! Where neither side can win, both still prefer some numbers of men to others. [`DrawOrder`] ranks the sectors
//! of the moving phase by the average worth of a position in them: its wins, the losses of the replies and
//! half of the draws of both. A [`DrawValue`] is the sector in which a drawn position comes to rest when both
//! sides play for the best rank, and the turns until then: a sector better than the current one is reached as
//! soon as possible, a worse one as late as possible. [`DrawBuild`] solves them from the sector files, for
//! games whose moves earn nothing but removals from mills and in which a blocked side loses.
//! `millstone db draws` does it; `db probe` and `analyze` show it, such as `drawn, comes to rest in 9-8`.
//!
//! It does not choose moves. From 50 drawn positions of 14 to 18 men, 100 games each were played against the
//! engine without a tablebase at a fifth of the nodes, level 12 and the first version: the search alone won
//! 194, the search among the moves that come to rest best 177, and among those that come to rest no worse than
//! level, if any, 196. None was lost.
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
//! and files of other names are ignored. A build leaves `build.lock` beside them, which keeps out a second
//! build; `5-3.mill.part-XXXXXXXXXXXX`, if it was killed while writing that file, which the next build of the
//! sector removes; and `5-3.mill.damaged`, a file that it found damaged, which may be deleted. Unnamed temporary
//! files are `.scratch-XXXXXXXXXXXX` for a moment, and stay if it was killed in that moment.
//!
//! A folder may contain files of Malom, `.sec2`, as clients of Sanmill name them; `malom` explains them. They
//! fill in where our own file is missing or damaged, supply distances where our own file has none, and where
//! draws come to rest if that was not solved here. [`Tablebase::source`] tells which file answers.
//!
//! [`default_folder`] is `millstone/endgame` in the user's folder for local data:
//! `~/.local/share/millstone/endgame` on Linux (or below `$XDG_DATA_HOME`), below
//! `~/Library/Application Support` on macOS and `%LOCALAPPDATA%` on Windows; for other games than Nine Men's
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
//! need are in unnamed files too, where the disk has room beside the tablebase: up to 3 GB of this game.
//! The whole game takes 20 minutes on two cores of an AMD EPYC. [`JobGraph`] predicts what is needed. Using a
//! tablebase takes next to no memory: files are mapped, and the system caches what it has room for. At random
//! places of 6-6 and 6-7 a probe takes 2.2 µs for win, draw or loss once the page is in memory; a distance takes
//! longer.
//!
//! # Distances of wins
//!
//! The distance of a win follows from those of the losses that moves lead to. A build keeps it until the sectors
//! are solved that need it, and leaves it out then, but where the side to move flies: it has few positions and many
//! moves. Tasks keep it: the build that follows them writes those files anew. A probe of a win looks at its moves,
//! which takes 82 µs on average at random places of the moving phase, where it would take 5 if it were stored; a loss
//! takes 5.
//!
//! # Compact tablebases
//!
//! `millstone db compact` makes a folder of a part of the size from a whole one ([`Compact`]): the same wins, draws
//! and losses, no distances. Every second ply of placing, and of the moving phase the sectors in which the side to
//! move has fewer men, have no file: their quiet moves all lead to sectors that have one. Of the files of positions
//! with two men in hand those in which the side to move has fewer men on the board have lower bounds: the value of a
//! position is its bound, or what a conversion reaches if that is more, a placement that removes a man. So the bound
//! of a position without a conversion is its value. A probe of what is not stored is an alpha-beta search of a few
//! plies; in the tree a search asks only for what is stored as it is. That of Nine Men's Morris has 594 MB. Of
//! positions drawn by lot from all sectors a probe takes 11 µs in the middle and 34 on average, since some of those with
//! two and three men in hand take a hundred times that; from the whole one 6 and 7. From a disk that has to be read
//! first it is 0.33 and 0.95 ms, from the whole one 0.18 and 0.29. Games in which men slide while others are in hand,
//! or a turn may pass, keep all files; Lasker Morris is one.
//!
//! The folder has a list of its files, `index.txt`: in each line the name, the bytes, and the CRC-32 of all of them.
//! `millstone db build --compact` solves in the folder `whole.part` below it, whose files it removes in the end. A
//! sector with lower bounds takes two bytes of memory a position, up to 1.1 GB; two are written at a time where they
//! take no more than the largest sector of the whole one does.
//!
//! # File format
//!
//! A sector file of version [`SectorFile::VERSION`]. Numbers have their lowest byte first.
//!
//! ```text
//! header      one page of 4096 bytes, of which the rest is 0
//! pages       of 4092 bytes of contents and their checksum, u32; the last page may be shorter. The checksum is
//!             the CRC-32 of the number of the page from 0 on, as u64, and the contents, continued from the number
//!             of the file as if that were the CRC-32 of what comes before. The number of the file is the
//!             CRC-32 of three u64: the identity; the place of the sector; and the version, with bit 32 set if
//!             values are lower bounds. The place is (((13 h + k) 13 + m) 13 + n) 3 + t, where the side to move has
//!             h men in hand and m on the board, the opponent k and n, and t is as in the header
//!
//! The contents, one after the other:
//!
//! weights     what the units of the model weigh for its two outputs, 8 times i16 each
//! row codes   the lengths of the codes of its rows, in 9 contexts of 256 symbols
//! rows        the rows of the model
//! wdl         win, draw or loss of each index: groups, offsets
//! losses      the same for distances of losses, if there are any: codes, groups, offsets
//! wins        the same for distances of wins, if they are not left out
//! ranks       where each draw comes to rest, if that is there: codes, groups, offsets
//! turns       in the moving phase the same for the turns until then
//!
//! codes       the length of the code of each symbol in each context, in bits and one more, 0 where there
//!             is no code; two to a byte, the first in its lower half
//! groups      of 32 chunks, each of 128 indices: a byte for the length of each chunk, then the chunks; the length
//!             counts bits in wdl, bytes elsewhere
//! offsets     where each group begins, counted from the first, as u32
//! ```
//!
//! The header is these numbers, as u64; one that is not there, such as the longest win of a sector without
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
//! where draws come to rest, all 0 where that is not there:
//! 160  how many places follow            176  bytes of the groups of ranks
//! 168  order: 0 average, 1 published     184  bytes of the groups of turns
//! 192  number of the place that is the sector itself, which is not there where men are in hand
//! 200  places of 16 bytes each, from the worst rank to the best: men of the side to move times 256 plus men of
//!      the opponent, 0 for all that favour neither, and the draws that come to rest there, symmetric positions
//!      once
//! 4088 CRC-32 of the header so far
//! ```
//!
//! A chunk of wdl is one string of bits, the highest of a byte first, and begins where the last one ends. Its
//! first 64 indices are decoded from its first bit on, the others from its last bit on backwards: each string is
//! what an arithmetic coder makes of two decisions for an index, whether it is won, and if not, whether it is
//! lost. Their probabilities come from the model. The rows of the features of the position add up to eight
//! numbers, of which the first six are 0 where they are negative; their products with the eight weights of an output
//! add up to its logit, shifted right by 7 bits, in 64ths. `file/model.rs` lists the features in the order of their
//! rows, and `file/arithmetic.rs` has the coder. A chunk whose length is 255 has two bits for each
//! index instead, the higher one first: 0 lost, 1 drawn, 2 won.
//!
//! In the rows of the model a symbol of context 0 is how many rows of zeros come next, and contexts 1 to 8 are
//! the eight numbers of the row after them, in two's complement. The last row ends them.
//!
//! In losses and wins a chunk is a row of canonical Huffman codes of at most 11 bits, the highest bit first; zeros at
//! its end are left out. A symbol, of 128, is half the distance, since wins are odd and losses even. Its context is
//! the symbol before, in groups that begin at 0, 1, 2, 3, 4, 5, 6, 8, 10, 13, 17, 22, 30, 40, 52 and 70, or 16 for the
//! first of a chunk.
//!
//! Ranks and turns are coded in the same way, for the draws of a chunk. The symbol of a rank is the number of its place;
//! its context is the one before it, or the number of places at the beginning of a chunk. Turns follow for draws that
//! do not come to rest in the sector itself; their context is the group of the last turns, 0 to 15, or 16 for
//! the first of a chunk, and 17 more where the rank is above that of the sector.
//!
//! Every page is verified when it is first read. A damaged file is reported and no longer used; a build renames
//! it and solves its sector again.
//!
//! # Files of this module
//!
//! ```text
//! sets            sets of points, numbered; up to symmetry
//! sector          positions with given numbers of men, and their indices; the sectors of a game; a solved one
//! value           win, draw or loss, with and without the distance; where draws come to rest, and which of that is
//!                 better
//! solve           the values of a sector: retrograde analysis, or one pass
//! file            a sector on disk
//! malom           the files of another program
//! folder          the files of a folder: a tablebase
//! jobs            which sectors the moves of another one lead to, and so what is solved before what
//! build           solving what a folder lacks, and putting its draws in order; build_folder tells why it ends early
//! compact         leaving out what a probe finds out by looking at moves
//! engine          the tablebase that an engine plays by, and the book of the first plies
//! probe           values of positions and moves, and which files they come from
//! best_play       the best moves, and what draw rules make of them
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
pub use build_folder::BuildError;
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
