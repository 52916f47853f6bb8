//! What is printed: the best moves of a position, reviewed games, and the help that explains them.

use std::io::{self, Write};

use millstone::analysis::{ReviewedTurn, Severity, SideSummary, WhiteScore, game_result};
use millstone::api::json::{self, Both};
use millstone::board::Side;
use millstone::game::Game;
use millstone::position::MoveLine;
use millstone::records::GameRecord;
use millstone::search::Report;
use millstone::tablebase::Wdl;
use serde_json::{Value, json};

use super::graph::{Graph, style};
use crate::commands::{terminal, write_json};

const FIELDS: &str = include_str!("fields.txt");

/// The end of the help: the marks of bad turns and the fields of JSON.
pub fn legend() -> String {
    let marks = Severity::ALL
        .map(|severity| format!("{} from {:.0} %", severity.mark(), 100.0 * severity.threshold()));
    let marks = marks.join(", ");
    let most = Severity::Inaccuracy.mark();
    format!(
        "Marks by the share of a point that a turn loses: {marks}; {most} at most where a search is not sure \
         that the result has changed.\n\n{FIELDS}"
    )
}

/// Writes a position and its best moves for people.
pub fn write_position(
    game: &Game,
    result: Option<Wdl>,
    report: &Report,
    out: &mut impl Write,
) -> io::Result<()> {
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
        let (score, moves) = (WhiteScore::new(variation.score, side), MoveLine(&variation.pv));
        writeln!(out, "{:>3}  {score:>7} {moves}", index + 1)?;
    }
    if let Some(known) = known {
        known.moves().iter().try_for_each(|known| writeln!(out, "     {known}"))?;
    }
    writeln!(out)
}

/// Writes a reviewed game for people: the players and the turns, those of White and Black side by side, with what
/// is wrong with bad turns below, the graph of the scores and the summary of each side.
pub fn write_review(
    record: &GameRecord,
    turns: &[ReviewedTurn],
    out: &mut impl Write,
) -> io::Result<()> {
    let width = terminal::width().unwrap_or(terminal::USUAL_WIDTH);
    let player = |side: Side| {
        let name = side.to_string();
        record.tag(&name).unwrap_or(&name).to_owned()
    };
    let [white, black] = Side::ALL.map(player);
    writeln!(out, "{white} - {black}, {}\n", record.result)?;
    let mut rest = turns.iter().peekable();
    while let Some(first) = rest.next() {
        let second = rest.next_if(|second| {
            (second.number, first.side, second.side) == (first.number, Side::White, Side::Black)
        });
        let round = || [Some(first), second].into_iter().flatten();
        let told = round().map(tell).collect::<Vec<_>>().join("   ");
        let dots = if first.side == Side::Black { format!("{:<26}", "...") } else { String::new() };
        writeln!(out, "{:>3}. {dots}{told}", first.number)?;
        round().try_for_each(|turn| explain(turn, width, out))?;
    }
    writeln!(out)?;
    Graph::new(turns, width).write(out)?;
    write_summaries(turns, out)
}

/// Writes a reviewed game for programs: a heading, the turns and a summary, a line each with the number of the game.
pub fn write_review_json(
    number: usize,
    origin: &Value,
    record: &GameRecord,
    turns: &[ReviewedTurn],
) -> io::Result<()> {
    let game = json!({"game": number});
    let heading = Both { first: origin, second: json::heading(record) };
    write_json(&Both { first: &game, second: heading })?;
    let mut turns_json = turns.iter().map(|turn| Both { first: &game, second: turn });
    turns_json.try_for_each(|turn| write_json(&turn))?;
    write_json(&Both { first: &game, second: json::summary(turns) })
}

fn tell(turn: &ReviewedTurn) -> String {
    let (severity, score) = (turn.severity(), turn.score());
    let style = style(severity);
    let text = format!("{}{}", turn.turn, severity.map_or("", Severity::mark));
    format!("{style}{text:<15}{style:#} {score:>7}")
}

/// Says what a bad turn lost and what was better, in one line.
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
        let SideSummary { turns, inaccuracies, mistakes, blunders, average_loss, accuracy, .. } =
            SideSummary::of(turns, side);
        let [turns, inaccuracies, mistakes, blunders] =
            [turns, inaccuracies, mistakes, blunders].map(|count| count.to_string());
        let [loss, accuracy] =
            [100.0 * average_loss, accuracy].map(|share| format!("{share:.1} %"));
        [side.to_string(), turns, inaccuracies, mistakes, blunders, loss, accuracy]
    });
    writeln!(out, "{}\n", terminal::table(&titles, rows))
}
