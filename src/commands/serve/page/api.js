// Asking the server: one answer, or a stream of events.

const ROOT = "/api/1";

async function post(word, body, signal) {
  return answered(await fetch(`${ROOT}/${word}`, {
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

/** What the server is and can do. */
export async function about() {
  return (await answered(await fetch(ROOT))).json();
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
    const { done, value } = await reader.read();
    if (done) return;
    const events = (text + value).split("\n\n");
    text = events.pop();
    for (const event of events) {
      const [name, data] = event.split("\n").map((line) => line.slice(line.indexOf(": ") + 2));
      handlers[name]?.(JSON.parse(data));
    }
  }
}

/** Whether an error only says that nobody waits for the answer any more. */
export function isAborted(error) {
  return error.name === "AbortError";
}
