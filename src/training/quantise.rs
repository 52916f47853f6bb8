//! Fitted weights as the evaluation keeps them.

use bytemuck::Zeroable;

use super::example::{CONSTANTS, CORNERS, MIDDLE, SPOKES};
use crate::evaluate::weights::{SCALE_BITS, Set};

/// What a unit of a sum of fitted weights is worth, in hundredths of a man.
const HUNDREDTHS: f32 = 100.0;

/// Rounds a set of weights, the greatest of which becomes the greatest number that is kept.
pub fn quantise(weights: &[f32]) -> Set {
    let (patterns, constants) = weights.split_at(CONSTANTS);
    let greatest = patterns.iter().fold(1e-6_f32, |greatest, weight| greatest.max(weight.abs()));
    let unit = greatest / f32::from(i8::MAX);
    let fixed = HUNDREDTHS * (1_u32 << SCALE_BITS) as f32;
    let mut set = Set::zeroed();
    set.scale = ((unit * fixed).round() as i16).to_le();
    for (kept, weight) in set.constants.iter_mut().zip(constants) {
        *kept = ((weight * HUNDREDTHS).round() as i16).to_le();
    }
    let families = [
        (&mut set.rings[..], 0),
        (&mut set.middle[..], MIDDLE),
        (&mut set.spokes[..], SPOKES),
        (&mut set.corners[..], CORNERS),
    ];
    for (kept, first) in families {
        for (kept, weight) in kept.iter_mut().zip(&patterns[first..]) {
            *kept = (weight / unit).round() as i8;
        }
    }
    set
}
