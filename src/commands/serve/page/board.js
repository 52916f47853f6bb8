// The drawing of the board. It knows no rules: the server lists the legal moves.

import { drawMove } from "./arrows.js";
import { draw } from "./elements.js";
import { COLUMNS, ROWS, SIZE, ends, neighbour, place } from "./geometry.js";
import { Men } from "./men.js";
import { text } from "./texts.js";

/** The minimum width of a value's label, and the width of each of its letters. */
const TAG = 68;
const LETTER = 17;
/** The distance of the coordinates from the edge. */
const MARGIN = 18;

export class BoardView {
  isFlipped = false;
  men = new Men();
  #focused;
  #signs = null;

  /** `press(point)` is called for a click, a touch, Enter or the space bar; `escape()` for Escape. */
  constructor(place, points, { press, escape }) {
    this.points = points;
    this.#focused = points[0];
    this.svg = draw("svg", { viewBox: `0 0 ${SIZE} ${SIZE}`, role: "group", "aria-label": text("board") });
    this.names = draw("g", { class: "names", "aria-hidden": "true" });
    this.lines = draw("g", { class: "lines" });
    this.mills = draw("g", { class: "mills" });
    this.signs = draw("g", { class: "signs", "aria-hidden": "true" });
    this.badge = draw("g", { class: "badge", "aria-hidden": "true" });
    this.cells = new Map(points.map((point) => [point, this.#cell(point, press)]));
    this.svg.append(
      draw("rect", { class: "wood", width: SIZE, height: SIZE, rx: 18 }),
      this.names, this.lines, this.mills, this.men.layer, ...this.cells.values(), this.signs, this.badge,
    );
    this.svg.addEventListener("keydown", (event) => this.#key(event, press, escape));
    place.append(this.svg);
  }

  #cell(point, press) {
    const cell = draw("g", { class: "point", role: "button", "data-point": point, tabindex: -1 });
    cell.append(
      draw("circle", { class: "reach", r: 46 }),
      draw("circle", { class: "dot", r: 7 }),
      draw("circle", { class: "ring", r: 40 }),
      draw("rect", { class: "tag", y: -17, height: 34, rx: 17 }),
      draw("text", { class: "value", dy: "0.36em", "aria-hidden": "true" }),
    );
    cell.addEventListener("click", () => press(point));
    cell.addEventListener("focus", () => this.#rove(point));
    return cell;
  }

  /** Tab reaches only one point; the arrow keys move to the others. */
  #rove(point) {
    this.cells.get(this.#focused).setAttribute("tabindex", -1);
    this.#focused = point;
    this.cells.get(point).setAttribute("tabindex", 0);
  }

  #key(event, press, escape) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const next = neighbour(event.key, this.#focused, this.points, this.isFlipped);
    if (next) this.cells.get(next).focus();
    else if (event.key === "Enter" || event.key === " ") press(this.#focused);
    else if (event.key === "Escape") escape();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** Lays out the lines of a game and the points. */
  layOut(lines) {
    this.#drawLines(this.lines, lines);
    this.#drawNames();
    for (const [point, cell] of this.cells) {
      const { x, y } = place(point, this.isFlipped);
      cell.setAttribute("transform", `translate(${x} ${y})`);
    }
    this.#rove(this.#focused);
  }

  #drawNames() {
    const columns = COLUMNS.map((name) => [name, place(`${name}1`, this.isFlipped).x, SIZE - MARGIN]);
    const rows = ROWS.map((name) => [name, MARGIN, place(`a${name}`, this.isFlipped).y]);
    const names = [...columns, ...rows].map(([name, x, y]) => draw("text", { x, y, dy: "0.36em" }, name));
    this.names.replaceChildren(...names);
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
    const text = JSON.stringify([lines, this.isFlipped]);
    if (this.mills.dataset.shown === text) return;
    this.mills.dataset.shown = text;
    this.#drawLines(this.mills, lines);
  }

  /** Shows each point by its description: `man`, `states`, `value`, `worth`, `label`. */
  show(describe) {
    const men = new Map();
    for (const [point, cell] of this.cells) {
      const { man, states, value, worth, label } = describe(point);
      if (man) men.set(point, man);
      cell.setAttribute("class", ["point", man?.toLowerCase(), ...states].filter(Boolean).join(" "));
      cell.setAttribute("aria-label", label);
      cell.setAttribute("aria-disabled", !states.includes("can"));
      cell.setAttribute("data-worth", worth ?? "");
      cell.querySelector(".value").textContent = value ?? "";
      const width = Math.max(TAG, LETTER * (value ?? "").length);
      cell.querySelector(".tag").setAttribute("width", width);
      cell.querySelector(".tag").setAttribute("x", -width / 2);
    }
    this.men.show(men, this.isFlipped);
  }

  /** Draws arrows and circles for moves, each with a kind, the most important last. */
  showSigns(signs) {
    const text = JSON.stringify([signs, this.isFlipped]);
    if (this.#signs === text) return;
    this.#signs = text;
    this.signs.replaceChildren(...signs.map(({ move, kind }) => drawMove(move, kind, this.isFlipped)));
  }

  /** Shows a mark beside a point, or none. */
  showBadge(point, mark, kind) {
    this.badge.replaceChildren();
    if (!point || !mark) return;
    const { x, y } = place(point, this.isFlipped);
    this.badge.setAttribute("class", `badge ${kind}`);
    this.badge.setAttribute("transform", `translate(${Math.min(x + 30, SIZE - 22)} ${Math.max(y - 30, 22)})`);
    this.badge.append(draw("circle", { r: 19 }), draw("text", { dy: "0.36em" }, mark));
  }
}
