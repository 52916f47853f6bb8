// The page: puts the game, the players, the board and the panels together.

import { Unreachable, about as askAbout, connection, retry } from "./api.js";
import { Archive } from "./archive.js";
import { parse } from "./arrows.js";
import { BoardView } from "./board.js";
import { Claims } from "./claims.js";
import { Coach } from "./coach.js";
import { Editor } from "./editor.js";
import { byId } from "./elements.js";
import { Game } from "./game.js";
import { Gestures } from "./gestures.js";
import { showPlayer, tick } from "./hands.js";
import { Input } from "./input.js";
import { prepareKeys } from "./keys.js";
import { Lessons } from "./lessons.js";
import { decode, encode, show as showLink } from "./link.js";
import { listLine, listTurns } from "./list.js";
import { MARKS } from "./marks.js";
import { keep, kept } from "./memory.js";
import { chosen, prepareNewGame } from "./new_game.js";
import { prepareOpening } from "./opening.js";
import { prepareOptions } from "./options.js";
import { prepareNotes, showAbout, showNotes, showReview, showSentences, showTruth } from "./panels.js";
import { Players, SIDES, nameOf } from "./players.js";
import { LEVELS, Puzzles } from "./puzzles.js";
import { Review } from "./review.js";
import { sentenceOf } from "./sentences.js";
import { choose, settings } from "./settings.js";
import { prepareSharing } from "./sharing.js";
import { Drawing, signsOf } from "./signs.js";
import { play as sound } from "./sound.js";
import { Table, newId } from "./table.js";
import { text, translate, translated } from "./texts.js";
import { Truth } from "./truth.js";
import { Worths } from "./worths.js";

translate();
const banner = (key) => {
  byId("connection").hidden = !key;
  byId("connection").firstChild.textContent = key ? text(key) : "";
};
byId("retry").addEventListener("click", retry);
const about = await askAbout(() => banner("connection.starting"));
banner(null);
connection.addEventListener("lost", () => banner("connection.lost"));
connection.addEventListener("found", () => {
  banner(null);
  if (!game.board) return;
  lessons.look(game);
  truth.look(game);
  puzzles.look();
  coach.look();
  editor.look();
});

const game = new Game();
const complain = (error) => {
  // The banner says so already, until the server is back.
  if (error instanceof Unreachable) return render();
  byId("error").textContent = text("error", { message: translated(error.message) });
};
const players = new Players(game, complain, () => editor.isOn);
const isSecret = () => puzzles.isAsking || coach.isAsking;
const truth = new Truth(() => render(), complain, isSecret);
const lessons = new Lessons(() => render(), complain, isSecret);
const puzzles = new Puzzles(game, () => render(), complain);
const review = new Review(() => render());
const coach = new Coach(game, review, () => render(), complain);
const input = new Input();
const worths = new Worths(byId("values"), (move) => attempt(play(move)));
const board = new BoardView(byId("board"), about.points, { press, escape });
const table = new Table(game, players, board, { layOut, leave: () => archive.keep() });
const claims = new Claims(game, players, say, () => render());
const editor = new Editor(about.points, { changed: () => render(), left: () => players.look(), done: playFrom });
const archive = new Archive(table, ({ snapshot, isVisit }) => attempt(table.resume(snapshot, isVisit)));
const drawing = new Drawing();
let spoken = null;
let wasSecret = false;

/** Whether a person may play now. */
const isOurs = () => game.toMove !== null && players.isPerson(game.toMove) && !puzzles.isBlocked && !coach.isWrong;

function press(point) {
  if (editor.isOn) return editor.press(point);
  if (!isOurs() || game.isBusy) return;
  const move = input.press(game.board, point);
  if (move) attempt(play(move));
  else render();
}

function play(move) {
  return game.play(move);
}

function escape() {
  input.chosen = null;
  render();
}

function attempt(promise) {
  Promise.resolve(promise).catch(complain);
}

game.addEventListener("change", () => {
  input.chosen = null;
  if (editor.isOn) editor.end();
  byId("error").textContent = "";
  if (!review.isOf(game)) review.forget();
  lessons.look(game);
  puzzles.look();
  coach.look();
  truth.look(game);
  archive.look();
  showLink(encode(game.text(game.moves.length), game.at));
  keep(table, false);
  announce();
});

