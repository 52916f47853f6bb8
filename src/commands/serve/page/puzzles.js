// Puzzles: positions in which only one turn keeps the win or the draw. The opponent replies until the game is
// won, or the draw has been held for long enough, and each turn is explained.

import { ask, listen } from "./api.js";
import { parse } from "./arrows.js";
import { WINNERS } from "./game.js";
import { fittingLevel, record, score } from "./rating.js";
import { lessonOf, spoils } from "./sentences.js";
import { count, text } from "./texts.js";
import { pathTo } from "./tree.js";

/** The levels of puzzles; puzzles of the last one are solved only at full strength. */
export const LEVELS = [0, 3, 6, 9, 12, 15, 18, 30];
/** The maximum number of the user's turns to a win. */
const MOST_TURNS = 8;
/** The opponent's thinking time, and its minimum delay, in milliseconds. */
const TIME = 300;

export class Puzzles {
  #isLooking = false;
  #puzzle = null;
  /** The verdict on each complete turn of the user, by the node after it. */
  #judged = new WeakMap();
  #isAnswering = false;
  /** The change of the rating, once the puzzle has been counted. */
  #change = null;
  #isSolved = false;
  /** Whether it was solved within its turns. */
  #isInTime = true;
  /** The best play from a node, once the user has asked for it. */
  solution = null;

  constructor(game, changed, complain) {
    Object.assign(this, { game, changed, complain });
  }

  /** Requests a puzzle for a game and a level, by default the user's; `open` shows its position. */
  async begin(variant, level, open) {
    if (this.#isLooking) return;
    this.#isLooking = true;
    this.changed();
    try {
      const puzzle = await this.#find(variant, level === "" ? fittingLevel() : Number(level));
      Object.assign(this, { variant, solution: null });
      this.#puzzle = puzzle;
      this.#judged = new WeakMap();
      this.#change = null;
      this.#isSolved = this.#isAnswering = false;
      await open({ variant, start: puzzle.position, moves: [] }, puzzle.to_move);
    } finally {
      this.#isLooking = false;
      this.changed();
    }
  }

  /** A puzzle of the level nearest to the wanted one, or failing that of any level. */
  async #find(variant, wanted) {
    const [level] = LEVELS.toSorted((a, b) => Math.abs(a - wanted) - Math.abs(b - wanted));
    const limits = { variant, most_turns: MOST_TURNS };
    try {
      return await ask("puzzle", { ...limits, level, most_level: level });
    } catch {
      return await ask("puzzle", limits);
    }
  }

