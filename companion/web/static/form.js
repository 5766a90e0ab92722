// How a question is answered: one widget for each type of field in docs/json.md.
//
// A widget has an `element`, a `read()` that returns `{value}` or `{problem}`, and `show()`, which draws its
// entry. Under a cover an entry is drawn only while the cover is open; the keys never show what was pressed.

import { make, makeKey, place } from "/static/dom.js";
import { text } from "/static/texts.js";

const COVERED = "•••";
const FILTER_FROM = 9;

const WIDGETS = {
  number: (field, entry) => {
    if (field.values) return valueKeys(field, entry);
    return entry.isCovered ? coveredNumber(field, entry) : openNumber(field, entry);
  },
  option: optionKeys,
  quantities: quantityRows,
  cards: (field, entry) => (field.counts ? paymentRows(field, entry) : cardList(field, entry)),
  text: textLine,
  confirm: (field) => ({ element: null, read: () => ({ value: field.answer ?? true }), show() {} }),
};

// Returns the element of a question's form, and what draws it again when the cover opens or closes.
// `answer(value)` is called with an answer, `roll()` to let Companion roll, `refuse(problem)` with what is
// wrong with a covered answer. `cover` is null for an answer that everybody may see.
export function makeForm(question, { cover, answer, roll, refuse }) {
  const { form } = question;
  const entry = {
    question,
    isCovered: cover !== null,
    get isShown() {
      return cover === null || cover.isOpen;
    },
    reveal: () => cover.open(),
    cover: () => cover?.close(),
    changed: () => showMain(),
    // A key that is the whole answer counts at once, unless it can be taken back under the cover.
    finish: cover === null && form.fields.length === 1 && !form.many ? answer : null,
  };
  const widgets = form.fields.map((field) => WIDGETS[field.type](field, entry));
  const main = makeKey("", () => send(), { class: "main" });

  function read() {
    const values = [];
    for (const widget of widgets) {
      const { value, problem } = widget.read();
      if (problem !== undefined) return { problem };
      values.push(value);
    }
    return { value: form.many ? values : values[0] };
  }

  function send() {
    const { value, problem } = read();
    if (problem !== undefined) refuse(problem);
    else answer(value);
  }

  function showMain() {
    const { value, problem } = read();
    const isOpenProblem = !entry.isCovered && problem !== undefined;
    place(main, mainLabel(question, entry.isCovered || isOpenProblem ? null : value),
      isOpenProblem ? make("small", {}, problem) : null);
    main.disabled = isOpenProblem;
  }

  const hasMain = widgets.length > 0 && !(entry.finish && widgets[0].isKeys);
  if (hasMain) showMain();
  const sendWithEnter = (event) => {
    if (event.key !== "Enter" || !event.target.matches("input:not([type=search])") || !hasMain) return;
    event.preventDefault();
    if (!main.disabled) send();
  };
  const element = make("div", { class: "form", on: { keydown: sendWithEnter } },
    facts(form),
    ...widgets.map((widget) => widget.element),
    hasMain ? main : null,
    form.app_answers ? makeKey(text("roll"), roll) : null,
    declineKey(form.decline, answer),
  );
  return { element, show: () => widgets.forEach((widget) => widget.show()) };
}

function mainLabel({ form, sealed }, value) {
  if (sealed) return text("seal");
  const [field] = form.fields;
  if (field.type === "confirm") return text(form.at_once ? "take" : "ok");
  if (form.many || field.type !== "number") return text("enter");
  return value === null ? text("enter") : text("enter_n", { n: numberText(value) });
}

function declineKey(decline, answer) {
  if (!decline) return null;
  if (decline.barred) return barredKey(decline.label, decline.barred);
  return makeKey(decline.label, () => answer(decline.answer), { class: "decline" });
}

function barredKey(label, why) {
  return make("p", { class: "barred" }, make("s", {}, label), make("span", {}, why));
}

// What stands beside the fields: bids, a falling price, and so on.
export function facts(form) {
  const lines = [];
  const add = (key, words) => words.length > 0 && lines.push(
    make("div", {}, make("dt", {}, text(`fact:${key}`)), make("dd", {}, ...words)));
  if (form.falling) {
    add("price", [make("strong", { class: "price" }, String(form.falling.price))]);
    if (form.falling.then !== null) add("then", [String(form.falling.then)]);
  }
  if (form.bids) add("bids", [Object.entries(form.bids).map(([name, bid]) => `${name} ${bid}`).join(" · ")]
    .filter(Boolean));
  for (const key of ["still", "passed"]) if (form[key]?.length) add(key, [form[key].join(" · ")]);
  return lines.length ? make("dl", { class: "facts" }, ...lines) : null;
}

