// Keeps a page connected: after a loss at once when the phone wakes, otherwise again and again.

import { Channel, connectionKeys, newKeyPair, padMessage, readParts } from "/static/channel.js";

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 8000;
const OPENING_MS = 5000;
const UNPAIRED = 4001;
const REPLACED = 4002;

// A connection that comes back. `talk` is called with each new socket while it opens, and returns what handles
// its messages;
// `onStatus` is called with "connecting", "on", "unpaired", or "replaced" (other tabs took its place, until the page
// is looked at again).
class LastingConnection {
  #address;
  #socket = null;
  #timer = 0;
  #wait = FIRST_WAIT_MS;
  #talk;
  #onStatus;
  #ending = new AbortController();

  constructor(path, talk, onStatus) {
    this.#address = new URL(path, location.href.replace(/^http/, "ws"));
    this.#talk = talk;
    this.#onStatus = onStatus;
    const wake = () => document.visibilityState === "visible" && this.connect();
    document.addEventListener("visibilitychange", wake, this.#listening);
    addEventListener("online", wake, this.#listening);
    addEventListener("pageshow", (event) => event.persisted && wake(), this.#listening);
    this.connect();
  }

  get #listening() {
    return { signal: this.#ending.signal };
  }

  // Connects anew: a phone that has slept can't know whether its connection still works.
  connect() {
    this.#drop();
    this.#onStatus("connecting");
    const socket = new WebSocket(this.#address);
    socket.binaryType = "arraybuffer";
    this.#socket = socket;
    this.#timer = setTimeout(() => this.connect(), OPENING_MS);
    const handle = this.#talk(socket);
    socket.addEventListener("message", (event) => {
      if (socket !== this.#socket) return;
      try {
        handle(event.data);
      } catch (error) {
        console.warn(error);
        this.#lose();
      }
    });
    socket.addEventListener("close", (event) => {
      if (socket !== this.#socket) return;
      if (event.code === UNPAIRED) this.end("unpaired");
      else if (event.code === REPLACED) this.#drop("replaced");
      else this.#lose();
    });
  }

  // The connection works: the whole state has come.
  confirm() {
    clearTimeout(this.#timer);
    this.#wait = FIRST_WAIT_MS;
    this.#onStatus("on");
  }

  end(status) {
    this.#drop();
    this.#ending.abort();
    this.#onStatus(status);
  }

  #lose() {
    this.#drop();
    this.#onStatus("connecting");
    this.#timer = setTimeout(() => this.connect(), this.#wait);
    this.#wait = Math.min(2 * this.#wait, LONGEST_WAIT_MS);
  }

  #drop(status = null) {
    clearTimeout(this.#timer);
    const socket = this.#socket;
    this.#socket = null;
    socket?.close();
    if (status !== null) this.#onStatus(status);
  }
}

// Watches the public table in the first of these languages that exists; `onState` is called with each state.
export function watchTable(languages, { onState, onStatus }) {
  const path = `/table/socket?languages=${encodeURIComponent(languages.join(","))}`;
  const connection = new LastingConnection(path, () => (data) => {
    onState(JSON.parse(data));
    connection.confirm();
  }, onStatus);
  return () => connection.end("ended");
}

// The encrypted connection of a seat. `onState` is called with the table, the seat's question, and what only
// this seat may know, as soon as the language of the texts is known.
export class SeatConnection {
  #keys;
  #language = null;
  #channel = null;
  #socket = null;
  #connection;
  #onState;

  constructor(seat, keys, { onState, onStatus }) {
    this.#keys = keys;
    this.#onState = onState;
    this.#connection = new LastingConnection(
      `/seat/${seat}/socket`, (socket) => this.#talk(socket), (status) => {
        if (status !== "on") this.#channel = null;
        onStatus(status);
      });
  }

  #talk(socket) {
    const once = newKeyPair();
    let table = {};
    this.#socket = socket;
    socket.addEventListener("open", () => socket.send(once.publicKey));
    return (data) => {
      const bytes = new Uint8Array(data);
      if (this.#channel === null) {
        this.#channel = new Channel(connectionKeys(this.#keys.own, once, this.#keys.boxPublic, bytes));
        if (this.#language !== null) this.send({ language: this.#language });
        return;
      }
      const [change, question, own] = readParts(this.#channel.decrypt(bytes));
      table = change.table ?? { ...table, ...change.changed };
      this.#connection.confirm();
      this.#onState(table, question, own);
    };
  }

  useLanguage(language) {
    this.#language = language;
    this.send({ language });
  }

  // Sends a message; returns false if nobody can receive it now.
  send(message) {
    if (this.#channel === null || this.#socket.readyState !== WebSocket.OPEN) return false;
    this.#socket.send(this.#channel.encrypt(padMessage(message)));
    return true;
  }

  end() {
    this.#connection.end("ended");
  }
}