/** Announces the last move and what is due, once for each position. */
function announce() {
  const last = game.lastTurn;
  const sentence = game.over ?? sentenceOf(game.board);
  const told = last?.side ? text("said.turn", { side: text(last.side), turn: last.turn, sentence }) : sentence;
  if (told === spoken) return;
  if (spoken !== null && last) makeSound(last);
  say(told);
  spoken = told;
}

function makeSound({ turn }) {
  if (game.over) sound("end");
  else if (turn.includes("x")) sound("remove");
  else sound(game.board.mills.length > 0 ? "mill" : "move");
}

function say(told) {
  byId("spoken").textContent = told;
  document.title = `${told} – Millstone`;
  byId("status").textContent = told;
}

/** Analyses again after a secret is lifted, or hides what must stay secret now. */
function reveal() {
  if (wasSecret === isSecret()) return;
  wasSecret = !wasSecret;
  lessons.look(game);
  attempt(truth.look(game));
}

function render() {
  if (!game.board) return;
  reveal();
  for (const part of document.querySelectorAll(".panel:not(#editor-panel), .stepper, .player")) part.inert = editor.isOn;
  byId("editor-panel").hidden = !editor.isOn;
  byId("board").classList.toggle("without-names", !settings.names);
  byId("board").classList.toggle("without-values", !settings.values);
  byId("bar").classList.toggle("flipped", board.isFlipped);
  renderBoard();
  for (const [id, side] of [["top-player", SIDES[board.isFlipped ? 0 : 1]], ["bottom-player", SIDES[board.isFlipped ? 1 : 0]]]) {
    showPlayer(byId(id), side, game, players);
  }
  renderButtons();
  listTurns(byId("moves"), game, review.turns, (node) => attempt(game.goToNode(node)));
  byId("no-moves").hidden = game.root.children.length > 0;
  byId("no-moves").textContent = game.root.children.length > 0 ? "" : text(isOurs() ? "moves.hint" : "moves.none");
  showNotes(game);
  byId("lesson-panel").hidden = !lessons.isOn;
  showSentences(byId("lessons"), lessons.sentences);
  byId("puzzle-panel").hidden = puzzles.sentences.length === 0;
  for (const id of ["puzzle-again", "puzzle-solution"]) byId(id).disabled = !puzzles.isOn;
  showSentences(byId("puzzle-sentences"), puzzles.sentences);
  showSolution();
  showTruth(truth, game, worths, isOurs(), follow);
  showReview(review, coach, game, {
    go: (node) => attempt(game.goToNode(node)),
    follow: (node, moves) => attempt(game.goToNode(node).then(() => follow(moves))),
  });
  showAbout(game, about);
}

/** Shows the solution of the puzzle as a line to play through, and the user's rating. */
function showSolution() {
  const { node, moves } = puzzles.solution ?? { moves: [] };
  const go = (count) => attempt(game.goToNode(node).then(() => follow(moves.slice(0, count))));
  listLine(byId("puzzle-line"), moves.length > 0 ? text("puzzle.told") : "", moves, go);
  byId("puzzle-standing").textContent = puzzles.standing;
}

function renderBoard() {
  if (editor.isOn) {
    board.showMills([]);
    board.show((point) => editor.describe(point));
    board.showSigns([]);
    board.showBadge(null);
    return;
  }
  const worth = (moves) => (truth.isOn ? truth.best(moves) : null);
  board.showMills(game.board.mills);
  board.show((point) => input.describe(game.board, point, isOurs(), worth));
  board.showSigns(signsOf(game, { truth, review, coach, puzzles, claims, drawing }));
  const line = game.mainLine;
  const index = line.findIndex(({ nodes }) => nodes.includes(game.node));
  const mark = review.turns[index]?.mark;
  const last = parse(line[index]?.nodes[0].move ?? "d6");
  board.showBadge(mark ? (last.to ?? last.remove) : null, mark, MARKS[mark]);
}

