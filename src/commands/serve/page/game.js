// The game on the table: its tree of moves, the current line, the current node in that line, and what the server
// says about that position. It fires "change".

import { ask } from "./api.js";
import { endingOf, sentenceOf } from "./sentences.js";
import { add, leaves, lineAfter, newRoot, pathTo, prune, read, walk, write } from "./tree.js";

/** Who won, by the results of records. */
export const WINNERS = { "1-0": "White", "0-1": "Black", "1/2-1/2": "Draw" };

export class Game extends EventTarget {
  /** The opened record as the server reads it; null once anything has changed. */
  source = null;
  /** Whether the game is being played. New moves then extend the main line, otherwise they begin variations. */
  isPlayed = false;
  /** Whether an answer of the server is pending. */
  isBusy = false;
  /** Whether an earlier turn is shown without taking anything back. */
  isBrowsing = false;
  root = newRoot();
  /** The nodes of the current line, and how many of them are played on the board. */
  nodes = [];
  at = 0;
  #asked = 0;
  #queue = Promise.resolve();

  /** Begins a game, and calls `arrive` when it is ready. It may have moves: `line` is the current line, of which `at` moves are played. */
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

  /** The current node. */
  get node() {
    return this.at > 0 ? this.nodes[this.at - 1] : this.root;
  }

  /** The moves of the current line. */
  get moves() {
    return this.nodes.map(({ move }) => move);
  }

  /** The line up to a move, in the form that the server reads. */
  text(at = this.at) {
    return textOf(this, this.nodes.slice(0, at));
  }

  /** The moves that lead to a node, in the form that the server reads. */
  textAfter(node) {
    return textOf(this, pathTo(node));
  }

  /** The main line, in the form that the server reads. */
  get mainText() {
    return textOf(this, lineAfter(this.root));
  }

  get isAtEnd() {
    return this.at === this.nodes.length;
  }

  /** How the game ended, as a sentence; null if it goes on. */
  get over() {
    if (this.board.outcome !== null) return sentenceOf(this.board);
    const isEnd = this.ended?.after === this.at && [this.root, ...lineAfter(this.root)][this.at] === this.node;
    return isEnd ? endingOf(this.ended) : null;
  }

  /** The winner at the end of the main line, a side or Draw; null if the game goes on. */
  get winner() {
    const { board } = lineAfter(this.root).at(-1) ?? this.root;
    return WINNERS[board?.result] ?? this.ended?.winner ?? null;
  }

  /** The side to move; null if the game is over or not loaded yet. A resigned game can still be analysed when it is not being played. */
  get toMove() {
    if (!this.board || this.board.outcome !== null || (this.isPlayed && this.over)) return null;
    return this.board.to_move;
  }

  /** The number of moves at the point where the game continues, even while an earlier turn is shown. */
  get played() {
    return this.isBrowsing ? this.nodes.length : this.at;
  }

  /** The node at that point. */
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

  /** Drops the moves after the current node from the line. */
  cut() {
    if (!this.isAtEnd) this.ended = null;
    this.nodes = this.nodes.slice(0, this.at);
    this.isBrowsing = false;
    this.#changed();
  }

  /** Goes to the position after some moves of the line. */
  async goTo(at) {
    await this.#change({ at, isBrowsing: at < this.nodes.length });
  }

  /** Goes to a node, which may belong to another line. */
  async goToNode(node) {
    const path = pathTo(node);
    const isOnLine = path.every((it, index) => it === this.nodes[index]);
    const nodes = isOnLine ? this.nodes : [...path, ...lineAfter(node)];
    await this.#change({ nodes, at: path.length, isBrowsing: path.length < nodes.length });
  }

  /** The turns of the current line, with the moves before and after each. */
  get line() {
    return turnsOf(this.nodes);
  }

  /** The turns of the main line. */
  get mainLine() {
    return turnsOf(lineAfter(this.root));
  }

  /** The turn that led to the current node. */
  get lastTurn() {
    return this.line.find(({ before, after }) => before < this.at && this.at <= after) ?? null;
  }

  /** Goes some turns forward, or back if negative, to the end of a turn; stops at the ends of the line. */
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

  /** Replays what was taken back, up to the next turn of one of some sides. */
  redo(sides) {
    return this.#inTurn(async () => {
      const later = this.line.filter(({ after }) => after > this.at);
      const next = later.slice(1).find(({ side }) => sides.includes(side));
      await this.#change({ at: next ? next.before : this.nodes.length, isBrowsing: false });
    });
  }

  /** Runs after the earlier work is done, so that both of two quick clicks count. */
  #inTurn(work) {
    this.#queue = this.#queue.then(work, work);
    return this.#queue;
  }

  /** Annotates the current node with a comment and with marks by their numbers. */
  annotate({ comment = this.node.comment, glyphs = this.node.glyphs }) {
    Object.assign(this.node, { comment, glyphs });
    this.source = null;
    this.#changed();
  }

  /** Makes the current line the main line. */
  promote() {
    for (const node of pathTo(this.node)) add(node.parent, node.move, true);
    this.source = null;
    this.#changed();
  }

  /** Removes a move, by default the current one, and all moves after it. */
  async remove(node = this.node) {
    if (!node.parent) return;
    prune(node);
    this.source = null;
    await this.goToNode(node.parent);
  }

  /** Ends the game other than by its rules, with the winner and the reason, and shows its end. */
  async end({ winner, termination }) {
    const after = this.played;
    Object.assign(this, { ended: { winner, termination, after }, source: null });
    await this.#change({ at: after, isBrowsing: false });
  }

  #changed() {
    this.dispatchEvent(new Event("change"));
  }

  /** Changes the current node once the server has described it; otherwise nothing changes. */
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

  /** Asks the server how the moves before a node form turns. */
  async #learn(game, node) {
    const path = pathTo(node);
    try {
      note(path, game.root, await ask("position", { game: textOf(game, path) }));
    } catch {
      // The moves are then listed without numbers.
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

/** Some nodes of a game, in the form that the server reads. */
function textOf({ variant, start }, nodes) {
  return { variant, start, moves: nodes.map(({ move }) => move) };
}

/** Stores what the server says about the position after some nodes and about their turns. */
function note(path, root, board) {
  (path.at(-1) ?? root).board = board;
  const moves = board.turns.flatMap(({ number, side, moves: parts }) =>
    parts.map((points, index) => ({ number, side, isFirst: index === 0, points })));
  for (const [index, node] of path.entries()) node.turn = moves[index] ?? null;
}

/** Nodes grouped into turns. Until the server has said otherwise, a removal continues the turn before it. */
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
