// The keys of the page, and the list of them.

import { byId, make } from "./elements.js";
import { speaks, text } from "./texts.js";

/** The keys that press a button, each with the id of the button and its meaning. */
const PRESSED = [
  ["F", "flip", "keys.flip"], ["A", "truth-switch", "keys.analysis"], ["T", "teach-switch", "keys.teach"],
  ["H", "hint", "keys.hint"], ["U", "undo", "keys.undo"], ["N", "new", "keys.new"], ["O", "open", "keys.open"],
  ["S", "share", "keys.share"], ["?", "keys", "keys.help"],
];
const BUTTONS = Object.fromEntries(PRESSED.map(([key, button]) => [key.toLowerCase(), button]));

/** How many turns each key steps. */
const STEPS = { Home: -Infinity, End: Infinity, ArrowLeft: -1, ArrowRight: 1 };

/** The list of keys, as it is shown. */
const LIST = [
  [["←", "→"], "keys.step"], [["↑", "↓"], "keys.branch"], [["Home", "End"], "keys.ends"],
  ...PRESSED.map(([key, , meaning]) => [[key], meaning]),
  [["Tab", "← ↑ ↓ →"], "keys.board"], [["Enter", "␣"], "keys.press"], ["keys.right", "keys.draw"],
];

/** Elements that use the keys themselves. */
const TYPED = "input:not([type=checkbox], [type=radio]), textarea, select, [type=radio], dialog";

/** Sets up the keys; `step(by)` steps through the turns, `branch(by)` switches to an alternative to the last move. */
export function prepareKeys(step, branch) {
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.target.closest?.(TYPED)) return;
    if (document.querySelector("dialog[open]")) return;
    const by = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    const button = byId(BUTTONS[event.key.toLowerCase()] ?? "");
    if (event.key in STEPS) step(STEPS[event.key]);
    else if (by) {
      if (!branch(by)) return;
    } else if (!button || button.disabled) return;
    else button.click();
    event.preventDefault();
  });
  const rows = LIST.flatMap(([keys, meaning]) => [
    make("dt", {}, ...(Array.isArray(keys) ? keys.flatMap((key) => [make("kbd", { textContent: speaks(`key.${key}`) ? text(`key.${key}`) : key }), " "]) : [text(keys)])),
    make("dd", { textContent: text(meaning) }),
  ]);
  byId("key-list").append(...rows);
  byId("keys").addEventListener("click", () => byId("keys-dialog").showModal());
}
