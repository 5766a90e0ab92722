"""The encrypted channel between the page on a phone and the process that holds the games.

The process that faces the network passes the messages on and can't read them, and neither can somebody who
records the Wi-Fi. docs/web.md describes every byte.

    code = PairingCode.make_new()  # its secret is in the QR code, and never crosses the air
    offer = read_offer(code, what_the_phone_posted)
    keys = keys_at_box(box, box_once, offer.phone_public, offer.phone_once_public)
    channel = keys.channel_of_box()

Each message is padded to a size that says nothing about it. Each direction has a key of its own, and messages
are numbered: a message that is repeated, late or missing is refused.
"""

from __future__ import annotations

import hashlib
import secrets
from typing import NamedTuple

from nacl import bindings
from nacl.exceptions import CryptoError
from nacl.secret import SecretBox

from companion.errors import UserError
from companion.texts import say

KEY_BYTES = 32
CODE_SECRET_BYTES = 16
LENGTH_BYTES = 4
"""The bytes before each padded part that say how long the part is."""


class ChannelError(UserError):
    """A message that isn't from the paired phone, or not the next one."""

    def __init__(self) -> None:
        super().__init__(say("This message doesn't come from the paired phone."))


class KeyPair(NamedTuple):
    """A private key and its public key (X25519)."""

    private: bytes
    public: bytes

    @classmethod
    def make_new(cls) -> KeyPair:
        """Returns a new key pair from the system's source of chance."""
        return cls.from_private_key(secrets.token_bytes(KEY_BYTES))

    @classmethod
    def from_private_key(cls, private: bytes) -> KeyPair:
        """Returns the key pair of a private key."""
        return cls(private, bindings.crypto_scalarmult_base(private))

    def shared_secret(self, other_public_key: bytes) -> bytes:
        """Returns the secret that both owners of these keys can compute.

        Raises `ChannelError` for a public key that nobody can have, such as zeros.
        """
        try:
            return bindings.crypto_scalarmult(self.private, other_public_key)
        except CryptoError:
            raise ChannelError from None


class PairingCode(NamedTuple):
    """The secret of one QR code."""

    secret: bytes

    @classmethod
    def make_new(cls) -> PairingCode:
        """Returns a code with a new secret."""
        return cls(secrets.token_bytes(CODE_SECRET_BYTES))

    @property
    def box(self) -> SecretBox:
        """What encrypts the two messages of the pairing."""
        return SecretBox(_hash(b"companion pairing", self.secret)[:KEY_BYTES])


class Channel:
    """An encrypted connection: `encrypt` what is sent, `decrypt` what is received, each in its order."""

    def __init__(self, sending_key: bytes, receiving_key: bytes) -> None:
        self._sending, self._receiving = SecretBox(sending_key), SecretBox(receiving_key)
        self._sent_count = self._received_count = 0

    def encrypt(self, plaintext: bytes) -> bytes:
        """Returns the next message to send."""
        nonce = self._sent_count.to_bytes(SecretBox.NONCE_SIZE, "big")
        self._sent_count += 1
        return bytes(self._sending.encrypt(plaintext, nonce).ciphertext)

    def decrypt(self, message: bytes) -> bytes:
        """Returns the plaintext of the next message; raises `ChannelError` if it is any other message."""
        nonce = self._received_count.to_bytes(SecretBox.NONCE_SIZE, "big")
        try:
            plaintext = self._receiving.decrypt(message, nonce)
        except (CryptoError, ValueError, TypeError):
            raise ChannelError from None
        self._received_count += 1
        return bytes(plaintext)


class ChannelKeys(NamedTuple):
    """The two keys of one connection, and the two digits that people compare when they pair a phone."""

    to_phone: bytes
    from_phone: bytes
    digits: str

    def channel_of_box(self) -> Channel:
        """Returns the channel at our end."""
        return Channel(self.to_phone, self.from_phone)

    def channel_of_phone(self) -> Channel:
        """Returns the channel at the phone's end."""
        return Channel(self.from_phone, self.to_phone)


def keys_at_box(
    box: KeyPair, box_once: KeyPair, phone_public: bytes, phone_once_public: bytes
) -> ChannelKeys:
    """Returns the keys of a connection, computed by the box.

    `box_once` is a key pair for this connection only: whoever steals `box` later can't read what was sent.
    """
    secret_parts = (
        box_once.shared_secret(phone_public),
        box.shared_secret(phone_once_public),
        box_once.shared_secret(phone_once_public),
    )
    return _channel_keys(secret_parts, phone_once_public, box_once.public)


def keys_at_phone(
    phone: KeyPair, phone_once: KeyPair, box_public: bytes, box_once_public: bytes
) -> ChannelKeys:
    """Returns the keys of a connection, computed by the phone: equal to those of the box."""
    secret_parts = (
        phone.shared_secret(box_once_public),
        phone_once.shared_secret(box_public),
        phone_once.shared_secret(box_once_public),
    )
    return _channel_keys(secret_parts, phone_once.public, box_once_public)


def _channel_keys(
    secret_parts: tuple[bytes, ...], phone_once_public: bytes, box_once_public: bytes
) -> ChannelKeys:
    keys = _hash(b"companion channel", *secret_parts, phone_once_public, box_once_public)
    digits = int.from_bytes(_hash(b"companion digits", keys)[:4], "big") % 100
    return ChannelKeys(keys[:KEY_BYTES], keys[KEY_BYTES:], f"{digits:02}")


def _hash(*parts: bytes) -> bytes:
    return hashlib.sha512(b"".join(parts)).digest()


# Pairing: two messages, encrypted with the secret of the QR code


class Offer(NamedTuple):
    """The phone's two public keys, as its first message tells them: its own, and that of this connection."""

    phone_public: bytes
    phone_once_public: bytes


def read_offer(code: PairingCode, encrypted_offer: bytes) -> Offer:
    """Returns the offer of a phone; raises `ChannelError` if the phone doesn't know the code."""
    keys = _decrypt_two_keys(code, encrypted_offer)
    return Offer(*keys)


def encrypt_two_keys(code: PairingCode, own_public: bytes, once_public: bytes) -> bytes:
    """Returns a message of the pairing: two public keys, encrypted with the code's secret."""
    return bytes(code.box.encrypt(own_public + once_public))


def _decrypt_two_keys(code: PairingCode, message: bytes) -> tuple[bytes, bytes]:
    try:
        keys = bytes(code.box.decrypt(message))
    except (CryptoError, ValueError, TypeError):
        raise ChannelError from None
    if len(keys) != 2 * KEY_BYTES:
        raise ChannelError
    return keys[:KEY_BYTES], keys[KEY_BYTES:]


# Padding


def pad(part: bytes, multiple_of: int) -> bytes:
    """Returns a part with its length before it, and zeros behind it up to the next multiple."""
    used = LENGTH_BYTES + len(part)
    return len(part).to_bytes(LENGTH_BYTES, "big") + part + bytes(-used % multiple_of)


def unpad(padded: bytes) -> bytes:
    """Returns the part without its length and zeros; raises `ChannelError` if the length can't be right."""
    length = int.from_bytes(padded[:LENGTH_BYTES], "big")
    if LENGTH_BYTES + length > len(padded):
        raise ChannelError
    return padded[LENGTH_BYTES : LENGTH_BYTES + length]
