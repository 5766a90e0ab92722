// What everybody may see: whose turn, standings, what lies on the table, clocks, reveals and the result.

import { facts } from "/static/form.js";
import { fill, make } from "/static/dom.js";
import { OUTLINES } from "/static/signs.js";
import { text } from "/static/texts.js";

const SVG = "http://www.w3.org/2000/svg";

// Returns the sign of a seat: its shape in its colour, with an outline of ink.
export function signOf(seat) {
  const drawing = document.createElementNS(SVG, "svg");
  drawing.setAttribute("viewBox", "-115 -115 230 230");
  drawing.setAttribute("class", "sign");
  drawing.setAttribute("aria-hidden", "true");
  const path = document.createElementNS(SVG, "path");
  path.setAttribute("d", OUTLINES[seat.sign] ?? OUTLINES["●"]);
  path.setAttribute("fill", seat.colour);
  drawing.append(path);
  return drawing;
}

const nameWithSign = (seat) => make("span", { class: "who" }, signOf(seat), make("bdi", {}, seat.name));
const seatsWith = (state, numbers) => state.seats.filter((seat) => numbers.includes(seat.number));
const look = (state) => state.seats.map(({ number, name, colour }) => [number, name, colour]);

// Shows the whole public table. `parts` are the elements by name; `ownSeat` is the reader's seat, or null.
export function showTable(parts, state, ownSeat = null) {
  const isOn = state.game !== null && state.game !== undefined;
  parts.table.hidden = !isOn;
  fill(parts.title, [isOn, state.game, state.heading], () =>
    (isOn ? [state.game, state.heading] : [text("no_game")]).filter(Boolean).map((words) =>
      make("span", {}, words)));
  if (!isOn) return;
  const language = document.documentElement.lang;
  fill(parts.turn, [language, look(state), state.question, state.facts, state.asked, state.awaited, state.race,
    ownSeat],
    () => turn(state, ownSeat));
  fill(parts.result, [language, look(state), state.result], () => (state.result ? result(state) : []));
  fill(parts.revealed, [language, look(state), state.revealed], () => (state.revealed ? reveal(state) : []));
  fill(parts.seats, [language, state.seats, state.awaited, ownSeat], () =>
    [make("h2", {}, text("players")),
      make("ul", { class: "seats" }, ...state.seats.map((seat) => standing(state, seat, ownSeat)))]);
  fill(parts.lot, [language, state.tables], () => tables(state));
  fill(parts.happened, [language, state.happened], () =>
    (state.happened.length
      ? [make("h2", {}, text("happened")),
        make("ul", {}, ...state.happened.map((sentence) => make("li", {}, sentence)))]
      : []));
}

function turn(state, ownSeat) {
  if (!state.question) return [];
  const awaited = seatsWith(state, state.awaited);
  const waiting = awaited.filter((seat) => seat.number !== ownSeat);
  const isAskedAbove = ownSeat !== null && (state.asked.length === 0 || state.asked.includes(ownSeat));
  return [
    isAskedAbove ? null : make("p", { class: "question" }, state.question),
    isAskedAbove ? null : facts(state.facts),
    waiting.length > 0 && state.asked.length > 0
      ? make("p", { class: "waiting" }, make("span", {}, text("waiting")), ...waiting.map(nameWithSign))
      : null,
    state.asked.length === 0 && !isAskedAbove ? make("p", { class: "waiting" }, text("anybody")) : null,
    state.race && !isAskedAbove ? make("p", { class: "waiting" }, text("race")) : null,
  ];
}

function cell({ label, value }) {
  // A word such as "hidden" is no headline number.
  return make("div", { class: /\d/.test(value) ? null : "word" }, make("dt", {}, label), make("dd", {}, value));
}

