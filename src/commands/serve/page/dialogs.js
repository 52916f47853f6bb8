// The dialogs: a new game, opening one, and downloading it.

import { ask } from "./api.js";
import { byId, make } from "./elements.js";
import { SIDES, nameOf } from "./players.js";

const PERSON = "";

/** Fills the lists of games, players and notations; `start` begins a game, `open` shows one, `variant` tells the game on the table. */
export function prepare(about, { start, open, record, variant }) {
  byId("variant").append(...about.games.map(({ name }) => new Option(name)));
  byId("variant").value = about.usual;
  byId("move-time").value = about.usual_time;
  byId("variant").addEventListener("change", () => explain(about));
  const { least, most, usual } = about.levels;
  for (const side of SIDES) {
    const select = byId(`${side.toLowerCase()}-player`);
    select.append(new Option("Human", PERSON));
    for (let level = least; level <= most; level++) {
      select.append(new Option(nameOf(level), level));
    }
    select.value = side === "White" ? PERSON : usual;
  }
  byId("notation").append(...about.notations.map((name) => new Option(name)));
  byId("new").addEventListener("click", () => {
    explain(about);
    byId("new-dialog").showModal();
  });
  byId("new-dialog").addEventListener("close", () => {
    if (byId("new-dialog").returnValue === "start") start(chosen());
  });
  prepareOpening(open, variant);
  prepareDownload(record);
}

function explain(about) {
  const game = about.games.find(({ name }) => name === byId("variant").value);
  byId("rules").textContent = game.sentences.join(" ");
}

/** What the dialog for a new game says. */
export function chosen() {
  const level = (side) => {
    const { value } = byId(`${side.toLowerCase()}-player`);
    return value === PERSON ? null : Number(value);
  };
  return {
    variant: byId("variant").value,
    levels: Object.fromEntries(SIDES.map((side) => [side, level(side)])),
    clock: byId("clock").value,
    moveTime: Number(byId("move-time").value),
  };
}

function prepareOpening(open, variant) {
  const show = (text) => {
    byId("text").value = text;
    byId("open-error").textContent = "";
    byId("choice-label").hidden = true;
    byId("open-variant").textContent = variant();
    if (!byId("open-dialog").open) byId("open-dialog").showModal();
  };
  byId("open").addEventListener("click", () => show(""));
  byId("text").addEventListener("input", () => (byId("choice-label").hidden = true));
  byId("file").addEventListener("change", async ({ target }) => {
    if (target.files[0]) show(await target.files[0].text());
  });
  byId("load").addEventListener("click", () => load(open, variant()));
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

/** Opens the game of the text, by the rules of a game unless it names another, or asks which one if there are several. */
async function load(open, variant) {
  const text = byId("text").value;
  const fail = (message) => (byId("open-error").textContent = message);
  fail("");
  try {
    const { games, errors } = await ask("games", { text, variant });
    const [error] = errors;
    if (games.length === 0) return fail(error ? `Line ${error.line}: ${error.error}` : "No game found.");
    const choice = byId("choice");
    if (games.length > 1 && byId("choice-label").hidden) {
      choice.replaceChildren(...games.map((game, index) => new Option(title(game, index), index)));
      byId("choice-label").hidden = false;
      return fail(`This text has ${games.length} games. Which one?`);
    }
    const game = games[games.length > 1 ? choice.value : 0];
    await open({ ...game, source: { text, index: game.index, variant } });
    byId("open-dialog").close();
  } catch ({ message }) {
    fail(message);
  }
}

function title({ tags, result, turns }, index) {
  return `${index + 1}: ${tags.White ?? "White"} - ${tags.Black ?? "Black"}, ${result}, ${turns.length} turns`;
}

function prepareDownload(record) {
  byId("download").addEventListener("click", () => {
    byId("download-error").textContent = "";
    byId("with-review").disabled = !record(true);
    byId("download-dialog").showModal();
  });
  byId("save").addEventListener("click", async () => {
    const box = byId("with-review");
    const notation = byId("notation").value;
    try {
      const { text } = await ask("record", { record: record(box.checked && !box.disabled), to: notation });
      save(text, `millstone-${notation}.txt`);
      byId("download-dialog").close();
    } catch ({ message }) {
      byId("download-error").textContent = message;
    }
  });
}

function save(text, name) {
  const url = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
  make("a", { href: url, download: name }).click();
  URL.revokeObjectURL(url);
}
