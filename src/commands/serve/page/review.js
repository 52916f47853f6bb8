// The review of the game on the table, turn by turn, by the same comparison as `millstone analyze`.

import { isAborted, listen } from "./api.js";

/** The time for each move in milliseconds. */
const TIME = 250;

const RESULTS = { "1-0": "a win for White", "1/2-1/2": "a draw", "0-1": "a win for Black" };

/** A game to its end. */
const wholeText = (game) => JSON.stringify(game.text(game.moves.length));

export class Review {
  /** The turns so far, as the server says them. */
  turns = [];
  summary = null;
  /** The text of the game with the review in it. */
  annotated = null;
  error = null;
  #search = null;

  constructor(changed) {
    this.changed = changed;
  }

  /** Forgets the review of a game that has become another. */
  forget() {
    this.#search?.abort();
    Object.assign(this, { turns: [], summary: null, annotated: null, error: null, game: null });
    this.#search = null;
  }

  get isRunning() {
    return this.#search !== null;
  }

  /** Whether it is of a game. */
  isOf(game) {
    return this.game === wholeText(game);
  }

  /** Reviews all moves of a game, which the server takes as a record. */
  async begin(game, record) {
    this.forget();
    const search = new AbortController();
    this.game = wholeText(game);
    this.#search = search;
    this.changed();
    const handlers = {
      turn: (turn) => this.turns.push(turn),
      summary: ({ summary }) => Object.assign(this, { summary }),
      done: ({ text }) => Object.assign(this, { annotated: text }),
      error: ({ error }) => Object.assign(this, { error }),
    };
    const known = Object.entries(handlers).map(([name, take]) => [name, (data) => {
      if (search !== this.#search) return;
      take(data);
      this.changed();
    }]);
    try {
      await listen("review", { record, limits: { time: TIME } }, Object.fromEntries(known), search.signal);
    } catch (error) {
      if (isAborted(error)) return;
      this.error = error.message;
    }
    if (search === this.#search) this.#search = null;
    this.changed();
  }

  /** What there is to say of a turn. */
  comment(index) {
    const turn = this.turns[index];
    if (!turn?.mark) return "";
    const [before, after] = turn.known;
    const lost = before && after && before !== after
      ? `turns ${RESULTS[before]} into ${RESULTS[after]}`
      : `loses ${Math.round(100 * turn.loss)} %`;
    return `${turn.number}. ${turn.turn}${turn.mark} ${lost}; better: `;
  }
}
