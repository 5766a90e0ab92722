// The encrypted channel between this phone and Companion, as docs/web.md describes it.
// `nacl` is TweetNaCl; the page loads it before this module.

const nacl = globalThis.nacl;
const KEY_BYTES = 32;
const NONCE_BYTES = 24;
const LENGTH_BYTES = 4;
export const MESSAGE_BYTES = 4096;

export class ChannelError extends Error {}

export function toBase64(bytes) {
  return btoa(String.fromCharCode(...bytes));
}

// Returns the bytes of a text in base64 or base64url; throws for anything else.
export function fromBase64(text) {
  const binary = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(binary, (letter) => letter.charCodeAt(0));
}

function join(...parts) {
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

const ascii = (text) => new TextEncoder().encode(text);
const hash = (name, ...parts) => nacl.hash(join(ascii(name), ...parts));

function sharedSecret(secretKey, publicKey) {
  if (publicKey.length !== KEY_BYTES) throw new ChannelError("a key has 32 bytes");
  const shared = nacl.scalarMult(secretKey, publicKey);
  if (shared.every((byte) => byte === 0)) throw new ChannelError("nobody can have this key");
  return shared;
}

// Returns both keys of a connection, and the two digits that people compare.
// `own` and `once` are our key pairs; the others are the box's public keys.
export function connectionKeys(own, once, boxPublic, boxOncePublic) {
  const keys = hash(
    "companion channel",
    sharedSecret(own.secretKey, boxOncePublic),
    sharedSecret(once.secretKey, boxPublic),
    sharedSecret(once.secretKey, boxOncePublic),
    once.publicKey,
    boxOncePublic,
  );
  const start = hash("companion digits", keys);
  const digits = new DataView(start.buffer).getUint32(0) % 100;
  return {
    toPhone: keys.subarray(0, KEY_BYTES),
    fromPhone: keys.subarray(KEY_BYTES),
    digits: String(digits).padStart(2, "0"),
  };
}

// One connection: each direction has its own key and counts its messages.
export class Channel {
  #keys;
  #sent = 0;
  #received = 0;

  constructor(keys) {
    this.#keys = keys;
  }

  encrypt(plaintext) {
    return nacl.secretbox(plaintext, nonceOf(this.#sent++), this.#keys.fromPhone);
  }

  // Returns the plaintext of the next message; throws for a changed, repeated or late message.
  decrypt(message) {
    const plaintext = nacl.secretbox.open(message, nonceOf(this.#received), this.#keys.toPhone);
    if (plaintext === null) throw new ChannelError("not the next message of the box");
    this.#received++;
    return plaintext;
  }
}

function nonceOf(number) {
  const nonce = new Uint8Array(NONCE_BYTES);
  new DataView(nonce.buffer).setBigUint64(NONCE_BYTES - 8, BigInt(number));
  return nonce;
}

export const newKeyPair = () => nacl.box.keyPair();

// Pairing

const pairingKey = (secret) => hash("companion pairing", secret).subarray(0, KEY_BYTES);

// Returns the first message of the pairing: our public keys, encrypted with the secret of the code.
export function makeOffer(secret, own, once) {
  const nonce = nacl.randomBytes(NONCE_BYTES);
  return join(nonce, nacl.secretbox(join(own.publicKey, once.publicKey), nonce, pairingKey(secret)));
}

// Returns the box's two public keys in its reply to the offer.
export function readReply(secret, reply) {
  const keys = nacl.secretbox.open(
    reply.subarray(NONCE_BYTES), reply.subarray(0, NONCE_BYTES), pairingKey(secret));
  if (keys === null || keys.length !== 2 * KEY_BYTES) throw new ChannelError("not the reply of the box");
  return { boxPublic: keys.slice(0, KEY_BYTES), boxOncePublic: keys.slice(KEY_BYTES) };
}

export const PAIRED = ascii("paired");

// Padding

// Returns a message of the phone as bytes that all have the same length.
export function padMessage(message) {
  const part = ascii(JSON.stringify(message));
  if (LENGTH_BYTES + part.length > MESSAGE_BYTES) throw new RangeError("the message is too long");
  const padded = new Uint8Array(MESSAGE_BYTES);
  new DataView(padded.buffer).setUint32(0, part.length);
  padded.set(part, LENGTH_BYTES);
  return padded;
}

// The sizes to whose multiples the parts of a message of the box are padded.
const PART_STEPS = [1024, 1024, 4096];

// Returns the three parts of a message of the box, parsed.
export function readParts(plaintext) {
  const view = new DataView(plaintext.buffer, plaintext.byteOffset, plaintext.byteLength);
  let at = 0;
  return PART_STEPS.map((step) => {
    if (at + LENGTH_BYTES > plaintext.length) throw new ChannelError("a part is missing");
    const used = LENGTH_BYTES + view.getUint32(at);
    if (at + used > plaintext.length) throw new ChannelError("a part is too long");
    const text = new TextDecoder().decode(plaintext.subarray(at + LENGTH_BYTES, at + used));
    at += Math.ceil(used / step) * step;
    return JSON.parse(text);
  });
}
