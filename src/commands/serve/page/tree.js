// A game as a tree of moves: the first move after a position continues the main line, the others begin
// variations. Its record has the fields of `millstone convert --json`.

/** The root of a game. */
export function newRoot() {
  return newNode(null, null);
}

function newNode(move, parent) {
  return { move, parent, children: [], lead: "", comment: "", glyphs: [], properties: [], leadProperties: [], turn: null, board: null };
}

/** The node after a move, created if missing, as the main line if wanted. */
export function add(parent, move, isMain = false) {
  const node = parent.children.find((child) => child.move === move) ?? newNode(move, parent);
  const others = parent.children.filter((child) => child !== node);
  if (isMain) parent.children = [node, ...others];
  else if (others.length === parent.children.length) parent.children.push(node);
  return node;
}

/** Removes a node and everything after it. */
export function prune(node) {
  node.parent.children = node.parent.children.filter((child) => child !== node);
}

/** The nodes that lead to a node, including itself. */
export function pathTo(node) {
  const path = [];
  for (let it = node; it.parent; it = it.parent) path.unshift(it);
  return path;
}

/** The main line after a node. */
export function lineAfter(node) {
  const line = [];
  for (let it = node.children[0]; it; it = it.children[0]) line.push(it);
  return line;
}

/** The nodes along some moves, until the tree ends. */
export function walk(root, moves) {
  const nodes = [];
  let node = root;
  for (const move of moves) {
    node = node.children.find((child) => child.move === move);
    if (!node) break;
    nodes.push(node);
  }
  return nodes;
}

/** The last node of every line. */
export function leaves(node) {
  return node.children.length === 0 ? [node] : node.children.flatMap(leaves);
}

/** Adds the moves of a record after a node; in a variation, comments before the first move belong to that move. */
export function read(from, { moves, comments = [], glyphs = [], variations = [], properties = [] }, isVariation = false) {
  const nodes = [from];
  for (const move of moves) nodes.push(add(nodes.at(-1), move));
  for (const { after, says } of comments) {
    if (after > 0 || !isVariation) nodes[after].comment = says;
    else if (nodes[1]) nodes[1].lead = says;
  }
  for (const { after, says } of glyphs) nodes[after].glyphs.push(says);
  for (const { after, ...property } of properties) {
    if (after > 0 || !isVariation) nodes[after].properties.push(property);
    else nodes[1]?.leadProperties.push(property);
  }
  for (const variation of variations) read(nodes[variation.instead_of - 1], variation, true);
}

/** The record of the moves from a node on, including its own unless it is the root. */
export function write(first) {
  const line = [...(first.parent ? [first] : []), ...lineAfter(first)];
  const record = { moves: [], comments: [], glyphs: [], variations: [], properties: [] };
  const say = (after, says) => says && record.comments.push({ after, says });
  const keep = (after, properties) => record.properties.push(...properties.map((property) => ({ after, ...property })));
  say(0, first.parent ? first.lead : first.comment);
  keep(0, first.parent ? first.leadProperties : first.properties);
  for (const [index, node] of line.entries()) {
    record.moves.push(node.move);
    say(index + 1, node.comment);
    keep(index + 1, node.properties);
    for (const says of node.glyphs) record.glyphs.push({ after: index + 1, says });
    if (node === first) continue;
    for (const other of node.parent.children.slice(1)) {
      record.variations.push({ instead_of: index + 1, ...write(other) });
    }
  }
  return record;
}
