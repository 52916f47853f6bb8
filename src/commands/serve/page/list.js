// The list of turns, with the marks of a review.

import { make } from "./elements.js";
import { MARKS } from "./marks.js";

/** Fills a list with the turns of a game; `go(at)` is called when one is chosen. */
export function listTurns(list, game, reviewed, go) {
  const rows = [];
  let number = null;
  for (const [index, turn] of game.line.entries()) {
    if (turn.number !== number) {
      number = turn.number;
      rows.push(make("li", { value: number }));
    }
    rows.at(-1).append(turnButton(turn, reviewed[index], game.at, go));
  }
  list.replaceChildren(...rows);
  list.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest" });
}

function turnButton({ turn, side, before, after }, review, at, go) {
  const mark = review?.mark ?? "";
  const button = make("button", { type: "button", textContent: turn + mark });
  button.className = `turn ${side.toLowerCase()} ${MARKS[mark] ?? ""}`;
  if (mark) button.title = MARKS[mark];
  if (before < at && at <= after) button.setAttribute("aria-current", "true");
  button.addEventListener("click", () => go(after));
  return button;
}

/** Fills a paragraph with moves that can be followed; `go(count)` is called with how many to play. */
export function listLine(paragraph, start, moves, go) {
  const buttons = moves.map((move, index) => {
    const button = make("button", { type: "button", textContent: move, className: "step" });
    button.addEventListener("click", () => go(index + 1));
    return button;
  });
  paragraph.replaceChildren(start, ...buttons);
}
