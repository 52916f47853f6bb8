// What a player can do besides moving: resign, offer a draw, ask for a hint.

import { listen } from "./api.js";
import { confirmed } from "./asking.js";
import { turnsOf } from "./game.js";
import { SIDES, other } from "./players.js";
import { text } from "./texts.js";
import { pathTo } from "./tree.js";
import { ofKnown, ofScore } from "./values.js";

/** How long the engine thinks about an offer or a hint, in milliseconds. */
const TIME = 1000;
/** An engine accepts a draw up to this expected score. */
const CONTENT = 0.52;
/** An engine accepts a draw only after this many turns without a removal, once all men are placed. */
const QUIET_TURNS = 10;

export class Claims {
  /** The move that was hinted at, for one position. */
  hinted = null;

  constructor(game, players, say, changed) {
    Object.assign(this, { game, players, say, changed });
    game.addEventListener("change", () => (this.hinted = null));
  }

  /** The side of the person who may resign or offer a draw; null if nobody may. */
  get claimant() {
    const { game, players } = this;
    const persons = SIDES.filter((side) => players.isPerson(side));
    const { to_move: toMove, outcome } = game.newest.board ?? game.board;
    const isOver = outcome !== null || game.ended?.after === game.played;
    if (!game.isPlayed || isOver || persons.length === 0) return null;
    return persons.includes(toMove) ? toMove : persons[0];
  }

  async resign() {
    const side = this.claimant;
    if (!side || !(await confirmed(text("resign.ask", { side: text(side) })))) return;
    this.game.end({ winner: other(side), termination: "resignation" });
  }

  /** Offers a draw: a person is asked, an engine accepts in a quiet game if it expects little more than a draw. */
  async offerDraw() {
    const side = this.claimant;
    if (!side) return;
    const opponent = other(side);
    const names = { side: text(side), other: text(opponent) };
    const isAccepted = this.players.isPerson(opponent)
      ? await confirmed(text("draw.ask", names))
      : this.#isQuiet && (await this.#expected(opponent)) <= CONTENT;
    if (isAccepted) this.game.end({ winner: "Draw", termination: "agreement" });
    else this.say(text("draw.declined", { side: text(opponent) }));
  }

  /** Whether the game has been quiet for long enough to agree a draw. */
  get #isQuiet() {
    const { game } = this;
    const { sides } = game.newest.board ?? game.board;
    const turns = turnsOf(pathTo(game.newest)).slice(-QUIET_TURNS);
    const isStill = turns.length === QUIET_TURNS && turns.every(({ turn }) => !turn.includes("x"));
    return isStill && sides.every(({ in_hand: inHand }) => inHand === 0);
  }

  /** The expected score of a side. */
  async #expected(side) {
    const { share, known, mover } = await this.#think(this.game.newest);
    const own = known ? ofKnown(known).share : share;
    return mover === side ? own : 1 - own;
  }

  /** Shows a good move. */
  async hint() {
    const { node } = this.game;
    const { move } = await this.#think(node);
    if (node !== this.game.node) return;
    this.hinted = move;
    this.changed();
  }

  async #think(node) {
    const { game } = this;
    const mover = (node.board ?? game.board).to_move;
    let [move, known, share] = [null, null, 0.5];
    const take = ({ moves, lines }) => {
      if (moves) [known] = moves;
      if (!lines?.[0]) return;
      move = lines[0].moves[0];
      const { cp, mate } = lines[0].score;
      const value = ofScore(lines[0].score, mover);
      share = value.share ?? (mate === undefined ? expectation(mover === "White" ? cp : -cp) : Number(value.worth === "won"));
    };
    await listen("analysis", { game: game.textAfter(node), limits: { time: TIME } }, { known: take, progress: take, done: take });
    return { move: move ?? known?.move, known, share, mover };
  }
}

/** More than half for a side that is ahead. */
function expectation(hundredths) {
  return 0.5 + Math.sign(Math.trunc(hundredths / 20)) * 0.25;
}