  /** Judges what was played; another game ends the puzzle. */
  look() {
    const { game } = this;
    if (!this.#puzzle) return;
    if (game.start !== this.#puzzle.position || game.variant !== this.variant) this.#puzzle = null;
    const { node } = game;
    if (this.#puzzle && this.#isWhole && !this.#judged.has(node)) this.#judge(node);
    else if (this.#puzzle) this.#goOn();
    this.changed();
  }

  /** Whether the position follows a complete turn of the user. */
  get #isWhole() {
    const { lastTurn, at, board, over } = this.game;
    const { to_move: side } = this.#puzzle;
    return lastTurn?.side === side && lastTurn.after === at && (over !== null || board.to_move !== side);
  }

  async #judge(node) {
    const judged = this.#judged;
    judged.set(node, {});
    try {
      const found = await ask("lesson", { game: this.game.text(), limits: { depth: 1 } });
      judged.set(node, { isWrong: spoils(found), lesson: lessonOf(found, spoils(found)) });
    } catch (error) {
      judged.delete(node);
      this.complain(error);
    }
    if (judged !== this.#judged || !this.#puzzle) return;
    if (judged.get(node)?.isWrong) this.#count(false);
    this.#goOn();
    this.changed();
  }

  /** Ends the puzzle if it is solved, or lets the opponent reply. */
  #goOn() {
    if (this.#isSolved) return;
    const { game } = this;
    const { worth, turns, to_move: side } = this.#puzzle;
    const goals = worth === "draw" ? [side, "Draw"] : [side];
    if (game.over !== null) return this.#end(goals.includes(WINNERS[game.board.result]));
    const judged = this.#judged.get(game.node);
    if (judged?.isWrong !== false) return;
    if (worth === "draw" && this.#turns >= turns) this.#end(true);
    else if (game.isAtEnd && !this.#isAnswering) this.#answer();
  }

  /** Ends the puzzle; a win in more turns than asked for does not count as solved. */
  #end(isSolved) {
    const { worth, turns } = this.#puzzle;
    this.#isSolved = isSolved;
    this.#isInTime = worth === "draw" || !turns || this.#turns <= turns;
    this.#count(isSolved && this.#isInTime);
  }

  async #answer() {
    const { game } = this;
    const { node } = game;
    this.#isAnswering = true;
    try {
      const pause = new Promise((done) => setTimeout(done, TIME));
      const [{ move, board }] = await Promise.all([ask("move", { game: game.text(), level: LEVELS.at(-1), time: TIME }), pause]);
      if (node === game.node) await game.play(move, { board });
    } catch (error) {
      this.complain(error);
    } finally {
      this.#isAnswering = false;
    }
    // After closing a mill, the opponent still has to remove a man.
    if (this.#puzzle && node !== game.node && game.toMove && game.toMove !== this.#puzzle.to_move) this.#answer();
    this.changed();
  }

  /** Counts the puzzle, once. */
  #count(isSolved) {
    this.#change ??= score(this.#puzzle.level, isSolved);
  }

  /** The number of complete turns the user has played. */
  get #turns() {
    const path = new Set(pathTo(this.game.node));
    return this.game.line.filter(({ side, nodes }) => side === this.#puzzle.to_move && nodes.every((node) => path.has(node))).length;
  }

  /** Whether a puzzle is on the board. */
  get isOn() {
    return this.#puzzle !== null;
  }

  /** Whether the solution is asked for and must not be shown yet. */
  get isAsking() {
    return this.isOn && !this.#isSolved && this.solution === null;
  }

  /** Whether the user has to wait for the opponent, or to take back a wrong turn. */
  get isBlocked() {
    if (!this.#puzzle || this.#isSolved) return false;
    return this.game.toMove !== this.#puzzle.to_move || this.#isAnswering;
  }

  /** Whether the turn on the board is wrong. */
  get isWrong() {
    return this.isOn && this.#judged.get(this.game.node)?.isWrong === true;
  }

  /** Takes back the wrong turn, or begins again. */
  async again() {
    const { game } = this;
    if (this.isWrong) await game.remove(game.lastTurn.nodes[0]);
    else await game.goTo(0);
  }

  /** Counts the puzzle as not solved, unless it is solved already. */
  help() {
    if (this.#puzzle && !this.#isSolved) this.#count(false);
  }

  /** Shows the best play from here. */
  async tell() {
    this.help();
    if (this.isWrong) await this.again();
    const { game } = this;
    const { node } = game;
    const take = ({ lines }) => (this.solution = { node, moves: lines[0]?.moves ?? [] });
    await listen("analysis", { game: game.text(), limits: { depth: 1 } }, { done: take });
    this.changed();
  }

  /** The sign of the next move of the solution. */
  get signs() {
    const { node, moves = [] } = this.solution ?? {};
    return this.isOn && node === this.game.node && moves.length > 0 ? [{ move: parse(moves[0]), kind: "better" }] : [];
  }

  /** The task, the progress, and the verdict on the turn on the board. */
  get sentences() {
    if (this.#isLooking) return [text("puzzle.looking")];
    if (!this.#puzzle) return [];
    const { to_move: side, worth, level, turns } = this.#puzzle;
    const goal = worth === "win" && turns ? "mate" : worth;
    const [within, length] = ["turns", "length"].map((key) => count(key, turns ?? 0));
    const task = text(`puzzle.task.${goal}`, { level, side: text(side), turns: within, length });
    const { lastTurn, node } = this.game;
    const { isWrong, lesson } = this.#judged.get(node) ?? {};
    const said = [task];
    if (this.#isSolved) said.push(text(this.#isInTime ? "puzzle.solved" : "puzzle.late", { turns: within }));
    else if (this.game.over !== null) said.push(text("puzzle.missed", { sentence: this.game.over }));
    if (isWrong !== undefined) said.push(text(isWrong ? "puzzle.wrong" : "puzzle.correct", { turn: lastTurn.turn, lesson }));
    else if (this.#turns > 0 && !this.#isSolved && this.game.over === null) said.push(text("puzzle.go"));
    return said;
  }

  /** The user's rating and streak. */
  get standing() {
    const { rating, streak, best, tried, solved } = record();
    const change = this.#change === null ? "" : ` (${this.#change < 0 ? "−" : "+"}${Math.abs(this.#change)})`;
    return text("puzzle.standing", { rating, change, streak, best, solved, tried });
  }
}
