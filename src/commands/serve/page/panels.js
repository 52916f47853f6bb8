// What the panels beside the board show: analysis, review, puzzle, lessons, and what is known of the game.

import { byId, differs, make } from "./elements.js";
import { drawGraph } from "./graph.js";
import { listLine } from "./list.js";
import { GLYPHS, MARKS } from "./marks.js";
import { settings } from "./settings.js";
import { text } from "./texts.js";

/** The most moves of a line that are listed. */
const LONGEST = 12;

/** Shows the sentences; what is shown already stays, so that only what is new is spoken. */
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
  worths.show(truth.values, { isSettled: truth.isSettled, isOurs });
  byId("effort").textContent = truth.effort;
}

/** Shows the evaluation bar, White's part of it. */
function showBar(truth, { board }) {
  const share = board.outcome !== null ? ({ "1-0": 1, "0-1": 0 }[board.result] ?? 0.5) : truth.share;
  byId("bar").classList.toggle("on", truth.isOn && settings.bar);
  if (share !== null) byId("bar").firstChild.style.transform = `scaleY(${share})`;
}

/** Shows the review; `go(node)` looks at a turn, `follow(node, moves)` plays some moves after a node. */
export function showReview(review, game, { go, follow }) {
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
  const told = tellable(review, line, game);
  const better = told >= 0 ? turns[told].better : null;
  const moves = better?.moves ?? [];
  const before = better ? line[told].nodes[better.instead_of - 1].parent : null;
  listLine(byId("comment"), told >= 0 ? review.comment(told) : "", moves.slice(0, LONGEST), (count) => follow(before, moves.slice(0, count)));
  showSummary(summary);
}

/** The marked turn that is told of: the one that comes next in the main line, else the one just played. */
export function tellable({ turns }, line, { node }) {
  const next = line.findIndex(({ nodes }) => nodes[0].parent === node);
  if (turns[next]?.mark) return next;
  const last = line.findIndex(({ nodes }) => nodes.includes(node));
  return turns[last]?.mark ? last : -1;
}

function showSummary(summary) {
  if (!differs(byId("summary"), summary)) return;
  const pair = (name, value) => [make("dt", { textContent: name }), make("dd", { textContent: value })];
  const lists = (summary ?? []).map(({ side, turns, inaccuracies, mistakes, blunders, average_loss: loss }) =>
    make("dl", {}, ...[
      [text(side), text("review.count", { number: turns })],
      ...Object.entries({ inaccuracies, mistakes, blunders }).map(([name, number], index) => [`${text(name)} ${Object.keys(MARKS)[index]}`, number]),
      [text("review.loss"), `${(100 * loss).toFixed(1)} %`],
    ].flatMap(([name, value]) => pair(name, value))));
  byId("summary").replaceChildren(...lists);
}

/** Shows what is known of the game: its tags, and the rules. */
export function showAbout(game, about) {
  byId("about-title").textContent = game.board.variant;
  const shown = Object.entries(game.tags).filter(([name]) => name !== "Variant");
  if (differs(byId("tags"), shown)) {
    byId("tags").replaceChildren(...shown.flatMap(([name, value]) => [make("dt", { textContent: name }), make("dd", { textContent: value })]));
  }
  const { sentences = [] } = about.games.find(({ name }) => name === game.board.variant) ?? {};
  if (differs(byId("rules"), sentences)) {
    byId("rules").replaceChildren(...sentences.map((textContent) => make("li", { textContent })));
  }
}

/** Makes the field for comments and the buttons for marks. */
export function prepareNotes(game) {
  const field = byId("note-text");
  field.placeholder = text("note.place");
  field.addEventListener("input", () => game.annotate({ comment: field.value.trim() }));
  for (const [number, sign] of Object.entries(GLYPHS)) {
    const button = make("button", { type: "button", textContent: sign, title: text(`glyph.${number}`) });
    button.addEventListener("click", () => {
      const { glyphs } = game.node;
      const others = glyphs.filter((it) => !(it in GLYPHS));
      game.annotate({ glyphs: glyphs.includes(Number(number)) ? others : [...others, Number(number)] });
    });
    button.dataset.glyph = number;
    byId("glyphs").append(button);
  }
}

/** Shows comment and marks of what is shown. */
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
