// What a reload of the page brings back, as long as the tab is open: the game on the table, who plays it and
// the clocks. A puzzle, a review and the clocks of earlier turns are not kept.

const KEY = "game";

/** Keeps a game and its players. */
export function keep({ variant, start, moves, at, turns, source, ended }, players, isFlipped) {
  const { levels, clock, moveTime, isPaused, clocks } = players;
  const game = { variant, start, moves, at, turns, source, ended };
  const text = JSON.stringify({ game, levels, clock, moveTime, isPaused, clocks, isFlipped });
  try {
    sessionStorage.setItem(KEY, text);
  } catch {
    // The browser keeps nothing for pages; then a reload begins anew.
  }
}

/** What was kept, if something whole was. */
export function kept() {
  try {
    const all = JSON.parse(sessionStorage.getItem(KEY));
    return all?.levels && Array.isArray(all.game?.moves) && Number.isInteger(all.game.at) ? all : null;
  } catch {
    return null;
  }
}
