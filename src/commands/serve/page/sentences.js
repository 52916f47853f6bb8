// What the server says in English, in the language of the page: whose turn it is, or how the game ended.

import { language, text } from "./texts.js";

/** Whose turn it is in a position and what is due, or how the game ended. */
export function sentenceOf({ sentence, outcome, to_move: toMove, legal }) {
  if (language === "en") return sentence;
  if (outcome === null) return text(`due.${due(legal)}`, { side: text(toMove) });
  const [end, reason] = outcome.split(":");
  const winner = { win0: "White", win1: "Black" }[end];
  if (!winner) return text(reason);
  return text(reason, { winner: text(winner), side: text(winner === "White" ? "Black" : "White") });
}

function due(legal) {
  const [places, slides] = [legal.some(({ from, to }) => to && !from), legal.some(({ from }) => from)];
  if (places && slides) return "both";
  return places ? "place" : slides ? "slide" : "remove";
}
