// The review of the main line, turn by turn, by the same comparison as `millstone analyze`.

import { Unreachable, isAborted, listen } from "./api.js";
import { lessonOf } from "./sentences.js";
import { text, translated } from "./texts.js";

/** The time for each move in milliseconds. */
const TIME = 250;

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
    Object.assign(this, { turns: [], summary: null, annotated: null, error: null, game: null, moves: [] });
    this.#search = null;
  }

  get isRunning() {
    return this.#search !== null;
  }

  /** Whether it is of a game, which may have gone on since. */
  isOf({ mainText: { moves, ...game } }) {
    return this.game === JSON.stringify(game) && this.moves.every((move, index) => move === moves[index]);
  }

  /** Reviews the main line of a game, which the server takes as a record. */
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

  /** A bad turn and the best play after it, which is asked for if the review has the turn alone. */
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
    // The turn is shown alone if there is no answer.
    await listen("analysis", { game, limits: { time: 2 * TIME } }, { done: take }).catch(() => {});
    this.changed();
  }

  /** What there is to say of a bad turn. */
  comment(index) {
    const turn = this.turns[index];
    if (!turn?.mark) return "";
    const name = `${turn.number}. ${turn.turn}${turn.mark}`;
    const lesson = turn.lesson ? lessonOf(turn.lesson) : "";
    const isKnown = turn.known.every(Boolean);
    return text(isKnown ? "review.said" : "review.lost", { turn: name, share: Math.round(100 * turn.loss), lesson });
  }
}
