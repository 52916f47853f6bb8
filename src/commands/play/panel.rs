//! What stands beside the board: who plays, men in hand, clocks, the last turn.

use millstone::any_game::AnyGame;
use millstone::board::Side;
use millstone::position::{MoveKind, Turn};
use millstone::rules::Preset;

use super::archive::Match;
use super::clock::ClockTime;
use super::theme::{LAST, STRONG, Theme, style_of};

/// The lines of the panel; empty ones part its blocks.
pub fn lines(played: &Match, theme: Theme) -> Vec<String> {
    let name = Preset::of(played.course.rules()).map_or("Own rules", |preset| preset.name);
    let mut lines = vec![format!("{STRONG}{name}{STRONG:#}"), String::new()];
    for side in Side::ALL {
        lines.extend(side_lines(played, side, theme));
        lines.push(String::new());
    }
    let mut last_turns: Vec<_> = played.course.turns_backwards().take(2).collect();
    last_turns.reverse();
    for moves in last_turns {
        for turn in Turn::group(moves.iter().copied()) {
            lines.push(format!("{} played {LAST}{turn}{LAST:#}", moves[0].0));
        }
    }
    if played.course.verdict().is_none() {
        lines.push(request(played.course.game()));
    }
    lines
}

fn side_lines(played: &Match, side: Side, theme: Theme) -> Vec<String> {
    let game = played.course.game();
    let who = if played.seats.is_person(side) {
        "person".to_owned()
    } else {
        format!("Millstone, level {}", played.skill.level())
    };
    let style = style_of(side);
    let man = theme.man(side);
    let in_hand = game.in_hand(side);
    let hand: String = (0..in_hand).map(|_| man).collect();
    let hand = if in_hand == 0 { String::new() } else { format!(" {style}{hand}{style:#}") };
    let mut lines = vec![
        format!("{style}{man} {side}{style:#}, {who}"),
        format!("  {} on the board, {in_hand} in hand{hand}", game.men(side).len()),
    ];
    if let Some(clocks) = &played.clocks {
        lines.push(format!("  clock {}", ClockTime(clocks.left(side, game.to_move()))));
    }
    lines
}

/// Whose turn it is, and what the turn asks for.
pub fn request(game: &dyn AnyGame) -> String {
    let side = game.to_move();
    let moves = game.moves();
    let has = |test: fn(MoveKind) -> bool| moves.iter().any(|mv| test(mv.kind()));
    let places = has(|kind| matches!(kind, MoveKind::Place(_)));
    let slides = has(|kind| matches!(kind, MoveKind::Slide { .. }));
    let go = if flies(game) { "fly" } else { "slide" };
    let action = match (game.owed(side), places, slides) {
        (1, ..) => "remove a man".to_owned(),
        (men @ 2.., ..) => format!("remove {men} men"),
        (men @ ..=-1, ..) => format!("remove {} of its own", men.unsigned_abs()),
        (_, true, true) => format!("place or {go}"),
        (_, true, false) => "place".to_owned(),
        (_, false, true) => go.to_owned(),
        (_, false, false) => "remove a man".to_owned(),
    };
    format!("{side} to {action}")
}

/// Whether the men of the side to move may go to any empty point.
fn flies(game: &dyn AnyGame) -> bool {
    let (side, rules) = (game.to_move(), game.rules());
    let is_few = game.men(side).len() <= rules.flying_men.into();
    rules.may_fly && is_few && game.in_hand(side) == 0
}
