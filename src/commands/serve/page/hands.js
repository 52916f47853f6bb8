// The two players beside the board: who plays, men in hand and on the board, and the clock.

import { draw, make } from "./elements.js";
import { text } from "./texts.js";

/** Shows a player. */
export function showPlayer(place, side, game, players) {
  const { men, in_hand: inHand } = game.board.sides.find((it) => it.side === side);
  const level = players.levels[side];
  const isNext = game.toMove === side;
  const name = level === null ? (game.tags[side] ?? "") : text("engine", { level });
  const who = isNext && players.isThinking ? text("thinking", { name }) : name;
  const named = make("span", { className: "name" }, make("b", { textContent: text(side) }), who ? ` ${who}` : "");
  const count = make("span", { className: "count", textContent: text("men.count", { hand: inHand, board: men.length }) });
  place.className = isNext ? "player next" : "player";
  place.replaceChildren(named, hand(side, inHand), count);
  if (players.left) place.append(make("span", { className: "clock", textContent: time(players.timeOf(side)) }));
  place.dataset.side = side;
}

function hand(side, count) {
  const width = Math.max(count, 1) * 12 + 10;
  const svg = draw("svg", { class: "hand", viewBox: `0 0 ${width} 22`, height: 22, "aria-hidden": "true" });
  for (let index = 0; index < count; index++) {
    svg.append(draw("circle", { class: side.toLowerCase(), cx: 11 + 12 * index, cy: 11, r: 9 }));
  }
  return svg;
}

/** Shows the clocks as they are now. */
export function tick(players) {
  if (!players.left) return;
  for (const place of document.querySelectorAll(".player")) {
    const clock = place.querySelector(".clock");
    if (clock) clock.textContent = time(players.timeOf(place.dataset.side));
  }
}

/** Minutes and seconds, with tenths when little time is left. */
function time(milliseconds) {
  const seconds = milliseconds / 1000;
  const whole = Math.floor(seconds % 60).toString().padStart(2, "0");
  const tenths = seconds < 20 ? `.${Math.floor((seconds * 10) % 10)}` : "";
  return `${Math.floor(seconds / 60)}:${whole}${tenths}`;
}
