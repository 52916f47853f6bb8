// What the user has chosen for this page, kept in the browser.

import { load, store } from "./store.js";

const KEY = "settings";

/** The default of each setting. */
const USUAL = { names: true, sound: true, arrows: true, bar: true, values: true, lines: 3, language: "", puzzles: "" };

export const settings = { ...USUAL, ...load(KEY) };

/** Chooses a setting. */
export function choose(name, value) {
  settings[name] = value;
  store(KEY, settings);
}
