// The analysis of the position: the value of each move, by the tablebase if it has the position, otherwise by a
// deepening search.

import { isAborted, listen } from "./api.js";
import { language, text } from "./texts.js";
import { ofKnown, ofScore } from "./values.js";

/** The search time for a position, in milliseconds. */
const TIME = 8000;

export class Truth {
  /** Whether it is switched on. */
  isWanted = false;
  /** The value of each move, by its text, the best first. */
  values = new Map();
  #search = null;

  /** `isSecret()` says whether the analysis would give away an answer that the user is asked for. */
  constructor(changed, complain, isSecret) {
    Object.assign(this, { changed, complain, isSecret });
    this.#forget();
  }

  get isOn() {
    return this.isWanted && !this.isSecret();
  }

  #forget() {
    this.#search?.abort();
    this.#search = null;
    this.values = new Map();
    Object.assign(this, { known: null, holding: null, source: null, depth: 0, nodes: 0, lines: [], expected: null, side: null, isDone: false });
  }

  /** Analyses the position of a game, if switched on. */
  async look(game) {
    this.#forget();
    if (!this.isOn || game.board.outcome !== null) return this.changed();
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

  #take(search, { moves, holding, source, lines, share, depth, nodes }) {
    if (search !== this.#search) return;
    if (moves) {
      Object.assign(this, { known: moves, holding, source: source ?? this.source });
      this.values = new Map(moves.map((known) => [known.move, ofKnown(known)]));
    } else if (lines && !this.known) {
      this.values = new Map(lines.map(({ score, moves }) => [moves[0], ofScore(score, this.side)]));
    }
    if (lines?.length > 0) Object.assign(this, { lines, depth, nodes });
    if (share !== undefined) this.expected = share;
    if (this.known) this.#rank();
    this.changed();
  }

  /** Sorts equal moves by the lines that a search has found so far. */
  #rank() {
    const ranks = new Map(this.lines.map(({ moves }, index) => [moves[0], index]));
    const rank = (move) => ranks.get(move) ?? ranks.size;
    const groups = Map.groupBy(this.values, ([, { words }]) => words);
    const sorted = [...groups.values()].flatMap((moves) => moves.toSorted(([a], [b]) => rank(a) - rank(b)));
    this.values = new Map(sorted);
  }

  /** Whether the values are final. */
  get isSettled() {
    return this.isDone || (this.known !== null && this.lines.length > 0);
  }

  /** The value of the best of some moves; null if not known. */
  best(moves) {
    const wanted = new Set(moves.map(({ move }) => move));
    for (const [move, value] of this.values) if (wanted.has(move)) return value;
    return null;
  }

  /** White's expected score; null if not known. */
  get share() {
    const [first] = this.values.values();
    if (first?.share === undefined) return this.expected;
    return this.side === "White" ? first.share : 1 - first.share;
  }

  /** The best lines, each with the value of its first move. */
  bestLines(most) {
    return this.lines.slice(0, most).map(({ moves, score }) => ({ moves, value: this.values.get(moves[0]) ?? ofScore(score, this.side) }));
  }

  /** The moves to show as arrows: the best one and its equals, up to a maximum number. */
  arrows(most) {
    const [first] = this.values;
    if (!first) return [];
    const others = [...this.values].slice(1, most).filter(([, { worth }]) => worth === first[1].worth);
    return [first, ...others].map(([move]) => move);
  }

  /** The value of the position, in words. */
  get verdict() {
    const best = this.values.values().next().value;
    if (!best) return "";
    const values = { side: text(this.side), worth: best.words };
    if (!this.known) return text("analysis.verdict", values);
    return text("analysis.holding", { ...values, holding: this.holding, all: this.known.length });
  }

  /** The source of the value. */
  get effort() {
    if (!this.side) return "";
    const nodes = this.nodes.toLocaleString(language);
    const searched = this.depth > 0 ? text("analysis.depth", { depth: this.depth, nodes }) : "";
    const known = this.known ? text(`analysis.${this.source ?? "tablebase"}`) : "";
    return [known, searched].filter(Boolean).join("; ");
  }
}
