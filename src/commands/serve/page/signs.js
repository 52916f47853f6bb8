// The arrows and circles on the board: drawings of the user, a hint, the next error in a review with the better
// move, the best moves, and the last slide.

import { parse } from "./arrows.js";
import { tellable } from "./panels.js";
import { settings } from "./settings.js";

/** The user's drawings, which stay until the board is pressed or shows another position. */
export class Drawing {
  #node = null;
  #signs = [];
  /** What is being drawn. */
  #sketch = null;

  /** Draws an arrow between two points, or a circle around one, or erases it if it is there. */
  toggle(node, from, to, kind) {
    this.#sketch = null;
    const move = moveOf(from, to);
    const isSame = (sign) => JSON.stringify(sign.move) === JSON.stringify(move);
    const drawn = node === this.#node ? this.#signs : [];
    const others = drawn.filter((sign) => !isSame(sign));
    const isThere = drawn.some((sign) => isSame(sign) && sign.kind === kind);
    this.#node = node;
    this.#signs = isThere ? others : [...others, { move, kind }];
  }

  /** Shows a preview of the drawing at a node; nothing if it has no end point. */
  sketch(node, from, to, kind) {
    this.#sketch = to && { node, sign: { move: moveOf(from, to), kind } };
  }

  /** Erases everything, and returns whether there was anything. */
  clear() {
    const isEmpty = this.#signs.length === 0;
    this.#signs = [];
    return !isEmpty;
  }

  /** The drawings at a node. */
  of(node) {
    const drawn = node === this.#node ? this.#signs : [];
    return this.#sketch?.node === node ? [...drawn, this.#sketch.sign] : drawn;
  }
}

function moveOf(from, to) {
  return from === to ? { to } : { from, to };
}

/** The signs of the current position, the most important last. */
export function signsOf(game, { truth, review, coach, puzzles, claims, drawing }) {
  const byHand = drawing.of(game.node);
  if (puzzles.signs.length > 0) return [...slideOf(game), ...puzzles.signs, ...byHand];
  if (claims.hinted) return [...slideOf(game), { move: parse(claims.hinted), kind: "better" }, ...byHand];
  const line = game.mainLine;
  const told = tellable(review, line, game);
  if (told >= 0 && line[told].nodes[0].parent === game.node) {
    const better = coach.isAsking ? null : review.turns[told].better?.moves[0];
    const bad = { move: parse(line[told].nodes[0].move), kind: "bad" };
    return [bad, ...(better ? [{ move: parse(better), kind: "better" }] : []), ...byHand];
  }
  const best = truth.isOn && settings.arrows ? truth.arrows(settings.lines) : [];
  const good = best.map((move, index) => ({ move: parse(move), kind: index === 0 ? "best" : "second" }));
  return [...slideOf(game), ...good.reverse(), ...byHand];
}

/** The last move, if it was a slide. */
function slideOf({ lastTurn }) {
  const slide = lastTurn?.nodes.map(({ move }) => parse(move)).find(({ from }) => from);
  return slide && settings.arrows ? [{ move: slide, kind: "played" }] : [];
}
