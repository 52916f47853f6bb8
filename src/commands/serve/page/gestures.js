// What a pointer does on the board: it drags a man, or draws arrows and circles with its right button.

import { pointAt } from "./geometry.js";

/** How far a pointer moves before it drags, in pixels of the screen. */
const SLACK = 6;

export class Gestures {
  #held = null;
  #drawn = null;

  /**
   * `canLift(point)` tells whether a man may be dragged, `lift(point)` begins it, `drop(from, to)` ends it, where `to` may be none;
   * `mark(from, to, kind)` draws, `press()` is called for each other button that goes down.
   */
  constructor(board, { canLift, lift, drop, mark, press }) {
    Object.assign(this, { board, canLift, lift, drop, mark, press });
    const { svg } = board;
    svg.addEventListener("pointerdown", (event) => this.#down(event));
    svg.addEventListener("pointermove", (event) => this.#move(event));
    svg.addEventListener("pointerup", (event) => this.#up(event));
    svg.addEventListener("pointercancel", () => this.#cancel());
    svg.addEventListener("contextmenu", (event) => event.preventDefault());
    // The browser sends a click after a drag, too.
    svg.addEventListener("click", (event) => this.#isOver && event.stopPropagation(), { capture: true });
  }

  #isOver = false;

  #place({ clientX, clientY }) {
    const { left, top } = this.board.svg.getBoundingClientRect();
    const scale = this.board.svg.viewBox.baseVal.width / this.board.svg.clientWidth;
    return { x: (clientX - left) * scale, y: (clientY - top) * scale };
  }

  #point(event) {
    return pointAt(this.#place(event), this.board.points, this.board.isFlipped);
  }

  #down(event) {
    this.#isOver = false;
    const point = this.#point(event);
    if (event.button === 2) {
      this.#drawn = point;
      return;
    }
    // The pointer leaves the arrow keys to those who step through the game.
    if (event.pointerType === "mouse") event.preventDefault();
    document.activeElement?.blur();
    this.press();
    if (event.button === 0 && event.isPrimary && point && this.canLift(point)) {
      this.#held = { point, x: event.clientX, y: event.clientY, isDragged: false };
    }
  }

  #move(event) {
    const held = this.#held;
    if (!held) return;
    const isFar = Math.hypot(event.clientX - held.x, event.clientY - held.y) > SLACK;
    if (!held.isDragged && isFar) {
      held.isDragged = true;
      this.board.svg.setPointerCapture(event.pointerId);
      this.lift(held.point);
    }
    if (held.isDragged) this.board.men.drag(held.point, this.#place(event));
  }

  #up(event) {
    const point = this.#point(event);
    if (event.button === 2 && this.#drawn && point) {
      this.mark(this.#drawn, point, event.shiftKey ? "doubtful" : event.altKey ? "other" : "hand");
    }
    this.#drawn = null;
    const held = this.#held;
    this.#held = null;
    if (!held?.isDragged) return;
    this.#isOver = true;
    this.board.men.release(held.point);
    this.drop(held.point, point);
  }

  #cancel() {
    if (this.#held?.isDragged) this.board.men.release(this.#held.point);
    this.#held = this.#drawn = null;
  }
}
