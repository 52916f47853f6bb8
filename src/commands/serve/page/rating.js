// How well the user solves puzzles: a rating, the streak and the best one, kept in the browser.

import { load, store } from "./store.js";

const KEY = "puzzles";
const NEW = { rating: 1000, tried: 0, solved: 0, streak: 0, best: 0 };
/** The rating of puzzles of level 0, and what a level adds to it. */
const LEAST = 600;
const OF_LEVEL = 50;
/** The most that a puzzle changes a rating: of a new user, and later. */
const FAST = 60;
const SLOW = 24;
const NEWCOMER = 15;

/** What is known of the user. */
export function record() {
  return { ...NEW, ...load(KEY) };
}

/** The level of a puzzle that the user solves about as often as not. */
export function fittingLevel() {
  return Math.max(0, (record().rating - LEAST) / OF_LEVEL);
}

/**
 * Counts a puzzle that was solved without help, or not, by the formula of Elo's ratings; what that changes the rating by.
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
