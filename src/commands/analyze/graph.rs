//! The graph of a game: White's expectation after each turn.

use std::io::{self, Write};

use anstyle::{AnsiColor, Color, Style};
use millstone::analysis::{ReviewedTurn, Severity};

use crate::commands::terminal;

/// The labels of the rows from below; in the middle one nobody is ahead.
const LABELS: [&str; 9] = ["0-1", "", "", "", "1/2", "", "", "", "1-0"];
/// The columns of the labels.
const MARGIN: usize = 6;
/// The most columns that a turn takes.
const WIDEST: usize = 3;
/// How many rounds lie between the numbers below the graph.
const STEP: u32 = 5;

/// The area below the scores is White's, the area above them Black's.
const AREAS: Style = Style::new()
    .fg_color(Some(Color::Ansi(AnsiColor::BrightWhite)))
    .bg_color(Some(Color::Ansi(AnsiColor::BrightBlack)));

/// The style of a turn by how bad it is.
pub const fn style(severity: Option<Severity>) -> Style {
    match severity {
        None => Style::new(),
        Some(Severity::Inaccuracy) => AnsiColor::Yellow.on_default(),
        Some(Severity::Mistake) => AnsiColor::Magenta.on_default(),
        Some(Severity::Blunder) => AnsiColor::Red.on_default().bold(),
    }
}

/// The points that White can expect after each turn, with marks of the bad turns below.
pub struct Graph {
    points: Vec<Point>,
    /// The columns of each point.
    width: usize,
    has_blocks: bool,
}

/// One turn, or several where the graph has too few columns.
struct Point {
    number: u32,
    share: f32,
    severity: Option<Severity>,
}

/// Cells from an empty one to a full one, in blocks and in ASCII.
const BLOCKS: [char; 9] = [' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
const SIGNS: [char; 2] = [' ', '#'];

impl Graph {
    /// The graph of a game, at most `width` columns wide.
    pub fn new(turns: &[ReviewedTurn], width: usize) -> Self {
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
    pub fn write(&self, out: &mut impl Write) -> io::Result<()> {
        if self.points.is_empty() {
            return Ok(());
        }
        for (row, label) in LABELS.iter().enumerate().rev() {
            let border = if self.has_blocks { '│' } else { '|' };
            write!(out, "{label:>4} {border}{AREAS}")?;
            for point in &self.points {
                let cell = self.cell(point, row);
                (0..self.width).try_for_each(|_| write!(out, "{cell}"))?;
            }
            writeln!(out, "{AREAS:#}")?;
        }
        write!(out, "{:MARGIN$}", "")?;
        for Point { severity, .. } in &self.points {
            let style = style(*severity);
            let mark = severity.map_or(' ', |severity| self.mark(severity));
            write!(out, "{style}{mark:<width$}{style:#}", width = self.width)?;
        }
        writeln!(out, "\n{}", self.numbers())?;
        let [inaccuracy, mistake, blunder] = Severity::ALL.map(|severity| self.mark(severity));
        let legend = format!("{inaccuracy} inaccuracy  {mistake} mistake  {blunder} blunder");
        writeln!(out, "{:MARGIN$}{legend}\n", "")
    }

    /// The character of a cell by how much of it is White's; rows are counted from below.
    fn cell(&self, point: &Point, row: usize) -> char {
        let levels = if self.has_blocks { &BLOCKS[..] } else { &SIGNS };
        let height = (point.share * (LABELS.len() * (levels.len() - 1)) as f32).round() as usize;
        levels[height.saturating_sub(row * (levels.len() - 1)).min(levels.len() - 1)]
    }

    fn mark(&self, severity: Severity) -> char {
        [if self.has_blocks { '·' } else { '.' }, '?', 'X'][severity as usize]
    }

    /// The number of the first round and of every fifth below their points.
    fn numbers(&self) -> String {
        let mut line = String::new();
        let mut last = 0;
        for (index, point) in self.points.iter().enumerate() {
            let column = MARGIN + index * self.width;
            let due = point.number / STEP * STEP;
            if (due > last || index == 0) && line.len() <= column {
                last = due;
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
