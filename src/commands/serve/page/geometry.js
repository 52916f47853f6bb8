// Where the points are: the letter of a name is the column, the digit the row from below.

/** The side length of the drawing, and the distance of the outer points from the edge. */
export const SIZE = 700;
const EDGE = 72;
const STEP = (SIZE - 2 * EDGE) / 6;

export const COLUMNS = [..."abcdefg"];
export const ROWS = [..."1234567"];

/** The place of a point in the drawing. */
export function place(point, isFlipped = false) {
  const x = COLUMNS.indexOf(point[0]);
  const y = 7 - Number(point[1]);
  const [column, row] = isFlipped ? [6 - x, 6 - y] : [x, y];
  return { x: EDGE + STEP * column, y: EDGE + STEP * row };
}

/** The ends of a line of points. */
export function ends(line, isFlipped) {
  const places = line.map((point) => place(point, isFlipped));
  places.sort((a, b) => a.x - b.x || a.y - b.y);
  return [places[0], places.at(-1)];
}

/** The point near a place of the drawing; null if there is none. */
export function pointAt({ x, y }, points, isFlipped) {
  const distance = (point) => Math.hypot(place(point, isFlipped).x - x, place(point, isFlipped).y - y);
  const nearest = points.reduce((best, point) => (distance(point) < distance(best) ? point : best));
  return distance(nearest) < STEP / 2 ? nearest : null;
}

const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** The nearest point in the direction of an arrow key, if the key is one. */
export function neighbour(key, from, points, isFlipped) {
  const arrow = ARROWS[key];
  if (!arrow) return null;
  const here = place(from, isFlipped);
  const distance = (point) => {
    const { x, y } = place(point, isFlipped);
    const along = (x - here.x) * arrow[0] + (y - here.y) * arrow[1];
    const aside = Math.abs((x - here.x) * arrow[1]) + Math.abs((y - here.y) * arrow[0]);
    return along > 0 ? along + 3 * aside : Infinity;
  };
  return points.reduce((best, point) => (distance(point) < distance(best) ? point : best), from);
}
