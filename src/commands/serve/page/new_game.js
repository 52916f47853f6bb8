// The dialog for a new game.

import { byId, make } from "./elements.js";
import { SIDES } from "./players.js";
import { language, text, translated } from "./texts.js";

/** Who plays which side, by the name of the choice. */
const PLAYERS = { white: ["White"], black: ["Black"], both: SIDES, none: [] };

/** Fills the lists of games and players; calls `start` to begin a game. */
export function prepareNewGame(about, start) {
  byId("variant").append(...about.games.map(({ name }) => new Option(translated(name), name)));
  byId("variant").value = about.usual;
  for (const option of byId("move-time").options) option.text = `${(option.value / 1000).toLocaleString(language)} s`;
  byId("move-time").value = about.usual_time;
  const choices = Object.keys(PLAYERS).map((name) => make("label", {},
    make("input", { type: "radio", name: "players", value: name, checked: name === "white" }), text(`youPlay.${name}`)));
  byId("new-players").append(make("div", {}, ...choices));
  for (const side of SIDES) {
    const both = [levelOf(side), byId(`${side.toLowerCase()}-range`)];
    for (const [index, level] of both.entries()) {
      Object.assign(level, { min: about.levels.least, max: about.levels.most, value: about.levels.usual });
      level.addEventListener("input", () => (both[1 - index].value = level.value));
    }
  }
  byId("variant").addEventListener("change", () => explain(about));
  byId("new-players").addEventListener("change", showLevels);
  byId("new").addEventListener("click", () => {
    explain(about);
    showLevels();
    byId("new-dialog").returnValue = "";
    byId("new-dialog").showModal();
  });
  byId("new-dialog").addEventListener("close", () => {
    if (byId("new-dialog").returnValue === "start") start(chosen());
  });
}

const levelOf = (side) => byId(`${side.toLowerCase()}-level`);

/** The sides that persons play. */
function persons() {
  return PLAYERS[document.querySelector("[name=players]:checked").value];
}

function showLevels() {
  for (const side of SIDES) {
    levelOf(side).parentElement.hidden = levelOf(side).disabled = persons().includes(side);
  }
}

function explain(about) {
  const game = about.games.find(({ name }) => name === byId("variant").value);
  byId("new-rules").textContent = game.summary.split(", ").map(translated).join(", ");
}

/** The choices in the dialog. */
export function chosen() {
  const level = (side) => (persons().includes(side) ? null : Number(levelOf(side).value));
  return {
    variant: byId("variant").value,
    levels: Object.fromEntries(SIDES.map((side) => [side, level(side)])),
    clock: byId("clock").value,
    moveTime: Number(byId("move-time").value),
  };
}
