// The dialog that copies a game as a link or text, and downloads it.

import { ask } from "./api.js";
import { byId, make } from "./elements.js";
import { encode } from "./link.js";
import { text, translated } from "./texts.js";

/** Sets up the dialog; `record(isReviewed)` is the game in the form that the server reads. */
export function prepareSharing(about, game, record) {
  byId("notation").append(...about.notations.map((name) => new Option(name)));
  byId("share").addEventListener("click", () => {
    byId("share-error").textContent = "";
    byId("with-review").disabled = !record(true);
    byId("copies").replaceChildren(...copies(game).map(([name, value]) => copyField(name, value)));
    byId("share-dialog").showModal();
  });
  const written = async () => {
    const box = byId("with-review");
    const to = byId("notation").value;
    return (await ask("record", { record: record(box.checked && !box.disabled), to })).text;
  };
  byId("share-dialog").querySelector("form").addEventListener("submit", (event) => {
    event.preventDefault();
    attempt(async () => {
      const notation = byId("notation").value;
      save(await written(), notation === "sgf" ? "millstone.sgf" : `millstone-${notation}.txt`);
      byId("share-dialog").close();
    });
  });
  byId("copy-record").addEventListener("click", ({ currentTarget }) => attempt(async () => copy(await written(), currentTarget)));
}

async function attempt(work) {
  byId("share-error").textContent = "";
  try {
    await work();
  } catch ({ message }) {
    byId("share-error").textContent = translated(message);
  }
}

/** What can be copied, each with its name. */
function copies(game) {
  const address = location.href.replace(/#.*/, "");
  const here = { variant: game.variant, start: game.board.position, moves: [] };
  return [
    ["share.link", address + encode(game.text(game.moves.length), game.at)],
    ["share.here", address + encode(here)],
    ["share.moves", game.line.map(({ turn }) => turn).join(" ")],
    ["share.mfen", game.board.mfen ?? game.board.position],
  ];
}

function copyField(name, value) {
  const input = make("input", { readOnly: true, value });
  const button = make("button", { type: "button", textContent: text("copy"), ariaLabel: `${text("copy")}: ${text(name)}` });
  button.addEventListener("click", () => {
    input.select();
    attempt(() => copy(value, button));
  });
  return make("div", {}, make("label", {}, text(name), input), button);
}

async function copy(value, button) {
  try {
    await navigator.clipboard.writeText(value);
  } catch {
    if (!document.execCommand("copy")) throw new Error(text("share.manual"));
  }
  button.textContent = text("copied");
}

function save(value, name) {
  const url = URL.createObjectURL(new Blob([value], { type: "text/plain" }));
  make("a", { href: url, download: name }).click();
  URL.revokeObjectURL(url);
}
