// What a move is worth, in a few letters, in words, and as a kind that colours it.

const LETTERS = { won: "W", cursed: "w", drawn: "D", blessed: "l", lost: "L" };

/** What the tablebase knows of a move. */
export function ofKnown({ worth, class: name, turns, rest }) {
  const end = rest ? `, comes to rest ${rest === "level" ? "" : "in "}${rest}` : "";
  const distance = turns ? ` in ${turns} ${turns === 1 ? "turn" : "turns"}` : "";
  const words = name.replace(/^\w+/, (word) => word + distance) + end;
  return { worth, label: LETTERS[worth] + (turns ?? ""), words };
}

/** A score, which is White's, for a side. */
export function ofScore(score, side) {
  const sign = side === "White" ? 1 : -1;
  if ("mate" in score) {
    const isWon = score.mate * sign > 0;
    const turns = Math.abs(score.mate);
    const words = `${isWon ? "wins" : "loses"} in ${turns} of the winner's turns`;
    return { worth: isWon ? "won" : "lost", label: `${isWon ? "W" : "L"}#${turns}`, words };
  }
  if ("word" in score) {
    const isWon = score.cp * sign > 0;
    const isCursed = score.word.endsWith("?");
    const [won, lost] = isCursed ? ["cursed", "blessed"] : ["won", "lost"];
    const words = (isWon ? "won" : "lost") + (isCursed ? ", unless the draw rules come first" : "");
    return { worth: isWon ? won : lost, label: isWon ? "W" : "L", words };
  }
  const label = men(score.cp * sign);
  return { worth: "open", label, words: `score ${label}` };
}

/** Hundredths of a man as a number with its sign. */
function men(hundredths) {
  const number = (Math.abs(hundredths) / 100).toFixed(2);
  return (hundredths < 0 ? "\u2212" : "+") + number;
}
