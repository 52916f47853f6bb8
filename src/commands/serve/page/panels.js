// The panels beside the board: analysis, review, puzzle, lessons, and information about the game.

import { byId, differs, make } from "./elements.js";
import { playedFrom } from "./explorer.js";
import { drawGraph } from "./graph.js";
import { listLine } from "./list.js";
import { GLYPHS } from "./marks.js";
import { SIDES } from "./players.js";
import { settings } from "./settings.js";
import { text, translated } from "./texts.js";
import { decimal } from "./values.js";

/** The maximum number of moves listed for a line. */
const LONGEST = 12;

/** Shows the sentences. Sentences already shown stay, so that screen readers speak only the new ones. */
export function showSentences(place, sentences) {
  for (const shown of [...place.children]) if (!sentences.includes(shown.textContent)) shown.remove();
  sentences.forEach((textContent, index) => {
    const shown = place.children[index];
    if (shown?.textContent !== textContent) place.insertBefore(make("p", { textContent }), shown ?? null);
  });
  while (place.children.length > sentences.length) place.lastElementChild.remove();
}

/** Shows the analysis; `follow(moves)` plays some moves. */
export function showTruth(truth, game, worths, isOurs, follow) {
  byId("truth").hidden = !truth.isOn;
  showBar(truth, game);
  if (!truth.isOn) return;
  byId("verdict").textContent = truth.verdict || (game.over ?? "");
  const lines = truth.bestLines(settings.lines);
  const list = byId("best-lines");
  while (list.children.length > settings.lines) list.lastElementChild.remove();
  while (list.children.length < settings.lines) list.append(make("li", {}, make("b"), make("span")));
  for (const [index, row] of [...list.children].entries()) {
    const { moves = [], value } = lines[index] ?? {};
    row.firstChild.textContent = value?.label ?? "";
    row.firstChild.className = `worth ${value?.worth ?? ""}`;
    listLine(row.lastChild, "", moves.slice(0, LONGEST), (count) => follow(moves.slice(0, count)));
  }
  worths.show(truth.values, playedFrom(game.board), { isSettled: truth.isSettled, isOurs });
  byId("effort").textContent = truth.effort;
}

/** Shows the evaluation bar, White's part of it. */
function showBar(truth, { board }) {
  const share = board.outcome !== null ? ({ "1-0": 1, "0-1": 0 }[board.result] ?? 0.5) : truth.share;
  byId("bar").classList.toggle("on", truth.isOn && settings.bar);
  if (share !== null) byId("bar").firstChild.style.transform = `scaleY(${share})`;
}

/** Shows the review; `go(node)` goes to a turn, `follow(node, moves)` plays some moves after a node. */
export function showReview(review, coach, game, { go, follow }) {
  const { turns, summary, error } = review;
  byId("review").disabled = game.root.children.length === 0 || review.isRunning;
  byId("review-panel").hidden = turns.length === 0 && !review.isRunning && !error;
  if (byId("review-panel").hidden) return;
  const line = game.mainLine;
  const progress = text("review.progress", { done: turns.length, all: line.length });
  byId("review-progress").textContent = error ?? (review.isRunning ? progress : "");
  byId("review-progress").hidden = !byId("review-progress").textContent;
  const current = line.findIndex(({ nodes }) => nodes.includes(game.node));
  drawGraph(byId("graph"), turns, line.length, current, (index) => go(line[index].nodes.at(-1)));
  const told = coach.isAsking || coach.isWrong ? -1 : coach.isOn ? coach.index : tellable(review, line, game);
  const turn = turns[told];
  byId("comment").textContent = told >= 0 ? review.comment(told) : "";
  const played = line[told]?.nodes.at(-1);
  const follows = played ? review.follows(told, game.textAfter(played)) : [];
  showLine(byId("follows"), "review.follows", follows, played?.parent, follow);
  const better = turn?.better ?? null;
  showLine(byId("better"), "review.better", better?.moves ?? [], better && line[told].nodes[better.instead_of - 1].parent, follow);
  byId("told").hidden = coach.isOn && told < 0;
  byId("coach-begin").hidden = coach.isOn || coach.mistakes(SIDES).length === 0;
  byId("coach").hidden = !coach.isOn;
  showSentences(byId("coach-sentences"), coach.sentences);
  byId("coach-again").disabled = !coach.isWrong;
  showSummary(summary);
}

