// The list of turns: the main line in rows, variations and comments below their turn.

import { differs, make } from "./elements.js";
import { turnsOf } from "./game.js";
import { MARKS, signOf } from "./marks.js";
import { text } from "./texts.js";
import { lineAfter } from "./tree.js";

/** Fills a list with the moves of a game; `reviewed` are the turns of a review, `go(node)` is called when a turn is chosen. */
export function listTurns(list, game, reviewed, go) {
  const turns = game.mainLine.map((turn, index) => ({ ...turn, ...reviewed[index] && { mark: reviewed[index].mark, share: reviewed[index].share } }));
  const shown = new Map();
  const seen = (node) => [node.move, node.comment, node.lead, node.glyphs, node.turn?.number, node.children.map(seen)];
  if (differs(list, [seen(game.root), turns.map(({ mark, share }) => [mark, share])])) {
    list.replaceChildren(...rowsOf(game, turns, go, shown));
    list.places = shown;
  }
  const current = list.places.get(game.node) ?? null;
  const former = list.querySelector("[aria-current]");
  rove(list, current ?? list.querySelector("button"));
  if (former === current) return;
  former?.removeAttribute("aria-current");
  current?.setAttribute("aria-current", "true");
  if (current) scrollTo(list, current);
  else list.scrollTop = 0;
}

/** Tab reaches only one turn; the arrow keys move to the others. */
function rove(list, button) {
  const former = list.querySelector("[tabindex='0']");
  if (former === button) return;
  for (const other of list.querySelectorAll("button")) other.tabIndex = other === button ? 0 : -1;
  if (former && former === document.activeElement) button?.focus({ preventScroll: true });
}

function rowsOf(game, turns, go, shown) {
  const rows = [];
  let row = null;
  let number = null;
  const begin = (turn) => {
    row = make("li", {}, make("span", { className: "number", textContent: turn.number === null ? "" : `${turn.number}.` }));
    if (turn.side === "Black") row.append(make("span", { className: "gap", textContent: "…" }));
    rows.push(row);
  };
  if (game.root.comment) rows.push(make("li", {}, make("div", { className: "aside" }, said(game.root.comment))));
  for (const turn of turns) {
    if (!row || turn.number !== number || row.querySelector(`.turn.${turn.side?.toLowerCase()}`)) begin(turn);
    number = turn.number;
    row.append(turnButton(turn, go, shown));
    const notes = notesOf(turn, go, shown);
    if (notes.length === 0) continue;
    row.append(...notes.map((note) => make("div", { className: "aside" }, ...note)));
    row = null;
  }
  return rows;
}

/** The comments on a turn and the variations to it. */
function notesOf(turn, go, shown) {
  const notes = turn.nodes.filter(({ comment }) => comment).map(({ comment }) => [said(comment)]);
  for (const node of turn.nodes) {
    for (const other of node.parent.children.slice(1)) {
      if (node.parent.children[0] === node) notes.push(branch(other, go, shown));
    }
  }
  return notes;
}

/** A variation that begins with a node, with nested variations in parentheses. */
function branch(first, go, shown) {
  const parts = first.lead ? [said(first.lead)] : [];
  const turns = turnsOf([first, ...lineAfter(first)]);
  for (const [index, turn] of turns.entries()) {
    const isNumbered = turn.number !== null && (index === 0 || turn.side === "White");
    if (isNumbered) parts.push(`${turn.number}${turn.side === "White" ? "." : "…"}`);
    const button = make("button", { type: "button", className: "branch", textContent: turn.turn + signOf(turn.nodes.flatMap(({ glyphs }) => glyphs)) });
    button.addEventListener("click", () => go(turn.nodes.at(-1)));
    for (const node of turn.nodes) shown.set(node, button);
    parts.push(button, " ");
    for (const [place, node] of turn.nodes.entries()) {
      if (node.comment) parts.push(said(node.comment));
      if (index === 0 && place === 0) continue;
      for (const other of node.parent.children.slice(1)) parts.push("(", ...branch(other, go, shown), ") ");
    }
  }
  return parts;
}

function said(comment) {
  return make("span", { className: "said", textContent: `${comment} ` });
}

/** Scrolls a list, and not the page, until a part of it is visible. */
function scrollTo(list, part) {
  const [{ top, bottom }, seen] = [part, list].map((it) => it.getBoundingClientRect());
  list.scrollTop += Math.min(0, top - seen.top) + Math.max(0, bottom - seen.bottom);
}

function turnButton({ turn, side, nodes, mark = "", share }, go, shown) {
  const sign = mark || signOf(nodes.flatMap(({ glyphs }) => glyphs));
  const button = make("button", { type: "button", textContent: turn + sign });
  button.className = `turn ${side?.toLowerCase() ?? ""} ${MARKS[sign] ?? ""}`;
  const known = share === undefined ? [] : [text("review.share", { share: Math.round(100 * share) })];
  button.title = [...(MARKS[sign] ? [text(MARKS[sign])] : []), ...known].join(", ");
  button.addEventListener("click", () => go(nodes.at(-1)));
  for (const node of nodes) shown.set(node, button);
  return button;
}

const follows = new WeakMap();

/** Fills an element with clickable moves; `go(count)` is called with the number of moves to play. */
export function listLine(place, start, moves, go) {
  follows.set(place, go);
  if (!differs(place, [start, moves])) return;
  const buttons = moves.map((move, index) => {
    const button = make("button", { type: "button", textContent: move, className: "step" });
    button.addEventListener("click", () => follows.get(place)(index + 1));
    return button;
  });
  place.replaceChildren(start, ...buttons);
}
