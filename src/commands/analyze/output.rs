//! Output for people: the best moves of a position, and game reviews with a graph of White's expected score; the end of
//! the help.

use std::io::{self, Write};
use std::iter;

use anstyle::{AnsiColor, Color, Style};
use millstone::analysis::{
    ReviewedTurn, Severity, SideSummary, WhiteLine, WhiteScore, game_result,
};
use millstone::board::Side;
use millstone::game::Game;
use millstone::position::MoveLine;
use millstone::records::GameRecord;
use millstone::score::Bound;
use millstone::search::Report;
use millstone::tablebase::Wdl;

use crate::commands::terminal;

const FIELDS: &str = include_str!("fields.txt");

/// The end of the help: the marks of bad turns and the fields of JSON.
pub fn legend() -> String {
    let marks = Severity::ALL
        .map(|severity| format!("{} from {:.0} %", severity.mark(), 100.0 * severity.threshold()));
    let marks = marks.join(", ");
    let most = Severity::Inaccuracy.mark();
    format!(
        "Marks by the share of a point that a turn loses: {marks}; {most} at most if the search is not sure \
         that the result has changed.\n\n{FIELDS}"
    )
}

/// Writes a position and its best moves for people.
pub fn write_position(game: &Game, result: Option<Wdl>, report: &Report) -> io::Result<()> {
    let mut out = anstream::stdout();
    let Report { depth, nodes, known, lines, .. } = report;
    let side = game.to_move();
    writeln!(out, "{}", game.text())?;
    if let Some(outcome) = game.outcome() {
        return writeln!(out, "over: {outcome}\n");
    }
    write!(out, "{side} to move, depth {depth}, {nodes} nodes")?;
    if let Some(result) = result {
        write!(out, ", {} by the tablebase", game_result(result, side))?;
    }
    if let Some(known) = known {
        write!(out, ", {} of {} moves hold", known.count_keeping(), known.moves().len())?;
    }
    writeln!(out)?;
    for (index, variation) in lines.iter().enumerate() {
        let WhiteLine { score, bound, moves, .. } = WhiteLine::new(variation, side);
        let sign = match bound {
            Bound::Lower => ">=",
            Bound::Upper => "<=",
            Bound::Exact => "",
        };
        writeln!(out, "{:>3}  {:>7} {}", index + 1, format!("{sign}{score}"), MoveLine(moves))?;
    }
    if let Some(known) = known {
        known.moves().iter().try_for_each(|known| writeln!(out, "     {known}"))?;
    }
    writeln!(out)
}

/// Writes a game review for people: the players, the turns of White and Black side by side with comments on bad ones
/// below, the graph of the scores and the summary of each side.
pub fn write_review(record: &GameRecord, turns: &[ReviewedTurn]) -> io::Result<()> {
    let out = &mut anstream::stdout();
    let width = terminal::width().unwrap_or(80);
    let [white, black] = ["White", "Black"].map(|side| record.tag(side).unwrap_or(side));
    writeln!(out, "{white} - {black}, {}\n", record.result)?;
    let are_a_round = |first: &ReviewedTurn, second: &ReviewedTurn| {
        (second.number, first.side, second.side) == (first.number, Side::White, Side::Black)
    };
    for round in turns.chunk_by(are_a_round) {
        let told = round.iter().map(tell).collect::<Vec<_>>().join("   ");
        let ReviewedTurn { number, side, .. } = round[0];
        let dots = if side == Side::Black { format!("{:<26}", "...") } else { String::new() };
        writeln!(out, "{number:>3}. {dots}{told}")?;
        round.iter().try_for_each(|turn| explain(turn, width, out))?;
    }
    writeln!(out)?;
    Graph::new(turns, width).write(out)?;
    write_summaries(turns, out)
}

fn tell(turn: &ReviewedTurn) -> String {
    let (severity, score) = (turn.severity(), turn.score());
    let style = style(severity);
    let text = format!("{}{}", turn.turn, severity.map_or("", Severity::mark));
    format!("{style}{text:<15}{style:#} {score:>7}")
}

