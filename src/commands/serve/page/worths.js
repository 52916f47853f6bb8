// The list of moves, each with its value and a button that plays it.

import { make } from "./elements.js";
import { count, text } from "./texts.js";

export class Worths {
  /** The buttons of the moves, in the order of the list. */
  #buttons = new Map();

  /** `play(move)` is called when a move is chosen. */
  constructor(list, play) {
    Object.assign(this, { list, play });
  }

  /** Shows the values of moves, the best first, and how often the user's games had each. Moves keep their places until the values are final, and while the pointer or the focus is in the list. */
  show(values, played, { isSettled, isOurs }) {
    this.#order(values, isSettled);
    for (const [move, { worth, label, words, replies = null }] of values) {
      const times = played.get(move) ?? 0;
      const button = this.#buttons.get(move);
      button.className = `worth ${worth}`;
      button.disabled = !isOurs;
      const told = times > 0 ? [words, text("known.played", { times: count("known.played.times", times) })] : [words];
      button.childNodes[1].data = ` ${label} `;
      button.lastChild.textContent = [replies === null ? "" : `↩${replies}`, times > 0 ? `×${times}` : ""].filter(Boolean).join(" ");
      button.title = button.ariaLabel = `${button.textContent.trim()}: ${told.join("; ")}`;
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
    const button = make("button", { type: "button" }, make("b", { textContent: move }), " ", make("small"));
    button.addEventListener("click", () => this.play(move));
    return button;
  }
}
