"""The PIN of the touchscreen: four digits, of which only a salted hash is saved.

    saved = hash_pin("0042")
    is_pin_correct("0042", saved)

Whoever can read the saved hash can find the PIN, as there are only 10,000 to try. The PIN only keeps people
at the table from changing settings.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets

PIN_DIGITS = 4
_PIN_PATTERN = re.compile(rf"[0-9]{{{PIN_DIGITS}}}")
_SALT_BYTES = 16
_SAVED_PIN_PATTERN = re.compile(r"[0-9a-f]{32}:[0-9a-f]{128}")
"""Salt and hash in hexadecimal digits."""
_SCRYPT_COST = 2**12
"""The cost of a hash: 4 MB of memory, and 20 ms on a small computer, so that no frame is late."""


def is_pin(text: str) -> bool:
    """Returns whether a text is a PIN: four digits."""
    return _PIN_PATTERN.fullmatch(text) is not None


def is_saved_pin(text: str) -> bool:
    """Returns whether a text looks like a saved PIN."""
    return _SAVED_PIN_PATTERN.fullmatch(text) is not None


def hash_pin(pin: str) -> str:
    """Returns what is saved of a PIN: a new salt, and the hash of PIN and salt."""
    salt = secrets.token_bytes(_SALT_BYTES)
    return f"{salt.hex()}:{_compute_hash(pin, salt).hex()}"


def is_pin_correct(pin: str, saved_pin: str) -> bool:
    """Returns whether a PIN is the saved one."""
    salt, _, saved_hash = saved_pin.partition(":")
    return hmac.compare_digest(_compute_hash(pin, bytes.fromhex(salt)), bytes.fromhex(saved_hash))


def _compute_hash(pin: str, salt: bytes) -> bytes:
    return hashlib.scrypt(pin.encode("ascii"), salt=salt, n=_SCRYPT_COST, r=8, p=1)
