// The texts of the page in the reader's language.

const LANGUAGE_PREFIX = "language:";
let texts = {};

// Returns a text with its values, such as {n}.
export function text(key, values = {}) {
  return (texts[key] ?? key).replace(/\{(\w+)\}/g, (field, name) => String(values[name] ?? field));
}

// Returns the languages as pairs of code and name.
export function languages() {
  return Object.entries(texts)
    .filter(([key]) => key.startsWith(LANGUAGE_PREFIX))
    .map(([key, name]) => [key.slice(LANGUAGE_PREFIX.length), name]);
}

// Loads the texts of the first of these languages that exists, otherwise English ones; returns the code.
export async function loadTexts(wanted) {
  const response = await fetch(`/texts?languages=${encodeURIComponent(wanted.join(","))}`);
  if (!response.ok) throw new Error("no texts");
  const found = await response.json();
  texts = found.texts;
  document.documentElement.lang = found.language.replace("_", "-");
  for (const each of document.querySelectorAll("[data-text]")) each.textContent = text(each.dataset.text);
  return found.language;
}
