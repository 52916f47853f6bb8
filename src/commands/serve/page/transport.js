// Requests by HTTP to the server that the page comes from.

const ROOT = "/api/1";

/** Nothing answers, or not yet. */
export class Unreachable extends Error {}

/**
 * Sends a request and gives the answer. One without a word asks what there is.
 *
 * Where `take` is given, the answer is the last of the events that it gets, with their names and data.
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

/** What a promise of the network gives; it fails if nobody waits any more, or the server is away. */
async function reached(promise) {
  try {
    return await promise;
  } catch (error) {
    throw error.name === "AbortError" ? error : new Unreachable(error.message);
  }
}
