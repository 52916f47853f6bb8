// The last games that were played or opened, kept in the browser, and the list to reopen them.

import { byId, make } from "./elements.js";
import { nameOf } from "./players.js";
import { load, store } from "./store.js";
import { count, language, text, translated } from "./texts.js";

const KEY = "games";
/** The maximum number of games kept. */
const MOST = 100;
/** The delay before changes are stored, in milliseconds. */
const PAUSE = 1000;

export class Archive {
  #timer = null;

  /** `show(entry)` reopens a game. */
  constructor(table, show) {
    this.table = table;
    byId("archive").addEventListener("click", () => {
      this.keep();
      this.#list(show);
      byId("archive-dialog").showModal();
    });
  }

  /** Stores the game on the table soon. */
  look() {
    this.#timer ??= setTimeout(() => this.keep(), PAUSE);
  }

  /** Stores the game on the table now. */
  keep() {
    clearTimeout(this.#timer);
    this.#timer = null;
    const { id, isVisit, game, snapshot } = this.table;
    if (!id || !game.board || game.root.children.length === 0) return;
    const others = this.#games.filter((entry) => entry.id !== id);
    const { levels } = snapshot;
    const name = (side) => game.tags[side] ?? nameOf(levels[side]) ?? null;
    const entry = {
      id, isVisit, snapshot, date: Date.now(), variant: game.variant, event: game.tags.Event ?? null,
      white: name("White"), black: name("Black"), winner: game.winner, turns: game.mainLine.length,
    };
    for (let most = MOST; most > 0 && !store(KEY, [entry, ...others].slice(0, most)); most = Math.floor(most / 2));
  }

  get #games() {
    return load(KEY) ?? [];
  }

  /** Forgets a game; the game on the table is stored again when it continues. */
  #forget({ id }) {
    store(KEY, this.#games.filter((entry) => entry.id !== id));
  }

  #list(show) {
    const items = this.#games.map((entry) => {
      const unnamed = (side) => text(entry.isVisit ? side : "archive.you");
      const names = [entry.white ?? unnamed("White"), entry.black ?? unnamed("Black")].join(" – ");
      const date = new Date(entry.date).toLocaleString(language, { dateStyle: "medium", timeStyle: "short" });
      const state = [entry.event, translated(entry.variant), count("archive.turns", entry.turns), text(entry.winner ? `ended.${entry.winner}` : "archive.running")];
      const button = make("button", { type: "button" },
        make("b", { textContent: names }), make("span", { className: "small", textContent: date }),
        make("span", { className: "small", textContent: state.filter(Boolean).join(" · ") }));
      button.addEventListener("click", () => {
        byId("archive-dialog").close();
        show(entry);
      });
      const label = `${text("archive.forget")}: ${names}`;
      const forget = make("button", { type: "button", className: "forget", textContent: "×", title: label, ariaLabel: label });
      forget.addEventListener("click", () => {
        this.#forget(entry);
        this.#list(show);
        byId("games").querySelector("button")?.focus();
      });
      return make("li", {}, button, forget);
    });
    byId("games").replaceChildren(...(items.length > 0 ? items : [make("li", { textContent: text("archive.none") })]));
  }
}
