// The texts of the page in the user's language.

import { settings } from "./settings.js";
import de from "./texts_de.js";
import en from "./texts_en.js";

const TABLES = { en, de };

/** The names of the languages, each in its own language. */
export const LANGUAGES = Object.entries(TABLES).map(([code, { language }]) => ({ code, name: language }));

const wanted = [settings.language, ...navigator.languages].map((code) => code.slice(0, 2));
/** The language of the page. */
export const language = wanted.find((code) => code in TABLES) ?? "en";

/** A text with values filled in; a text missing in a language is in English. */
export function text(key, values = {}) {
  const pattern = TABLES[language][key] ?? en[key];
  if (pattern === undefined) throw new Error(`there is no text '${key}'`);
  return filled(pattern, values);
}

function filled(pattern, values) {
  return pattern.replace(/\{(\w+)\}/g, (_, name) => values[name]);
}

/** The server messages that the language translates, as patterns; a word in braces matches any text. */
const MESSAGES = Object.entries(TABLES[language].messages ?? {}).map(([message, words]) => {
  const escaped = message.replace(/[.*+?^$()|[\]\\]/g, "\\$&");
  return { words, pattern: new RegExp(`^${escaped.replace(/\{(\w+)\}/g, "(?<$1>.+)")}$`) };
});

/** A message of the server in the page's words, if it has any. */
export function translated(message) {
  for (const { words, pattern } of MESSAGES) {
    const found = pattern.exec(message);
    if (!found) continue;
    const values = Object.entries(found.groups ?? {}).map(([name, value]) => [name, TABLES[language][value] ?? value]);
    return filled(words, Object.fromEntries(values));
  }
  return message;
}

/** Whether the language of the page has a text; English lacks the texts that the server sends. */
export function speaks(key) {
  return key in TABLES[language];
}

/** A text for a number of things, in the singular or the plural. */
export function count(key, number, values = {}) {
  const one = number === 1 && speaks(`${key}.one`) ? `${key}.one` : key;
  return text(one, { number: number.toLocaleString(language), ...values });
}

/** Fills in the texts of the document: `data-text` is an element's text, `data-hint` its title, `data-label` its label. */
export function translate() {
  document.documentElement.lang = language;
  for (const it of document.querySelectorAll("[data-text]")) it.append(text(it.dataset.text));
  for (const it of document.querySelectorAll("[data-hint]")) it.title = text(it.dataset.hint);
  for (const it of document.querySelectorAll("[data-label]")) it.setAttribute("aria-label", text(it.dataset.label));
}
