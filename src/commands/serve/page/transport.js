// HTTP requests to the server of the page.

const ROOT = "/api/1";

/** There is no answer, or not yet. */
export class Unreachable extends Error {}

/**
 * Sends a request and returns the answer. An empty word asks what the server is and offers.
 *
 * With `take`, the reply is a stream of events, and `take` gets the name and data of each.
 */
export async function send(word, body, signal, take) {
  const options = { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body), signal };
  const reply = await reached(word ? fetch(`${ROOT}/${word}`, options) : fetch(ROOT, { signal }));
  if (!reply.ok) {
    const { error } = await reply.json().catch(() => ({ error: reply.statusText }));
    throw new Error(error);
  }
  if (!take) return reached(reply.json());
  const reader = reply.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  for (;;) {
    const { done, value } = await reached(reader.read());
    if (done) return null;
    signal?.throwIfAborted();
    const events = (text + value).split("\n\n");
    text = events.pop();
    for (const event of events) {
      const [name, data] = event.split("\n").map((line) => line.slice(line.indexOf(": ") + 2));
      take(name, JSON.parse(data));
    }
  }
}

/** The result of a network promise; fails if the request is aborted or the server cannot be reached. */
async function reached(promise) {
  try {
    return await promise;
  } catch (error) {
    throw error.name === "AbortError" ? error : new Unreachable(error.message);
  }
}
