// Where the points are: the letter of a name is the column, the digit the row from below.

/** The side of the drawing, and the place of a point in it. */
export const SIZE = 700;

export function place(point, isFlipped = false) {
  const x = point.charCodeAt(0) - "a".charCodeAt(0);
  const y = 7 - Number(point[1]);
  const [column, row] = isFlipped ? [6 - x, 6 - y] : [x, y];
  return { x: 50 + 100 * column, y: 50 + 100 * row };
}

/** The ends of a line of points. */
export function ends(line, isFlipped) {
  const places = line.map((point) => place(point, isFlipped));
  places.sort((a, b) => a.x - b.x || a.y - b.y);
  return [places[0], places.at(-1)];
}

const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** The point that an arrow key leads to, if the key is one: the nearest in its direction. */
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
  const nearest = points.reduce((best, point) => (distance(point) < distance(best) ? point : best), from);
  return nearest;
}
