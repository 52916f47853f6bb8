// The page: puts the game, the players, the board and the panels together.

import { about as askAbout } from "./api.js";
import { BoardView } from "./board.js";
import { chosen, prepare } from "./dialogs.js";
import { byId, make } from "./elements.js";
import { Game } from "./game.js";
import { drawGraph } from "./graph.js";
import { Input } from "./input.js";
import { Lessons } from "./lessons.js";
import { listLine, listTurns } from "./list.js";
import { MARKS } from "./marks.js";
import { keep, kept } from "./memory.js";
import { Players, SIDES, nameOf } from "./players.js";
import { Puzzles } from "./puzzles.js";
import { Review } from "./review.js";
import { showPlayer, tick } from "./hands.js";
import { Table } from "./table.js";
import { Truth } from "./truth.js";
import { Worths } from "./worths.js";

const about = await askAbout();
const game = new Game();
const complain = ({ message }) => (byId("error").textContent = `Error: ${message}`);
const players = new Players(game, complain);
const truth = new Truth(() => render(), complain);
const lessons = new Lessons(() => render(), complain);
const puzzles = new Puzzles(() => render(), complain);
const review = new Review(() => render());
const input = new Input();
const worths = new Worths(byId("values"), (move) => attempt(play(move)));
const board = new BoardView(byId("board"), about.points, { press, escape });
const table = new Table(game, players, board, layOut);
let spoken = null;

/** Whether a person may play now. */
const isOurs = () => game.toMove !== null && players.isPerson(game.toMove);

function press(point) {
  if (!isOurs() || game.isBusy) return;
  const move = input.press(game.board, point);
  if (move) attempt(play(move));
  else render();
}

function play(move) {
  return game.play(move, { arrive: () => table.fork() });
}

function escape() {
  input.chosen = null;
  render();
}

function attempt(promise) {
  promise.catch((error) => complain(error));
}

game.addEventListener("change", () => {
  input.chosen = null;
  byId("error").textContent = "";
  if (!review.isOf(game)) review.forget();
  lessons.look(game);
  puzzles.look(game);
  truth.look(game);
  announce();
});

/** Says what was played and what is due, once for each position. */
function announce() {
  const last = game.line.find(({ before, after }) => before < game.at && game.at <= after);
  const text = `${last ? `${last.side}: ${last.turn}. ` : ""}${game.over ?? game.board.sentence}`;
  if (text !== spoken) say(text);
  spoken = text;
}

function say(text) {
  byId("spoken").textContent = text;
  byId("status").textContent = text;
}

function render() {
  if (!game.board) return;
  const worth = (moves) => (truth.isOn ? truth.best(moves) : null);
  board.showMills(game.board.mills);
  board.show((point) => input.describe(game.board, point, isOurs(), worth));
  for (const [id, side] of [["top-player", SIDES[board.isFlipped ? 0 : 1]], ["bottom-player", SIDES[board.isFlipped ? 1 : 0]]]) {
    showPlayer(byId(id), side, game, players);
  }
  byId("game-name").textContent = game.board.variant;
  byId("back").hidden = table.aside.length === 0;
  byId("undo").disabled = game.at === 0;
  byId("redo").disabled = game.isAtEnd;
  const waits = players.isWaiting;
  byId("pause").hidden = SIDES.every((side) => players.isPerson(side));
  byId("pause").textContent = waits ? "Resume" : "Pause";
  byId("pause").title = waits ? "Resume the engine" : "Pause the engine";
  byId("pause").disabled = !waits && !players.isThinking && !players.isPaused;
  byId("explore").disabled = SIDES.every((side) => players.isPerson(side));
  listTurns(byId("moves"), game, review.turns, (at) => attempt(game.goTo(at)));
  renderHint();
  byId("lesson-panel").hidden = !lessons.isOn;
  renderSentences(byId("lessons"), lessons.sentences);
  renderPuzzle();
  renderTruth();
  renderReview();
}

/** Says under an empty list of turns what to do. */
function renderHint() {
  const due = isOurs() ? "No moves yet: press a large point, or a man with a ring." : "No moves yet.";
  byId("no-moves").textContent = game.line.length > 0 ? "" : due;
}

/** Shows the sentences; what is shown already stays, so that only what is new is spoken. */
function renderSentences(place, sentences) {
  for (const shown of [...place.children]) if (!sentences.includes(shown.textContent)) shown.remove();
  sentences.forEach((textContent, index) => {
    const shown = place.children[index];
    if (shown?.textContent !== textContent) place.insertBefore(make("p", { textContent }), shown ?? null);
  });
  while (place.children.length > sentences.length) place.lastElementChild.remove();
}

function renderPuzzle() {
  byId("puzzle-panel").hidden = puzzles.sentences.length === 0;
  for (const id of ["puzzle-again", "puzzle-solution"]) byId(id).disabled = !puzzles.isOn;
  renderSentences(byId("puzzle-sentences"), puzzles.sentences);
}

