// The value of a move as a short label, in words, and as a kind for its colour.

import { count, language, text } from "./texts.js";

const LETTERS = { won: "W", cursed: "w", drawn: "D", blessed: "l", lost: "L" };
/** The expected score of the side to move. */
const SHARES = { won: 1, cursed: 0.75, drawn: 0.5, blessed: 0.25, lost: 0 };

/** The tablebase's value of a move. */
export function ofKnown({ worth, turns, rest, drawing_replies: replies = null }) {
  const known = text(`known.${worth}`, { distance: turns ? count("known.distance", turns) : "" });
  const words = rest ? text(rest === "level" ? "known.level" : "known.rest", { known, rest }) : known;
  const told = replies === null ? words : text("known.replies", { words, replies: count("known.replies.count", replies) });
  return { worth, label: LETTERS[worth] + (turns ?? ""), words: told, share: SHARES[worth], replies };
}

/** A score as a short label, from White's view. */
export function scoreOf({ cp, mate, word }) {
  if (word) return `${signOf(cp)}${text("worth.won")}${word.endsWith("?") ? "?" : ""}`;
  return mate === undefined ? men(cp) : `${signOf(mate)}#${Math.abs(mate)}`;
}

/** A score, given from White's view, for a side. */
export function ofScore(score, side) {
  const sign = side === "White" ? 1 : -1;
  if ("mate" in score) {
    const isWon = score.mate * sign > 0;
    const turns = Math.abs(score.mate);
    const words = text(isWon ? "worth.wins" : "worth.loses", { turns });
    return { worth: isWon ? "won" : "lost", label: `${isWon ? "W" : "L"}#${turns}`, words };
  }
  if ("word" in score) {
    const isWon = score.cp * sign > 0;
    const isCursed = score.word.endsWith("?");
    const [won, lost] = isCursed ? ["cursed", "blessed"] : ["won", "lost"];
    const worth = isWon ? won : lost;
    return { worth, label: LETTERS[isWon ? "won" : "lost"], words: text(`worth.${worth}`), share: SHARES[worth] };
  }
  const label = men(score.cp * sign);
  return { worth: "open", label, words: text("worth.score", { score: label }) };
}

/** Hundredths of a man as a signed number of men. */
function men(hundredths) {
  return signOf(hundredths) + decimal(Math.abs(hundredths) / 100, 2);
}

const signOf = (number) => (number < 0 ? "−" : "+");

/** A number with a fixed number of decimals. */
export function decimal(number, digits) {
  return number.toLocaleString(language, { minimumFractionDigits: digits, maximumFractionDigits: digits });
}
