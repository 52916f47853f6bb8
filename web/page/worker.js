// The engine in a worker: takes a request at a time, tells its events and its answer.

let engine = null;
/** The address that is there as long as somebody waits, and when to look next. */
let ticket = null;
let due = 0;

/** How often to look, in milliseconds. */
const INTERVAL = 50;

const [decoder, encoder] = [new TextDecoder(), new TextEncoder()];
const text = (at, length) => decoder.decode(new Uint8Array(engine.memory.buffer, at, length));

function write(bytes) {
  const at = engine.reserve(bytes.length);
  new Uint8Array(engine.memory.buffer, at, bytes.length).set(bytes);
}

/** The content of an address, at once; none if it cannot be had. */
function fetchNow(address) {
  const request = new XMLHttpRequest();
  request.open("GET", address, false);
  request.responseType = "arraybuffer";
  try {
    request.send();
  } catch {
    return null;
  }
  return request.status === 200 ? new Uint8Array(request.response) : null;
}

/** What the engine needs of the page. */
const page = {
  now: () => performance.now(),
  random: () => Math.random(),
  tell: (name, nameLength, data, dataLength) => postMessage([text(name, nameLength), JSON.parse(text(data, dataLength))]),
  load: (name, length) => {
    const file = fetchNow(text(name, length));
    if (file) write(file);
    return Number(file !== null);
  },
  isGone: () => {
    if (performance.now() < due) return 0;
    due = performance.now() + INTERVAL;
    return Number(fetchNow(ticket) === null);
  },
};

onmessage = ({ data: { module, ...request } }) => {
  try {
    if (module) {
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
