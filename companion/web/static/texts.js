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

// Loads the texts of the first language that exists; returns its code. English always exists.
export async function loadTexts(wanted) {
  for (const code of [...candidates(wanted), "en"]) {
    const response = await fetch(`/texts/${code}.json`);
    if (!response.ok) continue;
    texts = await response.json();
    document.documentElement.lang = code.replace("_", "-");
    for (const each of document.querySelectorAll("[data-text]")) each.textContent = text(each.dataset.text);
    return code;
  }
  throw new Error("no texts");
}

// Yields the codes of languages to try: `pt-BR` may be pt_BR or pt.
function* candidates(wanted) {
  for (const each of wanted) {
    const [language, region] = each.split(/[-_]/);
    if (!/^[a-z]{2,3}$/.test(language)) continue;
    if (region && /^[A-Za-z]{2,4}$/.test(region)) yield `${language}_${region}`;
    yield language;
    if (language === "en") return;
  }
}
