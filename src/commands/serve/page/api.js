// Requests to the engine, for one answer or a stream of events, and whether the engine can be reached.

import { text } from "./texts.js";
import { Unreachable, send } from "./transport.js";

export { Unreachable };

/** The delay between tries while nothing answers, in milliseconds. */
const PAUSE = 2000;

/** Fires "lost" when nothing answers, and "found" when the engine answers again. */
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

/** Retries until there is an answer. */
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

/** Retries at once. */
export function retry() {
  wake();
}

/** What the engine is and offers. Retries until it answers, and calls `wait()` after each failure. */
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

/** Requests one answer. */
export function ask(word, body, signal) {
  return reach(word, body, signal);
}

/** Requests events, and calls the handler with the name of each event with its data. */
export async function listen(word, body, handlers, signal) {
  await reach(word, body, signal, (name, data) => handlers[name]?.(data));
}

/** Whether an error only says that the request was aborted. */
export function isAborted(error) {
  return error.name === "AbortError";
}
