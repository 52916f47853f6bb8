// A sentence about what each of the last turns did to the game, if switched on.

import { ask } from "./api.js";
import { lessonOf } from "./sentences.js";
import { text } from "./texts.js";

/** How many turns get a sentence: the player's turn and the reply. */
const TURNS = 2;

export class Lessons {
  /** Whether they are switched on. */
  isWanted = false;
  /** Known lessons, by the game up to the turn. */
  #known = new Map();
  #shown = [];
  #asking = Promise.resolve();

  /** `isSecret()` says whether lessons would give away an answer that the user is asked for. */
  constructor(changed, complain, isSecret) {
    Object.assign(this, { changed, complain, isSecret });
  }

  get isOn() {
    return this.isWanted && !this.isSecret();
  }

  /** Looks at the last turns of a game. */
  look(game) {
    const turns = this.isOn ? game.line.filter(({ after }) => after <= game.at).slice(-TURNS) : [];
    this.#shown = turns.map(({ side, turn, after }) => {
      const played = game.text(after);
      return { side, turn, played, key: JSON.stringify(played) };
    });
    for (const shown of this.#shown) {
      if (!this.#known.has(shown.key)) this.#asking = this.#asking.then(() => this.#ask(shown));
    }
    this.changed();
  }

  async #ask(wanted) {
    if (this.#known.has(wanted.key) || !this.#shown.some(({ key }) => key === wanted.key)) return;
    try {
      this.#known.set(wanted.key, lessonOf(await ask("lesson", { game: wanted.played })));
    } catch (error) {
      this.complain(error);
    }
    this.changed();
  }

  /** The sentences so far, each with its turn, or what to do to get one. */
  get sentences() {
    if (this.isOn && this.#shown.length === 0) return [text("lessons.none")];
    const found = this.#shown.map(({ side, turn, key }) => ({ side, turn, lesson: this.#known.get(key) }));
    return found.filter(({ lesson }) => lesson).map(({ side, turn, lesson }) => text("lessons.turn", { side: text(side), turn, lesson }));
  }
}
