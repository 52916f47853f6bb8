// The analysis of the position: what each move is worth, by the tablebase where it has the position, else
// by a search while it deepens.

import { isAborted, listen } from "./api.js";
import { ofKnown, ofScore } from "./values.js";

/** How long a position is searched, in milliseconds. */
const TIME = 8000;

export class Truth {
  isOn = false;
  /** What is known of each move, by its text, the best first. */
  values = new Map();
  #search = null;

  constructor(changed, complain) {
    Object.assign(this, { changed, complain });
    this.#forget();
  }

  #forget() {
    this.#search?.abort();
    this.#search = null;
    this.values = new Map();
    Object.assign(this, { known: null, holding: null, depth: 0, nodes: 0, line: null, side: null, isDone: false });
  }

  /** Looks at the position of a game, if it is switched on. */
  async look(game) {
    this.#forget();
    if (!this.isOn || game.over) return this.changed();
    const search = new AbortController();
    this.#search = search;
    this.side = game.board.to_move;
    this.changed();
    const limits = { time: TIME, lines: Math.max(1, game.board.legal.length) };
    const handlers = {
      known: (known) => this.#take(search, known),
      progress: (progress) => this.#take(search, progress),
      done: (done) => {
        if (search === this.#search) this.isDone = true;
        this.#take(search, done);
      },
    };
    try {
      await listen("analysis", { game: game.text(), limits }, handlers, search.signal);
    } catch (error) {
      if (!isAborted(error)) this.complain(error);
    }
  }

  #take(search, { moves, holding, lines, depth, nodes }) {
    if (search !== this.#search) return;
    if (moves) {
      Object.assign(this, { known: moves, holding });
      this.values = new Map(moves.map((known) => [known.move, ofKnown(known)]));
    } else if (lines && !this.known) {
      this.values = new Map(lines.map(({ score, moves }) => [moves[0], ofScore(score, this.side)]));
    }
    if (lines?.length > 0) Object.assign(this, { line: lines[0], depth, nodes });
    this.changed();
  }

  /** Whether the values change no more. */
  get isSettled() {
    return this.known !== null || this.isDone;
  }

  /** What the best of some moves is worth; none if that is not known. */
  best(moves) {
    const wanted = new Set(moves.map(({ move }) => move));
    for (const [move, value] of this.values) if (wanted.has(move)) return value;
    return null;
  }

  /** What the position is worth, in words. */
  get verdict() {
    const best = this.values.values().next().value;
    if (!best) return "";
    const holds = this.known ? `; ${this.holding} of ${this.known.length} moves hold` : "";
    return `${this.side} to move: ${best.words}${holds}.`;
  }

  /** Where that comes from. */
  get effort() {
    if (!this.side) return "";
    const searched = this.depth > 0 ? `search to depth ${this.depth}, ${this.nodes.toLocaleString("en")} positions` : "";
    return [this.known ? "by the tablebase" : "", searched].filter(Boolean).join("; ");
  }
}
