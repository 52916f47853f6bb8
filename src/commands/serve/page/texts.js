// The texts of the page in the language of the reader.

import { settings } from "./settings.js";
import de from "./texts_de.js";
import en from "./texts_en.js";

const TABLES = { en, de };

/** The names of the languages, each in itself. */
export const LANGUAGES = Object.entries(TABLES).map(([code, { language }]) => ({ code, name: language }));

const wanted = [settings.language, ...navigator.languages].map((code) => code.slice(0, 2));
/** The language of the page. */
export const language = wanted.find((code) => code in TABLES) ?? "en";

/** A text with some values in it; one that a language lacks is English. */
export function text(key, values = {}) {
  const pattern = TABLES[language][key] ?? en[key];
  if (pattern === undefined) throw new Error(`there is no text '${key}'`);
  return filled(pattern, values);
}

function filled(pattern, values) {
  return pattern.replace(/\{(\w+)\}/g, (_, name) => values[name]);
}

/** The messages of the server that the language has words for, as patterns; a word in braces stands for any text. */
const MESSAGES = Object.entries(TABLES[language].messages ?? {}).map(([message, words]) => {
  const escaped = message.replace(/[.*+?^$()|[\]\\]/g, "\\$&");
  return { words, pattern: new RegExp(`^${escaped.replace(/\{(\w+)\}/g, "(?<$1>.+)")}$`) };
});

/** What the server says in English, in words of the page if it has some. */
export function translated(message) {
  for (const { words, pattern } of MESSAGES) {
    const found = pattern.exec(message);
    if (!found) continue;
    const values = Object.entries(found.groups ?? {}).map(([name, value]) => [name, TABLES[language][value] ?? value]);
    return filled(words, Object.fromEntries(values));
  }
  return message;
}

/** Whether the language of the page has a text; English leaves those out that the server says. */
export function speaks(key) {
  return key in TABLES[language];
}

/** A text for a number of things, which has another form for one of them. */
export function count(key, number, values = {}) {
  const one = number === 1 && speaks(`${key}.one`) ? `${key}.one` : key;
  return text(one, { number: number.toLocaleString(language), ...values });
}

/** Writes the texts of a document: `data-text` is what an element says, `data-hint` its title, `data-label` its name. */
export function translate() {
  document.documentElement.lang = language;
  for (const it of document.querySelectorAll("[data-text]")) it.append(text(it.dataset.text));
  for (const it of document.querySelectorAll("[data-hint]")) it.title = text(it.dataset.hint);
  for (const it of document.querySelectorAll("[data-label]")) it.setAttribute("aria-label", text(it.dataset.label));
}