/** Shows a line of play after a node, with a label before it. */
function showLine(place, word, moves, before, follow) {
  listLine(place, moves.length > 0 ? text(word) : "", moves.slice(0, LONGEST), (count) => follow(before, moves.slice(0, count)));
}

/** The marked turn to comment on: the next one in the main line, otherwise the last one played. */
export function tellable({ turns }, line, { node }) {
  const next = line.findIndex(({ nodes }) => nodes[0].parent === node);
  if (turns[next]?.mark) return next;
  const last = line.findIndex(({ nodes }) => nodes.includes(node));
  return turns[last]?.mark ? last : -1;
}

function showSummary(summary) {
  if (!differs(byId("summary"), summary)) return;
  const rows = [
    ["review.turns", ({ turns }) => turns],
    ["review.accuracy", ({ accuracy }) => `${Math.round(accuracy)} %`],
    ...["inaccuracies", "mistakes", "blunders"].map((name) => [name, (side) => side[name]]),
    ["review.loss", ({ average_loss: loss }) => `${decimal(100 * loss, 1)} %`],
  ];
  const cell = (name, textContent, scope) => make(name, { textContent, ...(scope && { scope }) });
  const head = make("tr", {}, make("td"), ...(summary ?? []).map(({ side }) => cell("th", text(side), "col")));
  const body = rows.map(([name, tell]) => make("tr", {}, cell("th", text(name), "row"), ...(summary ?? []).map((side) => cell("td", tell(side)))));
  byId("summary").replaceChildren(...(summary ? [make("table", {}, head, ...body)] : []));
}

/** Shows the tags and the rules of the game. */
export function showAbout(game, about) {
  byId("about-title").textContent = translated(game.board.variant);
  const shown = Object.entries(game.tags).filter(([name]) => name !== "Variant");
  if (differs(byId("tags"), shown)) {
    byId("tags").replaceChildren(...shown.flatMap(([name, value]) => [make("dt", { textContent: SIDES.includes(name) ? text(name) : translated(name) }), make("dd", { textContent: value })]));
  }
  const { sentences = [] } = about.games.find(({ name }) => name === game.board.variant) ?? {};
  if (differs(byId("rules"), sentences)) {
    byId("rules").replaceChildren(...sentences.map((said) => make("li", { textContent: translated(said) })));
  }
}

/** Sets up the comment field and the buttons for marks. */
export function prepareNotes(game) {
  const field = byId("note-text");
  field.placeholder = text("note.place");
  field.addEventListener("input", () => game.annotate({ comment: field.value.trim() }));
  for (const [number, sign] of GLYPHS) {
    const button = make("button", { type: "button", textContent: sign, title: text(`glyph.${number}`) });
    button.addEventListener("click", () => {
      const { glyphs } = game.node;
      const others = glyphs.filter((it) => !GLYPHS.has(it));
      game.annotate({ glyphs: glyphs.includes(number) ? others : [...others, number] });
    });
    button.dataset.glyph = number;
    byId("glyphs").append(button);
  }
}

/** Shows comment and marks of the current node. */
export function showNotes({ node, root }) {
  const field = byId("note-text");
  if (document.activeElement !== field || field.node !== node) field.value = node.comment;
  field.node = node;
  for (const button of byId("glyphs").children) {
    button.disabled = !node.parent;
    button.setAttribute("aria-pressed", node.glyphs.includes(Number(button.dataset.glyph)));
  }
  byId("note").hidden = root.children.length === 0;
}
