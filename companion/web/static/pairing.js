// Pairs this phone with a seat: only a tap redeems the code. The keys stay in this browser.

import {
  Channel, PAIRED, connectionKeys, fromBase64, makeOffer, newKeyPair, readReply, toBase64,
} from "/static/channel.js";
import { make, makeKey, place } from "/static/dom.js";
import { forget, load, save } from "/static/storage.js";
import { text } from "/static/texts.js";

const SECRET_BYTES = 16;
const nameOf = (seat) => `companion-seat-${seat}`;

// Returns our secret key and the public key of the box; null if this browser isn't paired with the seat.
// Our public key isn't needed any more, and takes a slow phone 40 ms to compute.
export function loadKeys(seat) {
  const saved = load(nameOf(seat));
  return saved && { own: { secretKey: fromBase64(saved.own) }, boxPublic: fromBase64(saved.box) };
}

export function forgetKeys(seat) {
  forget(nameOf(seat));
}

// Returns the secret in the address of the page and removes it from there; null without a secret.
export function takeSecret() {
  const fragment = location.hash.slice(1);
  if (fragment) history.replaceState(null, "", location.pathname);
  try {
    const secret = fromBase64(fragment);
    return secret.length === SECRET_BYTES ? secret : null;
  } catch {
    return null;
  }
}

// Why a phone isn't paired; `key` is that of the text.
class PairingError extends Error {
  constructor(key) {
    super(key);
    this.key = key;
  }
}

let draw = () => {};

// Shows how to pair; `onPaired` is called when somebody has confirmed the digits. `problem` is the key of a text.
export function showPairing(element, seat, secret, onPaired, problem = "") {
  const start = async () => {
    try {
      await pair(seat, secret, (digits) => showDigits(element, digits));
      onPaired();
    } catch (error) {
      const isOver = error instanceof PairingError; // without a reply the code may still be good
      showPairing(element, seat, isOver ? null : secret, onPaired, isOver ? error.key : "pair:offline");
    }
  };
  draw = () => {
    place(
      element,
      make("h2", {}, text("pair:title", { n: seat })),
      problem ? make("p", { class: "problem", role: "alert" }, text(problem)) : null,
      make("p", {}, text(secret ? "pair:ready" : "pair:how")),
      secret ? makeKey(text("pair:start", { n: seat }), start, { class: "main" }) : null,
    );
    element.querySelector("button")?.focus({ preventScroll: true });
  };
  draw();
}

// Shows the same in another language.
export function showPairingAgain() {
  draw();
}

function showDigits(element, digits) {
  draw = () => place(
    element,
    make("h2", {}, text("pair:compare")),
    make("p", { class: "digits" }, digits),
    make("p", { role: "status" }, text("pair:confirm")),
  );
  draw();
}

async function pair(seat, secret, onDigits) {
  const own = newKeyPair();
  const once = newKeyPair();
  const reply = await post(seat, 1, makeOffer(secret, own, once));
  let keys, boxPublic;
  try {
    const box = readReply(secret, reply);
    boxPublic = box.boxPublic;
    keys = connectionKeys(own, once, boxPublic, box.boxOncePublic);
  } catch {
    throw new PairingError("pair:foreign");
  }
  onDigits(keys.digits);
  await post(seat, 2, new Channel(keys).encrypt(PAIRED));
  save(nameOf(seat), { own: toBase64(own.secretKey), box: toBase64(boxPublic) });
}

async function post(seat, step, body) {
  const response = await fetch(`/seat/${seat}/pair/${step}`, { method: "POST", body });
  if (response.ok) return new Uint8Array(await response.arrayBuffer());
  if (response.status === 403) throw new PairingError(step === 1 ? "pair:spent" : "pair:refused");
  if (response.status === 429) throw new PairingError("pair:too_many");
  throw new Error(response.statusText);
}