// Numbers

export function numberText(number) {
  const sign = number < 0 ? "−" : "";
  const size = Math.abs(number);
  const whole = Math.trunc(size);
  return sign + (size === whole ? whole : `${whole || ""}½`);
}

// Returns the number that somebody has typed, such as 7, −3, 7.5 or 7½; null for anything else.
function parseNumber(typed) {
  const plain = typed.trim().replace("−", "-").replace(",", ".").replace(/^(-?\d*)½$/, "$1.5");
  return /^-?(\d+(\.[05])?|\.5)$/.test(plain) ? Number(plain) : null;
}

function problemOf(field, number) {
  if (number === null) return text("problem:empty");
  if (number < field.least) return text("problem:least", { n: numberText(field.least) });
  if (field.most !== null && number > field.most) return text("problem:most", { n: numberText(field.most) });
  const steps = (number - field.least) / field.step;
  return steps === Math.trunc(steps) ? null : text("problem:step", { n: numberText(field.step) });
}

function limitsText(field) {
  const least = field.least > -1e6 ? field.least : null;
  const most = field.most !== null && field.most < 1e6 ? field.most : null;
  const words = [];
  if (least === 0 && most === null) return "";
  if (least !== null && most !== null) {
    words.push(text("limits:both", { least: numberText(least), most: numberText(most) }));
  } else if (least !== null) words.push(text("problem:least", { n: numberText(least) }));
  else if (most !== null) words.push(text("problem:most", { n: numberText(most) }));
  if (field.step !== 1) words.push(text("problem:step", { n: numberText(field.step) }));
  return words.join(" · ");
}

function labelled(field, ...children) {
  return make("div", { class: "field", role: "group", "aria-label": field.label ?? text("number") },
    field.label ? make("p", { class: "label", "aria-hidden": "true" }, field.label) : null, ...children);
}

// Returns the nearest allowed number, a step up or down.
function stepped(field, number, direction) {
  const from = number ?? (direction > 0 ? Math.max(field.least, 0) - field.step : Math.max(field.least, 0));
  const next = Math.max(field.least, from + direction * field.step);
  return field.most === null ? next : Math.min(field.most, next);
}

function openNumber(field, entry) {
  const input = make("input", {
    class: "number", type: "text", inputmode: field.step === 1 && field.least >= 0 ? "numeric" : "text",
    autocomplete: "off", enterkeyhint: "done", maxlength: "12", "aria-label": field.label ?? text("number"),
    on: { input: entry.changed },
  });
  const step = (direction) => {
    input.value = numberText(stepped(field, parseNumber(input.value), direction));
    entry.changed();
  };
  const element = labelled(field,
    make("div", { class: "stepper" },
      makeKey("−", () => step(-1), { "aria-label": text("less") }), input,
      makeKey("+", () => step(1), { "aria-label": text("more") })),
    make("p", { class: "limits" }, limitsText(field)));
  return {
    element,
    read() {
      const number = parseNumber(input.value);
      const problem = problemOf(field, number);
      return problem === null ? { value: number } : { problem };
    },
    show() {},
  };
}

const emptyDisplay = () => make("span", { class: "empty" }, text("problem:empty"));

function coveredNumber(field, entry) {
  let typed = "";
  const display = make("output", { class: "display" });
  const press = (key) => {
    if (key === "⌫") typed = typed.slice(0, -1);
    else if (key === "±") typed = typed.startsWith("−") ? typed.slice(1) : `−${typed}`;
    else if (typed.length < 10 && !typed.endsWith("½")) typed += key;
    show();
    display.animate([{ opacity: 0.2 }, { opacity: 1 }], 150); // each key answers, and all in the same way
  };
  // Under the cover the display says that something is entered, and nothing of what, not even how much.
  const show = () => place(display, entry.isShown ? typed || "–" : typed ? COVERED : emptyDisplay());
  const keys = [..."123456789", field.least < 0 ? "±" : field.step === 0.5 ? "½" : "", "0", "⌫"];
  if (field.least < 0 && field.step === 0.5) keys.push("½");
  const element = labelled(field, display,
    make("div", { class: "pad", on: { keydown: (event) => type(event) } },
      ...keys.map((key) => (key
        ? makeKey(key, () => press(key), key === "⌫" ? { "aria-label": text("erase") } : {})
        : make("span")))),
    make("p", { class: "limits" }, limitsText(field)));
  function type(event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const key = { Backspace: "⌫", "-": "±", ".": "½", ",": "½" }[event.key] ?? event.key;
    if (!keys.includes(key) || key === "") return;
    event.preventDefault();
    press(key);
  }
  show();
  return {
    element, show,
    read() {
      const number = parseNumber(typed);
      const problem = problemOf(field, number);
      return problem === null ? { value: number } : { problem };
    },
  };
}

