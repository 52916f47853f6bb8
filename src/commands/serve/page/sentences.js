// Translates the server's English: whose turn it is, how the game ended, and lessons.

import { other } from "./players.js";
import { count, language, speaks, text } from "./texts.js";
import { ofKnown, scoreOf } from "./values.js";

/** Whose turn it is in a position and what is due, or how the game ended. */
export function sentenceOf({ sentence, outcome, to_move: toMove, legal, may_fly: mayFly }) {
  if (!speaks("due.place")) return sentence;
  if (outcome === null) return text(`due.${due(legal, mayFly)}`, { side: text(toMove) });
  const [end, reason] = outcome.split(":");
  if (!speaks(reason)) return sentence;
  const winner = { win0: "White", win1: "Black" }[end];
  if (!winner) return text(reason);
  return text(reason, sidesOf(winner));
}

function sidesOf(winner) {
  return { winner: text(winner), side: text(other(winner)) };
}

/** The terminations that records have words for, in lower case. */
const RESIGNATIONS = ["resignation", "resign", "r"];
const TIME_LOSSES = ["time loss", "time forfeit", "time", "t"];
const FORFEITS = ["forfeit", "f"];
const DECLARED = [[RESIGNATIONS, "resign.done"], [TIME_LOSSES, "time.done"], [FORFEITS, "forfeit.done"]];

/** How a game ended if not by its rules. */
export function endingOf({ winner, termination }) {
  const word = (termination ?? "").trim().replace(/\.+$/, "").toLowerCase();
  if (winner === "Draw") return text(word === "agreement" ? "draw.agreed" : "ended.Draw");
  const declared = DECLARED.find(([words]) => words.includes(word));
  return text(declared?.[1] ?? `ended.${winner}`, sidesOf(winner));
}

function due(legal, mayFly) {
  const [places, slides] = [legal.some(({ from, to }) => to && !from), legal.some(({ from }) => from)];
  if (places && slides) return "both";
  return places ? "place" : slides ? (mayFly ? "fly" : "slide") : "remove";
}

/** The sentences that name better turns or count them. */
const TELLING = ["kept", "would_win", "prefers", "none_better", "all_lose"];

/** What a turn did to the game, without naming better turns where they are a secret. */
export function lessonOf({ phrases }, isSecret = false) {
  const told = phrases.filter(({ says }) => !isSecret || !TELLING.includes(says));
  return told.map((said) => (speaks("lesson.keeps") ? phrase(said) : said.text)).join(" ");
}

/** Whether a lesson calls the turn bad: it gives away value, or another turn is clearly better. */
export function spoils({ phrases }) {
  return phrases.some(({ says }) => ["spoils", "would_win", "prefers"].includes(says));
}

function phrase(said) {
  const { says, was, is, turns, side, what, mills, points, keeping, longest, wins } = said;
  const values = {
    ...said,
    was: was && ofKnown({ worth: was }).words,
    is: is && ofKnown({ worth: is, turns }).words,
    turns: count("turns", turns ?? 0),
    when: turns === 1 ? text("lesson.when.next") : text("lesson.when", { turns: count("turns", turns ?? 0) }),
    side: side && text(side),
    score: said.score && scoreOf(said.score),
    mills: mills && millsOf(mills),
    points: points && list(points, "disjunction"),
    reasons: said.reasons?.length > 0 ? text("lesson.reasons", { reasons: motifsOf(said.reasons) }) : "",
    motifs: said.motifs && motifsOf(said.motifs),
  };
  if (says === "event") return text(`lesson.${what}.${said.by_search ? "search" : turns === 1 ? "next" : "later"}`, values);
  if (says === "finds") return text(wins ? "lesson.finds.win" : "lesson.finds.loss", values);
  if (says === "all_lose" && longest) return text("lesson.all_lose.longest", { best: longest[0], turns: count("length", longest[1]) });
  if (says === "sooner") return text(turns === 0 ? "lesson.sooner.once" : "lesson.sooner", { ...values, turns: count("length", turns) });
  if (says === "would_win" && turns === 0) return text("lesson.would_win.once", values);
  if (says === "would_win" && turns) return text("lesson.would_win.in", values);
  return text(`lesson.${says}${keeping === 1 ? ".one" : ""}${said.at_least ? ".least" : ""}`, values);
}

function motifsOf(motifs) {
  const told = motifs.map(({ does, mills, points = [] }) => text(`motif.${does}${points.length > 1 ? ".many" : ""}`, {
    mills: mills && millsOf(mills), points: list(points, does === "prevents" ? "disjunction" : "conjunction"),
  }));
  return list(told);
}

function millsOf(lines) {
  const names = lines.map((points) => points.toSorted().join("-"));
  return text(names.length > 1 ? "lesson.mills" : "lesson.mill", { lines: list(names) });
}

function list(items, type = "conjunction") {
  return new Intl.ListFormat(language, { type }).format(items);
}
