//! The turns of a game as people write them down, with scores.

use std::io::{self, Write};

use anstyle::{AnsiColor, Style};
use millstone::analysis::{Fault, ReviewedTurn, Tally, WhiteScore};
use millstone::board::{BySide, Side};

use super::game::Review;

/// How a fault stands out.
pub const fn style(fault: Option<Fault>) -> Style {
    match fault {
        None => Style::new(),
        Some(Fault::Inaccuracy) => AnsiColor::Yellow.on_default(),
        Some(Fault::Mistake) => AnsiColor::Magenta.on_default(),
        Some(Fault::Blunder) => AnsiColor::Red.on_default().bold(),
    }
}

/// Writes the players and the turns, those of White and Black side by side, faults explained below.
pub fn write(review: &Review, width: usize, out: &mut impl Write) -> io::Result<()> {
    let player = |side: Side| {
        let name = side.to_string();
        review.record.tag(&name).unwrap_or(&name).to_owned()
    };
    let [white, black] = Side::ALL.map(player);
    writeln!(out, "{white} - {black}, {}\n", review.record.result)?;
    let mut turns = review.turns.iter().peekable();
    while let Some(first) = turns.next() {
        let second =
            turns.next_if(|second| second.number == first.number && is_pair(first, second));
        write!(out, "{:>3}. ", first.number)?;
        if first.side == Side::Black {
            write!(out, "{:<26}", "...")?;
        }
        write_turn(first, out)?;
        if let Some(second) = second {
            write!(out, "   ")?;
            write_turn(second, out)?;
        }
        writeln!(out)?;
        for turn in [Some(first), second].into_iter().flatten() {
            explain(turn, width, out)?;
        }
    }
    writeln!(out)
}

fn is_pair(first: &ReviewedTurn, second: &ReviewedTurn) -> bool {
    first.side == Side::White && second.side == Side::Black
}

fn write_turn(turn: &ReviewedTurn, out: &mut impl Write) -> io::Result<()> {
    let (fault, score) = (turn.fault(), turn.score());
    let style = style(fault);
    let text = format!("{}{}", turn.turn, fault.map_or("", Fault::mark));
    write!(out, "{style}{text:<15}{style:#} {score:>7}")
}

/// Says what a fault gave away and what was better, in one line.
fn explain(turn: &ReviewedTurn, width: usize, out: &mut impl Write) -> io::Result<()> {
    let (Some(fault), Some(worst), Some(better)) = (turn.fault(), turn.worst_move(), turn.better())
    else {
        return Ok(());
    };
    let dots = if turn.side == Side::White { "." } else { "..." };
    let (number, mark) = (turn.number, fault.mark());
    let start = format!("{number}{dots} {}{mark}", turn.turn);
    let judged = &turn.moves[worst];
    let what = match (judged.before.known, judged.known) {
        (Some(before), Some(after)) => format!("turns a {before} into a {after}"),
        _ => format!("gives away {:.0} %", 100.0 * turn.loss()),
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
    let style = style(Some(fault));
    writeln!(out, "{style}{line}{end}{style:#}")
}

/// Writes how well each side played.
pub fn write_tallies(tallies: &BySide<Tally>, out: &mut impl Write) -> io::Result<()> {
    write!(out, "{:<7}{:>6}", "", "turns")?;
    for fault in Fault::ALL {
        let style = style(Some(fault));
        write!(out, "{style}{:>6}{style:#}", fault.mark())?;
    }
    writeln!(out, "  given away a turn")?;
    for side in Side::ALL {
        let Tally { turns, faults, average_loss } = tallies[side];
        write!(out, "{:<7}{turns:>6}", side.to_string())?;
        faults.iter().try_for_each(|count| write!(out, "{count:>6}"))?;
        writeln!(out, "  {:>15.1} %", 100.0 * average_loss)?;
    }
    writeln!(out)
}
