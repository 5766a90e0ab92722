// The look of the page: language, size of the text, light or dark. Each browser has its own.

import { byId, make, makeKey } from "/static/dom.js";
import { load, save } from "/static/storage.js";
import { languages, loadTexts, text } from "/static/texts.js";

const NAME = "companion-look";
const RETRY_MS = 1000;
const SIZES = ["normal", "large", "largest"];
const THEMES = ["auto", "light", "dark"];
const dark = matchMedia("(prefers-color-scheme: dark)");
const look = { size: "normal", theme: "auto", ...load(NAME) };
let showAgain = () => {};

function apply() {
  const isDark = look.theme === "auto" ? dark.matches : look.theme === "dark";
  document.documentElement.dataset.theme = isDark ? "dark" : "light";
  document.documentElement.dataset.size = look.size;
}

// Returns the languages of the reader, the best first.
export const wantedLanguages = () => [look.language, ...navigator.languages].filter(Boolean);

// Shows the page in its look. `onLanguage` is called with the code of the language, now and after changes.
export async function startLook(onLanguage) {
  apply();
  dark.addEventListener("change", apply);
  showAgain = async () => {
    const language = await loadUntilFound(wantedLanguages());
    showChoices(language);
    onLanguage(language);
  };
  await showAgain();
  byId("look").closest("details")?.addEventListener("toggle", keepInView);
  document.body.hidden = false;
}

// Without texts nobody could read anything, so a lost connection is waited for.
async function loadUntilFound(wanted) {
  for (;;) {
    try {
      return await loadTexts(wanted);
    } catch {
      await new Promise((goOn) => setTimeout(goOn, RETRY_MS));
    }
  }
}

function change(name, value) {
  look[name] = value;
  save(NAME, look);
  apply();
  showAgain().then(keepInView);
}

// Keeps the choices where they can be touched: they open at the lower edge, and larger texts move them.
function keepInView() {
  byId("look").scrollIntoView({ block: "nearest" });
}

function showChoices(language) {
  const options = languages().map(([code, name]) =>
    make("option", { value: code, lang: code.replace("_", "-"), selected: code === language }, name));
  byId("look").replaceChildren(
    make("label", { class: "choice" }, make("span", {}, text("language")),
      make("select", { on: { change: (event) => change("language", event.target.value) } }, ...options)),
    choice("size", SIZES),
    choice("theme", THEMES),
  );
}

function choice(name, values) {
  const keys = values.map((value) =>
    makeKey(text(`${name}:${value}`), () => change(name, value),
      { class: `small ${value}`, "aria-pressed": String(look[name] === value) }));
  return make("div", { class: "choice", role: "group", "aria-label": text(name) },
    make("span", { "aria-hidden": "true" }, text(name)), make("div", { class: "segments" }, ...keys));
}
