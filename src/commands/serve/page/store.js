// What the browser keeps for the page: for all tabs, or for one as long as it is open.

const PREFIX = "millstone.";

const storage = (isOfTab) => (isOfTab ? sessionStorage : localStorage);

/** What was kept under a key, if anything was that can be read. */
export function load(key, isOfTab = false) {
  try {
    return JSON.parse(storage(isOfTab).getItem(PREFIX + key));
  } catch {
    return null;
  }
}

/** Keeps something under a key; whether the browser does so. */
export function store(key, value, isOfTab = false) {
  try {
    storage(isOfTab).setItem(PREFIX + key, JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
}
