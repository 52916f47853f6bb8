// Asking the engine: one answer, or a stream of events, and whether it answers at all.

import { text } from "./texts.js";
import { Unreachable, send } from "./transport.js";

export { Unreachable };

/** How long the page waits before it asks again where nothing answers, in milliseconds. */
const PAUSE = 2000;

/** Tells "lost" when nothing answers, and "found" when something does again. */
export const connection = new EventTarget();
let isLost = false;
let wake = () => {};

async function reach(...request) {
  try {
    const answer = await send(...request);
    found();
    return answer;
  } catch (error) {
    if (error instanceof Unreachable) {
      error.message = text("connection.lost");
      lose();
    } else if (!isAborted(error)) found();
    throw error;
  }
}

function lose() {
  if (isLost) return;
  isLost = true;
  connection.dispatchEvent(new Event("lost"));
  look();
}

function found() {
  if (!isLost) return;
  isLost = false;
  connection.dispatchEvent(new Event("found"));
}

/** Asks until there is an answer. */
async function look() {
  while (isLost) {
    await pause();
    await send("").then(found, () => null);
  }
}

function pause() {
  return new Promise((done) => {
    wake = done;
    setTimeout(done, PAUSE);
  });
}

/** Asks again without waiting longer. */
export function retry() {
  wake();
}

/** What there is, as soon as there is an answer; `wait()` is called when there is none at once. */
export async function about(wait) {
  for (;;) {
    try {
      return await send("");
    } catch (error) {
      wait(error);
      await pause();
    }
  }
}

/** Asks for one answer. */
export function ask(word, body, signal) {
  return reach(word, body, signal);
}

/** Asks for events; calls the handler of the name of each with its data. */
export async function listen(word, body, handlers, signal) {
  await reach(word, body, signal, (name, data) => handlers[name]?.(data));
}

/** Whether an error only says that nobody waits for the answer any more. */
export function isAborted(error) {
  return error.name === "AbortError";
}
