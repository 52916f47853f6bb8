// The user's puzzle rating, current streak and best streak, kept in the browser.

import { load, store } from "./store.js";

const KEY = "puzzles";
const NEW = { rating: 1000, tried: 0, solved: 0, streak: 0, best: 0 };
/** The rating of puzzles of level 0, and the step per level. */
const LEAST = 600;
const OF_LEVEL = 50;
/** The maximum rating change per puzzle: for a new user, and later. */
const FAST = 60;
const SLOW = 24;
const NEWCOMER = 15;

/** The user's record. */
export function record() {
  return { ...NEW, ...load(KEY) };
}

/** The level of a puzzle that the user solves about as often as not. */
export function fittingLevel() {
  return Math.max(0, (record().rating - LEAST) / OF_LEVEL);
}

/**
 * Counts a puzzle as solved without help or not, by Elo's formula, and returns the change of the rating.
 *
 * See: Elo, "The Rating of Chessplayers", 1978.
 */
export function score(level, isSolved) {
  const known = record();
  const expected = 1 / (1 + 10 ** ((LEAST + OF_LEVEL * level - known.rating) / 400));
  const change = Math.round((known.tried < NEWCOMER ? FAST : SLOW) * (Number(isSolved) - expected));
  const streak = isSolved ? known.streak + 1 : 0;
  store(KEY, {
    rating: known.rating + change, tried: known.tried + 1, solved: known.solved + Number(isSolved),
    streak, best: Math.max(known.best, streak),
  });
  return change;
}
