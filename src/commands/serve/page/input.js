// Turns presses on points into moves, and gives the look and the label of each point.

import { text } from "./texts.js";

export class Input {
  /** The man that was chosen to move. */
  chosen = null;

  /** The moves that a press on a point may begin: from it, to it, or its removal. */
  static begins(board, point) {
    return board.legal.filter(({ from, to, remove }) => (from ?? to ?? remove) === point);
  }

  /** The move that a press on a point makes, if any; otherwise the selection may have changed. */
  press(board, point) {
    if (this.chosen) {
      const move = board.legal.find(({ from, to }) => from === this.chosen && to === point);
      if (move) return this.#made(move);
    }
    const begun = Input.begins(board, point);
    const move = begun.find(({ from }) => !from);
    if (move) return this.#made(move);
    this.chosen = begun.length > 0 && this.chosen !== point ? point : null;
    return null;
  }

  #made(move) {
    this.chosen = null;
    return move.move;
  }

  /** Whether a point has a man that may move. */
  static canLift(board, point) {
    return board.legal.some(({ from }) => from === point);
  }

  /** The moves shown at a point: moves to it once a man is selected, otherwise moves that begin there. */
  shown(board, point) {
    const slides = board.legal.filter(({ from, to }) => from && from === this.chosen && to === point);
    const others = Input.begins(board, point).filter(({ from }) => !this.chosen || !from);
    return [...slides, ...others];
  }

  /** The look and the label of a point. `worth(moves)` gives the value of the best of some moves. */
  describe(board, point, isOurs, worth) {
    const man = board.sides.find(({ men }) => men.includes(point))?.side ?? null;
    const moves = isOurs ? this.shown(board, point) : [];
    const last = board.turns.at(-1)?.moves ?? [];
    const states = [];
    const words = [point, text(man ? `man.${man}` : "point.free")];
    const add = (state, word) => {
      states.push(state);
      if (word) words.push(text(word));
    };
    if (board.marked.includes(point)) add("marked", "point.marked");
    if (last.some(({ from, to }) => from === point || to === point)) {
      add("last", man ? "point.moved" : "point.left");
    }
    if (last.some(({ remove }) => remove === point)) add("taken", "point.taken");
    if (point === this.chosen) add("chosen", "point.chosen");
    if (moves.length > 0 || (isOurs && point === this.chosen)) states.push("can");
    if (moves.some(({ remove }) => remove)) add("prey", "point.prey");
    else if (moves.some(({ to }) => to === point)) add("target", "point.target");
    else if (moves.length > 0) add("mover", "point.mover");
    const value = moves.length > 0 ? worth(moves) : null;
    if (value) words.push(value.words);
    return { man, states, value: value?.label, worth: value?.worth, label: words.join(", ") };
  }
}
