// What the browser keeps for the page.

const PREFIX = "millstone.";

/** What was kept under a key, if anything was that can be read. */
export function load(key, storage = localStorage) {
  try {
    return JSON.parse(storage.getItem(PREFIX + key));
  } catch {
    return null;
  }
}

/** Keeps something under a key; whether the browser does so. */
export function store(key, value, storage = localStorage) {
  try {
    storage.setItem(PREFIX + key, JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
}
