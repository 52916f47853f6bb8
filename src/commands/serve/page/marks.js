// The marks of bad turns, from the least to the worst, and what each says.

export const MARKS = { "?!": "inaccuracy", "?": "mistake", "??": "blunder" };