function renderTruth() {
  byId("truth").hidden = !truth.isOn;
  if (!truth.isOn) return;
  byId("verdict").textContent = game.over ?? truth.verdict;
  const line = truth.line?.moves ?? [];
  listLine(byId("best-line"), line.length > 0 ? "Best play: " : "", line.slice(0, 12), (count) => follow(line.slice(0, count)));
  worths.show(truth.values, { isSettled: truth.isSettled, isOurs: isOurs() });
  byId("effort").textContent = truth.effort;
}

/** Plays some moves for both sides, to explore. */
async function follow(moves) {
  explore();
  for (const move of moves) await game.play(move).catch(complain);
}

function explore() {
  table.explore();
  render();
}

function renderReview() {
  const { turns, summary, error } = review;
  byId("review").disabled = game.moves.length === 0 || review.isRunning;
  byId("review-panel").hidden = turns.length === 0 && !review.isRunning && !error;
  const progress = `${turns.length} of ${game.turns.length} turns`;
  byId("review-progress").textContent = error ?? (review.isRunning ? progress : "");
  const line = game.line;
  const current = line.findIndex(({ before, after }) => before < game.at && game.at <= after);
  drawGraph(byId("graph"), turns, line.length, current, (index) => attempt(game.goTo(line[index].after)));
  renderSummary(summary);
  const better = turns[current]?.mark ? turns[current].better : null;
  const before = line[current];
  const moves = better?.moves ?? [];
  listLine(byId("comment"), review.comment(current), moves.slice(0, 8), (count) =>
    attempt(game.goTo(before.before + better.instead_of - 1).then(() => follow(moves.slice(0, count)))));
  board.point(moves.length > 0 ? parse(moves[0]) : null);
}

function renderSummary(summary) {
  const row = (name, cells) => make("tr", {}, ...cells.map((text) => make(name, { textContent: text })));
  const rows = (summary ?? []).map(({ side, turns, inaccuracies, mistakes, blunders, average_loss }) =>
    row("td", [side, turns, inaccuracies, mistakes, blunders, `${(100 * average_loss).toFixed(1)} %`]));
  const heading = row("th", ["side", "turns", ...Object.entries(MARKS).map(([mark, name]) => `${name} ${mark}`), "average loss"]);
  byId("summary").replaceChildren(...(summary ? [heading, ...rows] : []));
}

/** The points of a move. */
function parse(move) {
  if (move.startsWith("x")) return { remove: move.slice(1) };
  const [first, second] = move.split("-");
  return second ? { from: first, to: second } : { to: first };
}

function layOut() {
  const { lines } = about.games.find(({ name }) => name === game.board.variant) ?? about.games[0];
  board.layOut(lines);
  board.point(null);
  render();
}

function beginPuzzle() {
  attempt(puzzles.begin(game.variant, (puzzle, side) => table.visit(puzzle, side === "Black")));
}

/** The game as a record, or the one with its review, if there is one. */
function record(isReviewed) {
  if (isReviewed) return review.annotated ? { text: review.annotated } : null;
  if (game.source) return game.source;
  const { ended } = game;
  const [white, black] = SIDES.map((side) => nameOf(players.levels[side]));
  const played = { white, black, winner: ended?.winner, termination: ended?.termination };
  return { game: game.text(game.moves.length), played };
}

prepare(about, {
  start: (choice) => attempt(table.start(choice)),
  open: (game) => table.visit(game),
  record,
  variant: () => game.variant,
});
byId("undo").addEventListener("click", () => {
  if (!players.persons.some((side) => players.isPerson(side))) players.pause();
  attempt(game.undo(players.persons));
});
byId("redo").addEventListener("click", () => attempt(game.redo(players.persons)));
byId("flip").addEventListener("click", () => {
  board.isFlipped = !board.isFlipped;
  layOut();
});
byId("pause").addEventListener("click", () => {
  if (players.isWaiting) {
    table.fork();
    players.goOn();
  } else players.pause();
  render();
});
byId("explore").addEventListener("click", explore);
byId("back").addEventListener("click", () => attempt(table.takeBack()));
for (const id of ["puzzle", "puzzle-next"]) byId(id).addEventListener("click", beginPuzzle);
byId("puzzle-again").addEventListener("click", () => attempt(game.goTo(0)));
byId("puzzle-solution").addEventListener("click", () => puzzles.tell());
byId("review").addEventListener("click", () => attempt(review.begin(game, record(false))));
byId("truth-switch").addEventListener("click", ({ currentTarget }) => {
  truth.isOn = !truth.isOn;
  currentTarget.setAttribute("aria-checked", truth.isOn);
  attempt(truth.look(game));
});
byId("teach-switch").addEventListener("click", ({ currentTarget }) => {
  lessons.isOn = !lessons.isOn;
  currentTarget.setAttribute("aria-checked", lessons.isOn);
  lessons.look(game);
});
setInterval(() => tick(players), 200);
addEventListener("pagehide", () => {
  if (game.board) keep(table);
});
const before = kept();
if (before) table.aside = before.aside;
attempt(before ? table.resume(before.snapshot, before.isVisit) : table.start(chosen()));
