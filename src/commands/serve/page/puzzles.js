// Puzzles: a position in which one turn keeps a win or a draw, and what a tried turn does to it.

import { ask } from "./api.js";
import { text } from "./texts.js";

export class Puzzles {
  #isAsking = false;
  #puzzle = null;
  /** The first turn on the board, once it is whole. */
  #tried = null;
  /** The sentences about turns that were tried. */
  #lessons = new Map();
  #isTold = false;

  constructor(changed, complain) {
    Object.assign(this, { changed, complain });
  }

  /** Asks for a puzzle of a game; `open` shows its position. */
  async begin(variant, open) {
    if (this.#isAsking) return;
    this.#isAsking = true;
    this.changed();
    try {
      const puzzle = await ask("puzzle", { variant });
      this.#puzzle = puzzle;
      Object.assign(this, { variant });
      this.#lessons.clear();
      this.#isTold = false;
      await open({ variant, start: puzzle.position, moves: [] }, puzzle.to_move);
    } finally {
      this.#isAsking = false;
      this.changed();
    }
  }

  /** Looks at what was tried; another game ends the puzzle. */
  look(game) {
    if (!this.#puzzle) return;
    if (game.start !== this.#puzzle.position || game.variant !== this.variant) this.#puzzle = null;
    const [turn] = game.line;
    const isTried = this.#puzzle && turn && turn.after <= game.at && !isWithin(game, turn);
    this.#tried = isTried ? turn.turn : null;
    if (isTried && !this.#lessons.has(turn.turn)) this.#learn(turn.turn, game.text(turn.after));
    this.changed();
  }

  async #learn(turn, game) {
    const lessons = this.#lessons;
    lessons.set(turn, "");
    try {
      const { lesson } = await ask("lesson", { game });
      lessons.set(turn, lesson ?? "");
    } catch (error) {
      this.complain(error);
    }
    this.changed();
  }

  /** Whether there is one on the board. */
  get isOn() {
    return this.#puzzle !== null;
  }

  /** Tells the solution. */
  tell() {
    this.#isTold = true;
    this.changed();
  }

  /** The task, what the turn that was tried does, and the solution if it was asked for. */
  get sentences() {
    if (this.#isAsking) return [text("puzzle.looking")];
    if (!this.#puzzle) return [];
    const { to_move: side, worth, level, solution } = this.#puzzle;
    const sentences = [text(`puzzle.task.${worth}`, { level, side: text(side) })];
    if (this.#tried) {
      const verdict = this.#tried === solution ? "puzzle.correct" : "puzzle.wrong";
      const lesson = this.#lessons.get(this.#tried);
      sentences.push(text(verdict, { turn: this.#tried, lesson }).trimEnd());
    }
    if (this.#isTold) sentences.push(text("puzzle.told", { turn: solution }));
    return sentences;
  }
}

/** Whether the turn that is shown goes on with the removal of a man. */
function isWithin(game, { side, after }) {
  const { to_move: toMove, legal } = game.board;
  return after === game.at && toMove === side && legal.some(({ remove }) => remove);
}