function standing(state, seat, ownSeat) {
  const marks = [
    ...(seat.leads ? [make("span", { class: "badge leads" }, text("leads"))] : []),
    ...seat.badges.map((badge) => make("span", { class: "badge" }, badge)),
    ...(seat.absent ? [make("span", { class: "badge" }, text("absent"))] : []),
    ...(seat.phone === "asleep" ? [make("span", { class: "badge" }, text("asleep"))] : []),
    ...(seat.envelope?.closed ? [envelopeMark(seat.envelope)] : []),
  ];
  return make("li", {
    class: state.awaited.includes(seat.number) ? "awaited" : null,
    "aria-current": seat.number === ownSeat ? "true" : null,
  },
  make("div", { class: "name" }, nameWithSign(seat), ...marks),
  seat.headline ? make("dl", { class: "headline" }, cell(seat.headline)) : null,
  seat.cells.length ? make("dl", { class: "cells" }, ...seat.cells.map(cell)) : null);
}

function envelopeMark(envelope) {
  if (envelope.answer !== undefined) return make("span", { class: "badge in" }, envelope.answer);
  return make("span", { class: "badge in" }, text("envelope:closed"));
}

function tables(state) {
  return state.tables.map(({ headings, lines }) => {
    const rows = lines.map((line) => make("tr", {}, ...line.map((words) => make("td", {}, words))));
    const head = headings.some(Boolean)
      ? make("thead", {}, make("tr", {}, ...headings.map((words) =>
        (words ? make("th", { scope: "col" }, words) : make("td", {})))))
      : null;
    return make("div", { class: "scrolls", tabindex: "0", role: "group", "aria-label": text("on_table") },
      make("table", {}, head, make("tbody", {}, ...rows)));
  });
}

// The envelopes that the last answer opened, one after the other.
function reveal(state) {
  const { text: question, answers, winners } = state.revealed;
  const opened = answers.map(({ seat, answer }, index) => {
    const [owner] = seatsWith(state, [seat]);
    const line = make("li", { class: winners.includes(seat) ? "opened wins" : "opened" },
      owner ? nameWithSign(owner) : null, make("span", { class: "answer" }, answer),
      winners.includes(seat) ? make("span", { class: "badge leads" }, text("wins")) : null);
    line.style.setProperty("--turn", index);
    return line;
  });
  return [make("h2", {}, text("opened")), make("p", {}, question), make("ul", { class: "envelopes" }, ...opened)];
}

function result(state) {
  const { text: sentence, standings, winners } = state.result;
  const lines = standings.map(({ seat, rank, total, why, lines: counted }) => {
    const [owner] = seatsWith(state, [seat]);
    return make("li", { class: winners.includes(seat) ? "wins" : null },
      make("span", { class: "rank" }, String(rank)), owner ? nameWithSign(owner) : null,
      make("span", { class: "total" }, String(total)),
      why ? make("span", { class: "reason" }, why) : null,
      counted.length ? make("dl", { class: "cells" }, ...counted.map(cell)) : null);
  });
  return [
    make("h2", {}, sentence),
    make("ol", { class: "standings" }, ...lines),
  ];
}

// Clocks: they run here between two messages, so that they need no right time.

let clocks = [];
let since = 0;

// Remembers the clocks of a new state, and shows them.
export function setClocks(element, state) {
  const next = state.clocks ?? [];
  if (next !== clocks) {
    clocks = next;
    since = performance.now();
  }
  showClocks(element, state);
}

export function showClocks(element, state) {
  const passed = (performance.now() - since) / 1000;
  const shown = clocks.map((clock) => {
    const spent = clock.runs ? Math.max(0, passed - clock.waits) : 0;
    const seconds = clock.left === null ? clock.used + spent : Math.max(0, clock.left - spent);
    return { seats: clock.seats, runs: clock.runs, time: timeText(seconds), isLow: clock.left !== null && seconds < 10 };
  });
  fill(element, [document.documentElement.lang, look(state), shown], () =>
    (shown.length
      ? [make("h2", {}, text("clocks")), make("ul", { class: "clocks" }, ...shown.map((clock) =>
        make("li", { class: clock.runs ? "runs" : null },
          ...(clock.seats.length === state.seats.length
            ? [make("span", { class: "who" }, text("everybody"))]
            : seatsWith(state, clock.seats).map(nameWithSign)),
          make("span", { class: clock.isLow ? "time low" : "time" }, clock.time))))]
      : []));
}

function timeText(seconds) {
  const whole = Math.ceil(seconds);
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  const two = (number) => String(number).padStart(2, "0");
  return hours ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`;
}
