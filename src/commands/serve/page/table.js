// What lies on the table: the game, its players and the side of the board. A game that somebody plays is
// put aside when another takes its place, and comes back.

/** The most games that are kept; of more the one that was put aside first is forgotten. */
const MOST_ASIDE = 8;
const NOBODY = { levels: { White: null, Black: null }, isFlipped: false };

/** A name for a game that no other has. */
export function newId() {
  return `${Date.now()}-${Math.random()}`;
}

export class Table {
  /** The games that were put aside, the last one last. */
  aside = [];
  /** Whether what is shown is only looked at: a game that was opened, a puzzle, or a line of play. */
  isVisit = false;
  /** The name by which the list of games knows the game; none if it does not belong there. */
  id = null;

  /** `layOut` draws the board of another game, `leave` is called before one leaves the table. */
  constructor(game, players, board, { layOut, leave }) {
    Object.assign(this, { game, players, board, layOut, leave });
  }

  /** All of it as it is now; none before the first game. */
  get snapshot() {
    if (!this.game.board) return null;
    const { levels, clock, moveTime, isPaused, clocks } = this.players;
    const { id } = this;
    return { id, game: this.game.record, levels, clock, moveTime, isPaused, clocks, isFlipped: this.board.isFlipped };
  }

  /** The game, if somebody plays it and it has begun; not the earlier turn that is only looked at. */
  get #owned() {
    const { snapshot, isVisit } = this;
    if (!snapshot || isVisit || snapshot.game.line.length === 0) return null;
    if (this.game.isBrowsing) snapshot.game.at = snapshot.game.line.length;
    return snapshot;
  }

  /** Begins a game that somebody plays, perhaps from a position. */
  async start({ variant, levels, clock, moveTime, start = null }) {
    const isFlipped = levels.White !== null && levels.Black === null;
    await this.#put({ id: newId(), game: { variant, start }, levels, clock, moveTime, isFlipped }, false);
  }

  /** Shows a game, or a puzzle, to look at. */
  async visit(game, { isFlipped = false, id = null } = {}) {
    await this.#put({ ...NOBODY, id, game, isFlipped }, true);
  }

  /** Goes on with a game as it was. */
  async resume(snapshot, isVisit = false) {
    await this.#put(snapshot, isVisit);
  }

  /** Takes back the game that was put aside last. One that somebody plays is put behind the others, so that each comes back in turn. */
  async takeBack() {
    const back = this.aside.at(-1);
    if (!back) return;
    await this.#put(back, false, (former) => {
      const others = this.aside.filter((game) => game !== back);
      this.aside = former ? [former, ...others] : others;
    });
  }

  /** Lets both sides be moved by hand from here on, to look at other moves. */
  explore() {
    this.leave();
    this.#putAside(this.#owned);
    this.#own(true, null);
    this.players.set(NOBODY.levels);
  }

  #own(isVisit, id) {
    Object.assign(this, { isVisit, id });
    this.game.isPlayed = !isVisit;
  }

  #putAside(snapshot) {
    if (snapshot) this.aside = [...this.aside, snapshot].slice(-MOST_ASIDE);
  }

  /** Puts another game on the table and calls `keep` with the one that somebody plays there; if that cannot be, all stays as it was. */
  async #put({ id, game, levels, clock, moveTime, isPaused = false, clocks, isFlipped }, isVisit, keep = (former) => this.#putAside(former)) {
    const former = this.#owned;
    this.players.hold();
    const arrive = () => {
      this.leave();
      keep(former);
      this.#own(isVisit, id);
      this.players.set(levels, clock, moveTime);
      this.players.isPaused = isPaused;
      if (clocks) this.players.left = { ...clocks };
      this.board.isFlipped = isFlipped;
    };
    try {
      await this.game.begin(game, arrive);
    } catch (error) {
      this.players.look();
      throw error;
    }
    this.layOut();
  }
}
