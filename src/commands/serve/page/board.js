// The drawing of the board. It knows no rules: what may be played is what the server lists.

import { SIZE, ends, neighbour, place } from "./geometry.js";

const SVG = "http://www.w3.org/2000/svg";
/** The least width of the tag of a value, and what each letter of the value takes. */
const TAG = 68;
const LETTER = 17;

export function draw(name, attributes = {}, ...children) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

export class BoardView {
  isFlipped = false;
  #focused;

  /** `press(point)` is called for a click, a touch, Enter or the space bar; `escape()` for Escape. */
  constructor(place, points, { press, escape }) {
    this.points = points;
    this.#focused = points[0];
    this.svg = draw("svg", { viewBox: `0 0 ${SIZE} ${SIZE}`, role: "group", "aria-label": "Board" });
    this.lines = draw("g", { class: "lines" });
    this.mills = draw("g", { class: "mills" });
    this.arrow = draw("g", { class: "arrow", "aria-hidden": "true" });
    this.cells = new Map(points.map((point) => [point, this.#cell(point, press)]));
    this.svg.append(
      draw("rect", { class: "wood", width: SIZE, height: SIZE, rx: 18 }),
      this.lines, this.mills, ...this.cells.values(), this.arrow,
    );
    this.svg.addEventListener("keydown", (event) => this.#key(event, press, escape));
    place.append(this.svg);
  }

  #cell(point, press) {
    const cell = draw("g", { class: "point", role: "button", "data-point": point, tabindex: -1 });
    cell.append(
      draw("circle", { class: "reach", r: 46 }),
      draw("circle", { class: "dot", r: 7 }),
      draw("circle", { class: "man", r: 33 }),
      draw("circle", { class: "groove", r: 21 }),
      draw("circle", { class: "ring", r: 40 }),
      draw("rect", { class: "tag", y: -17, height: 34, rx: 17 }),
      draw("text", { class: "value", dy: "0.36em", "aria-hidden": "true" }),
    );
    cell.addEventListener("click", () => press(point));
    cell.addEventListener("focus", () => this.#rove(point));
    return cell;
  }

  /** Only one point is reached by Tab; the arrow keys lead to the others. */
  #rove(point) {
    this.cells.get(this.#focused).setAttribute("tabindex", -1);
    this.#focused = point;
    this.cells.get(point).setAttribute("tabindex", 0);
  }

  #key(event, press, escape) {
    const next = neighbour(event.key, this.#focused, this.points, this.isFlipped);
    if (next) this.cells.get(next).focus();
    else if (event.key === "Enter" || event.key === " ") press(this.#focused);
    else if (event.key === "Escape") escape();
    else return;
    event.preventDefault();
  }

  /** Lays out the lines of a game and the points. */
  layOut(lines) {
    this.#drawLines(this.lines, lines);
    for (const [point, cell] of this.cells) {
      const { x, y } = place(point, this.isFlipped);
      cell.setAttribute("transform", `translate(${x} ${y})`);
    }
    this.#rove(this.#focused);
  }

  #drawLines(place, lines) {
    const drawn = lines.map((line) => {
      const [a, b] = ends(line, this.isFlipped);
      return draw("line", { x1: a.x, y1: a.y, x2: b.x, y2: b.y });
    });
    place.replaceChildren(...drawn);
  }

  /** Shows the mills that were just closed. */
  showMills(lines) {
    this.#drawLines(this.mills, lines);
  }

  /** Shows each point as a description of it says: `man`, `states`, `value`, `worth`, `label`. */
  show(describe) {
    for (const [point, cell] of this.cells) {
      const { man, states, value, worth, label } = describe(point);
      cell.setAttribute("class", ["point", man?.toLowerCase(), ...states].filter(Boolean).join(" "));
      cell.setAttribute("aria-label", label);
      cell.setAttribute("aria-disabled", !states.includes("can"));
      cell.setAttribute("data-worth", worth ?? "");
      cell.querySelector(".value").textContent = value ?? "";
      const width = Math.max(TAG, LETTER * (value ?? "").length);
      cell.querySelector(".tag").setAttribute("width", width);
      cell.querySelector(".tag").setAttribute("x", -width / 2);
    }
  }

  /** Draws an arrow for a move, or none. */
  point(move) {
    this.arrow.replaceChildren();
    if (!move) return;
    const at = place(move.to ?? move.remove, this.isFlipped);
    if (move.from) {
      const from = place(move.from, this.isFlipped);
      this.arrow.append(draw("line", { x1: from.x, y1: from.y, x2: at.x, y2: at.y }));
    }
    this.arrow.append(draw("circle", { cx: at.x, cy: at.y, r: 41 }));
  }
}
