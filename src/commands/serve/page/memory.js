// What a reload of the page brings back: the game on the table and who plays it, as long as the tab is open.

const KEY = "game";

/** Keeps a game and its players. */
export function keep({ variant, start, moves, at }, { levels, clock, moveTime, left }, isFlipped) {
  const text = JSON.stringify({ variant, start, moves, at, levels, clock, moveTime, left, isFlipped });
  try {
    sessionStorage.setItem(KEY, text);
  } catch {
    // The browser keeps nothing for pages; then a reload begins anew.
  }
}

/** What was kept, if something was. */
export function kept() {
  try {
    return JSON.parse(sessionStorage.getItem(KEY));
  } catch {
    return null;
  }
}