/// Writes a line about a bad turn: its loss, and better play.
fn explain(turn: &ReviewedTurn, width: usize, out: &mut impl Write) -> io::Result<()> {
    let (Some(severity), Some((worst, better))) = (turn.severity(), turn.better()) else {
        return Ok(());
    };
    let dots = if turn.side == Side::White { "." } else { "..." };
    let (number, mark) = (turn.number, severity.mark());
    let start = format!("{number}{dots} {}{mark}", turn.turn);
    let what = match turn.moves[worst].known {
        [Some(before), Some(after)] => format!("turns a {before} into a {after}"),
        _ => format!("loses {:.0} %", 100.0 * turn.loss()),
    };
    let end = format!(" ({})", WhiteScore::new(better.score, turn.side));
    let mut line = format!("     {start} {what}, better");
    for mv in turn.turn.moves()[..worst].iter().chain(&better.pv) {
        let next = format!(" {mv}");
        if line.len() + next.len() + end.len() > width {
            break;
        }
        line += &next;
    }
    let style = style(Some(severity));
    writeln!(out, "{style}{line}{end}{style:#}")
}

/// Writes how well each side played.
fn write_summaries(turns: &[ReviewedTurn], out: &mut impl Write) -> io::Result<()> {
    let [inaccuracies, mistakes, blunders] = Severity::ALL.map(Severity::mark);
    let titles = ["<", "turns", inaccuracies, mistakes, blunders, "average loss", "accuracy"];
    let rows = Side::ALL.map(|side| {
        let own = SideSummary::of(turns, side);
        let counts = [own.turns, own.inaccuracies, own.mistakes, own.blunders];
        let shares = [100.0 * own.average_loss, own.accuracy].map(|share| format!("{share:.1} %"));
        iter::once(side.to_string()).chain(counts.map(|count| count.to_string())).chain(shares)
    });
    writeln!(out, "{}\n", terminal::table(&titles, rows))
}

/// The labels of the rows, bottom to top; in the middle row the sides are even.
const LABELS: [&str; 9] = ["0-1", "", "", "", "1/2", "", "", "", "1-0"];
/// The width of the labels in columns.
const MARGIN: usize = 6;
/// The most columns of a turn.
const WIDEST: usize = 3;
/// The number of rounds between labels below the graph.
const STEP: u32 = 5;

/// The style of the graph: the area below the scores is White's, the area above is Black's.
const AREAS: Style = Style::new()
    .fg_color(Some(Color::Ansi(AnsiColor::BrightWhite)))
    .bg_color(Some(Color::Ansi(AnsiColor::BrightBlack)));

/// The style of a turn by its severity.
const fn style(severity: Option<Severity>) -> Style {
    match severity {
        None => Style::new(),
        Some(Severity::Inaccuracy) => AnsiColor::Yellow.on_default(),
        Some(Severity::Mistake) => AnsiColor::Magenta.on_default(),
        Some(Severity::Blunder) => AnsiColor::Red.on_default().bold(),
    }
}

/// A graph of White's expected score after each turn, with marks of bad turns below.
struct Graph {
    points: Vec<Point>,
    /// The width of each point in columns.
    width: usize,
    has_blocks: bool,
}

/// A point of the graph: one turn, or several if the graph has too few columns.
struct Point {
    number: u32,
    share: f32,
    severity: Option<Severity>,
}

