// The list of turns, with the marks of a review.

import { differs, make } from "./elements.js";
import { MARKS } from "./marks.js";

/** Fills a list with the turns of a game; `go(at)` is called when one is chosen. */
export function listTurns(list, game, reviewed, go) {
  const turns = game.line.map((turn, index) => ({ ...turn, ...shareAndMark(reviewed[index]) }));
  if (differs(list, turns)) list.replaceChildren(...rowsOf(turns, go));
  const buttons = list.querySelectorAll("button");
  const current = turns.findIndex(({ before, after }) => before < game.at && game.at <= after);
  const former = list.querySelector("[aria-current]");
  if (former === (buttons[current] ?? null)) return;
  former?.removeAttribute("aria-current");
  buttons[current]?.setAttribute("aria-current", "true");
  if (current >= 0) scrollTo(list, buttons[current]);
}

function rowsOf(turns, go) {
  const rows = [];
  let number = null;
  for (const turn of turns) {
    if (turn.number !== number) {
      number = turn.number;
      rows.push(make("li", { value: number }));
    }
    rows.at(-1).append(turnButton(turn, go));
  }
  return rows;
}

/** Scrolls a list, and not the page, until a part of it is seen. */
function scrollTo(list, part) {
  const [{ top, bottom }, seen] = [part, list].map((it) => it.getBoundingClientRect());
  list.scrollTop += Math.min(0, top - seen.top) + Math.max(0, bottom - seen.bottom);
}

/** What a review says of a turn, as far as it is there. */
function shareAndMark(reviewed) {
  return { mark: reviewed?.mark ?? "", share: reviewed?.share };
}

function turnButton({ turn, side, after, mark, share }, go) {
  const button = make("button", { type: "button", textContent: turn + mark });
  button.className = `turn ${side.toLowerCase()} ${MARKS[mark] ?? ""}`;
  const known = share === undefined ? [] : [`White can expect ${Math.round(100 * share)} %`];
  button.title = [...(mark ? [MARKS[mark]] : []), ...known].join(", ");
  button.addEventListener("click", () => go(after));
  return button;
}

const follows = new WeakMap();

/** Fills a paragraph with moves that can be followed; `go(count)` is called with how many to play. */
export function listLine(paragraph, start, moves, go) {
  follows.set(paragraph, go);
  if (!differs(paragraph, [start, moves])) return;
  const buttons = moves.map((move, index) => {
    const button = make("button", { type: "button", textContent: move, className: "step" });
    button.addEventListener("click", () => follows.get(paragraph)(index + 1));
    return button;
  });
  paragraph.replaceChildren(start, ...buttons);
}
