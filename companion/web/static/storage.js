// What this browser remembers: keys and the look, never an answer. Without storage nothing is remembered.

export function load(name) {
  try {
    return JSON.parse(localStorage.getItem(name));
  } catch {
    return null;
  }
}

export function save(name, value) {
  try {
    localStorage.setItem(name, JSON.stringify(value));
  } catch {
    // A private window may have no storage: the page then works until it is closed.
  }
}

export function forget(name) {
  try {
    localStorage.removeItem(name);
  } catch {
    // Nothing was remembered.
  }
}
