// A game in the address of the page: its rules, its start, the moves of a line and the place in it.

const BETWEEN = ".";

/** The part of an address after #; empty if there is nothing to store. */
export function encode({ variant, start, moves }, at = moves.length) {
  if (moves.length === 0 && !start) return "";
  const parts = new URLSearchParams({ game: variant });
  if (start) parts.set("start", start);
  if (moves.length > 0) parts.set("moves", moves.join(BETWEEN));
  if (at < moves.length) parts.set("at", at);
  return `#${parts}`;
}

/** The game of an address, if it has one. */
export function decode(address) {
  const parts = new URLSearchParams(address.slice(address.indexOf("#") + 1));
  if (!address.includes("#") || !parts.has("game")) return null;
  const moves = parts.get("moves")?.split(BETWEEN) ?? [];
  const at = parts.has("at") ? Math.min(Number(parts.get("at")) || 0, moves.length) : moves.length;
  return { variant: parts.get("game"), start: parts.get("start"), moves, at };
}

/** Puts a game into the address of the page. */
export function show(part) {
  try {
    history.replaceState(null, "", part || location.pathname + location.search);
  } catch {
    // Some browsers refuse an address that changes too often; the next position will set it.
  }
}
