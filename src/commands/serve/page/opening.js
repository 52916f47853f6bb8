// Opening a game: from text, a file or a link, by the dialog, by pasting or by dropping.

import { ask } from "./api.js";
import { byId } from "./elements.js";
import { WINNERS } from "./game.js";
import { decode } from "./link.js";
import { count, text, translated } from "./texts.js";

/** Sets up opening games; `open` shows one, `variant` gives the variant on the table. */
export function prepareOpening(open, variant) {
  const show = (given) => {
    byId("text").value = given;
    byId("open-error").textContent = "";
    byId("choice-label").hidden = true;
    byId("open-variant").textContent = text("open.variant", { game: translated(variant()) });
    if (!byId("open-dialog").open) byId("open-dialog").showModal();
  };
  byId("open").addEventListener("click", () => show(""));
  byId("text").addEventListener("input", () => (byId("choice-label").hidden = true));
  byId("file").addEventListener("change", async ({ target }) => {
    if (target.files[0]) show(await target.files[0].text());
  });
  byId("open-dialog").querySelector("form").addEventListener("submit", (event) => {
    event.preventDefault();
    load(open, variant());
  });
  document.addEventListener("dragover", (event) => event.preventDefault());
  document.addEventListener("drop", async (event) => {
    event.preventDefault();
    const file = event.dataTransfer.files[0];
    show(file ? await file.text() : event.dataTransfer.getData("text"));
    load(open, variant());
  });
  document.addEventListener("paste", (event) => {
    if (event.target.closest?.("input, textarea")) return;
    show(event.clipboardData.getData("text"));
    load(open, variant());
  });
}

/** Opens the game in the text, by default in the given variant, or asks which one if there are several. */
async function load(open, variant) {
  const given = byId("text").value;
  const fail = (message) => (byId("open-error").textContent = message);
  fail("");
  try {
    const game = decode(given.trim()) ?? (await choose(given, variant, fail));
    if (!game) return;
    await open(game);
    byId("open-dialog").close();
  } catch ({ message }) {
    fail(translated(message));
  }
}

/** The game in a text; null without a game, or until one of several is chosen. */
async function choose(given, variant, fail) {
  const { games, errors } = await ask("games", { text: given, variant });
  const [error] = errors;
  if (games.length === 0) {
    fail(error ? text("open.line", { ...error, error: translated(error.error) }) : text("open.none"));
    return null;
  }
  const choice = byId("choice");
  if (games.length > 1 && byId("choice-label").hidden) {
    choice.replaceChildren(...games.map((game, index) => new Option(title(game, index), index)));
    byId("choice-label").hidden = false;
    fail(count("open.several", games.length));
    choice.focus();
    return null;
  }
  const game = games[games.length > 1 ? choice.value : 0];
  const { variant: name, moves } = game;
  const [usual, last] = await Promise.all([
    ask("position", { game: { variant: name, moves: [] } }), ask("position", { game: { variant: name, start: game.start, moves } }),
  ]);
  const start = game.start === usual.position ? null : game.start;
  const ended = last.outcome === null ? endOf(game) : null;
  return { ...game, start, ended, source: { text: given, index: game.index, variant } };
}

/** How a game ended if not by its rules. */
function endOf({ result, tags, moves }) {
  const winner = WINNERS[result];
  return winner ? { winner, termination: tags.Termination, after: moves.length } : null;
}

function title({ tags, result, turns }, index) {
  const [white, black] = [tags.White ?? text("White"), tags.Black ?? text("Black")];
  return text("open.title.of", { number: index + 1, white, black, result, turns: turns.length });
}
