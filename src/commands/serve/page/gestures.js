// Pointer gestures on the board: dragging a man, and drawing arrows and circles with the right mouse button or by a
// long press on a point without a man to drag.

import { pointAt } from "./geometry.js";

/** The distance at which a drag starts, in screen pixels. */
const SLACK = 6;
/** The duration of a long press, in milliseconds. */
const REST = 450;

export class Gestures {
  #held = null;
  #drawn = null;
  /** The point under a resting finger, and the timer that starts drawing. */
  #resting = null;

  /**
   * `canLift(point)` says whether a man may be dragged, `lift(point)` starts a drag or, without a point, ends a selection, `drop(from, to)` ends a drag, `to` may be null;
   * `sketch(from, to, kind)` shows what is being drawn, `mark(from, to, kind)` draws it, `press()` is called for every other button press.
   */
  constructor(board, { canLift, lift, drop, sketch, mark, press }) {
    Object.assign(this, { board, canLift, lift, drop, sketch, mark, press });
    const { svg } = board;
    svg.addEventListener("pointerdown", (event) => this.#down(event));
    svg.addEventListener("pointermove", (event) => this.#move(event));
    svg.addEventListener("pointerup", (event) => this.#up(event));
    svg.addEventListener("pointercancel", () => this.#cancel());
    svg.addEventListener("contextmenu", (event) => event.preventDefault());
    // The browser also sends a click after a drag.
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
      this.#draw(point, event);
      return;
    }
    // The pointer does not take the focus, so that the arrow keys still step through the game.
    if (event.pointerType === "mouse") event.preventDefault();
    document.activeElement?.blur();
    const isHeld = event.button === 0 && event.isPrimary && point && this.canLift(point);
    if (event.pointerType === "touch" && event.isPrimary && point && !isHeld) this.#rest(event, point);
    else this.press();
    if (isHeld) {
      this.#held = { point, x: event.clientX, y: event.clientY, isDragged: false };
    }
  }

  #rest({ clientX: x, clientY: y, pointerId }, point) {
    const timer = setTimeout(() => {
      this.#resting = null;
      this.lift(null);
      this.#draw(point, { pointerId });
      navigator.vibrate?.(20);
    }, REST);
    this.#resting = { x, y, timer };
  }

  #draw(point, event) {
    this.#drawn = point;
    this.board.svg.setPointerCapture(event.pointerId);
    if (point) this.sketch(point, point, kindOf(event));
  }

  #stopResting() {
    clearTimeout(this.#resting?.timer);
    this.#resting = null;
  }

  #move(event) {
    const rest = this.#resting;
    if (rest && Math.hypot(event.clientX - rest.x, event.clientY - rest.y) > SLACK) this.#stopResting();
    if (this.#drawn) this.sketch(this.#drawn, this.#point(event), kindOf(event));
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
    if (this.#resting) this.press();
    this.#stopResting();
    if (this.#drawn && point) this.mark(this.#drawn, point, kindOf(event));
    else if (this.#drawn) this.sketch(this.#drawn, null);
    if (this.#drawn && event.pointerType === "touch") this.#isOver = true;
    this.#drawn = null;
    const held = this.#held;
    this.#held = null;
    if (!held?.isDragged) return;
    this.#isOver = true;
    this.board.men.release(held.point);
    this.drop(held.point, point);
  }

  #cancel() {
    this.#stopResting();
    if (this.#held?.isDragged) this.board.men.release(this.#held.point);
    if (this.#drawn) this.sketch(this.#drawn, null);
    this.#held = this.#drawn = null;
  }
}

/** The kind of drawing for some modifier keys. */
function kindOf({ shiftKey, altKey }) {
  return shiftKey ? "doubtful" : altKey ? "other" : "hand";
}
