// Requests to the engine in workers of this page. Replaces the module of this name that asks a server.

import { load, store } from "./store.js";

/** Words that search. Each has its own worker, so that none waits for another. */
const SEARCHES = new Set(["move", "analysis", "lesson", "review", "puzzle"]);

/** The engine cannot be loaded. */
export class Unreachable extends Error {}

/** Sends a request, like the module for a server. */
export function send(word, body, signal, take) {
  const work = SEARCHES.has(word) ? word : "rules";
  if (!desks.has(work)) desks.set(work, new Desk());
  return desks.get(work).ask(word, body, signal, take);
}

/** The folder of a tablebase's sector files, from the address of the page, now or on an earlier visit. */
const folder = new URLSearchParams(location.search).get("tablebase");
if (folder !== null) store("tablebase", folder && new URL(folder.endsWith("/") ? folder : `${folder}/`, location.href).href);
const tablebase = load("tablebase");

const desks = new Map();
let compiled = null;

/** The compiled engine, shared by all workers. */
function engine() {
  compiled ??= compile().catch((error) => {
    compiled = null;
    throw new Unreachable(error.message);
  });
  return compiled;
}

async function compile() {
  const reply = await fetch(new URL("engine.wasm", import.meta.url));
  if (!reply.ok) throw new Error(reply.statusText);
  const isTyped = reply.headers.get("Content-Type") === "application/wasm";
  return isTyped ? WebAssembly.compileStreaming(reply) : WebAssembly.compile(await reply.arrayBuffer());
}

/** How long a worker may take to notice an aborted request, in milliseconds. */
const PATIENCE = 300;

/**
 * A worker and its queue of requests; it works on the first.
 *
 * A searching worker receives no messages. So each request has the URL of an empty blob; once it is revoked, the
 * search ends and the worker keeps its results. If the worker does not notice in time, it is terminated.
 */
class Desk {
  #requests = [];
  #worker = null;

  ask(word, body, signal, take) {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const request = { word, body, take, resolve, reject, ticket: URL.createObjectURL(new Blob()) };
      signal?.addEventListener("abort", () => this.#drop(request, signal.reason), { once: true });
      this.#requests.push(request);
      if (this.#requests.length === 1) this.#begin(request);
    });
  }

  async #begin(request) {
    try {
      const module = await engine();
      if (request !== this.#requests[0]) return;
      this.#worker ??= this.#hire(module);
      const { word, body, ticket } = request;
      this.#worker.postMessage({ word, body: JSON.stringify(body ?? null), ticket });
      request.isSent = true;
    } catch (error) {
      this.#end(request, () => request.reject(error));
    }
  }

  #hire(module) {
    const worker = new Worker(new URL("worker.js", import.meta.url));
    worker.postMessage({ module, address: tablebase });
    worker.onmessage = ({ data: [name, data] }) => this.#hear(name, data);
    worker.onerror = ({ message }) => this.#hear("failed", { error: message });
    return worker;
  }

  #hear(name, data) {
    const [request] = this.#requests;
    const { take, resolve, reject } = request;
    if (name === "failed") this.#dismiss();
    if (name === "error" || name === "failed") return this.#end(request, () => reject(new Error(data.error)));
    take?.(name, data);
    if (name === "done") this.#end(request, () => resolve(data));
  }

  #end(request, tell) {
    URL.revokeObjectURL(request.ticket);
    const isFirst = this.#requests[0] === request;
    this.#requests = this.#requests.filter((other) => other !== request);
    tell();
    if (isFirst && this.#requests.length > 0) this.#begin(this.#requests[0]);
  }

  /** Drops a request; if the worker has it, once it has ended. */
  #drop(request, reason) {
    if (!this.#requests.includes(request)) return;
    request.reject(reason);
    if (!request.isSent) return this.#end(request, () => {});
    URL.revokeObjectURL(request.ticket);
    request.take = null;
    setTimeout(() => {
      if (!this.#requests.includes(request)) return;
      this.#dismiss();
      this.#end(request, () => {});
    }, PATIENCE);
  }

  #dismiss() {
    this.#worker?.terminate();
    this.#worker = null;
  }
}

document.head.append(Object.assign(document.createElement("link"), { rel: "manifest", href: "manifest.webmanifest" }));
navigator.serviceWorker?.register("service-worker.js", { updateViaCache: "none" }).catch(() => {});
