// The marks of turns: their signs, their numbers in records, and their meanings.

/** The marks that a review gives to bad turns, from mild to severe. */
export const MARKS = { "?!": "inaccuracy", "?": "mistake", "??": "blunder" };

/** The marks that a user can give, from best to worst, by their numbers in records. */
export const GLYPHS = new Map([[3, "!!"], [1, "!"], [5, "!?"], [6, "?!"], [2, "?"], [4, "??"]]);

/** The sign of a turn that has some numbers. */
export function signOf(numbers) {
  return numbers.map((number) => GLYPHS.get(number) ?? "").join("");
}
