//! The stages of placing.

/// The number of stages: the side to move has 1 to 9 men in hand, and the opponent as many or one
/// less.
pub const STAGES: usize = 18;

/// The number of combinations of lost men that are distinguished.
pub const LOSSES: usize = 16;

const MEN: u32 = 9;
const MOST_LOST: u32 = 3;

/// The number of the stage with so many men in the hands of the side to move and of the opponent,
/// the last stage first; numbers that cannot occur in a game give the nearest stage.
#[inline]
pub fn stage([own, opponent]: [u8; 2]) -> usize {
    let own = own.clamp(1, MEN as u8);
    2 * usize::from(own - 1) + usize::from(opponent >= own)
}

/// The number of the combination of men lost by the side to move and by the opponent.
#[inline]
pub fn losses(on_board: [u32; 2], hands: [u8; 2]) -> usize {
    let lost = |side: usize| {
        MEN.saturating_sub(on_board[side] + u32::from(hands[side])).min(MOST_LOST) as usize
    };
    (MOST_LOST as usize + 1) * lost(0) + lost(1)
}