function renderButtons() {
  const isAlone = SIDES.every((side) => players.isPerson(side));
  const waits = players.isWaiting;
  byId("back").hidden = table.aside.length === 0;
  for (const id of ["first", "previous", "undo"]) byId(id).disabled = game.at === 0;
  for (const id of ["next", "last", "redo"]) byId(id).disabled = game.isAtEnd;
  byId("pause").textContent = text(waits ? "resume" : "pause");
  byId("pause").title = text(waits ? "resume.hint" : "pause.hint");
  byId("pause").disabled = isAlone || (!waits && !players.isThinking && !players.isPaused);
  byId("explore").disabled = table.isVisit;
  byId("hint").disabled = !isOurs() || coach.isAsking;
  for (const id of ["draw", "resign"]) byId(id).disabled = claims.claimant === null;
  for (const id of ["promote", "remove"]) byId(id).hidden = !table.isVisit;
  const { node } = game;
  byId("promote").disabled = game.mainLine.some(({ nodes }) => nodes.includes(node)) || !node.parent;
  byId("remove").disabled = !node.parent;
}

/** Plays some moves for both sides, to explore. */
async function follow(moves) {
  if (!table.isVisit) explore();
  for (const move of moves) await game.play(move).catch(complain);
}

function explore() {
  table.explore();
  render();
}

/** Scrolls to a part of the page and moves the focus there: the pressed button may have gone. */
function bring(id) {
  byId(id).focus({ preventScroll: true });
  byId(id).scrollIntoView();
}

async function goToCoach(done) {
  await done;
  bring(coach.isOn ? "coach" : "coach-begin");
}

/** Switches to a neighbouring alternative to the last move. */
function branch(by) {
  const siblings = game.node.parent?.children ?? [];
  const next = siblings[siblings.indexOf(game.node) + by];
  if (next) attempt(game.goToNode(next));
  return Boolean(next);
}

function layOut() {
  const { lines } = about.games.find(({ name }) => name === game.board.variant) ?? about.games[0];
  board.layOut(lines);
  render();
}

/** Moves the focus to the board afterwards, for keyboard users. */
function toBoard(done) {
  const usesKeys = document.activeElement?.matches(":focus-visible");
  return done.then(() => usesKeys && byId("board").querySelector("[tabindex='0']")?.focus({ preventScroll: true }));
}

function beginPuzzle() {
  const { has_tablebase: isKnown } = about.games.find(({ name }) => name === game.variant) ?? {};
  if (!isKnown) return complain({ message: text("puzzle.none", { game: translated(game.variant) }) });
  const show = (puzzle, side) => table.visit(puzzle, { isFlipped: side === "Black" });
  attempt(toBoard(puzzles.begin(game.variant, settings.puzzles, show)));
}

/** Plays or analyses a position that was set up. */
function playFrom(start, isPlayed) {
  const { variant } = game;
  const done = isPlayed ? table.start({ ...chosen(), variant, start }) : table.visit({ variant, start });
  attempt(toBoard(done));
}

/** The game as a record. With `isReviewed` the record of its review, null without one. */
function record(isReviewed) {
  if (isReviewed) return review.annotated ? { text: review.annotated } : null;
  if (game.source) return game.source;
  const { ended } = game;
  const [white, black] = SIDES.map((side) => game.tags[side] ?? nameOf(players.levels[side]));
  const played = { white, black, winner: ended?.winner, termination: ended?.termination };
  const { tags, comments, glyphs, variations, properties } = game.record;
  return { game: game.mainText, played, notes: { tags, comments, glyphs, variations, properties } };
}

