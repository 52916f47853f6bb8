// The table: the game, its players and the orientation of the board. A game in play is put aside when another
// replaces it, and can be taken back.

/** The maximum number of games put aside; beyond it the oldest is forgotten. */
const MOST_ASIDE = 8;
const NOBODY = { levels: { White: null, Black: null }, isFlipped: false };

/** A unique name for a game. */
export function newId() {
  return `${Date.now()}-${Math.random()}`;
}

export class Table {
  /** The games put aside, the newest last. */
  aside = [];
  /** Whether the game is only viewed: an opened game, a puzzle, or a line of play. */
  isVisit = false;
  /** The name of the game in the list of games; null if it is not listed. */
  id = null;

  /** `layOut` draws the board of a game, `leave` is called before a game leaves the table. */
  constructor(game, players, board, { layOut, leave }) {
    Object.assign(this, { game, players, board, layOut, leave });
  }

  /** The current state; null before the first game. */
  get snapshot() {
    if (!this.game.board) return null;
    const { levels, clock, moveTime, isPaused, clocks } = this.players;
    const { id } = this;
    return { id, game: this.game.record, levels, clock, moveTime, isPaused, clocks, isFlipped: this.board.isFlipped };
  }

  /** The state of the game if it is being played and has begun, at its newest turn. */
  get #owned() {
    const { snapshot, isVisit } = this;
    if (!snapshot || isVisit || snapshot.game.line.length === 0) return null;
    if (this.game.isBrowsing) snapshot.game.at = snapshot.game.line.length;
    return snapshot;
  }

  /** Begins a game to play, optionally from a position. */
  async start({ variant, levels, clock, moveTime, start = null }) {
    const isFlipped = levels.White !== null && levels.Black === null;
    await this.#put({ id: newId(), game: { variant, start }, levels, clock, moveTime, isFlipped }, false);
  }

  /** Shows a game or a puzzle to view. */
  async visit(game, { isFlipped = false, id = null } = {}) {
    await this.#put({ ...NOBODY, id, game, isFlipped }, true);
  }

  /** Resumes a game as it was. */
  async resume(snapshot, isVisit = false) {
    await this.#put(snapshot, isVisit);
  }

  /** Takes back the game put aside last. A game in play goes behind the others, so that each comes back in turn. */
  async takeBack() {
    const back = this.aside.at(-1);
    if (!back) return;
    await this.#put(back, false, (former) => {
      const others = this.aside.filter((game) => game !== back);
      this.aside = former ? [former, ...others] : others;
    });
  }

  /** Lets the user move both sides from here, to explore other moves. */
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

  /** Puts another game on the table and calls `keep` with the game in play there; if that fails, nothing changes. */
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
