// What a reload of the page brings back: the game on the table and those that were put aside, with their
// players and clocks. Each tab has its own; a new one begins with what the last one had. A puzzle, a review
// and the clocks of earlier turns are not kept.

import { load, store } from "./store.js";

const KEY = "table";

/** Keeps what lies on a table for its tab, and where the tab ends for the next new one too. */
export function keep({ snapshot, aside, isVisit }, isEnd) {
  const kept = { snapshot, aside, isVisit };
  store(KEY, kept, true);
  if (isEnd) store(KEY, kept);
}

/** What was kept, if something whole was. */
export function kept() {
  const found = load(KEY, true) ?? load(KEY);
  if (!found || !isWhole(found.snapshot) || !Array.isArray(found.aside)) return null;
  return { ...found, aside: found.aside.filter(isWhole) };
}

function isWhole(snapshot) {
  const game = snapshot?.game;
  return Boolean(snapshot?.levels) && Array.isArray(game?.moves) && Array.isArray(game.line) && Number.isInteger(game.at);
}
