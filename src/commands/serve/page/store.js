// Browser storage: for all tabs, or for one tab as long as it is open.

const PREFIX = "millstone.";

const storage = (isOfTab) => (isOfTab ? sessionStorage : localStorage);

/** The value stored under a key, if there is one and it can be read. */
export function load(key, isOfTab = false) {
  try {
    return JSON.parse(storage(isOfTab).getItem(PREFIX + key));
  } catch {
    return null;
  }
}

/** Stores a value under a key, and returns whether that worked. */
export function store(key, value, isOfTab = false) {
  try {
    storage(isOfTab).setItem(PREFIX + key, JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
}
