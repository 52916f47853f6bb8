// The game on the table: its line of moves, the place in it that is shown, and what the server says of
// that position. Whoever wants to know listens to "change".

import { ask } from "./api.js";

export class Game extends EventTarget {
  /** The record that was opened, as the server takes it; none if the game was played here. */
  source = null;
  /** Whether an answer of the server is on its way. */
  isBusy = false;
  /** Whether an earlier turn is looked at, which takes nothing back. */
  isBrowsing = false;
  #asked = 0;
  #queue = Promise.resolve();

  /** Begins a game, and calls `arrive` when it is there; its moves may be there already, and its turns where the place shown is not the last. */
  async begin({ variant, start = null, moves = [], at = moves.length, turns = [], source = null, ended = null }, arrive) {
    const game = { variant, start, moves: [...moves], at, turns, source, ended, isBrowsing: false };
    await this.#change(game, { arrive });
  }

  /** The game up to a move, as the server takes it. */
  text(at = this.at) {
    return { variant: this.variant, start: this.start, moves: this.moves.slice(0, at) };
  }

  get isAtEnd() {
    return this.at === this.moves.length;
  }

  /** How the game ended, in a sentence; none if it goes on. */
  get over() {
    const isOver = this.board.outcome !== null;
    return isOver ? this.board.sentence : this.isAtEnd && this.ended ? this.ended.sentence : null;
  }

  /** The side to move; none if the game is over, or not there yet. */
  get toMove() {
    return !this.board || this.over ? null : this.board.to_move;
  }

  /** Plays a legal move, and calls `arrive` when it is played; what came after it in the line before is gone. */
  async play(move, { board = null, arrive = () => {} } = {}) {
    const moves = [...this.moves.slice(0, this.at), move];
    await this.#change({ moves, at: moves.length, source: null, ended: null, isBrowsing: false }, { board, arrive });
  }

  /** Forgets the moves after those that are shown. */
  cut() {
    if (!this.isAtEnd) this.ended = null;
    this.moves = this.moves.slice(0, this.at);
    this.turns = this.board.turns;
    this.isBrowsing = false;
    this.dispatchEvent(new Event("change"));
  }

  /** Looks at the position after so many moves. */
  async goTo(at) {
    await this.#change({ at, isBrowsing: at < this.moves.length });
  }

  /** The turns of the whole line with the moves before and after each. */
  get line() {
    let after = 0;
    return this.turns.map((turn) => {
      const before = after;
      after += turn.moves.length;
      return { ...turn, before, after };
    });
  }

  /** Takes back to the last turn of one of some sides. */
  undo(sides) {
    return this.#inTurn(async () => {
      const turn = this.line.findLast(({ before, side }) => before < this.at && sides.includes(side));
      if (turn) await this.#change({ at: turn.before, isBrowsing: false });
    });
  }

  /** Plays on what was taken back, up to the next turn of one of some sides. */
  redo(sides) {
    return this.#inTurn(async () => {
      const later = this.line.filter(({ after }) => after > this.at);
      const next = later.slice(1).find(({ side }) => sides.includes(side));
      await this.#change({ at: next ? next.before : this.moves.length, isBrowsing: false });
    });
  }

  /** Works once the work before is done, so that of two quick clicks each counts. */
  #inTurn(work) {
    this.#queue = this.#queue.then(work, work);
    return this.#queue;
  }

  /** Ends the game other than by its rules: who won, why in a word, and in a sentence. */
  end({ winner, termination, sentence }) {
    this.ended = { winner, termination, sentence };
    this.dispatchEvent(new Event("change"));
  }

  /** Changes what is shown, once the server has said what that is; else all stays as it was. */
  async #change(change, { board = null, arrive = () => {} } = {}) {
    const number = ++this.#asked;
    const { variant, start, moves, at } = { ...this, ...change };
    const game = { variant, start, moves: moves.slice(0, at) };
    this.isBusy = true;
    try {
      const shown = board ?? (await ask("position", { game }));
      if (number !== this.#asked) return;
      arrive();
      Object.assign(this, change, { board: shown });
      if (this.isAtEnd) this.turns = shown.turns;
    } finally {
      if (number === this.#asked) this.isBusy = false;
    }
    this.dispatchEvent(new Event("change"));
  }
}
