// The review of the main line, turn by turn, by the same comparison as `millstone analyze`.

import { Unreachable, isAborted, listen } from "./api.js";
import { lessonOf } from "./sentences.js";
import { text, translated } from "./texts.js";

/** The time for each move in milliseconds. */
const TIME = 250;

export class Review {
  /** The turns reviewed so far, as the server sends them. */
  turns = [];
  summary = null;
  /** The text of the game with the review. */
  annotated = null;
  error = null;
  #search = null;

  constructor(changed) {
    this.changed = changed;
  }

  /** Forgets the review when the game is replaced or changed. */
  forget() {
    this.#search?.abort();
    Object.assign(this, { turns: [], summary: null, annotated: null, error: null, game: null, moves: [] });
    this.#search = null;
  }

  get isRunning() {
    return this.#search !== null;
  }

  /** Whether it is a review of this game, which may have continued since. */
  isOf({ mainText: { moves, ...game } }) {
    return this.game === JSON.stringify(game) && this.moves.every((move, index) => move === moves[index]);
  }

  /** Reviews the main line of a game, which the server gets as a record. */
  async begin(game, record) {
    this.forget();
    const search = new AbortController();
    const { moves, ...rest } = game.mainText;
    Object.assign(this, { moves, game: JSON.stringify(rest) });
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
      this.error = error instanceof Unreachable ? text("review.broken") : translated(error.message);
    }
    if (search === this.#search) this.#search = null;
    this.changed();
  }

  /** A bad turn and the best play after it, which is requested if the review has only the turn. */
  follows(index, game) {
    const turn = this.turns[index];
    if (!turn?.mark) return [];
    if (turn.played.length === 1 && !turn.isAsked) {
      turn.isAsked = true;
      this.#follow(turn, game);
    }
    return turn.played;
  }

  async #follow(turn, game) {
    const take = ({ lines }) => (turn.played = [...turn.played, ...(lines[0]?.moves ?? [])]);
    // Without an answer only the turn is shown.
    await listen("analysis", { game, limits: { time: 2 * TIME } }, { done: take }).catch(() => {});
    this.changed();
  }

  /** The comment on a bad turn. */
  comment(index) {
    const turn = this.turns[index];
    if (!turn?.mark) return "";
    const name = `${turn.number}. ${turn.turn}${turn.mark}`;
    const lesson = turn.lesson ? lessonOf(turn.lesson) : "";
    const isKnown = turn.known.every(Boolean);
    return text(isKnown ? "review.said" : "review.lost", { turn: name, share: Math.round(100 * turn.loss), lesson });
  }
}
