// The men on the board: each is an element that glides when it moves, comes from its player when placed, and
// fades when removed.

import { draw } from "./elements.js";
import { SIZE, place } from "./geometry.js";

/** How long a removed man stays while board.css fades it, in milliseconds. */
const FADE = 400;

export class Men {
  layer = draw("g", { class: "men", "aria-hidden": "true" });
  /** The men by their points. */
  #men = new Map();
  #isFlipped = false;

  /** Shows the men; `sides` maps points to sides. */
  show(sides, isFlipped) {
    this.#isFlipped = isFlipped;
    const gone = [...this.#men].filter(([point, man]) => sides.get(point) !== man.dataset.side);
    for (const [point] of gone) this.#men.delete(point);
    for (const [point, side] of sides) {
      const man = this.#men.get(point) ?? this.#from(gone, side) ?? this.#made(side);
      this.#men.set(point, man);
      this.#put(man, place(point, isFlipped));
    }
    for (const [, man] of gone) this.#remove(man);
  }

  /** A man that left its point and may have come to another. */
  #from(gone, side) {
    const index = gone.findIndex(([, man]) => man.dataset.side === side);
    return index < 0 ? null : gone.splice(index, 1)[0][1];
  }

  /** A man that comes from its player. */
  #made(side) {
    const man = draw("g", { class: `man ${side.toLowerCase()}`, "data-side": side });
    man.append(draw("circle", { class: "body", r: 33 }), draw("circle", { class: "groove", r: 21 }));
    const isBelow = (side === "White") !== this.#isFlipped;
    this.#put(man, { x: SIZE / 2, y: isBelow ? SIZE + 50 : -50 });
    this.layer.append(man);
    man.getBoundingClientRect();
    return man;
  }

  #put(man, { x, y }) {
    man.style.transform = `translate(${x}px, ${y}px)`;
  }

  #remove(man) {
    man.classList.add("gone");
    setTimeout(() => man.remove(), FADE);
  }

  /** Holds the man of a point where a finger drags it. */
  drag(point, at) {
    const man = this.#men.get(point);
    if (!man) return;
    man.classList.add("held");
    this.layer.append(man);
    this.#put(man, at);
  }

  /** Releases the man of a point, which glides back unless it moves. */
  release(point) {
    const man = this.#men.get(point);
    man?.classList.remove("held");
    if (man) this.#put(man, place(point, this.#isFlipped));
  }
}