const openGame = (opened) => table.visit(opened, { id: newId() });
prepareNewGame(about, (choice) => attempt(table.start(choice)));
prepareOpening(openGame, () => game.variant);
prepareSharing(about, game, record);
prepareOptions(() => render());
prepareNotes(game);
prepareKeys((by) => editor.isOn || attempt(game.step(by)), (by) => !editor.isOn && branch(by));
for (const button of document.querySelectorAll("dialog .cancel")) {
  button.addEventListener("click", () => button.closest("dialog").close());
}
new Gestures(board, {
  canLift: (point) => (editor.isOn ? editor.men.has(point) : isOurs() && !game.isBusy && Input.canLift(game.board, point)),
  lift: (point) => {
    if (editor.isOn || input.chosen === point) return;
    input.chosen = point;
    render();
  },
  drop: (from, to) => {
    if (editor.isOn) return editor.move(from, to);
    if (to === from) return;
    const isLegal = game.board.legal.some((move) => move.from === from && move.to === to);
    if (isLegal) press(to);
    else escape();
  },
  sketch: (from, to, kind) => {
    drawing.sketch(game.node, from, to, kind);
    renderBoard();
  },
  mark: (from, to, kind) => {
    drawing.toggle(game.node, from, to, kind);
    render();
  },
  press: () => drawing.clear() && render(),
});

const actions = {
  first: () => game.step(-Infinity),
  previous: () => game.step(-1),
  next: () => game.step(1),
  last: () => game.step(Infinity),
  undo: () => {
    if (!players.persons.some((side) => players.isPerson(side))) players.pause();
    return game.undo(players.persons);
  },
  redo: () => game.redo(players.persons),
  flip: () => {
    board.isFlipped = !board.isFlipped;
    layOut();
  },
  pause: () => {
    if (players.isWaiting) players.goOn();
    else players.pause();
    render();
  },
  hint: () => {
    puzzles.help();
    return claims.hint();
  },
  draw: () => claims.offerDraw(),
  resign: () => claims.resign(),
  explore,
  back: () => table.takeBack(),
  puzzle: beginPuzzle,
  "puzzle-next": beginPuzzle,
  "puzzle-again": () => puzzles.again(),
  "puzzle-solution": () => puzzles.tell(),
  review: () => {
    const done = review.begin(game, record(false));
    bring("review-panel");
    return done;
  },
  "coach-begin": () => {
    const persons = SIDES.filter((side) => players.isPerson(side));
    if (!table.isVisit) table.explore();
    return goToCoach(coach.begin(persons.length === 1 ? persons : SIDES));
  },
  "coach-again": () => goToCoach(coach.again()),
  "coach-solution": () => goToCoach(coach.tell()),
  "coach-next": () => goToCoach(coach.next()),
  "coach-end": () => goToCoach(coach.end()),
  promote: () => game.promote(),
  remove: () => game.remove(),
  "set-up": () => {
    editor.begin(game.variant, about.games.find(({ name }) => name === game.board.variant).men, game.board);
    players.look();
  },
};
for (const [id, act] of Object.entries(actions)) {
  byId(id).addEventListener("click", async () => {
    try {
      await act();
    } catch (error) {
      complain(error);
    }
  });
}
for (const [id, part] of [["truth-switch", truth], ["teach-switch", lessons]]) {
  byId(id).addEventListener("click", ({ currentTarget }) => {
    part.isWanted = !part.isWanted;
    currentTarget.setAttribute("aria-checked", part.isWanted);
    attempt(part.look(game));
  });
}
byId("puzzle-level").append(new Option(text("puzzle.level.own"), ""), ...LEVELS.map((level) => new Option(level)));
byId("puzzle-level").value = settings.puzzles;
byId("puzzle-level").addEventListener("change", ({ target }) => choose("puzzles", target.value));
setInterval(() => tick(players), 200);
for (const left of ["pagehide", "visibilitychange"]) {
  addEventListener(left, () => {
    archive.keep();
    if (game.board) keep(table, left === "pagehide");
  });
}
addEventListener("hashchange", () => {
  const linked = decode(location.hash);
  if (linked) attempt(openGame(linked));
});

const before = kept();
if (before) table.aside = before.aside;
const linked = decode(location.hash);
const address = ({ game: { variant, start, line, at } }) => encode({ variant, start, moves: line }, at);
const isNew = linked && (!before || address(before.snapshot) !== location.hash);
const startAnew = () => table.start(chosen());
const startInstead = (error) => {
  if (error instanceof Unreachable) throw error;
  return startAnew();
};
const begun = before ? table.resume(before.snapshot, before.isVisit).catch(startInstead) : startAnew();
attempt(isNew ? begun.then(() => openGame(linked)) : begun);
