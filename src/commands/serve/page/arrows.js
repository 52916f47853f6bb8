// Arrows and circles on the board: for good moves, for the last move, and drawn by the user.

import { draw } from "./elements.js";
import { place } from "./geometry.js";

const RADIUS = 41;
const HEAD = 30;

/** The points of a move, by its text. */
export function parse(move) {
  if (move.startsWith("x")) return { remove: move.slice(1) };
  const [first, second] = move.split("-");
  return second ? { from: first, to: second } : { to: first };
}

/** Draws a move or a drawing of the user: an arrow between two points, or a circle around one. */
export function drawMove({ from, to, remove }, kind, isFlipped) {
  const at = place(to ?? remove, isFlipped);
  const shape = from ? arrow(place(from, isFlipped), at) : circle(at);
  shape.classList.add(...`sign ${remove ? "cross" : ""} ${kind}`.split(" ").filter(Boolean));
  return shape;
}

function circle({ x, y }) {
  return draw("circle", { cx: x, cy: y, r: RADIUS });
}

/** An arrow from the edge of a man to the middle of a point. */
function arrow(from, to) {
  const length = Math.hypot(to.x - from.x, to.y - from.y);
  const [x, y] = [(to.x - from.x) / length, (to.y - from.y) / length];
  const along = (by, aside = 0) => `${from.x + x * by - y * aside},${from.y + y * by + x * aside}`;
  const neck = length - HEAD;
  const corners = [
    along(26, 6), along(neck, 6), along(neck, 19), along(length + 2), along(neck, -19), along(neck, -6), along(26, -6),
  ];
  return draw("polygon", { points: corners.join(" ") });
}
