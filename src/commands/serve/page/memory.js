// What a reload of the page brings back, as long as the tab is open: the game on the table and those that
// were put aside, with their players and clocks. A puzzle, a review and the clocks of earlier turns are not
// kept.

const KEY = "table";

/** Keeps what lies on a table. */
export function keep({ snapshot, aside, isVisit }) {
  try {
    sessionStorage.setItem(KEY, JSON.stringify({ snapshot, aside, isVisit }));
  } catch {
    // The browser keeps nothing for pages; then a reload begins anew.
  }
}

/** What was kept, if something whole was. */
export function kept() {
  try {
    const { snapshot, aside, isVisit } = JSON.parse(sessionStorage.getItem(KEY));
    return isWhole(snapshot) ? { snapshot, aside: aside.filter(isWhole), isVisit } : null;
  } catch {
    return null;
  }
}

function isWhole(snapshot) {
  const game = snapshot?.game;
  return Boolean(snapshot?.levels) && Array.isArray(game?.moves) && Number.isInteger(game.at);
}
