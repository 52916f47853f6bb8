// The game on the table: its tree of moves, the line through it that is followed, the place in that line
// that is shown, and what the server says of that position. Whoever wants to know listens to "change".

import { ask } from "./api.js";
import { endingOf, sentenceOf } from "./sentences.js";
import { add, leaves, lineAfter, newRoot, pathTo, prune, read, walk, write } from "./tree.js";

/** Who won, by the results of records. */
export const WINNERS = { "1-0": "White", "0-1": "Black", "1/2-1/2": "Draw" };

export class Game extends EventTarget {
  /** The record that was opened, as the server takes it; none once anything was changed. */
  source = null;
  /** Whether somebody plays, so that a new move is the main line; else it begins a variation. */
  isPlayed = false;
  /** Whether an answer of the server is on its way. */
  isBusy = false;
  /** Whether an earlier turn is looked at, which takes nothing back. */
  isBrowsing = false;
  root = newRoot();
  /** The nodes of the line that is followed, and how many of them are played where the board stands. */
  nodes = [];
  at = 0;
  #asked = 0;
  #queue = Promise.resolve();

  /** Begins a game, and calls `arrive` when it is there. It may have moves already: `line` is followed, and `at` of its moves are shown. */
  async begin({ variant, start = null, line = null, at = null, tags = {}, source = null, ended = null, ...record }, arrive) {
    const root = newRoot();
    if (record.moves) read(root, record);
    const nodes = line ? walk(root, line) : lineAfter(root);
    const game = { variant, start, tags, source, ended, root, nodes, at: at ?? nodes.length, isBrowsing: false };
    await this.#change(game, { arrive });
    this.#learnAll(game);
  }

  /** All of it, as `begin` takes it. */
  get record() {
    const { variant, start, tags, source, ended, moves: line, at } = this;
    return { variant, start, tags, source, ended, line, at, ...write(this.root) };
  }

  /** The node that is shown. */
  get node() {
    return this.at > 0 ? this.nodes[this.at - 1] : this.root;
  }

  /** The moves of the line that is followed. */
  get moves() {
    return this.nodes.map(({ move }) => move);
  }

  /** The line up to a move, as the server takes a game. */
  text(at = this.at) {
    return textOf(this, this.nodes.slice(0, at));
  }

  /** The moves that lead to a node, as the server takes a game. */
  textAfter(node) {
    return textOf(this, pathTo(node));
  }

  /** The main line, as the server takes a game. */
  get mainText() {
    return textOf(this, lineAfter(this.root));
  }

  get isAtEnd() {
    return this.at === this.nodes.length;
  }

  /** How the game ended, in a sentence; none if it goes on. */
  get over() {
    if (this.board.outcome !== null) return sentenceOf(this.board);
    const isEnd = this.ended?.after === this.at && [this.root, ...lineAfter(this.root)][this.at] === this.node;
    return isEnd ? endingOf(this.ended) : null;
  }

  /** Who has won at the end of the main line, a side or Draw; none if the game goes on. */
  get winner() {
    const { board } = lineAfter(this.root).at(-1) ?? this.root;
    return WINNERS[board?.result] ?? this.ended?.winner ?? null;
  }

  /** The side to move; none if the game is over, or not there yet. One that was given up can be looked at further. */
  get toMove() {
    if (!this.board || this.board.outcome !== null || (this.isPlayed && this.over)) return null;
    return this.board.to_move;
  }

  /** How many moves are played where the game goes on, also while an earlier turn is looked at. */
  get played() {
    return this.isBrowsing ? this.nodes.length : this.at;
  }

  /** The node there. */
  get newest() {
    return this.nodes[this.played - 1] ?? this.root;
  }

