// The dialog for settings.

import { byId, make } from "./elements.js";
import { choose, settings } from "./settings.js";
import { LANGUAGES, text } from "./texts.js";

const SWITCHES = ["names", "sound", "arrows", "bar", "values"];

/** Sets up the dialog; calls `changed` after each change. */
export function prepareOptions(changed) {
  const set = (name, value) => {
    choose(name, value);
    changed();
  };
  byId("switches").append(...SWITCHES.map((name) => {
    const box = make("input", { type: "checkbox", id: `setting-${name}`, checked: settings[name] });
    box.addEventListener("change", () => set(name, box.checked));
    return make("label", { className: "inline" }, box, text(`settings.${name}`));
  }));
  const count = byId("line-count");
  count.value = settings.lines;
  count.addEventListener("change", () => {
    count.value = Math.min(Math.max(Math.round(count.valueAsNumber) || 1, count.min), count.max);
    set("lines", Number(count.value));
  });
  const language = byId("language");
  language.append(new Option(text("settings.automatic"), ""), ...LANGUAGES.map(({ code, name }) => new Option(name, code)));
  language.value = settings.language;
  language.addEventListener("change", () => {
    choose("language", language.value);
    location.reload();
  });
  byId("settings").addEventListener("click", () => byId("settings-dialog").showModal());
}
