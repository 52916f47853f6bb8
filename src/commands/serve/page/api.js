// Asking the server: one answer, or a stream of events, and whether it answers at all.

const ROOT = "/api/1";
/** How long the page waits before it asks again a server that does not answer, in milliseconds. */
const PAUSE = 2000;

/** Tells "lost" when the server does not answer, and "found" when it does again. */
export const connection = new EventTarget();
let isLost = false;
let wake = () => {};

/** The server does not answer, or not yet. */
export class Unreachable extends Error {}

async function reach(path, options) {
  try {
    const reply = await fetch(path, options);
    if (isLost) found();
    return reply;
  } catch (error) {
    if (isAborted(error)) throw error;
    lose();
    throw new Unreachable(error.message);
  }
}

function lose() {
  if (isLost) return;
  isLost = true;
  connection.dispatchEvent(new Event("lost"));
  look();
}

function found() {
  isLost = false;
  connection.dispatchEvent(new Event("found"));
}

/** Asks until the server answers. */
async function look() {
  while (isLost) {
    await new Promise((done) => {
      wake = done;
      setTimeout(done, PAUSE);
    });
    const reply = await fetch(ROOT).catch(() => null);
    if (isLost && reply?.ok) found();
  }
}

/** Asks a server that does not answer without waiting longer. */
export function retry() {
  wake();
}

async function post(word, body, signal) {
  return answered(await reach(`${ROOT}/${word}`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
    signal,
  }));
}

/** A reply; an error if it refuses. */
async function answered(reply) {
  if (!reply.ok) {
    const { error } = await reply.json().catch(() => ({ error: reply.statusText }));
    throw new Error(error);
  }
  return reply;
}

/** What the server is and can do, as soon as it answers; `wait()` is called when it does not at once. */
export async function about(wait) {
  for (;;) {
    try {
      return await (await answered(await fetch(ROOT))).json();
    } catch (error) {
      wait(error);
      await new Promise((done) => {
        wake = done;
        setTimeout(done, PAUSE);
      });
    }
  }
}

/** Asks for one answer. */
export async function ask(word, body, signal) {
  return (await post(word, body, signal)).json();
}

/** Asks for events; calls the handler of the name of each with its data. */
export async function listen(word, body, handlers, signal) {
  const reply = await post(word, body, signal);
  const reader = reply.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  for (;;) {
    const { done, value } = await read(reader, signal);
    if (done) return;
    const events = (text + value).split("\n\n");
    text = events.pop();
    for (const event of events) {
      const [name, data] = event.split("\n").map((line) => line.slice(line.indexOf(": ") + 2));
      handlers[name]?.(JSON.parse(data));
    }
  }
}

async function read(reader, signal) {
  try {
    return await reader.read();
  } catch (error) {
    if (signal?.aborted || isAborted(error)) throw error;
    lose();
    throw new Unreachable(error.message);
  }
}

/** Whether an error only says that nobody waits for the answer any more. */
export function isAborted(error) {
  return error.name === "AbortError";
}
