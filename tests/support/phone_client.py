"""A phone in Python: it pairs, connects and answers as docs/web.md says, and knows nothing else of a game."""

from __future__ import annotations

import json
from typing import Any

from companion.phones.channel import (
    KEY_BYTES,
    Channel,
    ChannelKeys,
    KeyPair,
    PairingCode,
    encrypt_two_keys,
    keys_at_phone,
    pad,
)
from companion.web.link import MAX_PHONE_MESSAGE_BYTES

PUBLIC_SIZE_STEP = 1024


class PhoneClient:
    """The page of one seat, in one tab or several."""

    def __init__(self, seat_number: int) -> None:
        self.seat_number = seat_number
        self._key, self._once = KeyPair.make_new(), KeyPair.make_new()
        self._box_public = b""
        self.cookie = ""
        self.digits = ""
        self._pairing_keys: ChannelKeys | None = None

    def offer(self, secret: bytes) -> bytes:
        """Returns the body of the first post of the pairing."""
        return encrypt_two_keys(PairingCode(secret), self._key.public, self._once.public)

    def read_reply(self, secret: bytes, reply: bytes) -> str:
        """Reads the box's keys; returns the two digits that the page shows."""
        keys = bytes(PairingCode(secret).box.decrypt(reply))
        self._box_public = keys[:KEY_BYTES]
        self._pairing_keys = keys_at_phone(self._key, self._once, self._box_public, keys[KEY_BYTES:])
        self.digits = self._pairing_keys.digits
        return self.digits

    def confirmation(self) -> bytes:
        """Returns the body of the second post of the pairing."""
        assert self._pairing_keys is not None
        return self._pairing_keys.channel_of_phone().encrypt(b"paired")

    def eavesdropper(self) -> PhoneClient:
        """Returns the client of somebody who has recorded the cookie, and has only keys of their own."""
        other = PhoneClient(self.seat_number)
        other.cookie, other._box_public = self.cookie, self._box_public
        return other

    def open_tab(self) -> PhoneTab:
        """Returns a new connection of the page."""
        return PhoneTab(self.seat_number, self._key, self._box_public)


class PhoneTab:
    """One connection: `hello` is its first message, `connected` reads the box's first message."""

    def __init__(self, seat_number: int, key: KeyPair, box_public: bytes) -> None:
        self.seat_number = seat_number
        self._key, self._box_public, self._once = key, box_public, KeyPair.make_new()
        self._channel: Channel | None = None
        self.table: dict[str, Any] = {}
        self.question: dict[str, Any] | None = None
        self.private: dict[str, Any] = {}
        self.parts_read: list[dict[str, Any]] = []
        """The first part of every message, as it came: whole or changed."""

    @property
    def hello(self) -> bytes:
        """The key of this connection."""
        return self._once.public

    def connected(self, message: bytes) -> None:
        """Computes the keys with the box's key for this connection."""
        keys = keys_at_phone(self._key, self._once, self._box_public, message)
        self._channel = keys.channel_of_phone()

    def encrypt(self, **message: object) -> bytes:
        """Returns a message of the page."""
        assert self._channel is not None
        return self._channel.encrypt(pad(json.dumps(message).encode(), MAX_PHONE_MESSAGE_BYTES))

    def read(self, message: bytes) -> None:
        """Reads a message of the box, and keeps what it says."""
        assert self._channel is not None
        rest = self._channel.decrypt(message)
        parts = []
        for step in (PUBLIC_SIZE_STEP, PUBLIC_SIZE_STEP, 1):
            length = int.from_bytes(rest[:4], "big")
            parts.append(json.loads(rest[4 : 4 + length]))
            rest = rest[-(-(4 + length) // step) * step :]
        public, self.question, self.private = parts
        self.parts_read.append(public)
        if "table" in public:
            self.table = public["table"]
        else:
            self.table = {**self.table, **public["changed"]}
