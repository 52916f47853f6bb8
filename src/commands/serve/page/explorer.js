// How often each move was played in the archived games in the same position, including transpositions.

import { parse } from "./arrows.js";
import { load } from "./store.js";
import { other } from "./players.js";

/** The places of men, and whose turn it is. */
function keyOf(men, side) {
  return [...men].map(([point, owner]) => owner[0] + point).sort().join(" ") + side;
}

/** How often each move was played from a position, in games from the start of the same game. */
export function playedFrom({ variant, sides, to_move: side }) {
  const men = new Map(sides.flatMap(({ side: owner, men: points }) => points.map((point) => [point, owner])));
  return counted(variant).get(keyOf(men, side)) ?? new Map();
}

let known = { games: null, variant: null, counts: new Map() };

/** The moves of all archived games, counted by position. */
function counted(variant) {
  const games = load("games") ?? [];
  const name = games.map(({ id, date }) => `${id} ${date}`).join();
  if (known.games === name && known.variant === variant) return known.counts;
  known = { games: name, variant, counts: new Map() };
  for (const { snapshot } of games) {
    const { game } = snapshot;
    if (game.variant === variant && !game.start) countMoves(game.moves, known.counts);
  }
  return known.counts;
}

function countMoves(moves, counts) {
  const men = new Map();
  let side = "Black";
  for (const move of moves) {
    const { from, to, remove } = parse(move);
    if (!remove) side = other(side);
    const key = keyOf(men, side);
    const here = counts.get(key) ?? counts.set(key, new Map()).get(key);
    here.set(move, (here.get(move) ?? 0) + 1);
    men.delete(from ?? remove);
    if (to) men.set(to, side);
  }
}
