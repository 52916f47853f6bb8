// The position editor: men, hands and the side to move, and whether the rules allow the position.

import { ask } from "./api.js";
import { byId, make } from "./elements.js";
import { SIDES } from "./players.js";
import { sentenceOf } from "./sentences.js";
import { text, translated } from "./texts.js";

/** The delay before the server checks changes, in milliseconds. */
const PAUSE = 150;
const SIGNS = { White: "O", Black: "@" };

export class Editor {
  isOn = false;
  /** The men by their points. */
  men = new Map();
  #brush = "White";
  #asked = 0;
  #isGood = false;

  /** Calls `changed` when something must be redrawn, `left` when the editor closes, and `done(start, isPlayed)` with a position to play. */
  constructor(points, { changed, left, done }) {
    Object.assign(this, { points, changed, left });
    const brushes = [...SIDES, "none"].map((name) => make("label", {},
      make("input", { type: "radio", name: "editor-man", value: name, checked: name === "White" }), text(`setUp.man.${name}`)));
    byId("editor-men").append(...brushes);
    byId("editor-men").addEventListener("change", ({ target }) => (this.#brush = target.value));
    byId("editor-side").append(...SIDES.map((side) => new Option(text(side), side)));
    for (const id of ["editor-white", "editor-black", "editor-side"]) byId(id).addEventListener("input", () => this.#judge());
    byId("editor-clear").addEventListener("click", () => this.#set(new Map(), { White: 0, Black: 0 }, "White"));
    byId("editor-start").addEventListener("click", () => this.#set(new Map(), { White: this.count, Black: this.count }, "White"));
    byId("editor-cancel").addEventListener("click", () => this.end());
    for (const [id, isPlayed] of [["editor-done", false], ["editor-play", true]]) {
      byId(id).addEventListener("click", () => this.#isGood && done(this.position, isPlayed));
    }
  }

  /** Begins with a position of a game with `count` men a side. */
  begin(variant, count, { sides, to_move: toMove }) {
    Object.assign(this, { isOn: true, variant, count });
    byId("editor-white").max = byId("editor-black").max = count;
    const men = sides.flatMap(({ side, men }) => men.map((point) => [point, side]));
    const hands = Object.fromEntries(sides.map(({ side, in_hand: inHand }) => [side, inHand]));
    this.#set(new Map(men), hands, toMove);
    byId("editor-panel").scrollIntoView({ block: "nearest" });
  }

  /** Checks the position again. */
  look() {
    if (this.isOn) this.#judge();
  }

  end() {
    this.isOn = false;
    this.left();
    this.changed();
  }

  #set(men, hands, side) {
    this.men = men;
    for (const name of SIDES) byId(`editor-${name.toLowerCase()}`).value = hands[name];
    byId("editor-side").value = side;
    this.#judge();
  }

  /** Puts a man on a point, or takes it away. */
  press(point) {
    const isSame = this.men.get(point) === this.#brush;
    if (this.#brush === "none" || isSame) this.men.delete(point);
    else this.men.set(point, this.#brush);
    this.#judge();
  }

  /** Moves a man to another point, or off the board without one. */
  move(from, to) {
    const man = this.men.get(from);
    this.men.delete(from);
    if (man && to) this.men.set(to, man);
    this.#judge();
  }

  /** The look and the label of a point. */
  describe(point) {
    const man = this.men.get(point) ?? null;
    return { man, states: ["can"], label: `${point}, ${text(man ? `man.${man}` : "point.free")}` };
  }

  /** The position text. */
  get position() {
    const signs = this.points.map((point) => SIGNS[this.men.get(point)] ?? "*").join("");
    const groups = [0, 8, 16].map((from) => signs.slice(from, from + 8)).join("/");
    const side = byId("editor-side").value;
    const [white, black] = SIDES.map((name) => {
      const hand = Math.max(0, Math.trunc(byId(`editor-${name.toLowerCase()}`).value) || 0);
      return { name, hand, men: [...this.men.values()].filter((man) => man === name).length };
    });
    const own = side === "White" ? white : black;
    const due = own.hand > 0 ? "p p" : "m s";
    const counts = [white, black].map(({ men, hand }) => `${men} ${hand}`).join(" ");
    return `${groups} ${side === "White" ? "w" : "b"} ${due} ${counts} 0 0 0 0 0 0 0 0 1`;
  }

  /** Asks the server whether the position can be played. */
  async #judge() {
    this.changed();
    const number = ++this.#asked;
    await new Promise((done) => setTimeout(done, PAUSE));
    if (number !== this.#asked) return;
    const verdict = await this.#verdict();
    if (number !== this.#asked) return;
    byId("editor-verdict").textContent = verdict;
    byId("editor-verdict").className = this.#isGood ? "" : "error";
    for (const id of ["editor-done", "editor-play"]) byId(id).disabled = !this.#isGood;
  }

  async #verdict() {
    const game = { variant: this.variant, start: this.position, moves: [] };
    try {
      const board = await ask("position", { game });
      const sentence = sentenceOf(board);
      this.#isGood = board.outcome === null;
      return text(this.#isGood ? "setUp.good" : "setUp.bad", { sentence, message: sentence });
    } catch ({ message }) {
      this.#isGood = false;
      return text("setUp.bad", { message: translated(message) });
    }
  }
}
