// The page of a seat: it pairs this phone, asks what its player is asked, and shows the table below.

import { callPlayer } from "/static/sound.js";
import { Cover } from "/static/cover.js";
import { SeatConnection } from "/static/connection.js";
import { byId, fill, make, makeKey, place } from "/static/dom.js";
import { makeForm } from "/static/form.js";
import { startLook } from "/static/look.js";
import { forgetKeys, loadKeys, showPairing, showPairingAgain, takeSecret } from "/static/pairing.js";
import { text } from "/static/texts.js";
import { setClocks, showClocks, showTable, signOf } from "/static/view.js";

const seatNumber = Number(location.pathname.split("/").pop());
const PARTS = ["title", "table", "turn", "result", "revealed", "seats", "lot", "happened"];
const parts = Object.fromEntries(PARTS.map((name) => [name, byId(name)]));
const cover = new Cover(() => showSecrets());

let language = null; // of the texts, once they are loaded
let connection = null;
let status = "connecting";
let table = { game: null };
let question = null;
let own = { hidden: [], feedback: {} };
let form = null; // of the open question, while it is answered here
let isChanging = false; // whether an answer that is in is being changed
let sent = null; // the last message, until the box has said what became of it
let secretNotice = ""; // what is wrong with a covered answer
let lastCall = 0; // the number of the last question for which the player was called

// Pairing and connection

function startPairing(secret, problem = "") {
  connection?.end();
  connection = null;
  document.body.dataset.state = "pairing";
  fill(byId("whose"), "pairing", () => ["Companion"]);
  byId("status").textContent = "";
  byId("seat").hidden = true;
  byId("pairing").hidden = false;
  showPairing(byId("pairing"), seatNumber, secret, start, problem);
}

function start() {
  connection?.end();
  const keys = loadKeys(seatNumber);
  if (keys === null) return startPairing(null);
  byId("pairing").hidden = true;
  place(byId("pairing"));
  connection = new SeatConnection(seatNumber, keys, { onState: take, onStatus: showStatus });
  if (language !== null) connection.useLanguage(language);
}

function showStatus(next) {
  status = next;
  if (language === null) return;
  if (status === "unpaired") {
    forgetKeys(seatNumber);
    startPairing(null, "pair:gone");
  } else if (status === "replaced") {
    document.body.dataset.state = status;
    byId("status").textContent = "";
    byId("seat").hidden = true;
    byId("pairing").hidden = false;
    place(byId("pairing"), make("h2", {}, text("replaced")), make("p", {}, text("replaced:how")),
      makeKey(text("replaced:go_on"), start, { class: "main" }));
  } else if (status !== "ended") {
    document.body.dataset.state = status;
    byId("status").textContent = status === "on" ? "" : text(status);
    if (status === "connecting" && sent !== null) {
      sent = null;
      showNotice(text("not_sent"));
    }
  }
}

// States

function take(nextTable, nextQuestion, nextOwn) {
  const before = JSON.stringify([table.n, question]);
  table = nextTable;
  question = nextQuestion;
  own = nextOwn;
  byId("pairing").hidden = true;
  byId("seat").hidden = false;
  takeFeedback(own.feedback);
  if (before !== JSON.stringify([table.n, question])) {
    isChanging = false;
    form = null;
    secretNotice = "";
    if (sent === null) showNotice("");
    cover.close();
    byId("confirm").close();
    call();
  }
  if (ownSeat()?.envelope?.closed && !isChanging) showNotice("");
  showAll();
}

function takeFeedback(feedback) {
  if (sent === null || feedback.n !== sent.n) return;
  const message = sent;
  sent = null;
  if (feedback.taken) {
    isChanging = false;
    form = null;
    secretNotice = "";
    showNotice("");
  } else if (feedback.confirm) {
    askFirst(feedback.confirm, () => send({ ...message, confirmed: true }));
  } else if (feedback.refused) refuse(feedback.refused);
}

function call() {
  const isAwaited = question !== null && table.awaited.includes(seatNumber);
  if (!isAwaited || table.n === lastCall) return;
  lastCall = table.n;
  callPlayer();
  scrollTo(0, 0);
}

// Answers

function send(message) {
  cover.close();
  sent = { n: table.n, ...message };
  const problem = trySending();
  if (problem) sent = null;
  showNotice(problem);
  showBusy();
}

// Sends the message; returns what went wrong, or "".
function trySending() {
  try {
    return connection.send(sent) ? "" : text("not_sent");
  } catch (error) {
    if (error instanceof RangeError) return text("too_long");
    throw error;
  }
}

function showBusy() {
  byId("ask").setAttribute("aria-busy", String(sent !== null));
}

function showNotice(words) {
  byId("notice").textContent = words;
}

// Says why an answer isn't taken. What is wrong with a covered answer may tell of it, so it is covered, too.
function refuse(problem) {
  if (isCovered()) {
    secretNotice = problem;
    showNotice(text("refused_covered"));
    showSecrets();
  } else showNotice(problem);
}

