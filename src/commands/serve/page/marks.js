// The marks of turns: their signs, the numbers by which records know them, and what each says.

/** The marks of bad turns that a review gives, from the least to the worst. */
export const MARKS = { "?!": "inaccuracy", "?": "mistake", "??": "blunder" };

/** The marks that a user gives, from the best to the worst, by their numbers in records. */
export const GLYPHS = new Map([[3, "!!"], [1, "!"], [5, "!?"], [6, "?!"], [2, "?"], [4, "??"]]);

/** The sign of a turn that has some numbers. */
export function signOf(numbers) {
  return numbers.map((number) => GLYPHS.get(number) ?? "").join("");
}