/// Cells from empty to full, as block characters and in ASCII.
const BLOCKS: [char; 9] = [' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
const SIGNS: [char; 2] = [' ', '#'];

impl Graph {
    /// The graph of a game, at most `width` columns wide.
    fn new(turns: &[ReviewedTurn], width: usize) -> Self {
        let width = width.saturating_sub(MARGIN).max(1);
        let in_a_row = turns.len().div_ceil(width).max(1);
        let point = |turns: &[ReviewedTurn]| Point {
            number: turns[0].number,
            share: turns.iter().map(|turn| turn.score().share()).sum::<f32>() / turns.len() as f32,
            severity: turns.iter().filter_map(ReviewedTurn::severity).max(),
        };
        let points: Vec<Point> = turns.chunks(in_a_row).map(point).collect();
        let width = (width / points.len().max(1)).clamp(1, WIDEST);
        let has_blocks = !terminal::is_dumb() && terminal::speaks_unicode();
        Self { points, width, has_blocks }
    }

    /// Draws the graph.
    fn write(&self, out: &mut impl Write) -> io::Result<()> {
        if self.points.is_empty() {
            return Ok(());
        }
        // A cell shows White's share of it; rows count from the bottom.
        let levels = if self.has_blocks { &BLOCKS[..] } else { &SIGNS };
        let full = levels.len() - 1;
        for (row, label) in LABELS.iter().enumerate().rev() {
            let border = if self.has_blocks { '│' } else { '|' };
            write!(out, "{label:>4} {border}{AREAS}")?;
            for point in &self.points {
                let height = (point.share * (LABELS.len() * full) as f32).round() as usize;
                let cell = levels[height.saturating_sub(row * full).min(full)];
                (0..self.width).try_for_each(|_| write!(out, "{cell}"))?;
            }
            writeln!(out, "{AREAS:#}")?;
        }
        let marks = [if self.has_blocks { '·' } else { '.' }, '?', 'X'];
        write!(out, "{:MARGIN$}", "")?;
        for Point { severity, .. } in &self.points {
            let style = style(*severity);
            let mark = severity.map_or(' ', |severity| marks[severity as usize]);
            write!(out, "{style}{mark:<width$}{style:#}", width = self.width)?;
        }
        writeln!(out, "\n{}", self.numbers())?;
        let [inaccuracy, mistake, blunder] = marks;
        let legend = format!("{inaccuracy} inaccuracy  {mistake} mistake  {blunder} blunder");
        writeln!(out, "{:MARGIN$}{legend}\n", "")
    }

    /// The line of round numbers: the first round and every fifth, below their points.
    fn numbers(&self) -> String {
        let mut line = String::new();
        let mut last = None;
        for (index, point) in self.points.iter().enumerate() {
            let column = MARGIN + index * self.width;
            let due = point.number / STEP * STEP;
            if Some(due) > last && line.len() <= column {
                last = Some(due);
                line = format!("{line:column$}{} ", point.number);
            }
        }
        line.trim_end().to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A graph without colours.
    fn drawn(points: Vec<Point>, width: usize, has_blocks: bool) -> String {
        let mut out = anstream::StripStream::new(Vec::new());
        Graph { points, width, has_blocks }.write(&mut out).expect("memory can be written");
        let text = String::from_utf8(out.into_inner()).expect("text");
        text.trim_end().lines().map(str::trim_end).collect::<Vec<_>>().join("\n")
    }

    fn points() -> Vec<Point> {
        let shares = [0.5, 0.55, 0.6, 0.3, 0.25, 0.0, 0.5, 0.9, 0.95, 1.0];
        let severities = [None, None, Some(Severity::Inaccuracy), None, Some(Severity::Mistake)];
        let severities = severities.into_iter().chain([Some(Severity::Blunder)]).chain([None; 4]);
        let number = |index: usize| (index / 2 + 1) as u32;
        let points = shares.into_iter().zip(severities).enumerate();
        points
            .map(|(index, (share, severity))| Point { number: number(index), share, severity })
            .collect()
    }

    #[test]
    fn areas_are_drawn_to_the_eighth_of_a_cell() {
        let expected = " 1-0 │              ▁▁▄▄██
     │              ██████
     │              ██████
     │    ▃▃        ██████
 1/2 │▄▄████      ▄▄██████
     │██████      ████████
     │██████▆▆▂▂  ████████
     │██████████  ████████
 0-1 │██████████  ████████
          ·   ? X
      1               5
      · inaccuracy  ? mistake  X blunder";
        assert_eq!(drawn(points(), 2, true), expected);
    }

    #[test]
    fn plain_letters_are_enough() {
        let expected = " 1-0 |        ##
     |       ###
     |       ###
     |       ###
 1/2 |###   ####
     |###   ####
     |####  ####
     |##### ####
 0-1 |##### ####
        . ?X
      1       5
      . inaccuracy  ? mistake  X blunder";
        assert_eq!(drawn(points(), 1, false), expected);
    }
}