// Asks before an answer counts; a question about a covered answer is covered, too.
function askFirst(sentence, goOn) {
  const dialog = byId("confirm");
  const words = make("p", { id: "confirm-words" });
  const draw = () => place(words, isCovered() && !cover.isOpen ? text("confirm_covered") : sentence);
  const end = (act) => () => {
    dialog.close();
    askedFirst = null;
    act();
  };
  askedFirst = draw;
  draw();
  place(dialog, words,
    isCovered() ? cover.element : null,
    makeKey(text("yes"), end(goOn), { class: "main" }),
    makeKey(text("no"), end(() => {})));
  dialog.addEventListener("close", () => {
    askedFirst = null;
    showAll();
  }, { once: true });
  dialog.showModal();
}

let askedFirst = null; // draws the open question before an answer counts

// What the page shows

const isCovered = () => question !== null && question.sealed;
const ownSeat = () => (table.seats ?? []).find((seat) => seat.number === seatNumber);

function showAll() {
  const seat = ownSeat();
  fill(byId("whose"), [language, seat?.name, seat?.colour], () =>
    (seat ? [signOf(seat), make("bdi", {}, seat.name)] : [text("seat_n", { n: seatNumber })]));
  document.title = seat ? `${seat.name} · Companion` : "Companion";
  document.body.style.setProperty("--own", seat?.colour ?? "transparent");
  showTable(parts, table, seatNumber);
  if (table.game) setClocks(byId("clocks"), table);
  showQuestion();
  showSecrets();
  showBusy();
}

function showQuestion() {
  const seat = ownSeat();
  byId("ask").hidden = table.game === null || (question === null && !table.question);
  byId("ask").classList.toggle("yours", question !== null);
  fill(byId("asked"), [language, table.n, question?.text, question?.for_table, question?.form.at_once, seat === undefined,
    table.question], () => askedLines(seat));
  if (question === null) {
    form = null;
    return place(byId("entry"));
  }
  const envelope = seat?.envelope;
  if (envelope?.closed && !isChanging) {
    form = null;
    return place(byId("entry"), closedEnvelope(envelope));
  }
  if (form !== null) return undefined;
  form = makeForm(question, {
    cover: question.sealed ? cover : null,
    answer: (answer) => send({ answer }),
    roll: () => send({ roll: true }),
    refuse,
  });
  return place(byId("entry"), form.element,
    envelope?.closed ? makeKey(text("keep"), () => change(false), { class: "decline" }) : null);
}

function askedLines(seat) {
  if (question === null) {
    return [make("h2", {}, text(seat === undefined ? "no_seat" : "not_asked"))];
  }
  return [
    make("h2", {}, question.text),
    question.for_table ? make("p", { class: "hint" }, text("anybody")) : null,
    question.form.at_once ? make("p", { class: "hint" }, text("race")) : null,
  ];
}

function change(isNow) {
  isChanging = isNow;
  form = null;
  secretNotice = "";
  showNotice("");
  showAll();
}

// The closed envelope with the letters of its seal, in groups that people can read aloud.
function closedEnvelope(envelope) {
  const letters = own.envelope?.letters ?? envelope.seal;
  const groups = letters.split(" ");
  return make("div", { class: "form" },
    make("div", { class: "envelope" },
      make("p", { class: "flap" }, text("envelope:yours")),
      envelope.answer === undefined
        ? make("p", { class: "letters" }, ...groups.map((group) => make("span", {}, group)))
        : make("p", { class: "answer" }, envelope.answer)),
    make("p", { class: "hint" }, text(envelope.answer === undefined ? "envelope:letters" : "envelope:change")),
    makeKey(text("change"), () => change(true), { class: "decline" }));
}

// What only this player may know stands in the document only while the cover is open.
function showSecrets() {
  form?.show();
  askedFirst?.();
  cover.say();
  const isNeeded = isCovered() || own.hidden?.length > 0;
  if (askedFirst === null) {
    byId("secrets").hidden = !isNeeded;
    if (cover.element.parentElement !== byId("secrets")) byId("secrets").append(cover.element);
  }
  if (!isNeeded) cover.close();
  place(byId("secret"), ...(cover.isOpen ? secretLines() : []));
}

function secretLines() {
  const holdings = own.hidden ?? [];
  return [
    secretNotice ? make("p", { class: "problem" }, secretNotice) : null,
    own.envelope ? make("p", { class: "own-answer" },
      make("span", {}, text("your_answer")), make("strong", {}, own.envelope.answer)) : null,
    holdings.length ? make("dl", { class: "cells" }, ...holdings.map(({ label, count }) =>
      make("div", {}, make("dt", {}, label), make("dd", {}, String(count))))) : null,
    !secretNotice && !own.envelope && !holdings.length && !form ? make("p", {}, text("cover:nothing")) : null,
  ];
}

const secret = takeSecret();
addEventListener("hashchange", () => {
  const another = takeSecret();
  if (another !== null) startPairing(another);
});
addEventListener("storage", (event) => event.key === `companion-seat-${seatNumber}` && start());
setInterval(() => table.game && showClocks(byId("clocks"), table), 250);
if (secret === null && loadKeys(seatNumber) !== null) start(); // connects while the texts are loaded
startLook((next) => {
  language = next;
  if (connection === null) {
    if (document.body.dataset.state === "pairing") showPairingAgain();
    else if (secret !== null) startPairing(secret);
    else start();
    return;
  }
  connection.useLanguage(language);
  showStatus(status);
  if (connection === null) return; // this phone isn't paired any more
  form = null;
  showAll();
});