  /** Plays a legal move, and calls `arrive` when it is played. */
  async play(move, { board = null, arrive = () => {} } = {}) {
    const parent = this.node;
    const isNew = !parent.children.some((child) => child.move === move);
    const text = textOf(this, [...pathTo(parent), { move }]);
    await this.#change(() => {
      const node = add(parent, move, this.isPlayed);
      const nodes = [...pathTo(node), ...(this.isPlayed ? [] : lineAfter(node))];
      const kept = { ...(isNew && { source: null }), ...(this.isPlayed && { source: null, ended: null }) };
      return { ...kept, nodes, at: pathTo(node).length, isBrowsing: false };
    }, { board, arrive, text });
  }

  /** Leaves the moves after those that are shown. */
  cut() {
    if (!this.isAtEnd) this.ended = null;
    this.nodes = this.nodes.slice(0, this.at);
    this.isBrowsing = false;
    this.#changed();
  }

  /** Looks at the position after some moves of the line. */
  async goTo(at) {
    await this.#change({ at, isBrowsing: at < this.nodes.length });
  }

  /** Looks at the position after a node, which may belong to another line. */
  async goToNode(node) {
    const path = pathTo(node);
    const isOnLine = path.every((it, index) => it === this.nodes[index]);
    const nodes = isOnLine ? this.nodes : [...path, ...lineAfter(node)];
    await this.#change({ nodes, at: path.length, isBrowsing: path.length < nodes.length });
  }

  /** The turns of the line that is followed, with the moves before and after each. */
  get line() {
    return turnsOf(this.nodes);
  }

  /** The turns of the main line. */
  get mainLine() {
    return turnsOf(lineAfter(this.root));
  }

  /** The turn that led to what is shown. */
  get lastTurn() {
    return this.line.find(({ before, after }) => before < this.at && this.at <= after) ?? null;
  }

  /** Goes some turns on, or back if they are negative, each by its end; as far as there are turns. */
  step(by) {
    return this.#inTurn(async () => {
      const ends = [0, ...this.line.map(({ after }) => after)];
      const here = by < 0 ? ends.findIndex((end) => end >= this.at) : ends.findLastIndex((end) => end <= this.at);
      const next = Math.min(Math.max(here + by, 0), ends.length - 1);
      if (ends[next] !== this.at) await this.goTo(ends[next]);
    });
  }

  /** Takes back to the last turn of one of some sides. */
  undo(sides) {
    return this.#inTurn(async () => {
      const turn = this.line.findLast(({ before, side }) => before < this.at && sides.includes(side));
      if (turn) await this.#change({ at: turn.before, isBrowsing: false });
    });
  }

  /** Plays on what was taken back, up to the next turn of one of some sides. */
  redo(sides) {
    return this.#inTurn(async () => {
      const later = this.line.filter(({ after }) => after > this.at);
      const next = later.slice(1).find(({ side }) => sides.includes(side));
      await this.#change({ at: next ? next.before : this.nodes.length, isBrowsing: false });
    });
  }

  /** Works once the work before is done, so that of two quick clicks each counts. */
  #inTurn(work) {
    this.#queue = this.#queue.then(work, work);
    return this.#queue;
  }

  /** Says something of what is shown: a comment, and marks by their numbers. */
  annotate({ comment = this.node.comment, glyphs = this.node.glyphs }) {
    Object.assign(this.node, { comment, glyphs });
    this.source = null;
    this.#changed();
  }

  /** Makes the line that is followed the main line. */
  promote() {
    for (const node of pathTo(this.node)) add(node.parent, node.move, true);
    this.source = null;
    this.#changed();
  }

  /** Removes a move, the one that is shown if none is named, and all after it. */
  async remove(node = this.node) {
    if (!node.parent) return;
    prune(node);
    this.source = null;
    await this.goToNode(node.parent);
  }

  /** Ends the game other than by its rules, and shows its end: who won, and why in a word. */
  async end({ winner, termination }) {
    const after = this.played;
    Object.assign(this, { ended: { winner, termination, after }, source: null });
    await this.#change({ at: after, isBrowsing: false });
  }

  #changed() {
    this.dispatchEvent(new Event("change"));
  }

  /** Changes what is shown, once the server has said what that is; else all stays as it was. */
  async #change(change, { board = null, arrive = () => {}, text = null } = {}) {
    const number = ++this.#asked;
    const next = typeof change === "function" ? null : { ...this, ...change };
    const path = next?.nodes.slice(0, next.at);
    const known = next && (path.at(-1) ?? next.root).board;
    this.isBusy = true;
    try {
      const shown = board ?? known ?? (await ask("position", { game: text ?? textOf(next, path) }));
      if (number !== this.#asked) return;
      arrive();
      Object.assign(this, typeof change === "function" ? change() : change, { board: shown });
      note(this.nodes.slice(0, this.at), this.root, shown);
    } finally {
      if (number === this.#asked) this.isBusy = false;
    }
    this.#changed();
  }

  /** Learns which turns the moves belong to that lead to a node. */
  async #learn(game, node) {
    const path = pathTo(node);
    try {
      note(path, game.root, await ask("position", { game: textOf(game, path) }));
    } catch {
      // The moves are listed without their numbers then.
    }
    if (this.root === game.root && this.board) this.#changed();
  }

  async #learnAll(game) {
    for (const leaf of leaves(game.root)) {
      if (this.root !== game.root) return;
      if (leaf.parent && !leaf.turn) await this.#learn(game, leaf);
    }
  }
}

/** Some nodes of a game, as the server takes it. */
function textOf({ variant, start }, nodes) {
  return { variant, start, moves: nodes.map(({ move }) => move) };
}

/** Keeps what the server says of the position after some nodes, and of the turns that they belong to. */
function note(path, root, board) {
  (path.at(-1) ?? root).board = board;
  const moves = board.turns.flatMap(({ number, side, moves: parts }) =>
    parts.map((points, index) => ({ number, side, isFirst: index === 0, points })));
  for (const [index, node] of path.entries()) node.turn = moves[index] ?? null;
}

/** Some nodes by turns; where the server has not said it yet, a removal goes on with the turn before. */
export function turnsOf(nodes) {
  const turns = [];
  for (const [before, node] of nodes.entries()) {
    const { number = null, side = null, isFirst = !node.move.startsWith("x") } = node.turn ?? {};
    const after = before + 1;
    if (isFirst || turns.length === 0) turns.push({ number, side, turn: "", moves: [], nodes: [], before, after });
    const turn = turns.at(-1);
    turn.turn += node.move;
    turn.moves.push(node.turn?.points);
    turn.nodes.push(node);
    turn.after = after;
  }
  return turns;
}
