// Learning from mistakes: a review stops before each bad turn, and asks for a better one.

import { ask } from "./api.js";
import { lessonOf, spoils } from "./sentences.js";
import { SIDES } from "./players.js";
import { text } from "./texts.js";
import { pathTo } from "./tree.js";

/** The time to judge a tried turn, in milliseconds. */
const TIME = 500;

export class Coach {
  /** The bad turns, each with its index in the main line, and the current one; null if off. */
  #asked = null;
  #at = 0;
  /** The verdict on each complete turn tried, by the node after it. */
  #judged = new WeakMap();
  #isTold = false;
  #isFound = false;

  constructor(game, review, changed, complain) {
    Object.assign(this, { game, review, changed, complain });
  }

  /** The bad turns of some sides in a review. */
  mistakes(sides) {
    const line = this.game.mainLine;
    const marked = this.review.turns.map((turn, index) => ({ ...turn, index, nodes: line[index]?.nodes }));
    return marked.filter((turn) => turn.mark && turn.better && turn.nodes && sides.includes(turn.side));
  }

  get isOn() {
    return this.#asked !== null;
  }

  /** Asks for better turns for some sides, or for both sides if those made no bad turn. */
  async begin(sides) {
    const own = this.mistakes(sides);
    this.#asked = own.length > 0 ? own : this.mistakes(SIDES);
    this.#at = -1;
    await this.next();
  }

  end() {
    this.#asked = null;
    this.changed();
  }

  /** Goes to the next bad turn; ends after the last one. */
  async next() {
    await this.#forget();
    this.#at += 1;
    this.#isTold = this.#isFound = false;
    this.#judged = new WeakMap();
    if (!this.#current) return this.end();
    await this.game.goToNode(this.#before);
  }

  /** Goes to the position before the bad turn. */
  async again() {
    await this.#forget();
    await this.game.goToNode(this.#before);
  }

  /** Removes the tried turn if it is wrong. */
  async #forget() {
    const tried = this.isWrong ? this.#tried?.nodes[0] : null;
    if (tried && tried !== this.#before.children[0]) await this.game.remove(tried);
  }

  /** Shows what would have been better. */
  async tell() {
    this.#isTold = true;
    await this.again();
    this.changed();
  }

  get #current() {
    return this.#asked?.[this.#at];
  }

  get #before() {
    return this.#current.nodes[0].parent;
  }

  /** The turn that was tried instead of the bad one, once it is complete. */
  get #tried() {
    const { game } = this;
    const before = pathTo(this.#before).length;
    const turn = game.line.find((it) => it.before === before);
    const isThere = turn && game.at === turn.after;
    const isWhole = game.over !== null || game.board.to_move !== this.#current.side;
    return isThere && isWhole ? turn : null;
  }

  /** Judges the tried turn; ends if the game no longer has its review. */
  look() {
    if (!this.#current) return;
    if (this.review.turns[this.#current.index]?.mark === undefined) return this.end();
    const tried = this.#tried;
    if (tried && !this.#judged.has(this.game.node)) this.#judge(this.game.node, tried);
    this.changed();
  }

  async #judge(node, { turn }) {
    const { turn: bad } = this.#current;
    const judged = this.#judged;
    judged.set(node, {});
    try {
      const found = await ask("lesson", { game: this.game.text(), limits: { time: TIME } });
      const isWrong = turn === bad || spoils(found);
      judged.set(node, { isWrong, lesson: lessonOf(found, isWrong) });
      if (judged === this.#judged && !isWrong) this.#isFound = true;
    } catch (error) {
      judged.delete(node);
      this.complain(error);
    }
    this.changed();
  }

  /** Whether a better turn is asked for and must not be shown yet. */
  get isAsking() {
    return this.isOn && !this.#isTold && !this.#isFound;
  }

  /** The index of the bad turn in the main line; -1 if off. */
  get index() {
    return this.#current?.index ?? -1;
  }

  /** Whether the tried turn is wrong. */
  get isWrong() {
    return this.isOn && this.#judged.get(this.game.node)?.isWrong === true;
  }

  /** The task, and the verdict on the tried turn. */
  get sentences() {
    if (!this.#current) return [];
    const { number, turn, mark, side } = this.#current;
    const values = { turn: `${number}. ${turn}${mark}`, side: text(side), at: this.#at + 1, all: this.#asked.length };
    const said = [text("coach.task", values)];
    const { isWrong, lesson } = this.#judged.get(this.game.node) ?? {};
    if (isWrong !== undefined) said.push(text(isWrong ? "coach.wrong" : "coach.right", { turn: this.game.lastTurn.turn, lesson }));
    return said;
  }
}