// Keys of which one is chosen

function chooser(choices, entry, label, extra = []) {
  let chosen = null;
  const keys = choices.map(([value, words]) => makeKey(words, () => {
    chosen = value;
    if (entry.finish) entry.finish(value);
    else {
      entry.changed();
      show();
    }
  }, { class: "option" }));
  function show() {
    if (entry.finish) return;
    choices.forEach(([value], index) => {
      const isMarked = entry.isShown && value === chosen;
      keys[index].setAttribute("aria-pressed", String(isMarked));
    });
  }
  show();
  const isShort = choices.every(([, words]) => words.length <= 3);
  return {
    element: make("div", { class: "field", role: "group", "aria-label": label },
      make("div", { class: isShort ? "options short" : "options" }, ...keys), ...extra),
    isKeys: true,
    read: () => (chosen === null ? { problem: text("problem:choose") } : { value: chosen }),
    show,
  };
}

function valueKeys(field, entry) {
  const choices = field.values.map((value, index) => [value, field.names?.[index] ?? numberText(value)]);
  const widget = chooser(choices, entry, field.label ?? text("number"));
  if (field.label) widget.element.prepend(make("p", { class: "label", "aria-hidden": "true" }, field.label));
  return widget;
}

function optionKeys(field, entry) {
  const barred = (entry.question.barred ?? []).map(({ label, why }) => barredKey(label, why));
  return chooser(Object.entries(field.options), entry, text("choose"), barred);
}

// Several numbers with a total

function quantityRows(field, entry) {
  const parts = field.parts.map((part) => (part.values ? { ...part, least: 0, most: null, step: 1 } : part));
  const numbers = parts.map((part) => Math.max(0, part.least ?? 0));
  const totalLine = make("p", { class: "limits", role: "status" });
  const rows = parts.map((part, index) => {
    const count = make("output", { class: "count" });
    const step = (direction) => {
      numbers[index] = stepped(part, numbers[index], direction);
      show();
      entry.changed();
    };
    const type = (event) => {
      numbers[index] = parseNumber(event.target.value || "0") ?? numbers[index];
      showTotal();
      entry.changed();
    };
    const draw = () => {
      if (!entry.isShown) return place(count, COVERED);
      const field_ = count.querySelector("input") ?? make("input", {
        class: "number", type: "text", inputmode: "numeric", autocomplete: "off", maxlength: "9",
        "aria-label": part.label, on: { input: type } });
      field_.value = numberText(numbers[index]);
      return place(count, field_);
    };
    return { draw, element: make("div", { class: "row", role: "group", "aria-label": part.label },
      make("span", { class: "label" }, part.label,
        part.most !== null && part.most < 1e6 ? make("small", {}, text("problem:most", { n: part.most })) : null),
      makeKey("−", () => step(-1), { "aria-label": `${part.label}: ${text("less")}` }), count,
      makeKey("+", () => step(1), { "aria-label": `${part.label}: ${text("more")}` })) };
  });
  const total = () => numbers.reduce((sum, number, index) => sum + number * (parts[index].each ?? 1), 0);

  function problem() {
    const wrong = parts.map((part, index) => problemOf(part, numbers[index])).find((each) => each !== null);
    if (wrong) return wrong;
    const sum = total();
    if (field.least !== null && sum < field.least) return text("problem:least_total", { n: field.least });
    if (field.most !== null && sum > field.most) return text("problem:most_total", { n: field.most });
    const kinds = numbers.filter((number) => number > 0).length;
    return field.kinds !== null && kinds > field.kinds ? text("problem:kinds", { n: field.kinds }) : null;
  }

  function showTotal() {
    const limits = [
      field.least > 0 ? text("problem:least", { n: field.least }) : "",
      field.most !== null ? text("problem:most", { n: field.most }) : "",
      field.kinds !== null && field.kinds < parts.length ? text("problem:kinds", { n: field.kinds }) : "",
    ];
    const sum = entry.isShown ? numberText(total()) : COVERED;
    const exact = field.least !== null && field.least === field.most;
    totalLine.textContent = exact
      ? [text("total_of", { n: sum, of: field.most }), limits[2]].filter(Boolean).join(" · ")
      : [text("total", { n: sum }), ...limits].filter(Boolean).join(" · ");
  }

  function show() {
    rows.forEach((row) => row.draw());
    showTotal();
  }

  show();
  return {
    element: make("div", { class: "field rows" }, ...rows.map((row) => row.element), totalLine),
    read() {
      const wrong = problem();
      const value = Object.fromEntries(parts.map((part, index) => [part.key, numbers[index]]));
      return wrong === null ? { value } : { problem: wrong };
    },
    show,
  };
}

