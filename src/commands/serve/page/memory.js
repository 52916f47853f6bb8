// What survives a reload of the page: the game on the table and the games put aside, with their players and
// clocks. Each tab has its own; a new tab begins with a copy from the last one. Puzzles, reviews and the clocks
// of earlier turns are not stored.

import { load, store } from "./store.js";

const KEY = "table";

/** Stores what is on the table for this tab and, when the tab closes, for the next new tab too. */
export function keep({ snapshot, aside, isVisit }, isEnd) {
  const kept = { snapshot, aside, isVisit };
  store(KEY, kept, true);
  if (isEnd) store(KEY, kept);
}

/** What was stored, if it is complete. */
export function kept() {
  const found = load(KEY, true) ?? load(KEY);
  if (!found || !isWhole(found.snapshot) || !Array.isArray(found.aside)) return null;
  return { ...found, aside: found.aside.filter(isWhole) };
}

function isWhole(snapshot) {
  const game = snapshot?.game;
  return Boolean(snapshot?.levels) && Array.isArray(game?.moves) && Array.isArray(game.line) && Number.isInteger(game.at);
}
