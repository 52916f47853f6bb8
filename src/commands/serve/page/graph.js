// The graph of a review: White's expected score after each turn, with marks at bad turns.

import { differs, draw } from "./elements.js";
import { MARKS } from "./marks.js";
import { text } from "./texts.js";

const HEIGHT = 120;
const STEP = 12;

/** Draws the graph; `go(index)` is called when a turn is chosen. */
export function drawGraph(place, turns, count, current, go) {
  if (!differs(place, [turns, count, current])) return;
  const width = Math.max(count, 1) * STEP;
  const x = (index) => (index + 0.5) * STEP;
  const y = (share) => HEIGHT * (1 - share);
  const label = text("review.graph", { number: turns.length });
  const svg = draw("svg", { viewBox: `0 0 ${width} ${HEIGHT}`, preserveAspectRatio: "none", role: "img", "aria-label": label });
  const tops = turns.map(({ share }, index) => `${x(index)},${y(share)}`);
  if (turns.length > 0) {
    const end = turns.length * STEP;
    const last = [`${end},${y(turns.at(-1).share)}`, `${end},${HEIGHT}`];
    const corners = [`0,${HEIGHT}`, `0,${y(turns[0].share)}`, ...tops, ...last];
    svg.append(draw("polygon", { class: "share", points: corners.join(" ") }));
  }
  svg.append(draw("line", { class: "middle", x1: 0, x2: width, y1: HEIGHT / 2, y2: HEIGHT / 2 }));
  for (const [index, { mark, share }] of turns.entries()) {
    // A line of zero length keeps round ends however the picture is stretched.
    if (mark) svg.append(draw("path", { class: `mark ${MARKS[mark]}`, d: `M${x(index)},${y(share)}h0` }));
  }
  if (current >= 0) {
    svg.append(draw("line", { class: "current", x1: x(current), x2: x(current), y1: 0, y2: HEIGHT }));
  }
  svg.addEventListener("click", (event) => {
    const { left, width: shown } = svg.getBoundingClientRect();
    const index = Math.floor(((event.clientX - left) / shown) * count);
    if (index >= 0 && index < turns.length) go(index);
  });
  place.replaceChildren(svg);
}
