// Who plays, the engine's turns, and the clocks.

import { Unreachable, ask, connection, isAborted } from "./api.js";

export const SIDES = ["White", "Black"];
/** The minimum time between two engine turns, in milliseconds. */
const PACE = 400;
/** The name of an engine in records by its level; undefined for a person. */
export const nameOf = (level) => (level === null ? undefined : `Millstone, level ${level}`);
export const other = (side) => SIDES.find((it) => it !== side);

export class Players {
  isPaused = false;
  #search = null;

  /** `isHeld()` says whether the engine must wait for the user. */
  constructor(game, complain, isHeld) {
    Object.assign(this, { game, complain, isHeld });
    this.set({ White: null, Black: null });
    game.addEventListener("change", () => this.look());
    connection.addEventListener("found", () => game.board && this.look());
    setInterval(() => this.#watchClock(), 100);
  }

  /** Sets the level of each side, null for a person; the clock as "minutes+seconds", or empty; and the time per move without a clock. */
  set(levels, clock = "", moveTime = undefined) {
    const [minutes, seconds] = clock.split("+").map(Number);
    Object.assign(this, { levels, clock, moveTime, isPaused: false });
    this.increment = clock ? seconds * 1000 : 0;
    this.left = clock ? { White: minutes * 60000, Black: minutes * 60000 } : null;
    this.running = null;
    /** The side whose turn it is in the game, whatever is shown, and the number of moves before that turn. */
    this.turn = null;
    /** The clocks at the start of each turn, by the number of moves before it. */
    this.shown = new Map();
    this.hold();
  }

  isPerson(side) {
    return side !== null && this.levels[side] === null;
  }

  /** The sides that persons play; both if there are none. */
  get persons() {
    const persons = SIDES.filter((side) => this.isPerson(side));
    return persons.length > 0 ? persons : SIDES;
  }

  get isThinking() {
    return this.#search !== null;
  }

  /** Whether the engine is to move and waits. */
  get isWaiting() {
    const side = this.game.toMove;
    return side !== null && !this.isPerson(side) && !this.isThinking;
  }

  pause() {
    this.isPaused = true;
    this.hold();
    this.#runClock();
  }

  goOn() {
    this.isPaused = false;
    this.game.cut();
  }

  /** Ends the search of the engine. */
  hold() {
    this.#search?.abort();
    this.#search = null;
  }

  /** Starts the engine if it is its turn. */
  look() {
    this.hold();
    const side = this.game.toMove;
    this.#runClock();
    if (side !== null && !this.isPerson(side) && !this.isPaused && !this.isHeld() && this.game.isAtEnd) this.#think(side);
  }

  async #think(side) {
    const search = new AbortController();
    this.#search = search;
    const clock = this.left && { left: Math.round(this.timeOf(side)), increment: this.increment };
    const request = { game: this.game.text(), level: this.levels[side], time: this.moveTime, clock };
    try {
      const [{ move, board }] = await Promise.all([ask("move", request, search.signal), this.#pace()]);
      if (this.#search !== search) return;
      this.#search = null;
      await this.game.play(move, { board });
    } catch (error) {
      if (isAborted(error)) return;
      if (this.#search !== search) return;
      this.#search = null;
      // After a lost connection the game continues when the server is back.
      if (!(error instanceof Unreachable)) this.pause();
      this.complain(error);
    }
  }

  /** Where only engines play, waits before the next turn, so that people can follow. */
  #pace() {
    const isWatched = SIDES.every((side) => !this.isPerson(side));
    return isWatched ? new Promise((done) => setTimeout(done, PACE)) : null;
  }

  /** The time that a side has left, in milliseconds. */
  timeOf(side) {
    const spent = this.running?.side === side ? performance.now() - this.running.since : 0;
    return Math.max(0, this.left[side] - spent);
  }

  /** The time that each side has left; null without a clock. */
  get clocks() {
    return this.left && { White: this.timeOf("White"), Black: this.timeOf("Black") };
  }

  /** Runs the clock of the side whose turn it is, even while earlier turns are shown. An engine's clock stops while it waits. */
  #runClock() {
    const { isAtEnd, isBrowsing, ended } = this.game;
    if (!this.left) return;
    if (!isBrowsing && !ended) this.#beginTurn(this.game.toMove);
    const side = this.turn?.side ?? null;
    const runs = side !== null && !ended && (this.isPerson(side) || (isAtEnd && !this.isPaused && !this.isHeld()));
    if (runs && !this.running) this.running = { side, since: performance.now() };
    if (!runs) this.#stopClock();
  }

  /** Begins a turn, unless it has begun. Taking back restores the clocks. */
  #beginTurn(side) {
    const { at, moves } = this.game;
    if (this.turn?.side === side && this.turn.at <= at) return;
    this.#stopClock();
    const before = this.shown.get(at);
    if (before) this.left = { ...before };
    else if (this.turn && side === other(this.turn.side)) this.left[this.turn.side] += this.increment;
    for (const later of this.shown.keys()) if (later > at) this.shown.delete(later);
    this.shown.set(at, { ...this.left });
    this.turn = side && moves.length > 0 ? { side, at } : null;
  }

  #stopClock() {
    if (!this.running) return;
    const { side } = this.running;
    this.left[side] = this.timeOf(side);
    this.running = null;
  }

  #watchClock() {
    if (!this.running || this.timeOf(this.running.side) > 0) return;
    const loser = this.running.side;
    this.#stopClock();
    this.game.end({ winner: other(loser), termination: "time loss" });
  }
}
