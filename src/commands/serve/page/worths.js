// The list of moves, each with what it is worth and a button that plays it.

import { make } from "./elements.js";

export class Worths {
  /** The buttons of the moves, in the order of the list. */
  #buttons = new Map();

  /** `play(move)` is called when a move is chosen. */
  constructor(list, play) {
    Object.assign(this, { list, play });
  }

  /** Shows values of moves, the best first; until they are settled, and while the pointer or the focus is there, each move keeps its place. */
  show(values, { isSettled, isOurs }) {
    this.#order(values, isSettled);
    for (const [move, { worth, label, words }] of values) {
      const button = this.#buttons.get(move);
      button.className = `worth ${worth}`;
      button.disabled = !isOurs;
      button.title = button.ariaLabel = `${move} ${label}: ${words}`;
      button.lastChild.data = ` ${label}`;
    }
  }

  #order(values, isSettled) {
    const shown = [...this.#buttons.keys()];
    const isUsed = this.list.matches(":hover, :focus-within");
    const isKept = (!isSettled || isUsed) && shown.every((move) => values.has(move));
    const moves = isKept ? [...new Set([...shown, ...values.keys()])] : [...values.keys()];
    if (moves.join() === shown.join()) return;
    this.#buttons = new Map(moves.map((move) => [move, this.#buttons.get(move) ?? this.#button(move)]));
    const focused = document.activeElement;
    this.list.classList.toggle("long", moves.some((move) => move.includes("-")));
    this.list.replaceChildren(...[...this.#buttons.values()].map((button) => make("li", {}, button)));
    if (this.list.contains(focused)) focused.focus({ preventScroll: true });
  }

  #button(move) {
    const button = make("button", { type: "button" }, make("b", { textContent: move }), " ");
    button.addEventListener("click", () => this.play(move));
    return button;
  }
}