// A payment in cards: how many cards of each rate.
function paymentRows(field, entry) {
  const widget = quantityRows(field.counts, entry);
  return {
    ...widget,
    read() {
      const { value, problem } = widget.read();
      if (problem !== undefined) return { problem };
      const cards = field.rates.flatMap((rate, index) =>
        Array(value[field.counts.parts[index].key]).fill({ values: rate }));
      const wrong = cardCountProblem(field, cards.length);
      return wrong === null ? { value: cards } : { problem: wrong };
    },
  };
}

// Cards

function cardCountProblem(field, count) {
  if (count < field.least) return text("problem:cards", { n: count, least: field.least });
  return field.most !== null && count > field.most ? text("problem:most", { n: field.most }) : null;
}

function cardList(field, entry) {
  const cards = entry.question.cards ?? [];
  const counts = cards.map(() => 0);
  const isSingle = field.most === 1;
  const countLine = make("p", { class: "limits", role: "status" });
  const all = () => counts.reduce((sum, count) => sum + count, 0);
  const rows = cards.map((card, index) => {
    const key = makeKey("", () => {
      if (isSingle) counts.fill(0);
      counts[index] = isSingle ? 1 : (counts[index] + 1) % (card.copies + 1);
      show();
      entry.changed();
    }, { class: "option card" });
    const draw = () => {
      const count = entry.isShown ? counts[index] : 0;
      key.setAttribute("aria-pressed", String(count > 0));
      place(key, card.label,
        card.copies > 1 && !isSingle
          ? make("small", {}, text("copies", { n: entry.isShown ? count : COVERED, of: card.copies })) : null);
    };
    return { draw, element: make("li", {}, key) };
  });
  const filter = make("input", {
    type: "search", class: "filter", placeholder: text("filter"), "aria-label": text("filter"),
    autocomplete: "off", on: { input: (event) => {
      const words = event.target.value.trim().toLowerCase();
      rows.forEach((row, index) => {
        row.element.hidden = !cards[index].label.toLowerCase().includes(words);
      });
    } } });
  function show() {
    rows.forEach((row) => row.draw());
    countLine.textContent = text(field.most === null ? "cards" : "cards_of",
      { n: entry.isShown ? all() : COVERED, of: field.most });
  }
  show();
  return {
    element: make("div", { class: "field", role: "group", "aria-label": text("choose") },
      cards.length >= FILTER_FROM ? filter : null,
      make("ul", { class: "cards" }, ...rows.map((row) => row.element)),
      isSingle ? null : countLine),
    read() {
      const problem = cardCountProblem(field, all());
      if (problem !== null) return { problem };
      return { value: cards.flatMap((card, index) => Array(counts[index]).fill(card.item)) };
    },
    show,
  };
}

// Words

function textLine(field, entry) {
  let words = "";
  const slot = make("div", { class: "field" });
  const input = make("input", {
    class: "words", type: "text", maxlength: String(field.most), autocomplete: "off", enterkeyhint: "done",
    "aria-label": text("words"), on: { input: () => {
      words = input.value;
      entry.changed();
    }, blur: entry.cover } });
  // Nobody can write blindly: under a cover this key opens it, until somebody touches something else.
  const write = makeKey(text("write"), () => {
    entry.reveal();
    input.focus();
  });
  function show() {
    input.value = entry.isShown ? words : "";
    place(slot, entry.isShown ? input : write, make("p", { class: "limits" }, text("letters", { n: field.most })));
  }
  show();
  return {
    element: slot, show,
    read: () => (words.trim() ? { value: words.trim() } : { problem: text("problem:empty") }),
  };
}
