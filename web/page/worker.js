// The engine in a worker: takes one request at a time, and posts its events and its answer.

let engine = null;
/** The folder of sector files, if any. */
let tablebase = null;
/** The URL that exists while the request is wanted, and the time of the next check. */
let ticket = null;
let due = 0;

/** The interval between checks, in milliseconds. */
const INTERVAL = 50;

const [decoder, encoder] = [new TextDecoder(), new TextEncoder()];
const text = (at, length) => decoder.decode(new Uint8Array(engine.memory.buffer, at, length));

function write(bytes) {
  const at = engine.reserve(bytes.length);
  new Uint8Array(engine.memory.buffer, at, bytes.length).set(bytes);
}

/** The timeout of a fetch, in milliseconds. */
const PATIENCE = 5000;

/** Fetches a URL or a part of it synchronously; returns only the status on failure, 0 without a network. */
function fetchNow(address, part) {
  const request = new XMLHttpRequest();
  request.open("GET", address, false);
  request.responseType = "arraybuffer";
  request.timeout = PATIENCE;
  if (part) request.setRequestHeader("Range", `bytes=${part}`);
  try {
    request.send();
  } catch {
    return { status: 0 };
  }
  const has = request.status === (part ? 206 : 200);
  return { status: request.status, bytes: has ? new Uint8Array(request.response) : null };
}

/** What the engine imports from the page. */
const page = {
  now: () => performance.now(),
  random: () => Math.random(),
  tell: (name, nameLength, data, dataLength) => postMessage([text(name, nameLength), JSON.parse(text(data, dataLength))]),
  load: (name, length, first, end) => {
    const path = text(name, length);
    const { status, bytes } = end > 0 ? fetchNow(new URL(path, tablebase), `${first}-${end - 1}`) : fetchNow(path);
    if (bytes) write(bytes);
    return bytes ? 1 : status === 404 ? -1 : 0;
  },
  hasSectors: () => Number(Boolean(tablebase)),
  isGone: () => {
    if (performance.now() < due) return 0;
    due = performance.now() + INTERVAL;
    return Number(!fetchNow(ticket).bytes);
  },
};

onmessage = ({ data: { module, address, ...request } }) => {
  try {
    if (module) {
      tablebase = address;
      engine = new WebAssembly.Instance(module, { page }).exports;
      return;
    }
    const { word, body } = request;
    ({ ticket } = request);
    write(encoder.encode(word + body));
    engine.answer(encoder.encode(word).length);
  } catch (error) {
    postMessage(["failed", { error: `the request failed, which is a fault of Millstone: ${error.message}` }]);
  }
};
